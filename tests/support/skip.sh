# shellcheck shell=bash
# Tells why a script does not run a test. Only a device that lacks a capability is a reason on CI (.ci/run sets CI=true): there, every
# package and every driver is available.

# skip NAME WHY: skips the test on every machine. The device cannot run it.
skip() { echo "skip $1: $2"; }
# skip_without_package NAME WHY [OPTION]: skips the test where a package or a driver is missing, which `./run deps OPTION` installs. Fails on CI.
skip_without_package() {
    local why="$2${3+ (./run deps${3:+ }$3)}"
    if [[ ${CI:-} == true ]]; then
        echo "FAIL $1: $why; CI skips no test for a missing package"
    else
        skip "$1" "$why"
    fi
}
# needs NAME OPTION TOOL...: ends the script without NAME if one of these programs is missing.
needs() {
    local tool
    for tool in "${@:3}"; do
        command -v "$tool" >/dev/null || { skip_without_package "$1" "there is no $tool" "$2"; exit 0; }
    done
}
