#!/usr/bin/env bash
# tests/drivers.sh NAME COMMAND...   runs a command on one of the driver configurations
# tests/drivers.sh                   prints the configurations, one per line, with fields separated by tabs. NAME KEY=VALUE... is the
#                                    environment that selects the driver; NAME skip REASON is a driver that is not available
# First unpacks drivers that the system lacks into build/drivers. Installs nothing. The configuration `mesa26` is not printed; see tests/sid.sh.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
drivers="$build/drivers"
layer="$drivers/validation"
mkdir -p "$drivers"
exec 9>"$drivers/.lock"
flock 9

configuration() { local IFS=$'\t'; printf '%s\n' "$*"; }
unavailable() { configuration "$1" skip "$2"; }

# manifest FOLDER LIBRARY: writes a driver manifest for a library in FOLDER.
manifest() {
    printf '{"file_format_version": "1.0.0", "ICD": {"api_version": "%s", "library_path": "./%s"}}\n' "$3" "$2" >"$1/icd.json"
}

# driver: prints a configuration. TURN is its number, by which tests take turns among the configurations.
driver() { # NAME TURN MANIFEST SETTINGS...
    local name=$1 turn=$2 file=$3
    shift 3
    configuration "$name" "VK_DRIVER_FILES=$file" "VK_ICD_FILENAMES=$file" NODEVICE_SELECT=1 "WEIR_TESTS_TURN=$turn" "$@"
}

lavapipe() {
    local file turn=2
    file=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
    local width
    for width in 128 256 512; do # bits of a vector, for subgroups of 4, 8 and 16
        if [[ $file ]]; then
            driver "lavapipe-$((width / 32))" $((turn++)) "$file" "LP_NATIVE_VECTOR_WIDTH=$width"
        else
            unavailable "lavapipe-$((width / 32))" "the system has no lavapipe"
        fi
    done
}

# Mesa 25, newer than that of Debian 12, for descriptor buffers. Most of its time is compiling, which is less without LLVM's passes.
mesa25() {
    local system folder="$drivers/mesa25" library settings
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
    mapfile -t settings < <(newer_layer)
    driver mesa25 6 "$folder/icd.json" LP_NATIVE_VECTOR_WIDTH=256 GALLIVM_PERF=nopt "${settings[@]}"
}

# Unpacks two libraries of Debian's chromium-common: SwiftShader, and a validation layer newer than that of Debian 12.
chromium() {
    local codename driver validation
    [[ -f $drivers/swiftshader/icd.json && -f $layer/VkLayer_khronos_validation.json ]] && return
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    say "unpacking SwiftShader and a newer validation layer"
    archive_get "$codename" chromium-common "$drivers/chromium" >>"$log" 2>&1 || return
    driver=$(find "$drivers/chromium" -name libvk_swiftshader.so | head -n 1)
    validation=$(find "$drivers/chromium" -name libVkLayer_khronos_validation.so | head -n 1)
    if [[ $driver ]]; then
        mkdir -p "$drivers/swiftshader"
        mv "$driver" "$drivers/swiftshader/"
        manifest "$drivers/swiftshader" libvk_swiftshader.so 1.3.0
    fi
    if [[ $validation ]]; then
        mkdir -p "$layer"
        mv "$validation" "$layer/"
        cat >"$layer/VkLayer_khronos_validation.json" <<'END'
{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL",
 "library_path": "./libVkLayer_khronos_validation.so", "api_version": "1.4.0", "implementation_version": "1",
 "description": "Khronos Validation Layer", "instance_extensions": [
  {"name": "VK_EXT_debug_utils", "spec_version": "2"}, {"name": "VK_EXT_validation_features", "spec_version": "6"}]}}
END
    fi
    rm -rf "$drivers/chromium"
}

# Prints the setting by which weir_tests_device loads the newer validation layer instead of the system's.
newer_layer() {
    chromium
    [[ -f $layer/VkLayer_khronos_validation.json ]] && echo "WEIR_TESTS_LAYERS=$layer"
}

swiftshader() {
    local settings
    mapfile -t settings < <(newer_layer)
    [[ -f $drivers/swiftshader/icd.json ]] || { unavailable swiftshader "chromium-common cannot be fetched"; return; }
    driver swiftshader 5 "$drivers/swiftshader/icd.json" "${settings[@]}"
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
# The newest Mesa with the newest validation layer, in a system of its own. It is not one of the printed configurations, because the system
# takes minutes to make. Takes the turn of mesa25.
if [[ $name == mesa26 ]]; then
    exec 9>&-
    exec "$root/tests/sid.sh" env VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json NODEVICE_SELECT=1 LP_NATIVE_VECTOR_WIDTH=256 \
        GALLIVM_PERF=nopt WEIR_TESTS_TURN=6 WEIR_TESTS_LAYER_ENDS_EARLY=1 "$@"
fi
IFS=$'\t' read -ra fields < <(matrix | grep "^$name"$'\t')
exec 9>&-
((${#fields[@]})) || die "unknown driver configuration '$name'"
[[ ${fields[1]} != skip ]] || die "$name: ${fields[2]}"
exec env "${fields[@]:1}" "$@"
