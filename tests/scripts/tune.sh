#!/usr/bin/env bash
# Tests weir_tune: a trial on a small device, the table that it writes, and invalid input.

name=weir_tune
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

table="$root/primitives/shapes.csv"
rows() { grep "^$1" "$2"; } # PREFIX FILE

succeeds accepts_the_table --check "$table"

succeeds quick --quick --sizes 9:11 --output quick.csv
succeeds writes_a_table --check quick.csv
# The drivers of the tests are CPUs, so only rows of the class cpu may change.
check keeps_other_lines cmp <(grep -v '^cpu,' "$table") <(grep -v '^cpu,' quick.csv)
# 2^10 is measured only if its neighbors have other shapes.
for kernel in scan_light scan_shuffled scan_rounding scan_segmented reduce_by_key select partition runs reduce sort_keys sort_wide_keys sort_pairs; do
    [[ $(grep -c "^$kernel  *2^\(9\|11\) " quick.out) == 2 && $(rows "cpu,$kernel," quick.csv | tail -n 1) == *,any,* ]]
    result "measures_$kernel" $?
done
# Every removed or added row must be printed.
check says_what_changes cmp <(diff "$table" quick.csv | sed -n 's/^< /-/p; s/^> /+/p' | sort) <(grep '^[-+]' quick.out | sort)

"$program" --sizes 4 --kinds reduce,scan_l --minutes 0.05 --output all.csv >all.out
[[ $? == 0 && $(grep -c '2^4 ' all.out) == 2 ]] && cmp -s <(grep -v '^cpu,\(reduce\|scan_light\),' "$table") <(grep -v '^cpu,\(reduce\|scan_light\),' all.csv)
result only_some_kinds $?
# With no time left, no line may change.
"$program" --quick --minutes 0.000000001 --output none.csv >none.out && cmp -s "$table" none.csv && grep -q ": 0 sizes measured" none.out
result keeps_the_time $?
"$program" --quick --sizes 4 --kinds reduce >print.out && [[ -z $(find . -name 'shapes*') ]]
result only_prints $?
# As for an unknown device: the search starts from the rows of another class.
"$program" --quick --sizes 12:16:2 --kinds reduce,runs --from default --output from.csv >from.out && "$program" --check from.csv >/dev/null &&
    cmp -s <(grep -v '^cpu,\(reduce\|runs\),' "$table") <(grep -v '^cpu,\(reduce\|runs\),' from.csv) && [[ $(rows cpu,runs, from.csv | tail -n 1) == *,any,* ]]
result from_another_class $?
# max_spins is measured for a device that has no rows yet, once.
! grep -q '^max_spins' quick.out && [[ $(grep -cE '^max_spins: ([0-9]+, because 99 % of posts were seen after at most [0-9]+ failed polls|not measured, because)' from.out) == 1 ]] &&
    ! "$program" --quick --sizes 4 --kinds reduce,sort_keys --from default | grep -q '^max_spins'
result measures_posts_on_new_devices $? "$(grep ^max_spins quick.out from.out)"
"$program" --quick --sizes 12 --kinds reduce --judge --output kept.csv >judge.out && [[ ! -e kept.csv ]] &&
    [[ $(grep -cE '^cpu,reduce,2\^14,.*: (the best|[0-9.]+ % behind).*\(. of 1 size\)' judge.out) == 1 && $(grep -c '^cpu,reduce,any.*: not measured' judge.out) == 1 ]]
result judges_rows $?

sed 's/^cpu,reduce,any,256,/cpu,reduce,any,250,/' "$table" >wrong.csv
echo precious >kept
refuses a_mistake 1 "wrong.csv: line $(grep -n '^cpu,reduce,any' wrong.csv | cut -d : -f 1): workgroup must be a power of two" --check wrong.csv
refuses no_table 1 'kept: line 1: .*columns' --check kept
refuses no_such_file 1 'missing.csv: cannot be read' --check missing.csv
refuses a_directory 1 'directory' --check .
refuses no_device 1 "no device matches 'nonsense'" --device nonsense --output kept
refuses unwritable 1 'cannot be written' --output missing/file
refuses unknown_kind 2 "begins with 'nonsense'" --kinds scan,nonsense --output kept
refuses unknown_class 2 "no class 'nonsense'" --from nonsense --output kept
refuses bad_sizes 2 'FROM:TO' --sizes 12:10 --output kept
refuses half_an_element 2 '2\^1' --sizes 0:4 --output kept
refuses bad_minutes 2 'minutes' --minutes -1 --output kept
refuses unknown_option 2 'bogus' --bogus
left_alone
full_disk --quick --sizes 4 --kinds reduce
