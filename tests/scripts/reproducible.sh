#!/usr/bin/env bash
# Tests that two builds of the same sources give the same bytes, in the packages and in the files of `cmake --install`. The second build is
# later, in another folder, with another time zone, language and umask. Runs with --long only, because it builds the library twice.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
build="$root/build"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
needs reproducible --packages dpkg-deb dpkg-shlibdeps
work_in_results_folder reproducible
copy="$out/a copy/of the sources"

packages_of() { # TREE [OPTION...]: builds the packages as described in docs/building.md
    (cd "$1" && rm -rf build/debian/packages && cmake --preset debian "${@:2}" && cmake --build --preset debian && cpack --preset debian)
}
# Files of build/ that the build needs are not copied.
second_packages() {
    copy_of_sources "$copy" --touch || return
    local options=() panel=$build/imgui/usr/share/doc/libimgui-dev/examples/backends/imgui_impl_vulkan.cpp
    [[ -f $build/deps/usr/include/vk_mem_alloc.h ]] && options+=(-DWEIR_VMA_INCLUDE_DIR="$build/deps/usr/include")
    [[ -f $panel ]] && options+=(-DWEIR_IMGUI_VULKAN="$panel")
    (
        umask 027
        export TZ=Pacific/Auckland LC_ALL=C SOURCE_DATE_EPOCH="$epoch"
        packages_of "$copy" "${options[@]}"
    )
}
same_files() { # FOLDER FOLDER
    (cd "$1" && find . -type f -exec sha256sum {} + | sort -k 2) >"$out/first" && (cd "$2" && find . -type f -exec sha256sum {} + | sort -k 2) >"$out/second" &&
        [[ $(wc -l <"$out/first") -gt 0 ]] && diff "$out/first" "$out/second"
}
same_packages() {
    rm -rf "$out"/packages-* && mkdir "$out/packages-first" "$out/packages-second" && cp "$build"/debian/packages/*.deb "$out/packages-first" &&
        cp "$copy"/build/debian/packages/*.deb "$out/packages-second" && [[ $(find "$out/packages-first" -name '*.deb' | wc -l) == 4 ]] &&
        same_files "$out/packages-first" "$out/packages-second"
}
same_installed() {
    DESTDIR="$out/installed-first" cmake --install "$build/debian" && DESTDIR="$out/installed-second" cmake --install "$copy/build/debian" &&
        [[ $(find "$out/installed-first" -name '*.hpp' | wc -l) -gt 50 ]] && same_files "$out/installed-first" "$out/installed-second"
}
names_no_folder() { ! grep -rlaF -e "$root" -e "$out" "$out/installed-first"; }

rm -rf "$out"/installed-*
exec 7>"$build/.packages" && flock 7 # tests/scripts/packages.sh uses the same build folder
check first_packages packages_of "$root" || exit 0
epoch=$(sed -n 's/.*SOURCE_DATE_EPOCH} \([0-9]*\).*/\1/p' "$build/debian/debian/date.cmake")
check second_packages second_packages || exit 0
check same_packages same_packages
check same_installed same_installed
check names_no_folder names_no_folder
rm -rf "$out/a copy" # differing files are in packages-... and installed-...
