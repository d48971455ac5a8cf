# shellcheck shell=bash
# Functions for scripts that test windows, on a virtual screen.

window= # a process that is killed when the script ends

# was_built_without_glfw FILES...: checks whether a sample says in its output that it was built without GLFW.
was_built_without_glfw() { grep -q 'GLFW 3 was missing' "$@"; }

# needs_glfw NAME ARGUMENTS...: removes the display from the environment. If the program was built without GLFW, which it must say, skips NAME
# and ends the script.
needs_glfw() {
    unset DISPLAY WAYLAND_DISPLAY
    "$program" "${@:2}" --window --frames 1 &>no_display.log
    was_built_without_glfw no_display.log || return
    refuses says_what_is_missing 1 'GLFW 3 was missing.*libglfw3-dev' "${@:2}" --window
    skip_without_package "$1" "GLFW 3 was missing" ""
    exit
}

# open_display NAME TOOLS...: starts a screen of 640 x 480 pixels for later programs. The file Xvfb_screen0 has its contents. Skips NAME
# and ends the script if Xvfb or one of the tools is missing.
open_display() {
    needs "$1" "" Xvfb "${@:2}"
    unset WAYLAND_DISPLAY
    rm -f display # the server writes its number there
    Xvfb -displayfd 3 -screen 0 640x480x24 -fbdir . -nolisten tcp 3>display 2>xvfb.log &
    server=$!
    trap 'kill $server $window 2>/dev/null' EXIT
    wait_for 10 test -s display
    result display $? "$(cat xvfb.log)"
    DISPLAY=":$(cat display)"
    export DISPLAY
}

# wait_for SECONDS COMMAND...: repeats a command until it succeeds. Fails if it does not within that time.
wait_for() {
    local i
    for ((i = 0; i < 4 * $1; ++i)); do
        "${@:2}" && return
        sleep 0.25
    done
    return 1
}

# Prints the id of the visible window with this title once it exists. A window appears after its pipelines are compiled, which takes
# minutes on a busy machine.
window_id() { # TITLE
    timeout 240 xdotool search --sync --onlyvisible --name "^$1\$"
}
# open_window TITLE ARGUMENTS...: starts the program with a window and the validation layer. Sets `window` to its process and `id` to the
# window.
open_window() {
    env "${validated[@]}" timeout 600 "$program" "${@:2}" --window >window.out 2>window.err &
    window=$!
    id=$(window_id "$1")
}
# closed NAME: waits until the program of the window has ended. It must succeed, with a report and without a message of the validation layer.
closed() {
    local status=0
    wait "$window" || status=$?
    window=
    [[ $status == 0 ]] && grep -q '^frames' window.out && silent window.out window.err
    result "$1" $? "$status: $(head -c 2000 window.out window.err)"
}
# resize_often WIDTH HEIGHT: gives the window many sizes, and at last this one.
resize_often() {
    local i
    for ((i = 0; i < 20; ++i)); do xdotool windowsize "$id" $((200 + 10 * i)) $((150 + 7 * i)); done
    xdotool windowsize "$id" "$1" "$2"
}

# Prints a part of the screen as a picture.
part_of_screen() { # LEFT TOP WIDTH HEIGHT
    xwdtopnm Xvfb_screen0 2>/dev/null | pamcut -left "$1" -top "$2" -width "$3" -height "$4"
}
# shows_picture NAME WIDTH HEIGHT [MOST [LEFT]]: waits until the screen shows the picture expected.ppm of that size, from column LEFT on.
# Components may differ by up to MOST. Keeps the last part of the screen in NAME.ppm.
shows_picture() {
    wait_for 10 is_picture "$1.ppm" "$2" "$3" "${4:-0}" "${5:-0}"
    result "$1" $? "differs by $difference"
}
is_picture() { # FILE WIDTH HEIGHT MOST LEFT
    part_of_screen "$5" 0 $(($2 - $5)) "$3" >"$1"
    difference=$(pamarith -difference "$1" expected.ppm 2>&1 | pamsumm -max -brief 2>&1)
    [[ $difference =~ ^[0-9]+$ ]] && ((difference <= $4))
}
# shows_bright NAME SHARE LEFT TOP WIDTH HEIGHT [THRESHOLD [SECONDS]]: waits until the share of bright pixels in a part of the screen matches
# the pattern SHARE. Keeps the part in NAME.ppm.
shows_bright() {
    wait_for "${8:-10}" is_bright "$1.ppm" "${@:2:5}" "${7:-0.35}"
    result "$1" $? "$share is bright, see $PWD/$1.ppm"
}
is_bright() { # FILE SHARE LEFT TOP WIDTH HEIGHT THRESHOLD
    part_of_screen "${@:3:4}" >"$1"
    share=$(ppmtopgm "$1" | pamthreshold -simple -threshold "$7" 2>/dev/null | pamsumm -mean -normalize -brief)
    [[ $share =~ $2 ]]
}
# shows_overlay: waits until the window shows an overlay of text. Its background is dark, and a tenth to a third of the pixels of a line of
# text are bright.
shows_overlay() {
    shows_bright overlay '^0\.[12]' 20 20 200 9 0.6
    wait_for 10 is_dark
    result dark_overlay $? "$dark"
}
is_dark() {
    dark=$(part_of_screen 12 12 200 4 | ppmtopgm | pamsumm -mean -brief)
    [[ ${dark%.*} -lt 60 && ${dark%.*} -gt 10 ]]
}
