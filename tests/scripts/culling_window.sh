#!/usr/bin/env bash
# Tests the window of the sample culling on a virtual screen. Next to the panel it must show the picture that the sample writes to a PNG, for
# all kinds of culling, and after the window was resized with three frames in flight. Fails on any message of the validation layer.

name=culling results=culling_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

needs_glfw window
refuses no_display 1 'cannot open a window: .*DISPLAY' --window
refuses window_and_file 2 'window excludes' --window --output x.png
refuses still_without_window 2 'needs --window' --still

open_display window xdotool xwdtopnm
path=(--first-frame 20) # where the camera is

# shows NAME WIDTH HEIGHT [LEFT]: waits until the window shows the picture of that size, from column LEFT on.
shows() {
    local left=${4:-0}
    xdotool mousemove 639 479 # the pointer is on the screen
    "$program" "${path[@]}" --instances 3000 --size "$2x$3" --frames 1 --no-comparison --output "$1.png" >"$1.out" 2>"$1.err" &&
        pngtopnm "$1.png" | pamcut -left "$left" >expected.ppm
    shows_picture "$1" "$2" "$3" 0 "$left"
}
keys() { xdotool mousemove 150 140 key --delay 20 "$@"; } # keys go to the window below the pointer
drawn() { sed -n 's/^drawn.* in the view, \([0-9]*\) drawn.*/\1/p' window.out; }

open_window culling "${path[@]}" --instances 3000 --size 480x360 --still
shows beside_panel 480 360 380
has_panel=1
if grep -q 'window has no panel' window.err; then
    has_panel=
    skip_without_package panel "the window has no panel" ""
fi
# marked NAME SHARE: checks the bright share of the check box "occlusion", which has a mark if it is checked.
marked() { shows_bright "$1" "$2" 96 36 18 18; }
[[ $has_panel ]] && marked box_checked '^0\.[123]'
keys i
shows first_size 480 360
keys Escape
closed still
culled=$(drawn)

open_window culling "${path[@]}" --instances 3000 --size 480x360 --still
if [[ $has_panel ]]; then
    shows panel_again 480 360 380
    xdotool mousemove 105 45 && sleep 0.5 && xdotool click 1 && sleep 0.5 && xdotool mousemove 639 479
    marked box_unchecked '^0\.000'
else
    keys 2
fi
shows without_occlusion 480 360 380
keys i
shows without_occlusion_and_panel 480 360
resize_often 200 160
shows resized_often 200 160
keys Escape
closed silent_with_resizes
((culled > 0 && $(drawn) > culled))
result draws_more_without_occlusion $? "$culled, then $(drawn)"

# Several hundred frames with all switches, on and off the path, with and without the panel.
open_window culling "${path[@]}" --instances 8000 --size 160x120 --frames 400
for ((i = 0; i < 12; ++i)); do
    xdotool mousemove 80 60 key --delay 20 i 2 1 mousedown 3 mousemove $((82 + i)) 61 mouseup 3 keydown w && sleep 0.1 && xdotool keyup w key --delay 20 3 p click 4
    sleep 0.2
done
closed silent_for_many_frames
check many_frames grep '^frames    400,' window.out
