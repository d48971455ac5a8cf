#pragma once

#include <cstdint>
#include <span>

#include "engine/base/volk.hpp"

namespace weir {

// Functions of synchronization2. If the device does not have that feature enabled, they call functions of Vulkan 1.0
// that do the same or more. Only `submit` allocates.

/// Calls vkCmdPipelineBarrier2. In Vulkan 1.0, all barriers of a call have the same stages: the union of theirs.
void pipeline_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const VkDependencyInfo& dependency);

/// Writes a timestamp after all earlier commands, with vkCmdWriteTimestamp2.
void write_timestamp(const VolkDeviceTable& vk, VkCommandBuffer commands, VkQueryPool pool, std::uint32_t index);

/// Calls vkQueueSubmit2.
[[nodiscard]] VkResult submit(const VolkDeviceTable& vk, VkQueue queue, std::span<const VkSubmitInfo2> submits,
                              VkFence fence);

/// Returns the stages of Vulkan 1.0 that include `stages`; 0 stays 0.
VkPipelineStageFlags older_stages(VkPipelineStageFlags2 stages);
/// Returns the accesses of Vulkan 1.0 that include `accesses`.
VkAccessFlags older_accesses(VkAccessFlags2 accesses);

} // namespace weir
