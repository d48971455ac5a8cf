#!/usr/bin/env bash
# Tests argsort, top-k and cumsum of ggml's Vulkan back end through Weir (examples/ggml), in a system of Debian sid (tests/sid.sh), on its
# lavapipe under its validation layer: the cases of ggml's test-backend-ops, and longer rows, larger k and changing shapes
# (examples/ggml/check.cpp). ggml is Debian's source package, or a copy of the source tree in the folder WEIR_GGML. Builds for about 15
# minutes on two cores. Runs with --long only.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"

# shellcheck source=../support/sid.sh
source "$root/tests/support/sid.sh"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
work_in_results_folder ggml
needs_sid ggml 1500
inside=(bash "$root/tests/sid.sh" env DEBIAN_FRONTEND=noninteractive HOME="$out" XDG_CACHE_HOME="$out/cache")

# Installs the packages to build ggml. Fails silently if the archive is not available.
tools() {
    local names="g++ cmake ninja-build glslc libvulkan-dev spirv-headers dpkg-dev"
    # shellcheck disable=SC2086
    "${inside[@]}" dpkg -s $names >/dev/null 2>&1 ||
        "${inside[@]}" sh -c "apt-get -q update && apt-get -q -y install --no-install-recommends $names"
}
# Unpacks the sources to the folder ggml.
sources() {
    rm -rf ggml ggml-* source && mkdir source || return
    if [[ ${WEIR_GGML:-} ]]; then
        cp -r "$WEIR_GGML" ggml
        return
    fi
    # shellcheck disable=SC2016
    "${inside[@]}" sh -c 'cd "$1/source" && sed "s/^deb /deb-src /" /etc/apt/sources.list >sources.list && mkdir -p lists/partial &&
        set -- -q -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::State::Lists="$PWD/lists" -o APT::Sandbox::User=root &&
        apt-get "$@" update && apt-get "$@" source ggml' - "$out" && mv source/ggml-*/ ggml
}
if ! tools >tools.log 2>&1 || ! sources >sources.log 2>&1; then
    skip ggml "the archive has no packages to build ggml, or not its source; see $out/tools.log and sources.log, or set WEIR_GGML"
    exit 0
fi

build() {
    rm -rf weir && cmake --install "$root/build" --prefix "$out/weir" && python3 "$root/examples/ggml/apply.py" ggml &&
        "${inside[@]}" cmake -S "$out/ggml" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
            -DGGML_VULKAN=ON -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DGGML_BUILD_TESTS=ON -DGGML_BUILD_EXAMPLES=OFF \
            -DVulkan_GLSLC_EXECUTABLE="$root/tests/support/ggml_glslc.sh" -DCMAKE_PREFIX_PATH="$out/weir" &&
        "${inside[@]}" nice ninja -C "$out/build" -j 2 test-backend-ops ggml-vulkan &&
        "${inside[@]}" g++ -std=c++17 -O1 -Wall -Wextra -isystem "$out/ggml/include" "$root/examples/ggml/check.cpp" -o "$out/check" \
            -L"$out/build/src" -L"$out/build/src/ggml-vulkan" -lggml -lggml-base -Wl,-rpath,"$out/build/src" &&
        "${inside[@]}" gcc -shared -fPIC -Wall -Wextra "$root/examples/ggml/plain_device.c" -o "$out/plain_device.so"
}
check ggml_builds build || exit 0
! python3 "$root/examples/ggml/apply.py" ggml >refused.log 2>&1 && grep -q 'changed already' refused.log
result ggml_refuses_twice $?

# runs NAME PATTERN COMMAND...: runs a command under the validation layer. Its output must contain PATTERN, and the layer must be silent.
runs() {
    rm -f validation.txt
    "${in_sid[@]}" env GGML_VK_VISIBLE_DEVICES=0 GGML_WEIR_LOG=1 "${@:3}" >"$1.log" 2>&1 </dev/null && grep -qE "$2" "$1.log"
    result "$1" $? "$(tail -n 20 "$1.log")"
    [[ -f validation.txt && ! -s validation.txt ]] # the layer creates the file
    result "$1_silent" $? "$(head -c 2000 validation.txt 2>&1)"
}
for operation in ARGSORT TOP_K CUMSUM; do
    runs "ggml_$operation" 'weir_ggml: [1-9]' "$out/build/bin/test-backend-ops" test -b Vulkan0 -o "$operation"
done
runs ggml_check ', 0 failures, 0 not supported' "$out/check" Vulkan0
# Steps of a growing context use one program for top-k and one for cumsum.
runs ggml_steps 'weir_ggml: 200 recordings of 2 programs' "$out/check" Vulkan0 steps
# Without subgroup arithmetic and the memory model, which ggml's own kernels need
for operation in ARGSORT CUMSUM; do
    runs "ggml_plain_device_$operation" 'weir_ggml: [1-9]' env LD_PRELOAD="$out/plain_device.so" "$out/build/bin/test-backend-ops" \
        test -b Vulkan0 -o "$operation"
done
grep -l '): not supported' ggml_*.log
[[ $? == 1 ]]
result ggml_all_supported $?
