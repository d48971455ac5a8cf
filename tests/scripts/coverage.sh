#!/usr/bin/env bash
# Tests the counts of tests/coverage.sh in a tree of three small sources. Some of their lines do not run.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
needs coverage --packages gcovr g++ gcov

mkdir -p "$work"/{tests,engine,graph,primitives,samples} "$work/build/coverage/CMakeFiles"/weir_{core,scan}.dir
cp "$root/tests/coverage.sh" "$work/tests"
# Each source has four lines that count: all of `engine` run, three of `graph`, none of `primitives`.
for folder in engine graph primitives samples; do
    cat >"$work/$folder/one.cpp" <<END_OF_CPP
int $folder(int a) {
    if (a > 1)
        return 1;
    return 2;
}
END_OF_CPP
done
cat >"$work/main.cpp" <<'END_OF_CPP'
int engine(int), graph(int);
int main() { return engine(1) + engine(2) + graph(2) == 4 ? 0 : 1; }
END_OF_CPP
(
    cd "$work/build/coverage" && for folder in engine graph primitives samples; do
        part=weir_core
        [[ $folder != primitives ]] || part=weir_scan
        g++ --coverage -O0 -c "$work/$folder/one.cpp" -o "CMakeFiles/$part.dir/$folder.o" || exit
    done && g++ --coverage "$work/main.cpp" CMakeFiles/weir_*.dir/*.o -o program && ./program
) || { echo "FAIL coverage: the sources do not compile or run"; exit 0; }

output=$("$work/tests/coverage.sh" --no-tests --build "$work/build/coverage" 2>"$work/errors") || echo "FAIL status: $(cat "$work/errors")"
# expect NAME PART TEXT: checks that the text has this part.
expect() {
    [[ $3 == *"$2"* ]]
    result "$1" $? "not '$2': $3"
}
uncovered=$(cat "$work/build/coverage/uncovered.txt")
expect engine "engine/      4 of 4 lines, 100.0 %" "$output"
expect graph "graph/       3 of 4 lines, 75.0 %" "$output"
expect primitives "primitives/  0 of 4 lines, 0.0 %" "$output"
expect lines "graph/one.cpp: 1 lines: 4" "$uncovered"
expect ranges "primitives/one.cpp: 4 lines: 1-4" "$uncovered"
! "$work/tests/coverage.sh" --no-tests --build "$work/build/coverage" --least 95 &>/dev/null
result least $? "it does not fail below --least"
