# shellcheck shell=bash
# Functions for scripts that test windows, on a virtual screen.

window= # a process that is killed when the script ends

# was_built_without_glfw FILES...: checks whether a sample says in its output that it was built without GLFW.
was_built_without_glfw() { grep -q 'GLFW 3 was missing' "$@"; }

# open_display NAME TOOLS...: starts a screen of 640 x 480 pixels for later programs. The file Xvfb_screen0 has its contents. Skips NAME
# and ends the script if Xvfb or one of the tools is missing.
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

# Prints the id of the visible window with this title once it exists. A window appears after its pipelines are compiled, which takes
# minutes on a busy machine.
window_id() { # TITLE
    timeout 240 xdotool search --sync --onlyvisible --name "^$1\$"
}
