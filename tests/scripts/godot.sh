#!/usr/bin/env bash
# Tests Weir in Godot 4 (examples/godot), in a system of Debian sid (tests/sid.sh), on its lavapipe under its validation layer, on a virtual
# screen: particles, compared with the CPU's, and splats among meshes. The pictures stay in build/test-results/godot. Runs with --long only.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
needs godot "" pngtopnm pamscale
work_in_results_folder godot
if ! why=$(bash "$root/tests/sid.sh" true 2>&1); then
    skip_without_package godot "$(tail -n 1 <<<"$why")" --packages
    exit 0
fi

build() {
    rm -rf weir example && cmake --install "$root/build" --prefix "$out/weir" &&
        cmake -S "$root/examples/godot" -B example -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$out/weir" \
            -DGODOT="bash;$root/tests/sid.sh;godot" \
            -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-missing-field-initializers" && ninja -C example
}
check builds build || exit 0

cat >vk_layer_settings.txt <<END
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = $out/validation.txt
khronos_validation.validate_sync = true
END
inside=(bash "$root/tests/sid.sh" env HOME="$out" XDG_CACHE_HOME="$out/cache" XDG_DATA_HOME="$out/data"
    VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    VK_LAYER_SETTINGS_PATH="$out/vk_layer_settings.txt" xvfb-run -a -s '-screen 0 640x480x24' timeout -k 10 500)

# runs SCENE FRAMES COUNT SAID: runs a scene, which must print SAID and no error.
runs() {
    rm -f validation.txt "$1.png"
    "${inside[@]}" godot --path "$out/example/project" --rendering-driver vulkan --audio-driver Dummy "res://$1.tscn" \
        -- --frames "$2" --count "$3" --picture "$out/$1.png" >"$1.out" 2>&1 </dev/null
    [[ $? == 0 ]] && grep -q "^frame $2: $4" "$1.out" && ! grep -E '^(WARNING|ERROR|SCRIPT ERROR)' "$1.out"
    result "$1" $? "$(tail -n 20 "$1.out")"
    [[ -f validation.txt && ! -s validation.txt ]] # the layer creates the file
    result "$1_silent" $? "$(head -c 2000 validation.txt 2>&1)"
}
# looks_like SCENE: compares the brightness of a picture, in 16 x 9 blocks, with the PGM on the standard input. The mean difference must be
# less than 4 of 255, and that of each block at most 25.
looks_like() {
    local most mean
    pngtopnm "$1.png" | pamscale -xsize 16 -ysize 9 2>/dev/null | ppmtopgm >"$1.pgm"
    pnmtopnm >expected.pgm
    pamarith -difference "$1.pgm" expected.pgm >difference.pgm
    most=$(pamsumm -max -brief difference.pgm) mean=$(pamsumm -mean -brief difference.pgm)
    [[ $most ]] && ((most <= 25 && ${mean%.*} < 4))
    result "$1_picture" $? "differs by up to $most, $mean in the mean; see $out/$1.png"
}

runs particles 60 20000 '19928 of 20000 visible, as on the CPU'
looks_like particles <<'END'
P2
16 9
255
16 16 16 20 29 48 49 59 51 60 47 32 18 16 16 16
16 16 16 25 53 86 116 116 116 113 86 56 25 16 16 16
16 16 16 20 59 84 125 139 141 126 88 50 21 16 16 16
16 16 16 22 49 90 128 156 155 129 88 47 22 16 16 16
16 16 16 19 51 88 127 166 169 128 83 50 19 16 16 16
16 24 44 52 68 97 115 160 157 110 96 67 53 45 24 16
45 56 56 57 68 87 96 137 140 90 81 69 58 57 57 46
55 55 55 56 70 80 81 101 102 67 58 57 55 55 55 56
54 54 54 53 61 67 67 68 67 62 56 55 54 54 54 54
END

runs splats 30 20000 '19801 of 20000 visible'
looks_like splats <<'END'
P2
16 9
255
16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16
16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16
16 16 16 17 106 170 143 24 35 26 16 16 16 16 16 16
16 16 16 18 185 179 101 81 105 107 56 21 16 16 16 16
16 16 16 16 162 185 116 69 71 89 86 35 16 16 16 16
16 16 16 49 155 157 131 89 128 145 150 131 44 16 16 16
16 16 17 136 171 172 106 98 85 124 153 156 126 22 16 16
16 16 31 121 169 190 160 141 130 147 175 140 176 50 16 16
16 16 49 147 127 168 166 174 173 164 157 180 151 21 16 16
END
