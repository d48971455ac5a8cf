#!/usr/bin/env bash
# tests/windows.sh build [TARGET...]   builds targets for Windows, in build/windows
# tests/windows.sh configure           only configures that folder
# tests/windows.sh PROGRAM...          runs a program of that folder under Wine, on lavapipe, with the validation layer
# tests/windows.sh session COMMAND...  runs a command that runs several such programs
# Names a missing package on standard error, with exit status 3. ./run deps --windows installs the packages.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
windows="$build/windows"

lacks() { printf '%s is not installed (./run deps --windows)\n' "$1" >&2; exit 3; }
command -v x86_64-w64-mingw32-g++-posix >/dev/null || lacks MinGW-w64
wine=$(command -v /usr/lib/wine/wine64 wine64 wine | head -n 1) # Debian's package has it in a folder of libraries
[[ $wine ]] || lacks Wine
driver=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[[ $driver ]] || lacks lavapipe
# Without an X display, Wine's Vulkan has no device.
command -v Xvfb >/dev/null || lacks Xvfb

export WINEPREFIX="$windows/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=;winemenubuilder.exe=d"

# Creates Wine's folder, and the module that passes GLSL to the shaderc of this machine, if it can be built.
prepare_wine() {
    [[ -f $WINEPREFIX/system.reg ]] || "$wine" wineboot -i >/dev/null 2>&1 || return
    local winegcc winebuild module="$windows/shaderc" file
    winegcc=$(command -v winegcc winegcc-stable | head -n 1)
    winebuild=$(command -v winebuild winebuild-stable | head -n 1)
    [[ $winegcc && $winebuild ]] || { echo "GLSL is not compiled at run time: winegcc or winebuild is not installed" >&2; return 0; }
    [[ $module/shaderc_shared.dll.so -nt $root/tests/wine/shaderc.cpp &&
        -f $WINEPREFIX/drive_c/windows/system32/shaderc_shared.dll ]] && return
    mkdir -p "$module"
    for file in tests/wine/shaderc engine/shader/shaderc_library engine/base/files; do
        g++ -std=c++20 -O1 -fPIC -DWEIR_STATIC_DEFINE -I"$root" -I"$root/engine/include" -I"$windows/generated/include" \
            -c "$root/$file.cpp" -o "$module/$(basename "$file").o" || return
    done
    "$winegcc" -shared -o "$module/shaderc_shared.dll.so" "$root/tests/wine/shaderc_shared.spec" "$module"/*.o -lstdc++ -ldl &&
        # Wine loads the module instead of this placeholder file.
        "$winebuild" --dll --fake-module -m64 -E "$root/tests/wine/shaderc_shared.spec" --filename shaderc_shared.dll \
            -o "$WINEPREFIX/drive_c/windows/system32/shaderc_shared.dll"
}

if [[ ${1:-} == build || ${1:-} == configure ]]; then
    what=$1
    shift
    mkdir -p "$windows"
    exec 9>"$windows/.lock"
    flock 9
    # A unity build takes half the time.
    [[ -f $windows/build.ninja ]] ||
        (cd "$root" && cmake --preset windows -B "$windows" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12) || exit 1
    [[ $what == configure ]] || { ninja -C "$windows" "$@" && prepare_wine; }
    exit
fi

export VK_ICD_FILENAMES="$driver" VK_DRIVER_FILES="$driver" NODEVICE_SELECT=1
export LP_NATIVE_VECTOR_WIDTH="${LP_NATIVE_VECTOR_WIDTH:-256}"
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation WEIR_TESTS_NO_LAYERS=1
export VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
export WINEDLLPATH="$windows/shaderc" WEIR_TESTS_SHADERC="$build/lib/libweir_shaderc.so"

if [[ ${WEIR_WINE_DISPLAY:-} ]]; then # inside a session
    DISPLAY="$WEIR_WINE_DISPLAY" exec "$wine" "$@"
fi

# Starts a session: a display for the command, and for the programs that it runs with this script.
mkdir -p "$windows"
exec 8>"$windows/.session" 4< <(Xvfb -displayfd 3 -screen 0 320x240x24 -nolisten tcp 3>&1 >/dev/null 2>&1 & echo "$!"; wait)
flock -s 8
read -r -t 20 server <&4 && read -r -t 20 number <&4 || { echo "Xvfb cannot be started" >&2; exit 1; }
end_session() {
    flock -n -x 8 && "$(command -v /usr/lib/wine/wineserver wineserver | head -n 1)" -k # unless another session is running
    kill "$server"
}
trap end_session EXIT
unset WAYLAND_DISPLAY
export WEIR_WINE_DISPLAY=":$number"
if [[ $1 == session ]]; then
    "${@:2}" 8>&- 4<&-
else
    DISPLAY="$WEIR_WINE_DISPLAY" "$wine" "$@" 8>&- 4<&-
fi
