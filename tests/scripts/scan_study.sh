#!/usr/bin/env bash
# Tests the sample scan_study: its table and plots, and invalid input.

name=scan_study
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

# Whole and partial tiles, and a single number. 70000 numbers are at least 9 tiles of each operation.
succeeds study --sizes 0:12:3 --blocking-size 70000 --repeat 2 --csv study.csv --plots plots
check says_verified grep '^All results match the sequential sum' study.out
header=part,operation,implementation,n,blocking,all_tiles,silent_tiles,microseconds,mean_microseconds,deviation_microseconds
header+=,items_per_second,harmonic_items_per_second,ratio_to_copy,ratio_to_reduce_then_scan,spins,look_back,fallbacks,fallbacks_won,tiles
[[ $(head -n 1 study.csv) == "$header" && $(wc -l <study.csv) -gt 28 ]]
result csv_header $?
# rows_are EXPRESSION...: checks an expression for each row, and an END block of awk for all rows.
rows_are() {
    awk -F, -v OFS=, 'NR > 1 {
        part = $1; op = $2; impl = $3; n = $4; blocking = $5; all = $6; silent = $7; us = $8; mean = $9; deviation = $10; rate = $11
        harmonic = $12; of_copy = $13; of_reduce = $14; spins = $15; fallbacks = $17; won = $18; tiles = $19
        if (NF != 19 || !('"$1"')) { print "not so: " $0; bad = 1 }
        '"${2-}"'
    }
    END { exit bad || NR < 2'"${3+ || !($3)}"' }' study.csv
}
near='(a > b ? a - b : b - a) <= 0.02 * b'
rows_are 'us > 0' 'a = rate; b = n / us * 1e6; if (!('"$near"')) bad = 1'
result csv_rates $?
rows_are 'of_copy > 0' 'if (impl == "copy") copy = us; a = of_copy; b = copy / us; if (!('"$near"')) bad = 1'
result csv_ratios_to_copy $?
rows_are '1' 'if (part == "throughput") { ++count[n impl]; ++rows }' \
    'rows == 20 && count["1copy"] && count["8look_back"] && count["512reduce_then_scan"] && count["4096fallback"]'
result csv_throughput $?
# Rows with counters: one without blocking, then each has twice as much, up to every tile.
rows_are '(spins != "") == (part == "blocking" && impl == "fallback")' \
    'if (spins != "") { if (op != last_op) { if (ops && counted <= 4) bad = 1; counted = 0; ++ops } if (counted++ > 1 && blocking != 2 * last) bad = 1; if (counted == 1 && blocking != 0) bad = 1; last = blocking; last_op = op }' \
    'ops == 6 && counted > 4 && last == 1'
result csv_blocking $?
# If no tile posts, another workgroup computes each tile except the last. With 9 tiles, the minimum here, that is a share of 0.89.
rows_are 'op == "radix_sort" || (won <= fallbacks && (blocking < 1 || (spins > 0 && won > 0.8)))'
result csv_fallbacks $?
rows_are 'mean > 0 && deviation >= 0' 'a = harmonic; b = n / mean * 1e6; if (!('"$near"')) bad = 1'
result csv_averages $?
rows_are '(of_reduce != "") == (op !~ /^(select_if|radix_sort)$/)' \
    'if (impl == "reduce_then_scan") reduce = us; if (impl ~ /^(fallback|reduce_then_scan)$/ && of_reduce != "") { a = of_reduce; b = reduce / us; if (!('"$near"')) bad = 1; ++ratios }' \
    'ratios > 30'
