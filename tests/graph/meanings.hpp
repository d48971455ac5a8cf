#pragma once

#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>
#include <weir/graph/graph.hpp>

// What accesses, stages and layouts mean in the Vulkan specification, for the judges of hazards.hpp.

namespace weir::tests {

constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                                           VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;

/// Of all the stages of a queue, those that resources are used in here, and one that stands for all others. The vertex
/// shader stands for all before rasterization. The host is none of them.
extern const VkPipelineStageFlags2 device_stages;
/// Whether a queue may draw: only the main one, if its family can.
bool draws(const Capabilities& device, QueueKind queue);
/// Those of them that a queue has, which computes unless it is for transfers, and the host.
VkPipelineStageFlags2 stages_of(const Capabilities& device, QueueKind queue);

/// Stages and accesses with every mask that stands for several taken apart.
VkPipelineStageFlags2 single_stages(VkPipelineStageFlags2 mask);
VkAccessFlags2 single_accesses(VkAccessFlags2 mask);

/// A first synchronization scope takes in the stages that come logically before those of its mask.
VkPipelineStageFlags2 with_earlier(VkPipelineStageFlags2 stages);
/// A second one takes in those that come logically after.
VkPipelineStageFlags2 with_later(VkPipelineStageFlags2 stages);

struct Meaning {
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 reads = 0, writes = 0;
};

/// What an Access is in Vulkan's terms; `moves` is the stage of transfers.
Meaning meaning_of(Access access, VkPipelineStageFlags2 moves);
bool is_write(Access access);
/// Whether it needs what the resource held before.
bool needs_contents(Access access);

/// The layouts that the specification has for a use, the one that is made for it first.
std::vector<VkImageLayout> layouts_for(Access access);
/// Those that serve all of several uses, the best first.
std::vector<VkImageLayout> layouts_for_all(const Accesses& accesses);

} // namespace weir::tests
