#!/usr/bin/env bash
# Tests Weir with other libraries as hosts: builds each example in examples/NAME/ with an installed Weir, and runs it with the validation
# layer and its synchronization checks. Fails on any message. Windows are on a virtual screen; pictures of them stay in
# build/test-results/hosts. ./run deps --hosts installs the packages.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"
work_in_results_folder hosts
backend=usr/share/doc/libimgui-dev/examples/backends/imgui_impl_vulkan.cpp # Dear ImGui's Vulkan backend in Debian's package

# Prints the missing packages of a host; nothing if all are installed.
missing() { # NAME
    case $1 in
    glfw_imgui)
        pkg-config --exists glfw3 imgui || echo "libglfw3-dev or libimgui-dev"
        [[ -f /$backend || -f $root/build/imgui/$backend ]] || echo "/$backend"
        ;;
    sdl2) pkg-config --exists sdl2 || echo libsdl2-dev ;;
    libplacebo) pkg-config --exists libplacebo || echo libplacebo-dev ;;
    ffmpeg) pkg-config --exists libavformat libavcodec libavutil || echo libavformat-dev ;;
    qt6) compgen -G '/usr/lib/*/cmake/Qt6Gui/Qt6GuiConfig.cmake' >/dev/null || echo qt6-base-dev ;;
    esac
}
build() { # NAME
    local options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$out/weir"
        -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-missing-field-initializers")
    [[ $1 == glfw_imgui && ! -f /$backend ]] && options+=(-DIMGUI_VULKAN="$root/build/imgui/$backend")
    rm -rf "${out:?}/$1" && cmake -S "$root/examples/$1" -B "$out/$1" -G Ninja "${options[@]}" && ninja -C "$out/$1" -j 1
}
export -f build
export out root backend

