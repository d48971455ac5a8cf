#!/usr/bin/env bash
# The benchmark: kernels that only it has give the right results, and what it prints and writes.
set -uo pipefail
export LC_ALL=C

name=weir_bench
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

"$program" --filter '^survey' --counts 3071:23072:10000 --repeat 1 --verify --json all.json --csv all.csv >survey.out 2>survey.err
result survey $? "$(cat survey.err)"
[[ $(grep -c '^survey .* 13071 ' survey.out) == 6 ]]
result survey_rows $? "$(cat survey.out)"
# A line for each implementation, of three sizes.
awk '/^Lines through/ { lines = 1 } lines && /^survey/ { ++count } END { exit count != 6 }' survey.out && grep -q '"launch_ms"' all.json
result survey_lines $? "$(cat survey.out)"
"$program" --filter '^subgroup_scan' --counts 5000 --repeat 1 --verify >subgroups.out 2>subgroups.err
result subgroup_scans $? "$(cat subgroups.err)"
grep -qE '^subgroup_scan +u64 +5000 +emulated 256 .*[0-9]+ invocations at a time$' subgroups.out
result subgroup_rows $? "$(cat subgroups.out)"
"$program" --spines 9000 >spines.out
[[ $? == 0 && $(sed -n 4p spines.out | tr -s ' ') == " 2 8192 prefix 9000 (epoch "* && $(wc -l <spines.out) == 4 ]]
result spines $? "$(cat spines.out)"
"$program" --filter '^post' --csv post.csv >post.out 2>post.err
result posts $? "$(cat post.err)"
refuses no_counts 2 'numbers from 1 on' --counts 0
refuses sizes_and_counts 2 'excludes' --counts 5 --sizes 10