result csv_ratios_to_reduce_then_scan $?
# Each silent tile but the last is computed once for its owner. The first pass of a sort, a quarter of its tiles, does not look back, and the
# other passes count 256 values per tile. If some tiles are silent, others may be late too.
rows_are '(all != "") == (spins != "") && (blocking > 0) == (silent > 0)' \
    'if (all != "") {
        sort = op == "radix_sort"; passes = sort ? 4 : 1
        if (silent != (sort ? 3 : 1) * int((all / passes - 1) * blocking)) { print "silent: " $0; bad = 1 }
        computed = won * all / (sort ? 256 : 1)
        if (computed < silent * 0.99 || (blocking == 1 && computed > silent * 1.01)) { print "computed: " $0; bad = 1 }
    }'
result csv_silent_tiles $?
# If no tile posts, each look-back of an exact operation covers all tiles before its own: on average half of (tiles - 1). The check above
# implies that the number of tiles is 1 / (1 - won).
rows_are '(tiles != "") == (spins != "") && (tiles == "" || tiles > 0)' \
    'if (blocking == 1 && op ~ /^(u32|u64|select_if)$/) { a = tiles; b = won / (1 - won) / 2; ++exact; if (!('"$near"')) bad = 1 }' 'exact == 3'
result csv_tiles $?
for plot in throughput:4 blocking_throughput:4 blocking_spins:2 blocking_look_back:2 blocking_fallbacks:2 blocking_fallbacks_won:2 blocking_tiles:2 blocking_operations:6 blocking_ratios:4; do
    file=plots/${plot%:*}.svg
    awk 'NR == 1 { good = /^<svg [^<>]*>$/ }
        NR > 1 && !/^<(rect|line|polyline|circle) [^<>]*\/>$/ && !/^<text [^<>]*>[^<>]*<\/text>$/ && !/^<\/svg>$/ { bad = 1 }
        /(nan|inf)["., ]/ { bad = 1 }
        { last = $0 }
        END { exit !good || bad || last != "</svg>" }' "$file" &&
        [[ $(grep -c '<polyline.*points="[0-9]' "$file") == "${plot#*:}" ]]
    result "plot_${plot%:*}" $?
done
"$program" >usual.out && [[ $(grep -c '^throughput' usual.out) == 20 && $(grep -c '^blocking  *u32  *fallback  *2^18' usual.out) -gt 4 ]]
result usual_sizes $?
"$program" --sizes 10:10 --blocking-size 1 --seed 7 --plots plots >few.out && grep -qE '^blocking +u32 +fallback +2\^0 +none +0 of 1 ' few.out && ! grep -q '1/1 ' few.out
result a_single_number $?
grep -qE '^blocking +u32 +fallback +70000 +1/1 +[0-9]+ of [0-9]+ ' study.out
result silent_tiles_in_table $?

echo precious >kept
refuses no_device 1 "no device matches 'nonsense'" --device nonsense
refuses too_many 1 'too many' --sizes 10:31 --csv kept
refuses too_many_blocking 1 'too many' --blocking-size 2^40 --plots never_made
refuses a_single_size 2 "FIRST:LAST" --sizes 10
refuses sizes_are_words 2 "not '10:x'" --sizes 10:x
refuses sizes_fall 2 'FIRST <= LAST' --sizes 12:10
refuses sizes_too_large 2 'LAST <= 31' --sizes 10:32
refuses no_step 2 'STEP' --sizes 10:20:0
refuses too_many_parts 2 "not '1:2:3:4'" --sizes 1:2:3:4
refuses no_numbers 2 "not '0'" --blocking-size 0
refuses bad_number 2 "not '12x'" --blocking-size 12x
refuses no_repeat 2 'repeat' --repeat 0
refuses negative_seed 2 "not '-1'" --seed=-1
refuses unknown_option 2 'bogus' --bogus
refuses one_file_twice 2 'same file' --csv plots/throughput.svg --plots plots
refuses a_file_for_a_folder 1 'kept' --plots kept
refuses unwritable 1 'cannot be written' --csv missing/file
refuses no_parent 1 'missing/plots' --plots missing/plots
[[ ! -e never_made ]]
result makes_no_folder $?
left_alone
full_disk --sizes 10:10 --blocking-size 2^10
