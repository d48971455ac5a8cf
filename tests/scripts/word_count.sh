#!/usr/bin/env bash
# Tests the sample word_count: compares texts with coreutils, and checks invalid input.

name=word_count
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

by_coreutils() { # FILES...: prints the expected list
    local file
    for file in "$@"; do
        cat "$file" && echo
    done | tr -cs A-Za-z '\n' | tr A-Z a-z | sed '/^$/d' | sort | uniq -c | awk '{ print $1 "\t" $2 }' |
        sort -k 1,1nr -k 2,2
}
agrees() { # NAME FILES...
    by_coreutils "${@:2}" >"$1.expected"
    "$program" "${@:2}" >"$1.out" 2>"$1.err" && cmp -s "$1.out" "$1.expected"
    result "$1" $? "$(cat "$1.err")"
}
# words COUNT SEED: prints a few frequent and many rare words, in upper and lower case, separated by all kinds of other bytes.
words() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        between = " \n\t.,-0@[`{\303\251\377"
        for (i = 0; i < n; ++i) {
            word = ""
            for (letters = int(1 + 12 * rand() * rand()); letters > 0; --letters)
                word = word substr("eeetaoinshrdluxETQZ", int(1 + 19 * rand() * rand()), 1)
            printf "%s%s", word, substr(between, int(1 + length(between) * rand()), 1)
        }
    }'
}
letters() { head -c "$1" /dev/zero | tr '\0' "$2"; } # COUNT LETTER

words 100000 1 >text
words 3000 2 >other
agrees text text
printf 'The end' >end
printf 'less ending ENDLESS' >begin
agrees words_at_file_ends other end begin other
: >empty
printf ' \n.\0\377{[@`12\n' >separators
agrees empty_file empty
agrees only_separators separators
agrees some_are_empty empty end separators empty
for n in 1 17; do
    head -c "$n" text >short
    agrees "first_${n}_bytes" short
done
for byte in $(seq 0 255); do printf "x\\$(printf %o "$byte")y"; done >every
agrees every_byte every
# A word as long as the text, and long words that differ only in their last letter or in their length.
letters 300001 a >long
agrees one_word long
{
    letters 200000 a && printf 'b '
    letters 200000 A && printf 'c '
    letters 200001 a && printf ' '
    letters 200000 a && printf b
} >longs
agrees long_words longs

by_coreutils text >expected
for top in 1 100; do
    "$program" --top $top text | cmp -s - <(head -n $top expected)
    result "top_$top" $?
done
"$program" --json --top 2 --graph plan.dot --plan plan.json --trace trace.json text >json.out
[[ $(grep -c '"word": ' json.out) == 2 ]] && grep -q '"attempts": 1,' json.out &&
    grep -q "\"different_words\": $(wc -l <expected)," json.out
result json $?
grep -q '^digraph' plan.dot && grep -q '"reason": "read after write"' plan.json && grep -q '"ph": "X"' trace.json
result writes_the_plan $?

# Words with equal fingerprints must be detected: the program tries other fingerprints, and finally none. Two words may have the same
# fingerprint bit by chance.
for word in bcd efg hij klm nop qrs tuv wxy; do
    printf 'a %s' $word >two
    "$program" --bits 1 --json two >retried.out 2>&1
    grep -q '"attempts": [2-8],' retried.out && break
done
grep -q '"attempts": [2-8],' retried.out && grep -q '"different_words": 2,' retried.out
result tries_again $?
echo precious >kept
refuses too_few_bits 1 'equal fingerprints of 9 bits' --bits 9 --graph kept text
refuses no_file 2 'FILE is missing'
refuses no_such_file 1 'missing: No such file' text missing
refuses a_directory 1 'directory' .
refuses no_words 2 'top' --top 0 text
refuses too_many_bits 2 'bits' --bits 63 text
refuses unknown_option 2 'bogus' --bogus text
refuses no_device 1 "no device matches 'nonsense'" --device nonsense text
refuses unwritable 1 'cannot be written' --graph missing/file text
refuses its_own_input 2 'a file that is read' --graph kept text kept
ln kept hard
refuses its_own_input_by_a_link 2 'a file that is read' --plan ./hard text kept
refuses endless 1 'the text up to this file exceeds' /dev/zero
refuses its_own_input_for_a_trace 2 'a file that is read' --trace kept text kept
left_alone
full_disk text