# Prints the lines of a program between the marks of a name, without empty lines.
glue() { # NAME MARK
    cat "$root/examples/$1"/*.?pp | sed -n "/\/\/ \[$2\]/,/\/\/ \[\/$2\]/p" | grep -vE '// \[|^ *$' | wc -l
}
says_the_lines() { # NAME
    local row
    row=$(sed -n "s/^| \[$1\](.*) |/|/p" "$root/docs/hosts.md" | tr -d ' ' | cut -d '|' -f 2-4)
    [[ $row == "$(glue "$1" features)|$(glue "$1" adopt)|$(glue "$1" frame)" ]]
    result "$1_lines" $? "docs/hosts.md says $row; there are $(glue "$1" features), $(glue "$1" adopt), $(glue "$1" frame)"
}

says_the_lines godot # tests/scripts/godot.sh runs it
says_the_lines ogre # tests/scripts/ogre.sh runs it
rm -rf weir
check install cmake --install "$root/build" --prefix "$out/weir"
hosts=()
for name in glfw_imgui sdl2 libplacebo ffmpeg qt6; do
    says_the_lines "$name"
    why=$(missing "$name" | paste -sd ' ')
    if [[ $why ]]; then
        skip_without_package "$name" "missing: $why" --hosts
    else
        hosts+=("$name")
    fi
done
((${#hosts[@]})) || exit 0
printf '%s\n' "${hosts[@]}" | xargs -P 2 -I NAME bash -c 'build NAME >NAME.log 2>&1; echo $? >NAME.status'
built=()
for name in "${hosts[@]}"; do
    [[ $(cat "$name.status") == 0 ]]
    result "${name}_builds" $? "$(tail -n 20 "$name.log")"
    [[ $(cat "$name.status") == 0 ]] && built+=("$name")
done
is_built() { [[ " ${built[*]} " == *" $1 "* ]]; }

# runs NAME LINES COMMAND...: runs a program that compares its results itself. It must print LINES lines.
runs() {
    env "${validated[@]}" timeout 120 "${@:3}" >"$1.out" 2>"$1.err"
    [[ $? == 0 && $(grep -c '^frame' "$1.out") == "$2" ]]
    result "$1" $? "$(tail -n 5 "$1.out" "$1.err")"
    check "$1_silent" silent "$1.out" "$1.err"
}
# Not on lavapipe of Mesa 22.3 and 25: it uses timeline semaphores after the fence of their submission is signaled, when libplacebo's
# downloads destroy them.
if is_built libplacebo; then
    if "$root/tests/drivers.sh" | grep -q $'^swiftshader\tskip'; then
        skip_without_package libplacebo "SwiftShader is missing"
    else
        for how in create import; do
            runs "libplacebo_$how" 4 "$root/tests/drivers.sh" swiftshader "$out/libplacebo/libplacebo" "$how" >"$how.results" &
        done
        wait
        cat create.results import.results
    fi
fi
if is_built ffmpeg; then
    if command -v pnmtojpeg >/dev/null; then # concatenates pictures into a video
        for seed in 1 2 3 4 5; do ppmpat -poles 96 64 -randomseed "$seed" | pnmtojpeg; done >film.mjpeg 2>film.log
        runs ffmpeg 5 ffmpeg/ffmpeg film.mjpeg
    else
        skip_without_package ffmpeg "pnmtojpeg is missing" ""
    fi
fi

windows=()
for name in glfw_imgui sdl2 qt6; do is_built "$name" && windows+=("$name"); done
((${#windows[@]})) || exit 0
open_display "${windows[*]}" xdotool xwdtopnm
export QT_QPA_PLATFORM=xcb

opens() { # NAME
    xdotool mousemove 639 479 # the pointer is on the screen
    env "${validated[@]}" timeout 120 "$1/$1" --frames 5 >"$1.frames" 2>&1 && grep -q 'as on the CPU' "$1.frames"
    result "${1}_five_frames" $? "$(tail -n 5 "$1.frames")"
    env "${validated[@]}" timeout 300 "$1/$1" >"$1.out" 2>"$1.err" &
    window=$!
    id=$(window_id "$1")
}
# shows NAME LEFT TOP WIDTH HEIGHT SHARE: waits until the bright share of a part of the screen matches the pattern SHARE.
shows() { shows_bright "$1" "$6" "${@:2:4}" 0.35 30; }
# Resizes and closes the window. The program must end without a message of the layer. It compares its results itself.
closes() { # NAME
    local i status
    for ((i = 0; i < 10; ++i)); do xdotool windowsize "$id" $((300 + 20 * i)) $((200 + 20 * i)); done
    sleep 0.5
    xdotool mousemove 100 100
    for ((i = 0; i < 60; ++i)); do # keys are lost while the window has no focus
        kill -0 "$window" 2>/dev/null || break
        xdotool key Escape
        sleep 0.5
    done
    wait "$window"
    status=$?
    window=
    [[ $status == 0 ]] && grep -q 'as on the CPU' "$1.out"
    result "${1}_results" $? "$(tail -n 5 "$1.out" "$1.err")"
    check "$1_silent" silent "$1.out" "$1.err"
}

# The area of the bars does not depend on the distribution of samples: 0.12 of the plot. If a sample is the mean of three numbers, few
# samples are small; if it is one number, all sizes are equally frequent.
if is_built glfw_imgui; then
    opens glfw_imgui
    shows glfw_imgui_bars 28 70 420 180 '^0\.1[0-4]'
    shows glfw_imgui_three_numbers 28 70 50 180 '^0\.00'
    # Holds the button until the picture appears. Otherwise a slow frame would use the next position of the mouse for the click.
    xdotool mousemove 40 56 && sleep 0.3 && xdotool mousedown 1
    shows glfw_imgui_one_number 28 70 50 180 '^0\.1[0-4]'
    xdotool mouseup 1
    closes glfw_imgui
fi
if is_built sdl2; then
    opens sdl2
    shows sdl2_stars 0 0 480 320 '^0\.0[1-9]'
    closes sdl2
fi
if is_built qt6; then
    opens qt6
    shows qt6_colors 0 0 480 150 '^0\.[5-9]'
    shows qt6_sorted_dark 0 162 480 8 '^0\.00'
    shows qt6_sorted_bright 0 280 480 30 '^(1|0\.99)'
    closes qt6
    if [[ -x qt6/qt6_rhi ]]; then
        runs qt6_rhi 1 qt6/qt6_rhi
    else
        skip_without_package qt6_rhi "qt6-base-private-dev is missing" --hosts
    fi
fi
