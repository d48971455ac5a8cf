#!/usr/bin/env bash
# tests/gpuav.sh NAME COMMAND...   runs a command on a driver of tests/drivers.sh, under the validation layer of Debian's suite sid with
#                                  GPU-assisted validation: accesses out of bounds, descriptors, races in workgroup memory
# That layer may need a newer C library than the system has. Unpacks both into build/layers, and starts the command with the loader of that
# C library. Installs nothing. The process is then the loader, so the libraries next to the command must be named here.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
layers="$build/layers"
libraries="$layers/usr/lib/$(gcc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)"
loader="$libraries/ld-linux-x86-64.so.2"

(($# > 1)) || die "usage: tests/gpuav.sh DRIVER COMMAND..."
mkdir -p "$layers"
(
    flock 9
    for package in libc6 libstdc++6 libgcc-s1 vulkan-validationlayers; do
        [[ -f $layers/$package.there ]] && continue
        say "unpacking $package of sid"
        archive_get sid "$package" "$layers" >>"$log" 2>&1 && touch "$layers/$package.there" || exit 1
    done
) 9>"$layers/.lock" || die "the packages of sid cannot be fetched"
[[ -x $loader ]] || die "$loader is missing"

# The ordinary tests run the core checks. The filtered messages are about settings and compile times.
cat >"$layers/vk_layer_settings.txt" <<'END'
khronos_validation.validate_core = false
khronos_validation.gpuav_enable = true
khronos_validation.gpuav_descriptor_checks = true
khronos_validation.gpuav_post_process_descriptor_indexing = true
khronos_validation.gpuav_buffer_address_oob = true
khronos_validation.gpuav_shader_sanitizer = true
khronos_validation.gpuav_shared_memory_data_race = true
khronos_validation.gpuav_indirect_dispatches_buffers = true
khronos_validation.gpuav_buffer_copies = true
khronos_validation.message_id_filter = WARNING-Setting-Limit-Adjusted,WARNING-GPU-Assisted-Validation,GPUAV-Compile-time-general-buffer
END
if [[ ${WEIR_TESTS_CORE:-} ]]; then # only the core checks of the newest layer, including spirv-val
    echo "khronos_validation.validate_core = true" >"$layers/vk_layer_settings.txt"
fi
name=$1
shift
exec "$root/tests/drivers.sh" "$name" env VK_LAYER_PATH="$layers/usr/share/vulkan/explicit_layer.d" \
    VK_LAYER_SETTINGS_PATH="$layers/vk_layer_settings.txt" \
    "$loader" --library-path "$libraries:$build/lib:${WEIR_LIBRARY_PATH:-}" "$@"
