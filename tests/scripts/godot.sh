#!/usr/bin/env bash
# Tests Weir in Godot 4 (examples/godot), in a system of Debian sid (tests/sid.sh), on its lavapipe under its validation layer, on a virtual
# screen: particles, compared with the CPU's, and splats among meshes. The pictures stay in build/test-results/godot. Runs with --long only.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
# shellcheck source=../support/sid.sh
source "$root/tests/support/sid.sh"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
work_in_results_folder godot
needs_sid godot

build() {
    rm -rf weir example && cmake --install "$root/build" --prefix "$out/weir" &&
        cmake -S "$root/examples/godot" -B example "${strict_build[@]}" -DCMAKE_PREFIX_PATH="$out/weir" \
            -DGODOT="bash;$root/tests/sid.sh;godot" && ninja -C example
}
check builds build || exit 0

# runs SCENE FRAMES COUNT SAID: runs a scene, which must print SAID and no error.
runs() {
    rm -f validation.txt "$1.png"
    "${in_sid[@]}" godot --path "$out/example/project" --rendering-driver vulkan --audio-driver Dummy "res://$1.tscn" \
        -- --frames "$2" --count "$3" --picture "$out/$1.png" >"$1.out" 2>&1 </dev/null
    [[ $? == 0 ]] && grep -q "^frame $2: $4" "$1.out" && ! grep -E '^(WARNING|ERROR|SCRIPT ERROR)' "$1.out"
    result "$1" $? "$(tail -n 20 "$1.out")"
    [[ -f validation.txt && ! -s validation.txt ]] # the layer creates the file
    result "$1_silent" $? "$(head -c 2000 validation.txt 2>&1)"
}

runs particles 60 20000 '19928 of 20000 visible, as on the CPU'
looks_like particles

runs splats 30 20000 '19801 of 20000 visible'
looks_like splats
