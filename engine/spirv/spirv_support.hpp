#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

constexpr std::uint32_t spirv_1_5 = 0x00010500, spirv_1_6 = 0x00010600;

/// The SPIR-V that a device accepts. By default, everything that Weir's shaders use.
struct SpirvSupport {
    std::uint32_t version = spirv_1_6;
    bool size_from_constants = true; ///< LocalSizeId, which needs maintenance4
    bool memory_model = true;        ///< vulkanMemoryModel
    bool device_scope = true;        ///< vulkanMemoryModelDeviceScope

    bool operator==(const SpirvSupport&) const = default;
};

/// Returns the module in a form that such a device accepts. It does the same, or synchronizes more:
/// - Workgroup sizes of LocalSizeId become the built-in constant WorkgroupSize.
/// - Without device scope, the scope of the device becomes that of the queue family. A dispatch has only one queue
///   family.
/// - Without the Vulkan memory model, buffers with accesses that are not private become coherent. All accesses of such
///   a buffer are then available and visible to the device. In the Vulkan memory model, only those that are not private
///   are, to some scope. Atomics are available and visible in both models, barriers order both, and workgroup memory is
///   coherent.
/// Precondition: check_spirv(words) succeeds. Errors: `unsupported` for accesses of images or of buffer addresses that
/// are not private, which have no such form. The message is a predicate, to follow the name of the module's pipeline.
Result<std::vector<std::uint32_t>> supported_spirv(std::span<const std::uint32_t> words, const SpirvSupport& support);

} // namespace weir
