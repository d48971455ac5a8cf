#!/usr/bin/env bash
# Tests the Debian packages: makes them with cpack, checks them with lintian, and installs them into a minimal Debian (debootstrap, from the
# archive of this machine's apt sources). Builds and runs programs in C++ and C there. Removing the packages must leave no file behind. Runs
# with --long only, because it builds the library again.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
export LC_ALL=C.UTF-8
# shellcheck source=../../cmake/packages.sh
source "$root/cmake/packages.sh"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
needs packages --packages dpkg-deb dpkg-shlibdeps lintian
work_in_results_folder packages
system="$out/system"

make_packages() {
    (cd "$root" && rm -rf "$build/debian/packages" && cmake --preset debian && cmake --build --preset debian && cpack --preset debian)
}
# The name of each library package must match its SONAME.
has_the_packages() {
    local c_version
    c_version=$(sed -n 's/^#define WEIR_ABI_VERSION //p' "$root/c/include/weir/c/base.h")
    for package in "${packages_made[@]}"; do dpkg-deb -f "$package" Package; done | sort >"$out/names"
    diff "$out/names" <(printf '%s\n' "libweir-c$c_version" libweir-dev "$(dpkg-deb -f "$build"/debian/packages/libweir0*.deb Package)" weir-samples) &&
        readelf -d "$build/debian/libweir.so" | grep -F "[libweir.so.$(sed 's/^libweir//' <(grep -x 'libweir[0-9].*' "$out/names"))]"
}
says_nothing() { lintian --allow-root --no-tag-display-limit --fail-on error,warning "${packages_made[@]}"; }

# Runs a command in the system. Its mounts end with it.
inside() { # COMMAND...
    unshare --mount --fork bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$@"' - "$system" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 XDG_CACHE_HOME=/trial/cache DEBIAN_FRONTEND=noninteractive LP_NATIVE_VECTOR_WIDTH=256 "$@"
}
make_system() {
    local codename
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    rm -rf --one-file-system "$system" && mkdir -p "$build/debootstrap" && debootstrap --variant=minbase --cache-dir="$build/debootstrap" \
        --include=g++,cmake,make,pkg-config,mesa-vulkan-drivers "$codename" "$system" "$(archive_uri)" &&
        cp /etc/resolv.conf /etc/hosts "$system/etc/" && mkdir "$system/trial" && cp "${packages_made[@]}" "$system/trial" &&
        { apt-config dump | grep -i '^Acquire::.*Proxy' >"$system/etc/apt/apt.conf.d/90proxy" || true; } && inside apt-get update
}
install_in_system() { # PATTERN...
    inside sh -c "cd /trial && apt-get install -y --no-install-recommends $(printf './%s ' "$@")"
}
sorts() { inside weir-radix-sort --n 100000 | tee /dev/stderr | grep -q 'verified against'; }
finds_its_libraries() { ! inside sh -c 'ldd /usr/bin/weir-* /usr/lib/*/libweir*.so.* /usr/lib/*/weir/*.so' | grep 'not found'; }
has_pages() {
    local program
    for program in "$system"/usr/bin/weir-*; do
        [[ -f $system/usr/share/man/man1/$(basename "$program").1.gz ]] || return
    done
}

# One project for each way to find Weir. The expected output is that of the examples in tests/scripts/install.sh.
writes_projects() {
    mkdir -p "$system/trial/cpp" "$system/trial/c" && cat >"$system/trial/cpp/CMakeLists.txt" <<'END' && cat >"$system/trial/c/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(sorts LANGUAGES CXX)
find_package(weir 0.1 REQUIRED COMPONENTS paths)
foreach(program select_and_sort filter scene)
  add_executable(${program} /usr/share/doc/libweir-dev/examples/${program}.cpp)
  target_link_libraries(${program} PRIVATE weir::weir)
endforeach()
target_link_libraries(scene PRIVATE weir::paths)
END
cmake_minimum_required(VERSION 3.25)
project(sorts LANGUAGES C)
find_package(weir 0.1 REQUIRED COMPONENTS c)
add_executable(c_sort /usr/share/doc/libweir-dev/examples/c_sort.c)
target_link_libraries(c_sort PRIVATE weir::c)
END
}
builds() { inside sh -c "cmake -S /trial/$1 -B /trial/build-$1 && cmake --build /trial/build-$1"; }
builds_with_pkg_config() {
    inside sh -ec 'cd /trial
        c++ -std=c++20 /usr/share/doc/libweir-dev/examples/own_pass.cpp -o own_pass $(pkg-config --cflags --libs weir)
        cc -std=c99 /usr/share/doc/libweir-dev/examples/c_sort.c -o c_sort $(pkg-config --cflags --libs weir_c)'
}

removes_all() {
    inside sh -c 'dpkg -L $(dpkg-query -W -f "\${Package}\n" | grep -E "^(libweir|weir-)")' >"$out/files" &&
        [[ $(grep -c weir "$out/files") -gt 100 ]] &&
        inside sh -c 'apt-get purge -y $(dpkg-query -W -f "\${Package}\n" | grep -E "^(libweir|weir-)")' || return
    while IFS= read -r file; do
        [[ -d $system$file && $file != *weir* ]] || [[ ! -e $system$file && ! -L $system$file ]] || { echo "$file is left"; return 1; }
    done <"$out/files"
    ! find "$system" -xdev -path "$system/trial" -prune -o -name '*weir*' -print | grep .
}

exec 7>"$build/.packages" && flock 7 # tests/scripts/reproducible.sh uses the same build folder
check makes_packages make_packages || exit 0
packages_made=("$build"/debian/packages/*.deb)
check has_the_packages has_the_packages
check lintian says_nothing
needs system --packages debootstrap
if ((EUID != 0)) || ! unshare --mount true 2>/dev/null; then
    skip system "root and mounts are not available"
    exit 0
fi
if ! uri=$(archive_uri) || [[ ! $uri ]]; then
    skip_without_package system "this machine's apt sources name no Debian archive"
    exit 0
fi
trap 'rm -rf --one-file-system "$system"' EXIT
check makes_a_system make_system || exit 0
check installs_samples install_in_system 'libweir0*.deb' 'weir-samples*.deb' && check sorts sorts && check has_pages has_pages
check installs_all install_in_system '*.deb' || exit 0
check finds_its_libraries finds_its_libraries
check writes_projects writes_projects
check cpp builds cpp && check cpp_runs inside /trial/build-cpp/select_and_sort &&
    check cpp_with_glsl prints "0.03 0.99 1.01 1.00 1.00 " inside /trial/build-cpp/filter && check cpp_paths prints "ff " inside /trial/build-cpp/scene
check c builds c && check c_runs inside /trial/build-c/c_sort
check pkg_config builds_with_pkg_config && check pkg_config_cpp_runs prints "1 2 0 3 " inside /trial/own_pass && check pkg_config_c_runs inside /trial/c_sort
check removes_all removes_all
