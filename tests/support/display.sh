# shellcheck shell=bash
# For scripts that test windows: a screen without a monitor.

window= # a process that is killed when the script ends

# was_built_without_glfw FILES...: whether a sample says so in what it printed.
was_built_without_glfw() { grep -q 'GLFW 3 was missing' "$@"; }

# open_display NAME TOOLS...: from now on programs have a screen of 640 x 480 pixels, and the file Xvfb_screen0 is what it shows. Ends
# the script without NAME if Xvfb or one of the tools is missing.
open_display() {
    local i
    needs "$1" "" Xvfb "${@:2}"
    unset WAYLAND_DISPLAY
    rm -f display # the server writes its number there
    Xvfb -displayfd 3 -screen 0 640x480x24 -fbdir . -nolisten tcp 3>display 2>xvfb.log &
    server=$!
    trap 'kill $server $window 2>/dev/null' EXIT
    for ((i = 0; i < 100; ++i)); do [[ -s display ]] && break; sleep 0.1; done
    [[ -s display ]]
    result display $? "$(cat xvfb.log)"
    DISPLAY=":$(cat display)"
    export DISPLAY
}
