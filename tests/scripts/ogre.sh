#!/usr/bin/env bash
# Tests Weir in Ogre 14 (examples/ogre), in a system of Debian sid (tests/sid.sh), on its lavapipe under its validation layer, on a virtual
# screen: sprites, compared with the CPU's. The pictures stay in build/test-results/ogre. Runs with --long only.
#
# Debian's Ogre has no Vulkan render system. WEIR_OGRE is a folder with the sources of Ogre 14.5, which the test builds in build/ogre.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
# shellcheck source=../support/sid.sh
source "$root/tests/support/sid.sh"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
if [[ ! ${WEIR_OGRE:-} ]]; then
    skip ogre "WEIR_OGRE is not set to a folder with the sources of Ogre"
    exit 0
fi
work_in_results_folder ogre
needs_sid ogre

build_ogre() {
    local part options=()
    for part in RENDERSYSTEM_{GL,GL3PLUS,GLES2} PLUGIN_{BSP,DOT_SCENE,OCTREE,PCZ,PFX} TOOLS \
        COMPONENT_{OVERLAY,MESHLODGENERATOR,PAGING,PROPERTY,RTSHADERSYSTEM,TERRAIN,VOLUME,PYTHON,JAVA,CSHARP}; do
        options+=("-DOGRE_BUILD_$part=OFF") # not needed
    done
    cmake -S "$WEIR_OGRE" -B "$root/build/ogre" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
        -DCMAKE_INSTALL_PREFIX="$root/build/ogre/installed" -DOGRE_BUILD_DEPENDENCIES=OFF -DOGRE_BUILD_RENDERSYSTEM_VULKAN=ON \
        -DOGRE_INSTALL_DOCS=OFF "${options[@]}" && ninja -C "$root/build/ogre" install
}
build() {
    rm -rf weir example && cmake --install "$root/build" --prefix "$out/weir" &&
        cmake -S "$root/examples/ogre" -B example "${strict_build[@]}" -DCMAKE_PREFIX_PATH="$out/weir;$root/build/ogre/installed" \
            -DOGRE_VULKAN_SOURCES="$WEIR_OGRE/RenderSystems/Vulkan/src" && ninja -C example
}
check builds_ogre build_ogre || exit 0
check builds build || exit 0

# runs NAME SAID OPTION...: runs the program for 60 frames. It must print SAID. NAME.txt has the messages of the layer, without handles.
runs() {
    rm -f validation.txt "$1.png"
    "${in_sid[@]}" "$out/example/weir_ogre" --frames 60 --picture "$out/$1.png" "${@:3}" >"$1.out" 2>&1 </dev/null
    [[ $? == 0 ]] && grep -q "^frame 60: 20000 sprites $2" "$1.out"
    result "$1" $? "$(tail -n 20 "$1.out")"
    sed 's/0x[0-9a-f]*/handle/g' validation.txt >"$1.txt"
}

runs sprites 'sorted, as on the CPU'
looks_like sprites
runs unsorted unsorted --unsorted
difference unsorted sprites
((most > 25))
result unsorted_picture $? "differs by only $most from the picture of sorted sprites"

# The layer reports errors of Ogre 14.5, with and without Weir: an extension that is not enabled, and no barriers between the mips of a texture
# and after vkAcquireNextImageKHR. Weir must not add a message.
[[ -f validation.txt ]] && diff unsorted.txt sprites.txt >messages.txt # the layer creates the file
result silent $? "$(head -c 2000 messages.txt)"
