#!/usr/bin/env bash
# Tests the sample radix_sort: compares files with od and sort, and checks invalid input.

name=radix_sort
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

words() { od -An -v -t u4 -w4 "$1" | tr -d ' '; }

# `./run radix_sort` in a new folder must build only the kernels of the parts that the program links. None of them is a scan.
if commands=$(ninja -C "$root/build" -t commands radix_sort 2>&1); then
    [[ $commands == *radix_sweep.comp* && $commands != *scan.comp* && $(grep -c -- '--target-env=vulkan' <<<"$commands") -lt 40 ]]
    result builds_own_kernels $? "$(grep -c -- '--target-env=vulkan' <<<"$commands") kernels"
else
    skip builds_own_kernels "$root/build is not a build folder of Ninja"
fi

# writes NAME READER EXPECTED ARGUMENTS...: checks that READER prints the contents of the file EXPECTED for the file that the program writes.
writes() {
    "$program" --output "$1" "${@:4}" >"$1.out" 2>"$1.err" && "$2" "$1" | cmp -s - "$3"
    result "$1" $? "$(cat "$1.err")"
}
signed_words() { od -An -v -t d4 -w4 "$1" | tr -d ' '; }
bytes() { od -An -v -t u1 -w1 "$1" | tr -d ' '; }
signed_bytes() { od -An -v -t d1 -w1 "$1" | tr -d ' '; }
numbers() { awk '{ print $1 + 0 }' "$1"; }
pairs() { paste -d ' ' <(words "$1.values") <(words "$1"); }
signed_byte_pairs() { paste -d ' ' <(words "$1.values") <(signed_bytes "$1"); }
number_lines() { nl -v 0 -w 1 -s ' ' "$@"; } # from 0

# The beginning of a program as input: it has many tiles, and od and sort are fast.
head -c 1000000 "$program" >input
words input >input.words

writes ascending_file words <(sort -n input.words) --input input
writes descending_file words <(sort -rn input.words) --input input --descending
writes pairs_file pairs <(number_lines input.words | sort -k 2n,2 -k 1n,1) --input input --values
writes bits_file words <(awk '{ print $1 % 256, NR, $1 }' input.words | sort -k 1n,1 -k 2n,2 | cut -d ' ' -f 3) --input input --bits 0:8
writes top_k_file pairs <(number_lines input.words | sort -k 2n,2 -k 1n,1 | sed -n 1,1000p) --input input --top-k 1000 --values

# Numbers as text, compared with sort.
awk 'BEGIN { srand(1); for (i = 0; i < 5000; ++i) printf "%s%d%09d\n", rand() < 0.5 ? "-" : "", 1 + 1e8 * rand(), 1e9 * rand() }' >whole
awk 'BEGIN { srand(2); for (i = 0; i < 5000; ++i) printf "%.9e\n", (rand() - 0.5) * 10 ^ int(30 * rand() - 15) }' >broken
awk 'BEGIN { srand(3); for (i = 0; i < 3001; ++i) print int(65536 * rand()) - 32768 }' >shorts
awk '{ print $1 + 32768 }' shorts >unsigned_shorts
writes text_i64 cat <(sort -n whole) --text --type i64 --input whole
writes text_f64 numbers <(sort -gr broken | numbers -) --text --type f64 --input broken --descending
writes text_argsort cat <(number_lines broken | sort -s -k 2g,2 | cut -d ' ' -f 1) --text --type f32 --argsort --input broken
writes top_k_text numbers <(sort -gr broken | sed -n 1,20p | numbers -) --text --type f64 --input broken --descending --top-k 20
writes top_k_argsort cat <(number_lines whole | sort -s -k 2n,2 | sed -n 1,100p | cut -d ' ' -f 1) --text --type i64 --argsort --top-k 100 --input whole
writes i32_file signed_words <(signed_words input | sort -n) --type i32 --input input
head -c 4099 "$program" >odd
writes u8_file bytes <(bytes odd | sort -n) --type u8 --input odd
writes i8_file signed_byte_pairs <(signed_bytes odd | number_lines | sort -k 2nr,2 -k 1n,1) --type i8 --input odd --values --descending
writes text_i16 cat <(sort -n shorts) --text --type i16 --input shorts
writes text_u16 cat <(number_lines shorts | sort -s -k 2nr,2 | cut -d ' ' -f 1) --text --type u16 --input unsigned_shorts --argsort --descending
# Halves round to nearest even. Numbers that are too small or too large become zero or infinity.
printf '%s\n' 2049 2051 65519 65520 1e-8 -inf 5.9604645e-8 8.940697e-8 -0.1 6.1035156e-5 nan 1 -2.9802322e-8 >halves.in
writes text_f16 cat <(printf '%s\n' -inf -0.099975586 -0 0 5.9604645e-08 1.1920929e-07 6.1035156e-05 1 2048 2052 65504 inf nan) \
    --text --type f16 --input halves.in

