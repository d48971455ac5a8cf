#!/usr/bin/env bash
# Tests the window of the sample splats on a virtual screen. It must show the picture that the sample writes to a PNG, also after the window
# was resized with three frames in flight. Fails on any message of the validation layer.

name=splats results=splats_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

needs_glfw window
open_display window xdotool xwdtopnm

cloud=(--count 500 --eye 0,1,-3 --target 0,0,0)
# shows NAME WIDTH HEIGHT: waits until the window shows the picture of that size.
shows() {
    "$program" "${cloud[@]}" --size "$2x$3" --repeat 1 --output "$1.png" >"$1.out" 2>"$1.err" && pngtopnm "$1.png" >expected.ppm
    shows_picture "$@"
}

open_window splats "${cloud[@]}" --size 320x240
shows_overlay
xdotool mousemove 160 120 key i
shows first_size 320 240
resize_often 200 160
shows resized_often 200 160
xdotool key Escape
closed silent_validation
