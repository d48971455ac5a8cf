#!/usr/bin/env bash
# Tests the sample recurrence: compares columns of a CSV file with awk, and checks invalid input.

name=recurrence
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

# Numbers of any size and sign, groups of any length, unused columns, quotes, spaces, exponents.
awk 'BEGIN {
    srand(1)
    print "name, \"a, b\" ,value,rest"
    for (i = 0; i < 30011; ++i) {
        if (rand() < 0.001) ++group
        printf "\"group, %d\",%d, %.6e ,x\n", group, i, (rand() - 0.5) * 1000
    }
}' >input.csv
# by_loop FIRST NEXT K: prints "group x y" for each line, with y computed by the expressions FIRST and NEXT of x, y and k.
by_loop() {
    awk -F, -v k="$3" 'NR > 1 {
        x = $4 + 0
        name = $1 "," $2
        is_first = NR == 2 || name != last
        group += NR > 2 && is_first
        y = is_first ? '"$1 : $2"'
        last = name
        printf "%d %.12g %.12g\n", group, x, y
    }' input.csv
}
# agree WITH FILE: checks for equal groups and x, and y within a ten thousandth of the maximum.
agree() {
    paste -d ' ' "$1" <(tail -n +2 "$2" | tr , ' ') | awk '
        function size(a) { return a < 0 ? -a : a }
        NF != 6 || $1 != $4 || size($2 - $5) > 1e-6 * size($2) { exit 1 }
        { if (size($3) > most) most = size($3); if (size($3 - $6) > apart) apart = size($3 - $6) }
        END { exit NR != 30011 || apart > 1e-4 * most }'
}
while IFS='|' read -r kind k first next; do
    by_loop "$first" "$next" "$k" >"$kind.expected"
    "$program" "$kind" --input input.csv --column value --group name --output "$kind.csv" --plot "$kind.svg" \
        ${k:+--k "$k"} >"$kind.out" && agree "$kind.expected" "$kind.csv"
    result "$kind" $?
    grep -q '^<svg' "$kind.svg" && [[ $(grep -c '<polyline.*points="[0-9]' "$kind.svg") == 3 ]]
    result "${kind}_plot" $?
done <<'END'
average|0.25|x|y + k * (x - y)
controller|1.5|k * x|y + k * (x - y)
horner|-0.9|x|k * y + x
minimum||x|(x < y ? x : y)
max-plus|7|x|(y - k > x ? y - k : x)
END

# Without a group column, all rows are one group. k has a default.
"$program" --input input.csv --column value --output one.csv >/dev/null && [[ $(cut -d , -f 1 one.csv | uniq | wc -l) == 2 ]]
result one_group $?
# The 48th of each group's; groups begin at every quarter.
"$program" fibonacci --n 192 --output fibonacci.csv >/dev/null &&
    [[ $(sed -n '2,9s/.*,//p' fibonacci.csv | tr '\n' ' ') == '1 1 2 3 5 8 13 21 ' &&
        $(grep -c ',512559680$' fibonacci.csv) == 4 ]]
result fibonacci $?
for n in 0:0 1:1 2:2 1000003:1000003 2^10:1024; do
    "$program" --n ${n%:*} >n.out && grep -q "^elements  *${n#*:} in" n.out
    result "n_${n%:*}" $?
done
refuses n_above_the_limit 2 "--n takes a number from 0 to 2\^26.*not '2\^27'" --n 2^27
echo value >header.csv
"$program" --input header.csv --column value --output nothing.csv --plot nothing.svg >/dev/null &&
    [[ $(cat nothing.csv) == group,x,y ]]
result no_elements $?
"$program" --seed 7 --output seven.csv >/dev/null && "$program" --seed 8 --output eight.csv >/dev/null && ! cmp -s seven.csv eight.csv
result seeds $?

printf 'a,b\n1,2\n3\n' >short.csv
printf 'a,b\n1,2\n3x,4\n' >word.csv
printf 'a,b\nnan,2\n' >nan.csv
: >empty.csv
echo precious >kept
refuses no_such_file 1 'missing.csv: No such file' --input missing.csv --column a
refuses a_directory 1 'directory' --input . --column a
refuses an_empty_file 1 'empty.csv' --input empty.csv --column a
refuses no_such_column 1 'nonsense' --input short.csv --column nonsense
refuses no_such_group 1 'nonsense' --input short.csv --column a --group nonsense
refuses a_short_line 1 'short.csv' --input short.csv --column b --output kept
refuses a_word 1 "line 3: '3x' is not a finite number" --input word.csv --column a --output kept
refuses not_finite 1 "line 2: 'nan' is not a finite number" --input nan.csv --column a
refuses no_column 2 'must be used together' --input word.csv
refuses no_file 2 'must be used together' --column a
refuses group_of_nothing 2 'group needs --input' --group a
refuses unknown_recurrence 2 'nonsense' nonsense
refuses k_too_large 2 'from 0.* to 1' --k 1.5
refuses k_is_no_number 2 'k' --k x
refuses no_k 2 'has no k' minimum --k 1
refuses no_input 2 'takes no input' fibonacci --input word.csv --column a
refuses two_sources 2 'excludes' --n 10 --input word.csv --column a
refuses one_file_twice 2 'same file' --output kept --plot kept
cp short.csv kept.csv
refuses its_own_input 2 'a file that is read' --input kept.csv --column a --output ./kept.csv
refuses its_own_input_for_a_plot 2 'a file that is read' --input ./kept.csv --column a --plot kept.csv
check keeps_its_input cmp short.csv kept.csv
refuses endless 1 'length' --input /dev/zero --column a
printf 'a\n\033[31m\n' >red.csv
refuses escaped_words 1 "'.x1b\[31m' is not a finite number" --input red.csv --column a
refuses no_device 1 "no device matches 'nonsense'" --device nonsense
refuses unwritable 1 'cannot be written' --output missing/file
left_alone
full_disk --n 10
