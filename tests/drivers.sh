#!/usr/bin/env bash
# tests/drivers.sh NAME COMMAND...   runs a command on one of the driver configurations
# tests/drivers.sh                   prints them, one per line, fields separated by tabs: NAME KEY=VALUE... is the environment that
#                                    selects the driver, NAME skip REASON a driver that cannot be had here
# Drivers that the system lacks are unpacked into build/drivers first; nothing is installed.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
drivers="$build/drivers"
mkdir -p "$drivers"
exec 9>"$drivers/.lock"
flock 9

configuration() { local IFS=$'\t'; printf '%s\n' "$*"; }
unavailable() { configuration "$1" skip "$2"; }

# manifest FOLDER LIBRARY: a driver manifest for a library in that folder.
manifest() {
    printf '{"file_format_version": "1.0.0", "ICD": {"api_version": "%s", "library_path": "./%s"}}\n' "$3" "$2" >"$1/icd.json"
}

# TURN is a number of its own, by which tests take turns among the configurations.
driver() { # NAME TURN MANIFEST SETTINGS...
    local name=$1 turn=$2 file=$3
    shift 3
    configuration "$name" "VK_DRIVER_FILES=$file" "VK_ICD_FILENAMES=$file" NODEVICE_SELECT=1 "WEIR_TESTS_TURN=$turn" "$@"
}

lavapipe() {
    local file turn=2
    file=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
    local width
    for width in 128 256 512; do # bits in a vector: subgroups of 4, 8 and 16
        if [[ $file ]]; then
            driver "lavapipe-$((width / 32))" $((turn++)) "$file" "LP_NATIVE_VECTOR_WIDTH=$width"
        else
            unavailable "lavapipe-$((width / 32))" "the system has no lavapipe"
        fi
    done
}

# A newer Mesa than Debian 12 has, for descriptor buffers. Compiling is most of what it does: without LLVM's passes, less.
mesa25() {
    local system folder="$drivers/mesa25" library
    system=$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers 2>/dev/null)
    [[ $system ]] && dpkg --compare-versions "$system" ge 25 && return
    if [[ ! -f $folder/icd.json ]]; then
        local codename
        codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
        say "unpacking a newer Mesa"
        archive_get "$codename-backports" mesa-vulkan-drivers "$folder" >>"$log" 2>&1 ||
            { unavailable mesa25 "mesa-vulkan-drivers of $codename-backports cannot be fetched"; return; }
        library=$(cd "$folder" && find usr -name libvulkan_lvp.so | head -n 1)
        if ldd -r "$folder/$library" 2>&1 | grep -E 'not found|undefined' >&2; then
            unavailable mesa25 "a library that it needs is missing"
            return
        fi
        manifest "$folder" "$library" 1.4.305
    fi
    driver mesa25 6 "$folder/icd.json" LP_NATIVE_VECTOR_WIDTH=256 GALLIVM_PERF=nopt
}

# Chromium carries it; only the driver itself is kept.
swiftshader() {
    local folder="$drivers/swiftshader" library
    if [[ ! -f $folder/icd.json ]]; then
        local codename
        codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
        say "unpacking SwiftShader"
        archive_get "$codename" chromium-common "$drivers/chromium" >>"$log" 2>&1 &&
            library=$(find "$drivers/chromium" -name libvk_swiftshader.so | head -n 1) && [[ $library ]] ||
            { unavailable swiftshader "chromium-common cannot be fetched"; return; }
        mkdir -p "$folder"
        mv "$library" "$folder/"
        rm -rf "$drivers/chromium"
        manifest "$folder" libvk_swiftshader.so 1.3.0
    fi
    driver swiftshader 5 "$folder/icd.json"
}

matrix() {
    lavapipe
    mesa25
    swiftshader
}

if (($# == 0)); then
    matrix
    exit
fi
name=$1
shift
IFS=$'\t' read -ra fields < <(matrix | grep "^$name"$'\t')
exec 9>&-
((${#fields[@]})) || die "there is no driver configuration '$name'"
[[ ${fields[1]} != skip ]] || die "$name: ${fields[2]}"
exec env "${fields[@]:1}" "$@"
