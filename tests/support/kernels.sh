# shellcheck shell=bash
# Functions for scripts that check compiled kernels with the programs of tests/models, in the folder of script.sh.

kernels="$root/build/generated/weir" # kernels of the build
export PYTHONDONTWRITEBYTECODE=1
find_python_with z3

# has_optimized_kernels: checks that the build folder has kernels, of a build that optimizes them.
has_optimized_kernels() {
    [[ -f $kernels/scan_u32.spv ]] && ! grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Debug' "$root/build/CMakeCache.txt"
}

# compile_kernel SHADERS SOURCE OUTPUT DEFINES...: compiles SHADERS/SOURCE with the options of cmake/WeirShaders.cmake.
compile_kernel() {
    glslc --target-env=vulkan1.3 -O -Werror "${@:4}" -I "$1/include" -I "$1/lib" -o "$3" "$1/$2"
}

# notices_change NAME FILE CHANGE PATTERN PROGRAM SOURCE OUTPUT DEFINES...: changes FILE of shaders/, or of the folder $sources, with the sed script
# CHANGE, and compiles SOURCE.
# PROGRAM of tests/models must then print a failure that matches PATTERN: in a line with FAIL, or in an indented one.
notices_change() {
    local original=${sources:-$root/shaders}
    rm -rf shaders broken
    mkdir broken
    cp -r "$original" shaders
    sed -i "$3" "shaders/$2"
    if cmp -s "shaders/$2" "$original/$2"; then
        result "notices_$1" 1 "the sed script does not change shaders/$2"
    elif ! compile_kernel shaders "$6" "broken/$7.spv" "${@:8}"; then
        result "notices_$1" 1 "the changed $6 does not compile"
    else
        "$python" "$root/tests/models/$5" "broken/$7.spv" >broken.log 2>&1
        grep -E '^(FAIL|    )' broken.log | grep -qE "$4"
        result "notices_$1" $? "no failure matches $4: $(cat broken.log)"
    fi
}
