#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

constexpr std::uint32_t spirv_1_5 = 0x00010500, spirv_1_6 = 0x00010600;

/// What a device takes of SPIR-V. By default all that Weir's shaders have.
struct SpirvSupport {
    std::uint32_t version = spirv_1_6;
    bool size_from_constants = true; ///< LocalSizeId, which needs maintenance4
    bool memory_model = true;        ///< vulkanMemoryModel
    bool device_scope = true;        ///< vulkanMemoryModelDeviceScope

    bool operator==(const SpirvSupport&) const = default;
};

/// The module, which `check_spirv` has nothing against, in a form that such a device takes. It does the same or more:
/// - Workgroup sizes of LocalSizeId become the built-in constant WorkgroupSize.
/// - Without device scope, what is ordered on the device is ordered in the queue family: a dispatch has only one.
/// - Without the Vulkan memory model, buffers with accesses that are not private become coherent: then all their
///   accesses are available to the device and visible to it, as those were to some scope. Atomics are so in both
///   models, barriers order both, and workgroup memory is coherent.
/// Errors: `unsupported` for what has no such form: accesses of images or of buffer addresses that are not private. The
/// message goes on after the name of what the module is of.
Result<std::vector<std::uint32_t>> supported_spirv(std::span<const std::uint32_t> words, const SpirvSupport& support);

} // namespace weir
