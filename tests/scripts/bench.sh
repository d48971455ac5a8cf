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
succeeds workgroup_scans --filter '^workgroup_scan/' --counts 5000 --repeat 1 --verify
[[ $(grep -c '^workgroup_scan .* 5000 ' workgroup_scans.out) == 24 && $(grep -c ' brent_kung_levels ' workgroup_scans.out) == 2 ]]
result workgroup_scan_rows $? "$(cat workgroup_scans.out)"
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

succeeds silent --filter '^inclusive_scan/u32/weir 0x0' --sizes 8:16:4 --repeat 1 --shape scan:0x0,silent=4
awk '/tiles silent$/ { ++rows; silent = $(NF - 4); tiles = $(NF - 2); if (silent != int((tiles - 1) / 4)) bad = 1; most = silent } END { exit bad || rows != 3 || most < 1 }' silent.out
result silent_tiles $? "$(cat silent.out)"

succeeds fallbacks --filter '^inclusive_scan/f32/weir 0x0' --sizes 12:14:2 --repeat 1 --verify --shape scan:0x0,silent=2,fallback=reload+hint+own_block --shape scan:0x0,fallback=hint
[[ $(grep -cE ' weir 0x0,(silent=2,)?fallback=' fallbacks.out) == 4 ]]
result fallback_rows $? "$(cat fallbacks.out)"
refuses unknown_fallback 1 "'scan:0x0,fallback=reload\\+none' is not a shape" --shape scan:0x0,fallback=reload+none
refuses empty_fallback 1 "'scan:0x0,fallback=' is not a shape" --shape scan:0x0,fallback=
# A gate compares with a table. Times of synthetic tables are a thousandth or a thousandfold of those measured, because drivers on a CPU vary.
rows='^(inclusive_scan/u32|reduce/f32)/weir$'
succeeds measured --filter "$rows" --sizes 10:12:2 --repeat 2 --csv measured.csv
# table FILE EDIT: a table of slow rows, with an edit of awk.
table() {
    awk -F, -v OFS=, '/^#/ { print; next } $3 ~ /^[0-9]/ { $5 *= 1000; $6 *= 1000 } '"$2"' { print }' measured.csv >"$1"
}
gate() { "$program" --filter "$rows" --sizes 10:12:2 --repeat 2 --gate "$@"; }
table slow.csv '' && gate slow.csv >slow.out && grep -qE '^Compared with slow.csv: 4 rows, 0 slower beyond noise$' slow.out && ! grep -q '^In ' slow.out
result gate_passes $? "$(cat slow.out)"
table one.csv '$1 == "reduce" && $3 == 4096 { $5 /= 1e6; $6 /= 1e6 }'
gate one.csv >one.out
[[ $? == 1 && $(grep -c '^slower: ' one.out) == 1 ]] && grep -qE '^slower: reduce/f32/weir at 2\^12: [0-9.]+ us, [0-9.]+ % more than [0-9.]+ us; noise: 7.0 %$' one.out
result gate_names_slower_row $? "$(cat one.out)"
# The row of 2^12 is called 2^14 in the table: outside of the measured sizes. Rows of peers do not count.
table other.csv '$1 == "reduce" && $3 == 4096 { $3 = 16384 } $1 == "inclusive_scan" && $3 == 1024 { print; $1 = "gone"; print; $1 = "reduce"; $2 = "f32"; $4 = "\"cub\"" }'
gate other.csv >other.out && [[ $(sed -n '/^In this run/,$p' other.out) == $'In this run, but not in the table:\n    reduce/f32/weir at 2^12' ]] && ! grep -q '^In the table' other.out
result gate_lists_rows_without_table $? "$(cat other.out)"
rows='^(inclusive_scan/u32|reduce/f32|gone/u32)/weir$' gate other.csv >gone.out && grep -A1 '^In the table, but not in this run:$' gone.out | grep -qx '    gone/u32/weir at 2^10'
result gate_lists_rows_without_measurement $? "$(cat gone.out)"
sed 's/^# device: .*/# device: Another GPU/' slow.csv >another.csv
refuses gate_of_another_device 1 'another.csv was measured on Another GPU, and this device is ' --filter "$rows" --gate another.csv
grep -v '^# device' slow.csv >nowhere.csv
refuses gate_without_device 1 "nowhere.csv has no line '# device: NAME'" --gate nowhere.csv
sed 's/^\(reduce,f32,4096\),/\1x,/' slow.csv >wrong.csv
refuses gate_with_wrong_row 1 "wrong.csv: line $(grep -n 4096x wrong.csv | cut -d: -f1) is not a row of weir_bench --csv: 'reduce,f32,4096x," --gate wrong.csv
refuses gate_of_no_file 1 'missing.csv: cannot be read' --gate missing.csv
refuses gate_and_output 2 'a file that is read' --gate slow.csv --csv slow.csv
"$program" --filter '^copy' --sizes 10 --repeat 1 --gate slow.csv >none.out 2>none.err
[[ $? == 1 && $(cat none.err) == 'weir_bench: no measured row is in slow.csv' ]]
result gate_without_common_rows $? "$(cat none.err)"
