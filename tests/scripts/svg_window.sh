#!/usr/bin/env bash
# Tests the window of the sample svg on a virtual screen. After every movement it must show the picture that the sample writes to a PNG.
# Fails on any message of the validation layer.
set -uo pipefail
export LC_ALL=C

name=svg results=svg_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

cat >drawing.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><defs><linearGradient id="g"><stop stop-color="#fa0"/>
<stop offset="1" stop-color="#408" stop-opacity="0.5"/></linearGradient></defs><rect width="320" height="240" fill="#8ac"/>
<rect x="200" y="20" width="100" height="200" fill="url(#g)"/><g opacity="0.6"><circle cx="150" cy="120" r="80" fill="#c33"/></g>
<path d="M20 220 C 100 0 200 300 300 20" fill="none" stroke="#063" stroke-width="8" stroke-dasharray="20 6"/></svg>
END

unset DISPLAY WAYLAND_DISPLAY
"$program" drawing.svg --window --frames 1 &>no_display.log
if was_built_without_glfw no_display.log; then
    refuses says_what_is_missing 1 'GLFW 3 was missing.*libglfw3-dev' drawing.svg --window
    skip_without_package window "GLFW 3 was missing" ""
    exit
fi
refuses no_display 1 'cannot open a window: .*DISPLAY' drawing.svg --window
refuses window_and_file 2 'window excludes' drawing.svg --window --output x.png
refuses frames_without_window 2 'needs --window' drawing.svg --frames 3

open_display window xdotool xwdtopnm
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT

open_window() { # ARGUMENTS...
    timeout 600 "$program" drawing.svg --window "$@" >window.out 2>window.err &
    window=$!
    id=$(window_id drawing.svg)
}
# Ends the program with Escape. It must print a report, and no message of the layer.
closed() { # NAME
    local status
    xdotool key Escape
    wait "$window"
    status=$?
    window=
    [[ $status == 0 ]] && grep -q '^frames' window.out && ! grep -qE 'Validation|VUID|SYNC-' window.out window.err
    result "$1" $? "$(head -c 2000 window.out window.err)"
}
# Prints the upper left part of the screen.
screen() { # WIDTH HEIGHT
    xwdtopnm Xvfb_screen0 2>/dev/null | pamcut -left 0 -top 0 -width "$1" -height "$2" >screen.ppm
}
# shows NAME WIDTH HEIGHT MOST ARGUMENTS...: waits until the window shows the picture of the sample with these arguments. Components may
# differ by up to MOST, because a moved view is not equal to the last bit.
shows() {
    local difference=none
    env -u VK_INSTANCE_LAYERS "$program" "${expected:-drawing.svg}" --background white --output "$1.png" --size "$2x$3" "${@:5}" >"$1.out" 2>"$1.err" &&
        pngtopnm "$1.png" >expected.ppm
    for ((i = 0; i < 40; ++i)); do
        screen "$2" "$3"
        difference=$(pamarith -difference screen.ppm expected.ppm 2>&1 | pamsumm -max -brief 2>&1)
        [[ $difference =~ ^[0-9]+$ ]] && ((difference <= $4)) && break
        sleep 0.25
    done
    cp screen.ppm "$1.ppm"
    [[ $difference =~ ^[0-9]+$ ]] && ((difference <= $4))
    result "$1" $? "differs by $difference"
}

open_window --size 320x240
# The overlay: on its dark background, a tenth to a third of the pixels of a line of text are bright.
for ((i = 0; i < 40; ++i)); do
    screen 320 240
    bright=$(pamcut -left 20 -top 20 -width 200 -height 9 screen.ppm | ppmtopgm | pamthreshold -simple -threshold 0.6 2>/dev/null | pamsumm -mean -normalize -brief)
    dark=$(pamcut -left 12 -top 12 -width 200 -height 4 screen.ppm | ppmtopgm | pamsumm -mean -brief)
    [[ $bright == 0.[12]* && ${dark%.*} -lt 60 && ${dark%.*} -gt 10 ]] && break
    sleep 0.25
done
cp screen.ppm overlay.ppm
[[ $bright == 0.[12]* && ${dark%.*} -lt 60 && ${dark%.*} -gt 10 ]]
result overlay $? "bright $bright, dark $dark"
xdotool mousemove 160 120 key i
shows first_view 320 240 0
xdotool mousemove 100 100 mousedown 1 mousemove 120 90 mousemove 140 110 mouseup 1
shows dragged 320 240 0 --viewport -40,-10,320,240
xdotool key 0
shows reset 320 240 0
xdotool mousemove 80 60 click --repeat 8 4
shows zoomed_at_pointer 320 240 2 --viewport 60,45,80,60
keys() { xdotool key --delay 20 "$@"; } # GLFW merges keys of the same millisecond
keys Home
xdotool mousemove 160 120
keys minus minus minus minus
shows smaller 320 240 2 --viewport -160,-120,640,480
keys Home $(printf 'e %.0s' {1..36}) plus plus minus minus # half a turn
keys $(printf 'q %.0s' {1..36})
shows turned_there_and_back 320 240 2
xdotool key 0 mousemove 260 120 mousedown 3 mousemove 260 130 mousemove 160 220 mouseup 3 # a quarter
sed 's|<rect width="320"|<g transform="rotate(90 160 120)">&|; s|</svg>|</g></svg>|' drawing.svg >turned.svg
expected=turned.svg shows turned_by_a_drag 320 240 2
xdotool key 0 windowsize "$id" 480 360
shows larger_window 480 360 0
xdotool windowunmap "$id" && sleep 0.5 && xdotool windowmap "$id" windowsize "$id" 160 120
shows smaller_window 160 120 0
for ((i = 0; i < 20; ++i)); do xdotool windowsize "$id" $((200 + 10 * i)) $((150 + 7 * i)); done
xdotool windowsize "$id" 320 240
shows resized_often 320 240 0
closed silent_validation

# Colors must be the same if the swapchain encodes them.
open_window --size 320x240 --srgb-swapchain
xdotool mousemove 160 120 key i
shows encoded 320 240 1
closed encoded_silent_validation
grep -q 'encoded by the swapchain' window.out
result is_encoded $? "$(cat window.out)"

"$program" drawing.svg --window --frames 5 >window.out 2>window.err && grep -q '^frames *5,' window.out
result ends_after_frames $? "$(cat window.out window.err)"
