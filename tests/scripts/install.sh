#!/usr/bin/env bash
# Tests Weir in other projects: installed and found by CMake or pkg-config, and built as a subproject. Parts that build the
# library again run with --long only.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
build="$root/build"
allocator="$build/deps/usr/include"
work_in_results_folder external

shared_library() {
    cmake -S "$root" -B "$build/shared" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON \
        -DWEIR_BUILD_SAMPLES=OFF -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCHMARKS=OFF &&
        ninja -C "$build/shared" && install_from "$build/shared" shared
}
install_from() { rm -rf "$out/$2" && cmake --install "$1" --prefix "$out/$2"; }

# State after `./run radix_sort`, which builds parts of libweir.
installs_nothing_without_weir() {
    cmake --install "$out/partial" --prefix "$out/partial/nothing" | grep -F "Not installed: weir, which is not built" &&
        [[ ! -e $out/partial/nothing ]]
}
# State after `./run NAME`, which builds libweir, but neither libweir_c nor a library in renderers/.
installs_what_is_built() {
    rm -rf "$out/partial" && cmake -S "$root" -B "$out/partial" -G Ninja -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCHMARKS=OFF \
        -DWEIR_BUILD_SAMPLES=OFF -DWEIR_BUILD_PATHS=ON -DWEIR_BUILD_SPLATS=ON -DWEIR_BUILD_SVG=ON -DWEIR_SHADERC_MODULE=OFF -DWEIR_VMA_INCLUDE_DIR="$vma" &&
        installs_nothing_without_weir && cp "$build/libweir.a" "$out/partial/" && install_from "$out/partial" partial/installed || return
    [[ -f $(find "$out/partial/installed" -name weirTargets.cmake) ]] &&
        ! find "$out/partial/installed" | grep -E 'libweir_c|weir_c\.pc|weirCTargets|weirPathsTargets|weirSplatsTargets|weirSvgTargets|include/weir/(c|paths|splats|svg)/|weir\.h$'
}

external_project() { # KIND
    local precompiled=ON
    [[ ${WEIR_TESTS_LONG:-} ]] && precompiled=OFF
    rm -rf "$out/build-$1"
    cmake -S "$root/tests/external" -B "$out/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DEXTERNAL_PRECOMPILED=$precompiled \
        -DCMAKE_PREFIX_PATH="$out/$1;$build/deps/usr" && ninja -C "$out/build-$1"
}

# An application may link other versions of volk, spdlog and fmt.
defines_nothing_of_others() { # nm's arguments
    nm --defined-only --extern-only "$@" >"$out/symbols" && ! grep -E ' (vk|volk)[A-Za-z0-9]+$' "$out/symbols" &&
        ! grep -E ' _Z\w*(6spdlog|3fmt)' "$out/symbols"
}

with_pkg_config() { # KIND
    local pc flags
    pc=$(dirname "$(find "$out/$1" -name weir.pc)")
    eval "flags=($(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs weir))" # its output is quoted for a shell
    g++ -std=c++20 -c "$root/examples/own_pass.cpp" -o "$out/pc-$1.o" "${flags[@]}" &&
        g++ "$out/pc-$1.o" -o "$out/pc-$1" "${flags[@]}" && g++ -fsanitize=address "$out/pc-$1.o" -o "$out/pc-$1-asan" "${flags[@]}"
}
# AddressSanitizer replaces dlopen, so the loader does not search the caller's run path for libweir_shaderc. The shader is in no file yet.
compiles_glsl_with_a_sanitizer() { # KIND
    rm -rf "$out/no-cache" && mkdir "$out/no-cache" && ASAN_OPTIONS=detect_leaks=0 XDG_CACHE_HOME="$out/no-cache" \
        prints "1 2 0 3 " env LD_LIBRARY_PATH="$(dirname "$(find "$out/$1" -name 'libweir.*' | head -n 1)")" "$out/pc-$1-asan"
}

# Programs in C use libweir_c. The project enables only C.
project_in_c() { # KIND
    rm -rf "$out/c-$1"
    cmake -S "$root/tests/external/c" -B "$out/c-$1" -G Ninja -DCMAKE_PREFIX_PATH="$out/$1" && ninja -C "$out/c-$1" &&
        ! grep -E 'CMAKE_CXX_COMPILER:|tl-expected' "$out/c-$1/CMakeCache.txt"
}
in_c_with_pkg_config() { # KIND
    local pc flags
    pc=$(dirname "$(find "$out/$1" -name weir_c.pc)")
    eval "flags=($(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs weir_c))"
    gcc -std=c99 "$root/examples/c_sort.c" -o "$out/pc-c-$1" "${flags[@]}"
}
library_folder() { dirname "$(find "$out/$1" -name 'libweir_c.*' | head -n 1)"; } # KIND
test_c() { # KIND
    [[ $1 == static ]] && { check "$1_c_project" project_in_c "$1" && check "$1_c_project_runs" "$out/c-$1/c_sort"; }
    check "$1_c_library_needs" needs_only_the_system "$(library_folder "$1")/libweir_c.so"
    if command -v pkg-config >/dev/null; then
        check "$1_c_pkg_config" in_c_with_pkg_config "$1" &&
            check "$1_c_pkg_config_runs" env LD_LIBRARY_PATH="$(library_folder "$1")" "$out/pc-c-$1"
    fi
}

