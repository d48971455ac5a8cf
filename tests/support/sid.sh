# shellcheck shell=bash disable=SC2154
# Functions for scripts that test programs in a system of Debian sid (tests/sid.sh): on its lavapipe, under its validation layer, on a virtual
# screen.

# Options of CMake for the programs. Warnings are errors.
# shellcheck disable=SC2034
strict_build=(-G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-missing-field-initializers")

# needs_sid NAME [SECONDS]: sets `in_sid`, a command that runs another one there for at most SECONDS, 500 by default, in the folder `out`. The
# validation layer writes all messages, also those of its synchronization checks, to validation.txt. Skips NAME and ends the script if the
# system is not available.
needs_sid() {
    local why
    needs "$1" "" pngtopnm pamscale
    if ! why=$(bash "$root/tests/sid.sh" true 2>&1); then
        skip_without_package "$1" "$(tail -n 1 <<<"$why")" --packages
        exit 0
    fi
    cat >vk_layer_settings.txt <<END
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = $out/validation.txt
khronos_validation.validate_sync = true
khronos_validation.enable_message_limit = false
END
    # shellcheck disable=SC2034
    in_sid=(bash "$root/tests/sid.sh" env HOME="$out" XDG_CACHE_HOME="$out/cache" XDG_DATA_HOME="$out/data"
        VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
        VK_LAYER_SETTINGS_PATH="$out/vk_layer_settings.txt" xvfb-run -a -s '-screen 0 640x480x24' timeout -k 10 "${2:-500}")
}

# difference NAME EXPECTED: compares the brightness of NAME.png, in 16 x 9 blocks, with tests/support/pictures/EXPECTED.pgm. Sets `most` and
# `mean` to the maximum and the mean difference of the blocks, of 255.
difference() {
    pngtopnm "$1.png" | pamscale -xsize 16 -ysize 9 2>/dev/null | ppmtopgm >"$1.pgm"
    pnmtopnm "$root/tests/support/pictures/$2.pgm" >expected.pgm
    pamarith -difference "$1.pgm" expected.pgm >difference.pgm
    most=$(pamsumm -max -brief difference.pgm) mean=$(pamsumm -mean -brief difference.pgm)
}
# looks_like NAME: checks that NAME.png is like tests/support/pictures/NAME.pgm.
looks_like() {
    difference "$1" "$1"
    [[ $most ]] && ((most <= 25 && ${mean%.*} < 4))
    result "$1_picture" $? "differs by up to $most, $mean in the mean; see $out/$1.png"
}
