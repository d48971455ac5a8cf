# shellcheck shell=bash
# Functions that skip tests of scripts. On CI (.ci/run sets CI=true), only a missing capability of the device is a reason to skip, because
# every package and every driver is available there.

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