succeeds random_u64 --type u64 --n 3000 --values
succeeds order_of_i32 --type i32 --n 3000 --argsort --descending --bits 3:31

succeeds random_keys --n 2^14
check says_verified grep verified random_keys.out
succeeds json --n 5000 --values --descending --bits 3:17 --repeat 2 --seed 7 --json
for field in device driver type n gpu_ms items_per_s ratio_to_copy verified; do
    check "json_$field" grep "\"$field\": " json.out
done
succeeds nothing --n 0
succeeds first_of_nothing --n 0 --top-k 5
succeeds none_of_some --n 1000 --top-k 0 --values
succeeds first_of_fewer --n 1000 --top-k 2^20 --json
check json_top_k grep '"top_k": 1048576' first_of_fewer.out
succeeds one_key --n 1 --values
: >empty
succeeds empty_file --input empty --output empty.sorted
[[ -f empty.sorted && ! -s empty.sorted ]]
result empty_output $?
succeeds list_devices --list-devices
check lists_a_device grep '^0: ' list_devices.out
succeeds plan --n 100000 --graph plan.dot --plan plan.json --trace trace.json
grep -q '^digraph' plan.dot && grep -q '"reason": "read after write"' plan.json &&
    [[ $(grep -c '"ph": "X"' trace.json) == $(grep -c shape=box plan.dot) ]]
result writes_the_plan $?
succeeds plan_of_nothing --n 0 --graph plan.dot --plan plan.json --trace trace.json
grep -q '^digraph' plan.dot && grep -q '^{}' plan.json && grep -q traceEvents trace.json
result writes_no_plan $?

# The same file under different names.
echo 3 1 2 >whole.in && ln whole.in hard.in && ln -s whole.in soft.in && ln -s . here && ln -s nowhere.out dangling
refuses input_as_graph 2 '--graph names a file that is read' --text --input whole.in --graph whole.in
refuses input_by_another_name 2 'a file that is read' --text --input whole.in --output ./whole.in
refuses input_as_values 2 'values .*a file that is read' --input ordered.values --values --output ./ordered
refuses hard_link 2 'a file that is read' --text --input whole.in --trace hard.in
refuses soft_link 2 'a file that is read' --text --input soft.in --plan whole.in
refuses new_file_twice 2 '--output and --graph name the same file' --n 10 --output new.out --graph ./here/new.out
refuses through_a_dangling_link 2 'same file' --n 10 --output dangling --plan nowhere.out
[[ $(cat whole.in) == '3 1 2' && ! -e new.out && ! -e nowhere.out ]]
result keeps_what_it_reads $?
succeeds dangling_link --n 0 --output dangling
[[ -L dangling && -f nowhere.out ]]
result follows_a_dangling_link $?
ln -s round round
refuses endless_links 1 'link' --n 10 --output round
long_name=$(head -c 250 /dev/zero | tr '\0' a)
succeeds a_long_name --n 10 --output "$long_name"
[[ $(stat -c %s "$long_name") == 40 ]]
result writes_a_long_name $?