# Kernels compiled ahead of time, with the GLSL folder of the CMake package.
compiles_glsl_ahead() { # KIND
    local folder
    folder=$(sed -n 's/^weir_GLSL_DIR:[A-Z]*=//p' "$out/build-$1/CMakeCache.txt")
    printf '%s\n' '#version 460' 'layout(local_size_x = 64) in;' '#include <weir/weir_workgroup_scan.glsl>' 'float add(float a, float b) { return a + b; }' \
        'WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)' 'layout(binding = 0) buffer Numbers { float numbers[]; };' \
        'void main() { float total; numbers[weir_invocation()] = sum_inclusive_scan(numbers[weir_invocation()], total); }' >"$out/scan.comp"
    glslc --target-env=vulkan1.2 -I "$folder" -o "$out/scan.spv" "$out/scan.comp" && [[ $folder == "$out/$1"/* ]]
}

# Programs with a static Weir contain only the parts that they use, with packed shaders.
takes_at_most() { # BYTES FILE
    strip -o "$out/stripped" "$2" && stat -c "%s bytes; at most $1" "$out/stripped" &&
        (($(stat -c %s "$out/stripped") <= $1))
}
with_all_of_weir() { # FILE
    printf '%s\n' 'int main() { return 0; }' >"$out/all.cpp"
    g++ "$out/all.cpp" -o "$1" -Wl,--whole-archive "$(find "$out/static" -name libweir.a)" -Wl,--no-whole-archive -pthread -ldl
}

# Draws a red rectangle and a lime one. Prints the size of the picture, and its first and last pixel.
draws_svg() {
    printf '%s' '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="16"><rect width="16" height="16" fill="red"/>' \
        '<rect x="16" width="16" height="16" fill="lime"/><foreignObject/></svg>' >"$out/two.svg"
    "$1" "$out/two.svg" "$out/two.pam" 2>"$out/two.err" && grep -qx 'not drawn: foreignObject (1)' "$out/two.err" &&
        grep -a -m 3 -E '^(WIDTH|HEIGHT)' "$out/two.pam" && tail -c 524288 "$out/two.pam" >"$out/two.pixels" &&
        od -An -tu1 -N 4 "$out/two.pixels" && tail -c 4 "$out/two.pixels" | od -An -tu1
}

# Draws one red splat of a .splat file on white. Prints the size of the picture, its center pixel and its first one.
draws_splat() {
    printf '%b' '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\077\0\0\0\077\0\0\0\077\xff\0\0\xff\xff\x80\x80\x80' >"$out/one.splat"
    "$1" "$out/one.splat" "$out/one.pam" && grep -a -m 2 -E '^(WIDTH|HEIGHT)' "$out/one.pam" && tail -c 921600 "$out/one.pam" >"$out/one.pixels" &&
        od -An -tu1 -j $((4 * (180 * 640 + 320))) -N 4 "$out/one.pixels" && od -An -tu1 -N 4 "$out/one.pixels"
}

# Expected output of the examples, in one line. Programs that are not listed must only succeed.
declare -A printed=(
    [compile_ahead]="0 1 4 9 "
    [concurrent]="64 32 64 32 "
    [elementwise]="5 2 1 1 2 0 1 1 5 2 2 1 5 10 12 14 16 1 1 1 1 1 2 7 3 0 1 2 1 1 3 3 10 11 13 6 2 2 2 0 1 2 3 0 2 1 3 1 7 2 7 3 1 200 250 351 358 613 200 250 95 102 101 200 101 255 1 3 10 11 13 3 1 1 10 13 1 3 10 11 13 1 2 7 2 3 2 "
    [expansions]="0 0 2 2 2 0 1 0 1 2 0 2 2 5 0 0 2 2 2 0 0 2 2 2 "
    [filter]="0.03 0.99 1.01 1.00 1.00 "
    [frame_data]="11 21 31 2 4 "
    [gpu_counts]="3 75 1 5 7 36 3 0 0 0 18 1 0 0 1 1 1 "
    [half]="17.5 1 3 6 10 0.5 -0.5 0.5 1.5 2 5 5 6 "
    [hlsl]="0.5 1 3 500 "
    [images]="255 "
    [instrument]="200000 2 4 6 "
    [layers]="1 2 3 1 1 1 7 1 2 1 2 800 1200 -2 -2 "
    [pixels]="0.5 0.5 0.5 0.5 "
    [memory]="shared "
    [own_pass]="1 2 0 3 "
    [queues]="1 1 3 4 5 9 5 6 10 11 14 23 "
    [reductions]="23 9 4 10 9 7 8 7 8 6 9 3 1 1 167 3 4 1 4 10 9 4 10 9 9 5 1 4 1 3 181 0 4 6 1 1 9 1 1 0 3 5 9 0 4 5 1 9 "
    [rows]="2 0 3 1 3 2 0 1 3 0 2 1 4 2 7 7 9 8 1 3 0 1 1 2 7 9 4 3 "
    [scans]="3 4 8 9 14 23 0 3 4 8 9 14 23 3 3 4 4 5 9 3 4 8 1 6 15 3 4 4 5 10 9 3 4 8 1 6 9 1.5 1.25 2.625 1.8125 3.40625 6.20312 3 4 8 4 10 23 103 104 108 201 206 215 "
    [selections]="12 7 12 12 40 1 2 3 4 6 5 5 7 3 5 7 3 12 12 12 40 3 3 1 5 12 7 12 3 40 5 12 7 12 3 40 1 1 1 2 1 1 0 1 2 3 5 6 6 5 12 7 12 12 3 40 5 3 "
    [selective_scan]="1.67 1.60 1.56 "
    [shipping]="0 1 4 9 "
    [softmax]="1 x 1 1000 x 1 300 x 7 3 x 4097 20 x 32000 2 x 1000000 "
    [sorts]="1 3 0 2 17 18 32 48 1 3 2 0 18 17 48 32 4 7 9 1 2 8 4 9 1 2 7 8 4 8 9 1 2 7 1 2 0 9 8 0 4 7 9 7 8 2 0 2 4 5 "
    [switches]="1 3 7 12 255.0 127.5 85.0 255.0 255.0 255.0 "
    [tables]="64 128 6400 "
    [top_p]="1357 0 12345 8990 3941 17522 "
)

test_installed() { # KIND
    local kind=$1 program
    check "${kind}_find_package" external_project "$kind" || return
    check "${kind}_glsl_ahead" compiles_glsl_ahead "$kind"
    for program in adopted_device adopted_allocator c_sort calls chunked_scan deferred_frame draws errors frame_loop host_with_volk nearest parts profile replayer retired secondary select_and_sort views "${!printed[@]}"; do
        if [[ ${printed[$program]:-} ]]; then
            check "${kind}_$program" prints "${printed[$program]}" "$out/build-$kind/$program"
        else
            check "${kind}_$program" "$out/build-$kind/$program"
        fi
        check "${kind}_${program}_needs" needs_only_the_system "$out/build-$kind/$program"
    done
    if [[ $kind == static ]]; then
        check static_scene prints "ff " "$out/build-static/scene"
        check static_hover prints "12 frames draw 43920 of 369600 pixels " "$out/build-static/hover"
        check static_svg_to_image prints "WIDTH 512 HEIGHT 256 255 0 0 255 0 255 0 255 " draws_svg "$out/build-static/svg_to_image"
        [[ ! -e $out/build-static/label ]] || check static_label prints "11 glyphs, white " "$out/build-static/label"
        check static_splats_to_image prints "1 of 1 splats are visible WIDTH 640 HEIGHT 360 255 3 3 255 255 255 255 255 " draws_splat "$out/build-static/splats_to_image"
        check static_frames "$out/build-static/frames"
        check static_splats prints "opacity behind the wall 0, before it 255 " "$out/build-static/splats"
        check static_deferred_frame_of_one_frame "$out/build-static/deferred_frame" 1
        check size_with_a_sort takes_at_most 1500000 "$out/build-static/own_pass"
        check links_all_of_weir with_all_of_weir "$out/all" && check size_with_all takes_at_most 4000000 "$out/all"
    fi
    test_c "$kind"
    if command -v pkg-config >/dev/null; then
        check "${kind}_pkg_config" with_pkg_config "$kind" && check "${kind}_pkg_config_output" \
            prints "1 2 0 3 " env LD_LIBRARY_PATH="$(dirname "$(find "$out/$kind" -name 'libweir.*' | head -n 1)")" "$out/pc-$kind" &&
            check "${kind}_glsl_with_a_sanitizer" compiles_glsl_with_a_sanitizer "$kind"
    else
        skip_without_package "${kind}_pkg_config" "pkg-config is missing" ""
    fi
}

embed() { # HOW FETCH [OPTION...]: configures the project
    rm -rf "$out/$1"
    cmake -S "$root/tests/external/embedding" -B "$out/$1" -G Ninja -DWEIR_SOURCE="$out/copy" -DFETCH="$2" \
        -DWEIR_VMA_INCLUDE_DIR="$vma" "${@:3}"
}

# Checks that no program and no C interface is built, and that the library has the requested kind.
builds_only_the_library() { # FOLDER LIBRARY
    grep -qE "^build weir/$2( |:)" "$1/build.ninja" && ! grep -E '^build [^ ]*/(libweir_c|libweir_paths|libweir_splats|libweir_svg|weir_tests_|weir_bench|radix_sort:)' "$1/build.ninja"
}

# Checks that Weir's headers are system headers, that a program of the parent has only a run path that CMake removes on
# installation, that nothing of Weir is installed, and that no setting of the parent has changed.
leaves_its_parent_alone() { # FOLDER
    grep -q -- '-isystem [^ ]*/engine/include' "$1/build.ninja" && ! grep 'LINK_FLAGS.*rpath' "$1/build.ninja" &&
        ! grep -l 'file(INSTALL' "$1"/*weir*/cmake_install.cmake "$1"/_deps/*/cmake_install.cmake &&
        ! grep -E '^(BUILD_SHARED_LIBS|CMAKE_INSTALL_LIBDIR):' "$1/CMakeCache.txt"
}

installs_without_run_path() { # FOLDER
    cmake --install "$1" --prefix "$1/installed" && readelf -d "$1/installed/bin/own_pass" >"$1/dynamic" &&
        ! grep -E 'R(UN)?PATH' "$1/dynamic"
}

test_embedding() {
    local how fetch
    check copy copy_of_sources "$out/copy" || return
    for how in fetched subdirectory; do
        [[ $how == fetched ]] && fetch=ON || fetch=OFF
        check "$how" embed "$how" "$fetch" || continue
        check "${how}_leaves_its_parent_alone" leaves_its_parent_alone "$out/$how"
    done
    check subdirectory_static builds_only_the_library "$out/subdirectory" libweir.a
    # WEIR_SHARED selects the kind of Weir's library independently of the libraries of its parent.
    check vendored_shared embed vendored_shared OFF -DWEIR_SHARED=ON &&
        check vendored_shared_library builds_only_the_library "$out/vendored_shared" 'libweir\.so[.0-9]*'
    check vendored_static embed vendored_static OFF -DWEIR_SHARED=OFF -DBUILD_SHARED_LIBS=ON &&
        check vendored_static_library builds_only_the_library "$out/vendored_static" libweir.a
    [[ ${WEIR_TESTS_LONG:-} ]] || return # it builds the library again
    check fetched_build ninja -C "$out/fetched" || return
    check fetched_own_pass prints "1 2 0 3 " "$out/fetched/own_pass"
    check fetched_install installs_without_run_path "$out/fetched"
    check vendored_shared_build ninja -C "$out/vendored_shared" && check vendored_shared_own_pass prints "1 2 0 3 " "$out/vendored_shared/own_pass"
}

# Checks the message about a missing header of the allocator.
says_what_is_missing() { # WORDS ARGUMENTS...
    local words=$1
    shift
    rm -rf "$out/without"
    ! cmake -S "$out/copy" -B "$out/without" -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_VulkanMemoryAllocator=ON "$@" \
        >"$out/without.txt" 2>&1 && grep -q -- "$words" "$out/without.txt"
}

vma=$allocator
[[ -f $vma/vk_mem_alloc.h ]] || vma=/usr/include

check static_install install_from "$build" static || exit 0
check static_symbols defines_nothing_of_others "$(find "$out/static" -name libweir.a)"
test_installed static
test_embedding
check installs_what_is_built installs_what_is_built
check says_what_is_missing says_what_is_missing "-DWEIR_VMA_INCLUDE_DIR=FOLDER" -DWEIR_VMA_FOUND_DIR=
check says_what_is_wrong says_what_is_missing "vk_mem_alloc.h in /nowhere" -DWEIR_VMA_INCLUDE_DIR=/nowhere
check says_which_volk_is_wrong says_what_is_missing "volk.c in /nowhere" -DWEIR_VOLK_DIR=/nowhere
check says_which_vulkan_is_wrong says_what_is_missing "headers .* in /nowhere" -DWEIR_VULKAN_INCLUDE_DIR=/nowhere
check says_which_shaderc_is_wrong says_what_is_missing "shaderc/shaderc.h in /nowhere" -DWEIR_SHADERC_DIR=/nowhere
check says_which_glslc_is_wrong says_what_is_missing "program /nowhere/glslc" -DWEIR_GLSLC=/nowhere/glslc
[[ ${WEIR_TESTS_LONG:-} ]] || exit 0 # it builds the library again
check shared_install shared_library || exit 0
check shared_symbols defines_nothing_of_others -D "$(find "$out/shared" -name libweir.so)"
check shared_needs needs_only_the_system "$(find "$out/shared" -name libweir.so)"
test_installed shared
