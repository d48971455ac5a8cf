#!/usr/bin/env bash
# Tests continuous integration itself: .ci/run with a stand-in for ./run, skipped tests, and the selection of sources for clang-tidy
# (cmake/tidy.py) in a small repository.

name=ci
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
needs ci "" git python3
unset WEIR_LINT_BASE

is() { [[ $1 == "$2" ]] || { printf 'is: %s\nexpected: %s\n' "$1" "$2"; return 1; }; }

# Runs .ci/run. The stand-in fails for `./run FAILING`.
mkdir -p small/.ci && cp "$root/.ci/run" small/.ci
cat >small/run <<'END_OF_RUN'
#!/usr/bin/env bash
echo "$CI $WEIR_WERROR $*" >>called
[[ $1 != tests ]] || printf '%s\n' "a line of tests" "3 passed, 0 failed, 0 skipped"
[[ $1 != "${FAILING:-}" ]]
END_OF_RUN
chmod +x small/run
ci_run() { # STATUS LINES [FAILING]: LINES are the last lines, without seconds
    local status=0 output
    rm -f small/called
    output=$(FAILING=${3:-} small/.ci/run) || status=$?
    is "$status: $(tail -n "$(wc -l <<<"$2")" <<<"$output" | sed 's/[0-9]* s\b/N s/g')" "$1: $2"
}
all_parts='packages N s, lint N s, build N s, tests N s'
check prints_times ci_run 0 "a line of tests"$'\n'"$all_parts"$'\n'"3 passed, 0 failed, 0 skipped"
check installs_all_packages grep -qx 'true ON deps --packages --hosts --windows' small/called
check failed_tests ci_run 1 "$all_parts"$'\n'"3 passed, 0 failed, 0 skipped" tests
check failed_lint ci_run 1 "$all_parts"$'\n'"3 passed, 0 failed, 0 skipped" lint
check failed_build ci_run 1 "packages N s, lint N s, build N s"$'\n'"0 passed, 1 failed, 0 skipped" build
check failed_packages ci_run 1 "packages N s"$'\n'"0 passed, 1 failed, 0 skipped" deps
check nothing_without_packages is "$(wc -l <small/called)" 1

# A missing package is a failure on CI only. A missing capability never is.
says() { is "$(CI=$1 "${@:3}")" "$2"; }
check skips_elsewhere says "" "skip one: there is no tool (./run deps --packages)" skip_without_package one "there is no tool" --packages
check fails_on_ci says true "FAIL one: there is no tool (./run deps); CI skips no test for a missing package" \
    skip_without_package one "there is no tool" ""
check needs_a_tool says true "FAIL one: weir-no-such-tool is missing (./run deps); CI skips no test for a missing package" \
    needs one "" bash weir-no-such-tool
