#!/usr/bin/env bash
# Tests mutate.py: it must find gaps of the tests in a tree with one source, and list mutations of Weir that change one line each.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
needs mutate "" python3 ninja g++

list() { "$root/tests/mutate.py" --list --count "$1" --seed "$2"; }
lists_the_same() {
    list 100 1 >"$work/first" && list 100 1 >"$work/second" && cmp "$work/first" "$work/second" && list 100 2 >"$work/other" &&
        ! cmp -s "$work/first" "$work/other" && [[ $(wc -l <"$work/first") == 101 ]]
}
begins_the_same() { list 20 1 >"$work/fewer" && cmp <(head -n 20 "$work/first") <(head -n 20 "$work/fewer"); }
has_all_kinds() {
    local kind
    list 100000 1 >"$work/all" || return
    for kind in comparison one 'and or' 'minimum maximum' 'no statement' negation; do
        [[ $(grep -c ": $kind: " "$work/all") -gt 20 ]] || { echo "few of $kind"; return 1; }
    done
    ! grep -E ': (//|#|static_assert)' "$work/all"
}
check lists_the_same lists_the_same
check begins_the_same begins_the_same
check has_all_kinds has_all_kinds

# The tree. Comments and strings must not be changed.
tree="$work/tree" copy="$work/tree/build/mutation"
mkdir -p "$tree/graph" "$tree/tests" "$copy/build/bin"
cp "$root/tests/mutate.py" "$tree/tests"
cat >"$tree/graph/one.cpp" <<'END_OF_CPP'
#include <algorithm>
const char* text = "a < b && c"; // a == b
int least(int a, int b) {
    if (a < b) {
        return a;
    }
    return b;
}
int count(int n) {
    int done = 0;
    while (n > 0) {
        --n;
        done = std::min(done + 1, 100);
    }
    return done;
}
int size() {
    int row[2 - 1] = {0};
    static_assert(sizeof row == sizeof(int));
    return row[0];
}
END_OF_CPP
cat >"$tree/tests/test.cpp" <<'END_OF_CPP'
#include <cstdio>
int least(int, int), count(int), size();
int main() {
    const bool fails = least(1, 2) != 1 || least(2, 1) != 1 || count(3) != 3 || size() != 0;
    std::puts(fails ? "[  FAILED  ] Small.numbers (0 ms)" : "passed");
    return fails;
}
END_OF_CPP
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$tree/tests/drivers.sh"
chmod +x "$tree/tests/drivers.sh"
cat >"$copy/build/build.ninja" <<END_OF_NINJA
rule program
  command = g++ -std=c++20 \$in -o \$out
rule copy
  command = cp \$in \$out
build bin/weir_tests_host: program $copy/source/graph/one.cpp $copy/source/tests/test.cpp
build bin/weir_tests_device: copy bin/weir_tests_host
build weir_tests_host: phony bin/weir_tests_host
build weir_tests_device: phony bin/weir_tests_device
END_OF_NINJA

mutate() { (cd "$tree" && tests/mutate.py --grace 2 "$@"); }
tries_them() { mutate --count 3 && mutate | grep -qx '7 of 8 caught, 87.5 %; 1 did not compile; 0 to do'; }
outcomes() {
    python3 -c 'import csv, sys
for row in sorted(csv.DictReader(sys.stdin), key=lambda row: (int(row["line"]), row["kind"])):
    print(row["file"], row["line"], row["kind"], row["result"], row["by"], sep=",")'
}
has_results() {
    diff - <(outcomes <"$copy/results.csv") <<'END_OF_CSV'
graph/one.cpp,4,comparison,survived,
graph/one.cpp,4,negation,caught,host: Small.numbers
graph/one.cpp,11,comparison,caught,host: Small.numbers
graph/one.cpp,11,negation,caught,host: Small.numbers
graph/one.cpp,12,no statement,caught,host: ran out of time
graph/one.cpp,13,minimum maximum,caught,host: Small.numbers
graph/one.cpp,13,no statement,caught,host: Small.numbers
graph/one.cpp,13,one,caught,host: Small.numbers
graph/one.cpp,18,one,did not compile,
END_OF_CSV
}
does_it_once() { cp "$copy/results.csv" "$work/before" && mutate --least 80 && cmp "$work/before" "$copy/results.csv" && ! mutate --least 90; }
leaves_sources() { cmp "$tree/graph/one.cpp" "$copy/source/graph/one.cpp"; }
check tries_them tries_them
check has_results has_results
check does_it_once does_it_once
check leaves_sources leaves_sources
sed -i 's/least(2, 1) != 1/least(2, 1) != 2/' "$tree/tests/test.cpp"
needs_right_tests() { ! mutate --output "$work/none.csv" && [[ ! -e $work/none.csv ]]; }
check needs_right_tests needs_right_tests
