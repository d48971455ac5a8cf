# shellcheck shell=bash
# Functions for all scripts of tests. A script prints "ok NAME", "FAIL NAME: why" or "skip NAME: why" for each test; tests/run.sh counts these
# lines. Sets `root` and the options of the shell. Programs write English, and sort bytes.

set -uo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# work_in_temporary_folder: changes to a new folder, `work`, which is removed when the script ends. Logs of `check` are there.
work_in_temporary_folder() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
    logs=$work
}
# work_in_results_folder NAME: changes to the folder build/test-results/NAME, `out`. Its files stay. Logs of `check` are there.
work_in_results_folder() {
    out="$root/build/test-results/$1"
    mkdir -p "$out" && cd "$out" || exit 1
    logs=$out
}

# result NAME STATUS [WHY]: prints the result of a test.
result() {
    if [[ $2 == 0 ]]; then echo "ok $1"; else echo "FAIL $1: ${3:-see ${out:-the script}}"; fi
}
# check NAME COMMAND...: runs a test that succeeds if the command does. Writes the command's output to NAME.log. Returns its status.
check() {
    local status=0
    "${@:2}" >"$logs/$1.log" 2>&1 || status=$?
    result "$1" $status "${*:2}: $(tail -n 30 "$logs/$1.log")"
    return $status
}

# On CI (.ci/run sets CI=true), only a missing capability of the device is a reason to skip, because every package and every driver is
# available there.

# skip NAME WHY: skips the test, also on CI. For tests that the device cannot run.
skip() { echo "skip $1: $2"; }
# skip_without_package NAME WHY [OPTION]: skips the test because a package or a driver is missing. `./run deps OPTION` installs it. Fails on CI.
skip_without_package() {
    local why="$2${3+ (./run deps${3:+ }$3)}"
    if [[ ${CI:-} == true ]]; then
        echo "FAIL $1: $why; CI skips no test for a missing package"
    else
        skip "$1" "$why"
    fi
}
# needs NAME OPTION TOOL...: skips NAME and ends the script if one of these programs is missing.
needs() {
    local tool
    for tool in "${@:3}"; do
        command -v "$tool" >/dev/null || { skip_without_package "$1" "$tool is missing" "$2"; exit 0; }
    done
}

# version_of_weir: prints the version in CMakeLists.txt.
version_of_weir() { sed -n 's/^project(weir VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"; }

# copy_of_sources FOLDER [OPTION...]: makes FOLDER a copy of the sources as in an archive, without .git and build folders. OPTIONS are of tar.
copy_of_sources() {
    rm -rf "$1" && mkdir -p "$1" && tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$1" "${@:2}" -xf -
}

# needs_only_the_system LIBRARY: checks that a program or library needs only Vulkan at run time, Weir, and libraries of every system.
needs_only_the_system() {
    echo "must need only libraries of C++, the system and Weir:" && readelf -d "$1" | grep NEEDED
    ! readelf -d "$1" | grep NEEDED | grep -vE '\[(libweir(_c)?|libstdc\+\+|libm|libgcc_s|libc|ld-linux[^.]*)\.so'
}

# prints EXPECTED COMMAND...: checks the output of a command, with single spaces between its words.
prints() { [[ $("${@:2}" | tee /dev/stderr | tr -s '\n ' ' ') == "$1" ]]; }

# Sets `python` to the first Python that has a module, or to "".
find_python_with() { # MODULE
    local candidate
    python=
    for candidate in /usr/bin/python3 python3; do
        "$candidate" -c "import $1" 2>/dev/null && { python=$candidate; return; }
    done
}

# Environment that loads the validation layer with its synchronization checks, and a check that files have no messages of it.
validated=(VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
silent() { ! grep -hE -m 2 'Validation|VUID|SYNC-' "$@"; } # FILES...