# Inputs without a size: /proc, pipes, and endless files.
cat /proc/version >version
writes a_file_of_proc bytes <(bytes version | sort -n) --type u8 --input /proc/version
writes a_pipe_to_read words <(words <(head -c 40000 input) | sort -n) --input <(head -c 40000 input)
refuses endless_word 1 'more than 4096 characters without white space' --text --input /dev/zero
refuses endless_space 1 'more than 2\^20 characters of white space' --text --input <(yes '')
refuses endless_bytes 1 'at most' --input /dev/zero
printf '1 \033[31mred\n' >red.in
refuses escaped_words 1 "'.x1b\[31mred' is not of type u32" --text --input red.in

# Killed while it works: with files that have no name until they are complete, and without support for such files.
for signal in INT TERM KILL; do
    killed "leaves_nothing_after_$signal" "$signal" --n 2^18 --repeat 1000 --output killed.out
done
echo 'int access(const char* path, int mode) { return path && mode ? -1 : 0; }' | cc -shared -fPIC -x c - -o no_proc.so
export LD_PRELOAD=$PWD/no_proc.so
for signal in INT TERM; do
    killed "removes_its_files_after_$signal" "$signal" --n 2^18 --repeat 1000 --output killed.out
done
head -c 40000 input >fewer
succeeds named_files --input fewer --output named.sorted
unset LD_PRELOAD
check writes_named_files cmp <(words fewer | sort -n) <(words named.sorted)

head -c 7 input >seven
head -c 12 input >three_words
echo 1 2.5 >halves
echo 255 300 >past_a_byte.in
echo precious >kept
ln -s kept link && chmod 640 kept && "$program" --n 0 --output link >/dev/null
[[ -L link && ! -s kept && $(stat -c %a kept) == 640 ]]
result follows_links $?
echo precious >kept
refuses no_such_file 1 'No such file' --input missing
refuses odd_size 1 '7 bytes.*not a whole number of u32' --input seven --output kept
refuses a_directory 1 'directory' --input .
refuses no_device 1 "no device matches 'nonsense'" --device nonsense --n 10
refuses too_many 1 'too many' --n 2^40
refuses bad_number 2 "not '12x'" --n 12x
refuses negative_number 2 "not '-5'" --n=-5
refuses bad_bits 2 'FROM:TO' --n 10 --bits 9:8
refuses too_many_bits 2 'FROM:TO' --n 10 --bits 0:33
refuses bits_of_the_type 2 'TO <= 64' --n 10 --type f64 --bits 0:65
refuses bad_type 2 "not 'u24'" --n 10 --type u24
refuses both_payloads 2 'excludes' --n 10 --argsort --values
refuses bits_of_the_first 2 'excludes' --n 10 --top-k 5 --bits 0:8
refuses bad_top_k 2 "not 'some'" --n 10 --top-k some
refuses half_a_key 1 'not a whole number of u64' --type u64 --input three_words
refuses half_a_half 1 'not a whole number of f16' --type f16 --input seven
refuses bits_of_a_byte 2 'TO <= 8' --n 10 --type u8 --bits 0:9
refuses past_a_byte 1 "'300' is not of type u8" --text --type u8 --input past_a_byte.in
refuses bad_text 1 "'2.5' is not of type u32" --text --input halves
refuses unknown_option 2 'bogus' --bogus
refuses two_sources 2 'excludes' --n 10 --input input
refuses negative_seed 2 "not '-1'" --n 10 --seed=-1
refuses one_file_twice 2 'same file' --n 10 --output kept --graph kept
refuses one_file_for_both 2 'graph and --trace name the same file' --n 10 --graph kept --trace kept
mkfifo pipe
refuses a_pipe 1 'not a regular file' --n 10 --output pipe
refuses no_repeat 2 'repeat' --n 10 --repeat 0
refuses unwritable 1 'cannot be written' --n 10 --output missing/file
# Through a pipe, because the limit also applies to the log of this script.
limited=$(ulimit -f 1 && MESA_SHADER_CACHE_DISABLE=true refuses above_the_limit_of_file_sizes 1 'File too large' --n 10000 --output kept)
echo "${limited:-FAIL above_the_limit_of_file_sizes: the program or its test was killed}"
left_alone
("$program" --n 10; echo $? >piped) 2>piped.err | true
[[ $(cat piped) == 1 && $(wc -l <piped.err) == 1 ]]
result closed_pipe $?
full_disk --n 10
