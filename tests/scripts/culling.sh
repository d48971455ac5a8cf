#!/usr/bin/env bash
# Tests the sample culling: pictures with and without culling, the report, messages of the validation layer (none), and invalid input.

name=culling
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
export "${validated[@]}"
small=(--instances 3000 --size 161x97 --frames 12 --first-frame 20)

# draws NAME ARGUMENTS...: checks that the sample writes NAME.png and prints only a line about the device.
draws() {
    "$program" --output "$1.png" "${@:2}" >"$1.out" 2>"$1.err" && [[ -s $1.png ]] && silent "$1.out" "$1.err"
    result "$1" $? "$(head -c 2000 "$1.err" "$1.out")"
}
draws culled "${small[@]}"
draws whole "${small[@]}" --no-frustum --no-occlusion --no-comparison
check same_picture cmp culled.png whole.png
draws plan "${small[@]}" --json --graph plan.dot --plan plan.json --trace trace.json
grep -q 'draw late' plan.dot && grep -q 'draw late' trace.json && grep -q '"no_culling"' plan.out && grep -q '"draw late"' plan.out
result report $?
draws nothing --instances 0 --size 1x1 --frames 2
draws one --instances 1 --size 1x1 --frames 4
draws all_levels --instances 500 --size 40x30 --frames 2 --no-levels

unset VK_INSTANCE_LAYERS
refuses no_pixels 2 'WIDTHxHEIGHT' --size 0x5
refuses too_wide 2 'WIDTHxHEIGHT' --size 9000x1
refuses too_many 2 'from 0 to 2\^24' --instances 2^25
refuses negative 2 'from 0 to 2\^24' --instances -1
refuses no_frames 2 'from 1 to' --frames 0
refuses past_the_path 2 'from 0 to 599' --first-frame 600
refuses same_file 2 'same file' --output a --graph a
refuses no_folder 1 'cannot be written' --output nowhere/frame.png
"$program" --instances 10 --size 8x8 --frames 1 >/dev/full 2>full.err
[[ $? == 1 && $(tail -n 1 full.err) == *"standard output"* ]]
result full_disk $?
