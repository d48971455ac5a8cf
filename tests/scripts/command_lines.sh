#!/usr/bin/env bash
# Tests the command lines of all programs: --version, --help, counts, sizes and names of output files. Needs no device.

name=command_lines
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

programs=()
for candidate in culling radix_sort recurrence scan_study splats svg word_count weir_bench weir_bench_paths weir_estimate weir_info weir_tune; do
    if [[ -x $root/build/bin/$candidate ]]; then
        programs+=("$candidate")
    else
        skip_without_package "$candidate" "it is not built"
    fi
done

version=$(version_of_weir)

# Prints a line for each option of a help text: name, type (- if there is none) and description. One space must be between name and type.
options_of() {
    awk '/^  -/ { if (entry) print entry; entry = "" }
         /^  -/ || entry { sub(/^ +/, ""); entry = entry (entry ? " " : "") $0 }
         /^ *$/ { if (entry) print entry; entry = "" }
         END { if (entry) print entry }' "$1" | sed -E 's/^(-[^ ]+) ([^ ]+) +/\1\t\2\t/; t; s/^(-[^ ]+)  +/\1\t-\t/'
}
# Checks that the program prints one line with TEXT on stderr, and that its exit status is 2.
is_refused() { # TEXT ARGUMENTS...
    "$program" "${@:2}" >out 2>err
    [[ $? == 2 && $(wc -l <err) == 1 && ! -s out && $(cat err) == *"$1"* ]]
}

for each in "${programs[@]}"; do
    program=$root/build/bin/$each
    [[ $("$program" --version 2>&1) == "$each $version" ]]
    result "${each}_version" $? "$("$program" --version 2>&1 | head -n 1)"

    "$program" --help >"$each.help" 2>"$each.err"
    [[ $? == 0 && ! -s $each.err && -z $(awk 'length > 80' "$each.help") ]]
    result "${each}_help" $? "$(cat "$each.err"; awk 'length > 80' "$each.help")"

    # CLI11's own type names must not occur. Each option with a value must show its default, which may be "none".
    options_of "$each.help" >"$each.options"
    wrong=$(grep -P '\t(TEXT|UINT|INT|FLOAT|NUMBER)\b' "$each.options"
        grep -vP '\t-\t' "$each.options" | grep -v 'Default: ')
    [[ -s $each.options && -z $wrong ]]
    result "${each}_defaults" $? "$wrong"

    # An option without a type takes no value. A count may be a power of two. A message must name the option, its limits and the value.
    wrong=
    file=()
    [[ $each != weir_estimate ]] || file=(navi21)
    while IFS=$'\t' read -r option type _; do
        option=${option#-h,}
        if [[ $type == - ]]; then
            "$program" "${file[@]}" "$option" --help &>/dev/null || wrong+=" $option (no type)"
        elif [[ $type == N ]]; then
            "$program" "${file[@]}" "$option" 2^0 --help &>/dev/null || wrong+=" $option 2^0"
            is_refused "$option takes a number from " "${file[@]}" "$option" 2^x || wrong+=" $option 2^x"
            grep -qE "from [0-9^]+ to [0-9^]+(, such as 1000 or 2\^10)?, not '2\^x'" err || wrong+=" $option 2^x"
        elif [[ $type == WIDTHxHEIGHT ]]; then
            is_refused "$option takes WIDTHxHEIGHT, each from 1 to " "${file[@]}" "$option" 100000x100000 || wrong+=" $option"
            grep -q "not '100000x100000'" err || wrong+=" $option"
        fi
    done <"$each.options"
    [[ -z $wrong ]]
    result "${each}_values" $? "$wrong"
done

# writes PROGRAM OPTION FORMAT ENDING ARGUMENTS...: checks that a file name with another extension is refused.
writes() {
    [[ " ${programs[*]} " == *" $1 "* ]] || return 0
    program=$root/build/bin/$1
    is_refused "$2 writes $3, but 'x.jpg' does not end with $4" "${@:5}" "$2" x.jpg && [[ ! -e x.jpg ]]
    result "$1_${2#--}_extension" $? "$(cat err)"
}
writes culling --output PNG .png
writes splats --output 'PNG, PLY or SPZ' '.png or .ply or .spz'
writes svg --output PNG .png x.svg
writes svg --graph Graphviz '.dot or .gv' x.svg
writes radix_sort --plan JSON .json
writes word_count --trace JSON .json x.txt
writes weir_bench --csv CSV .csv
writes recurrence --output CSV .csv
writes recurrence --plot SVG .svg
writes scan_study --csv CSV .csv
writes weir_bench_paths --csv CSV .csv
writes weir_estimate --csv CSV .csv navi21
writes weir_tune --output CSV .csv
