#!/usr/bin/env bash
# Tests the window of the sample splats on a virtual screen. It must show the picture that the sample writes to a PNG, also after the window
# was resized with three frames in flight. Fails on any message of the validation layer.
set -uo pipefail
export LC_ALL=C

name=splats results=splats_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

unset DISPLAY WAYLAND_DISPLAY
"$program" --window --frames 1 &>no_display.log
was_built_without_glfw no_display.log && { skip_without_package window "GLFW 3 was missing" ""; exit; }
open_display window xdotool xwdtopnm

cloud=(--count 500 --eye 0,1,-3 --target 0,0,0)
VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT \
    timeout 600 "$program" "${cloud[@]}" --size 320x240 --window >window.out 2>window.err &
window=$!
id=$(window_id splats)
# shows NAME WIDTH HEIGHT: waits until the window shows the picture of that size.
shows() {
    local difference=none
    "$program" "${cloud[@]}" --size "$2x$3" --repeat 1 --output "$1.png" >"$1.out" 2>"$1.err" && pngtopnm "$1.png" >expected.ppm
    for ((i = 0; i < 40; ++i)); do
        xwdtopnm Xvfb_screen0 2>/dev/null | pamcut -left 0 -top 0 -width "$2" -height "$3" >screen.ppm
        difference=$(pamarith -difference screen.ppm expected.ppm 2>&1 | pamsumm -max -brief 2>&1)
        [[ $difference == 0 ]] && break
        sleep 0.25
    done
    cp screen.ppm "$1.ppm"
    [[ $difference == 0 ]]
    result "$1" $? "differs by $difference"
}
# The overlay with times: bright letters on a dark background.
for ((i = 0; i < 40; ++i)); do
    xwdtopnm Xvfb_screen0 2>/dev/null >overlay.ppm
    bright=$(pamcut -left 20 -top 20 -width 200 -height 9 overlay.ppm | ppmtopgm | pamthreshold -simple -threshold 0.6 2>/dev/null | pamsumm -mean -normalize -brief)
    [[ $bright == 0.[12]* ]] && break
    sleep 0.25
done
[[ $bright == 0.[12]* ]]
result overlay $? "bright $bright"
xdotool mousemove 160 120 key i
shows first_size 320 240
for ((i = 0; i < 20; ++i)); do xdotool windowsize "$id" $((200 + 10 * i)) $((150 + 7 * i)); done
xdotool windowsize "$id" 200 160
shows resized_often 200 160
xdotool key Escape
wait "$window"
status=$?
window=
[[ $status == 0 ]] && grep -q '^frames' window.out && ! grep -qE 'Validation|VUID|SYNC-' window.out window.err
result silent_validation $? "$(head -c 2000 window.out window.err)"
