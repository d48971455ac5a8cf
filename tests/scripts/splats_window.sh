#!/usr/bin/env bash
# Tests the window of the sample splats on a virtual screen. After every movement and setting it must show the picture that the sample writes
# to a PNG, also after the window was resized with three frames in flight. Fails on any message of the validation layer.

name=splats results=splats_window
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"

needs_glfw window
open_display window xdotool xwdtopnm

for seed in 1 2; do
    "$program" --count 300 --seed $seed --output $seed.ply &>$seed.out
    result cloud_$seed $? "$(cat $seed.out)"
done
clouds=(--input 1.ply 2.ply --up y)
front=(--eye 0,1,-3 --target 0,0,0)
left=0 # first column that is compared
# shows NAME WIDTH HEIGHT MOST ARGUMENTS...: waits until the window shows the picture of the sample with these arguments. Components may
# differ by up to MOST, because a moved camera is not equal to the last bit.
shows() {
    xdotool mousemove 639 479 # the pointer is on the screen
    "$program" --size "$2x$3" --repeat 1 --output "$1.png" "${@:5}" >"$1.out" 2>"$1.err" && pngtopnm "$1.png" | pamcut -left $left >expected.ppm
    shows_picture "${@:1:4}" $left
}
# Keys go to the window below the pointer. GLFW merges keys of the same millisecond.
keys() { xdotool mousemove 160 120 key --delay 20 "$@"; }
# drag BUTTON RIGHT DOWN: drags the pointer from the center of the window, in two steps.
drag() {
    xdotool mousemove 240 180 mousedown "$1" mousemove $((240 + $2 / 2)) $((180 + $3 / 2)) mousemove $((240 + $2)) $((180 + $3)) mouseup "$1"
}

open_window splats "${clouds[@]}" "${front[@]}" --size 480x360
has_panel=1
if grep -q 'window has no panel' window.err; then
    has_panel=
    skip_without_package panel "the window has no panel" ""
fi
# marked NAME SHARE: checks the bright share of the check box "anti-aliasing", which has a mark if it is checked.
marked() { shows_bright "$1" "$2" 17 36 18 18; }
if [[ $has_panel ]]; then
    left=360 shows beside_panel 480 360 0 "${clouds[@]}" "${front[@]}"
    marked box_unchecked '^0\.000'
    xdotool mousemove 25 45 && sleep 0.5 && xdotool click 1 && sleep 0.5 && xdotool mousemove 639 479
    marked box_checked '^0\.[123]'
else
    keys t
fi
keys i
shows antialiased_by_click 480 360 0 "${clouds[@]}" "${front[@]}" --antialias
keys t
shows first_view 480 360 0 "${clouds[@]}" "${front[@]}"

# A quarter of a turn to the right and to the pole, where a drag does not turn the picture upside down.
drag 1 120 0
shows orbited 480 360 2 "${clouds[@]}" --eye 3,1,0 --target 0,0,0
drag 1 -120 170
shows at_the_pole 480 360 2 "${clouds[@]}" --eye 0,3.161594,-0.065759 --target 0,0,0
keys 0
shows reset 480 360 0 "${clouds[@]}" "${front[@]}"
drag 3 36 0
shows panned 480 360 2 "${clouds[@]}" --eye 0.365148,1,-3 --target 0.365148,0,0
keys Home
xdotool mousemove 160 120 click --repeat 4 --delay 20 4
shows zoomed 480 360 2 "${clouds[@]}" --eye 0,0.683013,-2.049040 --target 0,0,0
keys 0 f
drag 1 60 0
shows looked_around 480 360 2 "${clouds[@]}" --eye 0,1,-3 --target 0.520945,0,-0.045577
keys f 0

keys h
shows degree_0 480 360 0 "${clouds[@]}" "${front[@]}" --degree 0
keys h b
shows white_background 480 360 0 "${clouds[@]}" "${front[@]}" --background 1,1,1
keys b 2
shows first_cloud 480 360 0 --input 1.ply --up y "${front[@]}"
keys 1
shows no_cloud 480 360 0 --input 1.ply --up y --eye 0,100,0 --target 0,200,0
keys 1 2
shows both_clouds 480 360 0 "${clouds[@]}" "${front[@]}"

# Flies ahead and to the side, and writes a picture and the view. An existing file must stay.
echo precious >splats-1.png
xdotool mousemove 160 120 keydown w && sleep 0.4 && xdotool keyup w keydown d && sleep 0.4 && xdotool keyup d
keys k c
wait_for 10 test -s splats-2.png && keys c && wait_for 10 test -s splats-3.png
[[ $(cat splats-1.png) == precious ]] && cmp -s splats-2.png splats-3.png && ! cmp -s splats-2.png first_view.png
result pictures_are_numbered $? "$(ls)"
pngtopnm splats-2.png >expected.ppm && xdotool mousemove 639 479
shows_picture written_picture_is_shown 480 360 0
shows view_of_written_path 480 360 2 "${clouds[@]}" --camera splats-path-1.json
# A path of two key frames: the last one is turned by half a turn.
drag 1 120 0
drag 1 120 0
keys k 0
shows start_of_path 480 360 2 "${clouds[@]}" --camera splats-path-1.json --at 0
keys period
shows next_key_frame 480 360 2 "${clouds[@]}" --camera splats-path-1.json --at 2
resize_often 200 160
shows resized_often 200 160 2 "${clouds[@]}" --camera splats-path-1.json --at 2
keys Escape
closed silent_validation
grep -q '^cloud .* 300 splats, 2.ply' window.out && grep -q 'wrote splats-2.png' window.err && grep -q 'wrote splats-path-1.json' window.err
result report $? "$(cat window.out window.err)"

# The path in a window: stopped at --at, played, and at its beginning.
path=("${clouds[@]}" --camera splats-path-1.json)
open_window splats "${path[@]}" --at 1.5 --size 320x240
keys i
shows stopped 320 240 0 "${path[@]}" --at 1.5
keys p && xdotool mousemove 639 479
plays() { part_of_screen 0 0 320 240 >now.ppm && ! cmp -s now.ppm stopped.ppm; }
wait_for 10 plays
result plays $?
keys p 0
shows beginning 320 240 0 "${path[@]}" --at 0
keys Escape
closed silent_validation_of_path
