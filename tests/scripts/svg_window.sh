#!/usr/bin/env bash
# Tests the window of the sample svg on a virtual screen. After every movement it must show the picture that the sample writes to a PNG.
# Fails on any message of the validation layer.

name=svg results=svg_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

cp "$root/tests/support/drawing.svg" .
needs_glfw window drawing.svg
refuses no_display 1 'cannot open a window: .*DISPLAY' drawing.svg --window
refuses window_and_file 2 'window excludes' drawing.svg --window --output x.png
refuses frames_without_window 2 'needs --window' drawing.svg --frames 3

open_display window xdotool xwdtopnm
# shows NAME WIDTH HEIGHT MOST ARGUMENTS...: waits until the window shows the picture of the sample with these arguments. Components may
# differ by up to MOST, because a moved view is not equal to the last bit.
shows() {
    "$program" "${drawing:-drawing.svg}" --background white --output "$1.png" --size "$2x$3" "${@:5}" >"$1.out" 2>"$1.err" &&
        pngtopnm "$1.png" >expected.ppm
    shows_picture "${@:1:4}"
}

open_window drawing.svg drawing.svg --size 320x240
shows_overlay
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
drawing=turned.svg shows turned_by_a_drag 320 240 2
xdotool key 0 windowsize "$id" 480 360
shows larger_window 480 360 0
xdotool windowunmap "$id" && sleep 0.5 && xdotool windowmap "$id" windowsize "$id" 160 120
shows smaller_window 160 120 0
resize_often 320 240
shows resized_often 320 240 0
xdotool key Escape
closed silent_validation

# Colors must be the same if the swapchain encodes them.
open_window drawing.svg drawing.svg --size 320x240 --srgb-swapchain
xdotool mousemove 160 120 key i
shows encoded 320 240 1
xdotool key Escape
closed encoded_silent_validation
check is_encoded grep 'encoded by the swapchain' window.out

"$program" drawing.svg --window --frames 5 >window.out 2>window.err && grep -q '^frames *5,' window.out
result ends_after_frames $? "$(cat window.out window.err)"
