#!/usr/bin/env bash
# Tests the ports for vcpkg and Conan: checks the manifest by the rules of its format, and runs the portfile and the recipe with stand-ins for
# the functions of vcpkg and Conan (tests/support) and the system's packages. Runs with --long only, because it builds the library again.

name=ports
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
support="$root/tests/support"

needs ports "" python3
check vcpkg_manifest python3 "$support/vcpkg_manifest.py" "$root/packaging/vcpkg/vcpkg.json" "$(version_of_weir)"

# vcpkg NAME LINKAGE FEATURES [OPTION...]
vcpkg() {
    rm -rf "vcpkg_$1"
    cmake -DPORT_DIR="$root/packaging/vcpkg" -DOUT="$out/vcpkg_$1" -DVCPKG_LIBRARY_LINKAGE="$2" -DFEATURES="$3" \
        -DPREFIX="$root/build/deps/usr" "${@:4}" -P "$support/vcpkg.cmake"
}
has_options() { # FOLDER NAME=VALUE...
    local option
    for option in "${@:2}"; do grep -qE "^${option%%=*}:[A-Z]+=${option#*=}$" "$1/build/CMakeCache.txt" || { echo "not $option"; return 1; }; done
}
check vcpkg_configures vcpkg configured static core -DCONFIGURE_ONLY=ON
check vcpkg_core has_options vcpkg_configured WEIR_SHARED=0 WEIR_BUILD_C=OFF WEIR_BUILD_SAMPLES=OFF WEIR_SHADERC_MODULE=OFF
check vcpkg_features diff <(sort -u vcpkg_configured/features) vcpkg_manifest.log
check conan_syntax python3 -c 'import ast, sys; [ast.parse(open(file).read()) for file in sys.argv[1:]]' \
    "$root/packaging/conan/conanfile.py" "$root/packaging/conan/test_package/conanfile.py"

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0 # the following builds the library again

# A project that finds packages only in vcpkg's folder.
project() { # FOLDER PROJECT PROGRAM
    rm -rf "$1/project" && cmake -S "$2" -B "$1/project" -G Ninja -DCMAKE_PREFIX_PATH="$out/$1/packages" && ninja -C "$1/project" "$3" && "$1/project/$3"
}
check vcpkg_builds vcpkg built static "core;c"
check vcpkg_has_license grep -q "Apache License" vcpkg_built/packages/share/weir/copyright
check vcpkg_project project vcpkg_built "$root/packaging/conan/test_package" sort
check vcpkg_project_in_c project vcpkg_built "$root/tests/external/c" c_sort
check conan_creates env PYTHONPATH="$support/conan" python3 "$support/conan/run.py" "$root" "$out/conan" shared=True with_c=True