check skips_on_ci says true "skip one: no timestamps" skip one "no timestamps"
ends_quietly() { ! grep -nE "echo [\"']?skip " "$root"/tests/scripts/*.sh "$root"/tests/support/{display,program_test}.sh; }
check scripts_use_them ends_quietly

# A repository with 40 sources. The stand-in for clang-tidy reports each line with FAULT, and records the sources that it reads.
mkdir -p tree/engine tree/build/lint && cd tree || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
git init -q -b main . && printf '/build/\n' >.gitignore
for i in {10..49}; do printf 'namespace weir {\nint f%s() { return %s; }\n} // namespace weir\n' "$i" "$i" >engine/s$i.cpp; done
printf '#pragma once\n#include "engine/inner.hpp"\n' >engine/outer.hpp
printf '#pragma once\n' >engine/inner.hpp
sed -i '1i #include "engine/outer.hpp"' engine/s1[0-2].cpp
for file in engine/*.cpp; do
    printf '{"directory": "%s", "file": "%s", "command": "c++ -I%s -std=c++20 -O2 -o x.o -c %s"}\n' "$PWD" "$PWD/$file" "$PWD" "$PWD/$file"
done | paste -sd , | sed 's/.*/[&]/' >build/lint/compile_commands.json
cat >build/tidy <<'END_OF_TIDY'
#!/usr/bin/env bash
for file; do [[ $file == /*.cpp ]] && break; done
grep -o 'int f[0-9]*' "$file" | tr -d '\n' | sed 's/int f/ /g; s/$/\n/' >>build/seen
grep -n FAULT "$file" | sed "s|^\([0-9]*\):.*|$file:\1:1: error: a fault [stand-in,-warnings-as-errors]|" | grep .
(($? != 0))
END_OF_TIDY
chmod +x build/tidy
commit() { git add -A && git commit -q --allow-empty -m "$1"; }
tidy() { python3 "$root/cmake/tidy.py" --commands build/lint "$@"; }
list() { tidy --list "$@" | sed -n "s|^$kind engine/s\(.*\).cpp|\1|p" | paste -sd ' '; }
changed() { kind=changed list; }
turn() { kind=turn list "$@"; }
all=$(echo {10..49})

commit first
check unknown_history_is_all is "$(changed)" "$all"
more_commits() { # COUNT
    local i
    for ((i = 0; i < $1; ++i)); do
        printf 'commit refs/heads/main\ncommitter a <a> %s +0000\ndata 0\n' "$((1700000000 + i))"
        ((i)) || printf 'from refs/heads/main^0\n'
    done | git fast-import --quiet
}
more_commits 50
check last_fifty_commits is "$(changed)" ""
every_turn() {
    local seen=()
    for _ in {1..10}; do
        commit next
        read -ra seen <<<"${seen[*]} $(turn)"
    done
    is "$(printf '%s\n' "${seen[@]}" | sort | paste -sd ' ')" "$all"
}
check ten_commits_cover_all every_turn
check turn_repeats is "$(turn --turn 3)" "$(turn --turn 13)"
echo '// more' >>engine/s20.cpp
echo '// new' >engine/s50.cpp
check uncommitted_changes is "$(changed)" "20 50"
commit changes
check committed_changes is "$(changed)" "20 50"
git tag ci-passed
check since_the_tag is "$(changed)" ""
git tag -d ci-passed >/dev/null
git update-ref refs/remotes/origin/main HEAD~1
check since_the_merge_base is "$(changed)" "20 50"
git rev-parse HEAD >build/lint/passed
check since_the_last_lint is "$(changed)" ""
export WEIR_LINT_BASE=HEAD~1
check since_the_variable is "$(changed)" "20 50"
WEIR_LINT_BASE=nothing
bad_variable() { ! tidy --list 2>said && is "$(cat said)" 'clang-tidy: WEIR_LINT_BASE names no commit: nothing'; }
check unknown_variable bad_variable
WEIR_LINT_BASE=HEAD
echo '// more' >>engine/outer.hpp
check includers_of_a_header is "$(changed)" "10 11 12"
git checkout -q engine
echo '// more' >>engine/inner.hpp
check includers_of_includers is "$(changed)" "10 11 12"
git checkout -q engine
for i in {20..45}; do sed -i '1i #include "engine/outer.hpp"' engine/s$i.cpp; done
commit "more includers"
echo '// more' >>engine/outer.hpp
check at_most_ten_includers is "$(changed | wc -w)" 10
touch .clang-tidy
check other_checks_are_for_all is "$(changed)" "$all 50"
rm .clang-tidy
git checkout -q engine
outside() { mv .git build/git && is "$(changed)" "" && turn | grep -q '[0-9]'; local status=$?; mv build/git .git; return $status; }
check outside_a_checkout outside

# The changed sources are always checked, the others only within the budget.
runs() { # STATUS LAST-LINE SEEN [OPTION...]: SEEN lists each source as often as it is read
    local status=0 output
    rm -f build/seen
    output=$(tidy --clang-tidy build/tidy "${@:4}") || status=$?
    echo "$output"
    is "$status: $(tail -n 1 <<<"$output")" "$1: $2" && is "$(tr -s ' ' '\n' <build/seen | grep . | sort -n | paste -sd ' ')" "$3"
}
echo '// more' | tee -a engine/s14.cpp >>engine/s15.cpp
since="changed since $(git rev-parse --short=10 HEAD) (WEIR_LINT_BASE)"
others=$(turn --turn 1)
count=$(wc -w <<<"$others")
check runs_both runs 0 "clang-tidy: 2 sources $since; $count more, of turn 1 of 10: no warnings" \
    "$(echo 14 15 "$others" | tr ' ' '\n' | sort -n | paste -sd ' ')" --turn 1
without_budget() { echo "0 more, of turn 1 of 10; the budget of 0 s left $(turn --turn 1 | wc -w) of them unchecked until that turn comes again"; }
check never_drops_changes runs 0 "clang-tidy: 2 sources $since; $(without_budget): no warnings" "14 15" --turn 1 --budget 0
echo '// FAULT' >>engine/s15.cpp
check checks_a_fault_alone runs 1 "clang-tidy: 2 sources $since; $(without_budget)" "14 15 15" --turn 1 --budget 0
check names_its_line grep "^$PWD/engine/s15.cpp:5:1: error: a fault" "$out/checks_a_fault_alone.log"
echo '// FAULT' >>engine/s49.cpp
commit fault
WEIR_LINT_BASE=HEAD
check long_run_has_all runs 1 "clang-tidy: 41 sources all" "$(echo {10..15} 15 {16..49} 49 | tr ' ' '\n' | sort -n | paste -sd ' ')" --long
printf '#include <map>\n#include <map>\n' >engine/s50.cpp
since="changed since $(git rev-parse --short=10 HEAD) (WEIR_LINT_BASE)"
check repeated_include runs 1 "clang-tidy: 1 sources $since; $(without_budget)" "" --turn 1 --budget 0

# With the real clang-tidy: equal names in two sources are not a fault, and every fault is reported at its position.
cd .. && needs clang_tidy "" clang-tidy && cd tree || exit 0
cp "$root/.clang-tidy" . && git checkout -q engine && printf 'namespace {\nint f(int* p) { return p == 0; }\n} // namespace\nint f50() { return f(nullptr); }\n' >engine/s50.cpp
printf '#define LOCAL 1\nnamespace {\nint f(const int* p) { return LOCAL + (p == nullptr); }\n} // namespace\nint f49() { return f(nullptr); }\n' |
    tee engine/s49.cpp | sed 's/49/46/; s/const //' >engine/s46.cpp
printf 'namespace a {\nint g();\n}\nusing a::g;\nint f48() { return 1; }\n' >engine/s48.cpp
sed -i '$d' engine/s15.cpp
real() { ! tidy --long && is "$(tidy --long | grep -o '^/.*\]$' | sed "s|^$PWD/engine/||; s/:[0-9]*: error.*\[/ /; s/,.*//" | sort)" $'s48.cpp:4 misc-unused-using-decls\ns50.cpp:2 modernize-use-nullptr'; }
check finds_faults real
