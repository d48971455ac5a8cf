#!/usr/bin/env bash
# Compiles tests/graph/compilers.hlsl and examples/particles.hlsl with every available compiler of HLSL, and runs the modules on lavapipe.
# With --long, also with the compilers of Debian's suite sid, which are unpacked into build/hlsl.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
# shellcheck source=../../cmake/packages.sh
source "$root/cmake/packages.sh"
work_in_temporary_folder
includes="$root/build/generated/hlsl"
mkdir -p modules include && ln -s "$includes" include/weir

# glslang 12 finds only includes in quotes.
sed 's/<\(weir.*\)>/"\1"/' "$root/examples/particles.hlsl" >particles.hlsl

# The command of each compiler, and the compiler whose options it takes.
declare -A command=() kind=()
add() { command[$1]=$3 kind[$1]=$2; }
for one in glslc:glslc glslang:glslang glslangValidator:glslang dxc:dxc slangc:slangc; do
    program=${one%:*}
    if command -v "$program" >/dev/null; then
        add "$program" "${one#*:}" "$program"
    else
        skip "$program" "it is not installed"
    fi
done

# unpack PACKAGE...: unpacks packages of sid.
newer="$root/build/hlsl"
unpack() {
    local package
    mkdir -p "$newer"
    for package in "$@"; do
        [[ -f $newer/$package.there ]] || { archive_get sid "$package" "$newer" >>"$log" 2>&1 && touch "$newer/$package.there"; } || return
    done
}
if [[ ${WEIR_TESTS_LONG:-} ]]; then
    if unpack libc6 libstdc++6 libgcc-s1 glslang-tools libvkd3d-shader1 vkd3d-compiler; then
        libraries=$(dirname "$(find "$newer" -name ld-linux-x86-64.so.2 | head -n 1)")
        for one in glslang:glslang vkd3d-compiler:vkd3d; do
            printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$libraries/ld-linux-x86-64.so.2" "$libraries" \
                "$newer/usr/bin/${one%:*}" >"sid_${one%:*}"
            chmod +x "sid_${one%:*}"
            add "sid_${one%:*}" "${one#*:}" "./sid_${one%:*}"
        done
    else
        skip_without_package sid "compilers of sid cannot be fetched"
    fi
elif command -v vkd3d-compiler >/dev/null && vkd3d-compiler --print-source-types 2>/dev/null | grep -q hlsl; then
    add vkd3d-compiler vkd3d vkd3d-compiler
else
    skip vkd3d-compiler "it is not installed, or reads no HLSL before version 2; see --long"
fi

# compile NAME FILE ENTRY OUTPUT
compile() {
    local program=${command[$1]}
    case ${kind[$1]} in
    glslc) "$program" -x hlsl -fshader-stage=compute "-fentry-point=$3" --target-env=vulkan1.1 -I include -o "$4" "$2" ;;
    glslang) "$program" -D -V -S comp -e "$3" --target-env vulkan1.1 -Iinclude -o "$4" "$2" ;;
    dxc) "$program" -spirv -T cs_6_0 -E "$3" -fspv-target-env=vulkan1.1 -I include -Fo "$4" "$2" ;;
    slangc) "$program" -target spirv -stage compute -entry "$3" -I include -o "$4" "$2" ;;
    vkd3d) "$program" -x hlsl -p cs_5_0 -e "$3" -b spirv-binary --buffer-uav=storage-buffer -o "$4" "$2" ;;
    esac
}

for name in "${!command[@]}"; do
    check "${name}_compiles" compile "$name" "$root/tests/graph/compilers.hlsl" work "modules/$name.work.spv"
    if [[ ${kind[$name]} != vkd3d ]]; then # it has no wave operations
        check "${name}_compiles_layers" compile "$name" particles.hlsl move "modules/$name.move.spv"
    fi
done
check modules_run env WEIR_VALIDATION=1 "WEIR_HLSL_MODULES=$work/modules" "$root/tests/drivers.sh" lavapipe-8 \
    "$root/build/bin/weir_tests_device" '--gtest_filter=HlslProgram.RunsModules'
