#!/usr/bin/env bash
# Installs Weir, static and shared, and builds and runs the project in tests/external against it.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build="$root/build"
out="$build/test-results/external"
mkdir -p "$out"

# check NAME COMMAND...
check() {
    local name=$1
    shift
    if "$@" >"$out/$name.log" 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name: $*"
        tail -n 30 "$out/$name.log"
        return 1
    fi
}

shared_library() {
    cmake -S "$root" -B "$build/shared" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON \
        -DWEIR_BUILD_SAMPLES=OFF -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCHMARKS=OFF &&
        ninja -C "$build/shared" && install_from "$build/shared" shared
}
install_from() { rm -rf "$out/$2" && cmake --install "$1" --prefix "$out/$2"; }

external_project() { # KIND
    rm -rf "$out/build-$1"
    cmake -S "$root/tests/external" -B "$out/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$out/$1;$build/deps/usr" && ninja -C "$out/build-$1"
}

# Whoever uses Weir needs Vulkan at run time, and nothing else that the system might lack.
needs_only_the_system() { # FILE
    echo "must need only libraries of C++, the system and Weir:" && readelf -d "$1" | grep NEEDED
    ! readelf -d "$1" | grep NEEDED | grep -vE '\[(libweir|libstdc\+\+|libm|libgcc_s|libc|ld-linux[^.]*)\.so'
}

defines_no_symbol_of_volk() { # nm's arguments
    nm --defined-only --extern-only "$@" >"$out/symbols" && ! grep -E ' (vk|volk)[A-Za-z0-9]+$' "$out/symbols"
}

with_pkg_config() { # KIND
    local pc flags
    pc=$(dirname "$(find "$out/$1" -name weir.pc)")
    eval "flags=($(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs weir))" # it quotes as shells do
    printf '%s\n' '#include <weir/engine/context.hpp>' 'int main() { return weir::Context::list_devices() ? 0 : 1; }' >"$out/pc.cpp"
    g++ -std=c++20 "$out/pc.cpp" -o "$out/pc-$1" "${flags[@]}" && LD_LIBRARY_PATH="$(dirname "$pc")" "$out/pc-$1"
}

prints() { # EXPECTED COMMAND...
    local expected=$1
    shift
    [[ $("$@" | tr '\n' ' ') == "$expected" ]]
}

check static_install install_from "$build" static || exit 0
check shared_install shared_library || exit 0
check static_symbols defines_no_symbol_of_volk "$(find "$out/static" -name libweir.a)"
check shared_symbols defines_no_symbol_of_volk -D "$(find "$out/shared" -name libweir.so)"
check shared_needs needs_only_the_system "$(find "$out/shared" -name libweir.so)"
for kind in static shared; do
    check "${kind}_find_package" external_project "$kind" || continue
    for program in adopted_host embedded host_with_vma host_with_volk queues_example readme_example switches_example; do
        check "${kind}_$program" "$out/build-$kind/$program"
        check "${kind}_${program}_needs" needs_only_the_system "$out/build-$kind/$program"
    done
    check "${kind}_readme_example_output" prints "1 2 0 3 " "$out/build-$kind/readme_example"
    check "${kind}_switches_example_output" prints "1 3 7 12 " "$out/build-$kind/switches_example"
    check "${kind}_queues_example_output" prints "1 1 3 4 5 9 5 6 10 11 14 23 " "$out/build-$kind/queues_example"
    if command -v pkg-config >/dev/null; then
        check "${kind}_pkg_config" with_pkg_config "$kind"
    else
        echo "skip ${kind}_pkg_config: no pkg-config"
    fi
done
