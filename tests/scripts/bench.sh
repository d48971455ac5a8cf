#!/usr/bin/env bash
# Tests weir_bench: the results of its own kernels, its output and its files.

name=weir_bench
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

succeeds survey --filter '^survey' --counts 3071:23072:10000 --repeat 5 --verify --json all.json --csv all.csv
[[ $(grep -c '^survey .* 13071 ' survey.out) == 6 ]]
result survey_rows $? "$(cat survey.out)"
# One line per implementation with three sizes. On a busy machine a large size may take less time than a small one; then there is no line.
awk '/^Lines through/ { lines = 1 } lines && /^survey/ { ++count } END { exit count < 1 || count > 6 }' survey.out && grep -q '"launch_ms"' all.json
result survey_lines $? "$(cat survey.out)"
succeeds subgroup_scans --filter '^subgroup_scan' --counts 5000 --repeat 1 --verify
check subgroup_rows grep -E '^subgroup_scan +u64 +5000 +emulated 256 .*[0-9]+ invocations at a time$' subgroup_scans.out
succeeds without_features --filter '^(inclusive_scan/u32|radix_sort_keys/u32)/weir$' --sizes 12 --repeat 1 --verify \
    --without synchronization2,maintenance4,subgroupSizeControl,computeFullSubgroups,vulkanMemoryModel
[[ $(grep -cE '^(inclusive_scan|radix_sort_keys) ' without_features.out) == 2 ]]
result rows_without_features $? "$(cat without_features.out)"
"$program" --spines 9000 >spines.out
[[ $? == 0 && $(sed -n 4p spines.out | tr -s ' ') == " 2 8192 prefix 9000 (epoch "* && $(wc -l <spines.out) == 4 ]]
result spines $? "$(cat spines.out)"
succeeds post --filter '^post' --csv post.csv
# Message instead of the row, on a driver that runs one workgroup after the other.
skipped='weir_bench: skipped post/u32/round trip: two workgroups did not run at the same time'
if [[ -s post.err ]]; then
    [[ $(cat post.err) == "$skipped" && $(grep -c '^post' post.out post.csv) == $'post.out:0\npost.csv:0' ]]
else
    grep -qE '^post +u32 +2\^[59] +round trip .* failed polls: median [0-9]+, 99th percentile [0-9]+, maximum [0-9]+; max_spins is [0-9]+' post.out &&
        [[ $(grep -c '^post,u32,' post.csv) == 1 ]]
fi
result post_row $? "$(cat post.out post.err)"
# Slow rows are measured only with a filter.
"$program" --list >usual.out && grep -q '^inclusive_scan/u32/weir$' usual.out && ! grep -qE '^(survey|subgroup_scan|post)/' usual.out
result measures_the_usual $? "$(cat usual.out)"
"$program" --list --filter '^(survey|subgroup_scan|post)/' >asked.out && [[ $(cut -d/ -f1 asked.out | uniq | tr '\n' ' ') == 'subgroup_scan survey post ' ]]
result measures_what_is_asked_for $? "$(cat asked.out)"
refuses unknown_feature 1 "'nonsense' is not a feature" --without nonsense
refuses no_counts 2 'numbers from 1 on' --counts 0
refuses too_many_counts 2 'at most 2\^20' --counts 1:4294967295
refuses huge_counts 2 'at most 2\^20' --counts 99999999999999999999
refuses sizes_and_counts 2 'excludes' --counts 5 --sizes 10
