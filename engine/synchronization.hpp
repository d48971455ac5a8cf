#pragma once

#include <cstdint>
#include <span>

#include "engine/volk.hpp"

namespace weir {

// The functions of synchronization2. The table of a device without that feature lacks them, and then these functions
// call those of Vulkan 1.0 that do the same or more. Only `submit` allocates.

/// vkCmdPipelineBarrier2. In Vulkan 1.0 all barriers of a call have the same stages: those of all of them.
void pipeline_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const VkDependencyInfo& dependency);

/// vkCmdWriteTimestamp2 after all commands before.
void write_timestamp(const VolkDeviceTable& vk, VkCommandBuffer commands, VkQueryPool pool, std::uint32_t index);

/// vkQueueSubmit2.
[[nodiscard]] VkResult submit(const VolkDeviceTable& vk, VkQueue queue, std::span<const VkSubmitInfo2> submits,
                              VkFence fence);

/// The stages of Vulkan 1.0 that include `stages`; 0 stays 0.
VkPipelineStageFlags older_stages(VkPipelineStageFlags2 stages);
/// The accesses of Vulkan 1.0 that include `accesses`.
VkAccessFlags older_accesses(VkAccessFlags2 accesses);

} // namespace weir
