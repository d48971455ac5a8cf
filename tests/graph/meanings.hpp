#pragma once

#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>
#include <weir/graph/description.hpp>
#include <weir/graph/graph.hpp>

// Meaning of accesses, stages and layouts in the Vulkan specification, for the checks of hazards.hpp.

namespace weir::tests {

constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                                           VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;

/// The stages of a queue that use resources in these tests, and one that represents all others: builds of micromaps.
/// The vertex shader represents all stages before rasterization. The host stage is not included.
extern const VkPipelineStageFlags2 device_stages;
/// Returns true if the queue can draw: the main queue, if its family supports graphics.
bool draws(const Capabilities& device, QueueKind queue);
/// Returns the device stages that a queue supports, and the host stage. All queues but the transfer queue compute.
VkPipelineStageFlags2 stages_of(const Capabilities& device, QueueKind queue);

/// Replaces combined stages or accesses, such as ALL_TRANSFER, by single ones.
VkPipelineStageFlags2 single_stages(VkPipelineStageFlags2 mask);
VkAccessFlags2 single_accesses(VkAccessFlags2 mask);

/// Adds the logically earlier stages, which a first synchronization scope includes.
VkPipelineStageFlags2 with_earlier(VkPipelineStageFlags2 stages);
/// Adds the logically later stages, which a second synchronization scope includes.
VkPipelineStageFlags2 with_later(VkPipelineStageFlags2 stages);

/// Stages and accesses of an Access.
struct Meaning {
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 reads = 0, writes = 0;
};

/// Returns the meaning of an Access; `moves` are the stages of transfer accesses.
Meaning meaning_of(Access access, VkPipelineStageFlags2 moves);
/// Returns the meaning of a raw use.
Meaning meaning_of(const UseScope& raw);
Meaning meaning_of(const GraphDescription::PassUse& use, VkPipelineStageFlags2 moves);
bool is_write(Access access);
bool is_write(const GraphDescription::PassUse& use);
/// Returns true if the access needs the previous contents of the resource.
bool needs_contents(Access access);
bool needs_contents(const GraphDescription::PassUse& use);

/// Returns the layouts that the specification allows for an access, the dedicated one first.
std::vector<VkImageLayout> layouts_for(Access access);
/// Returns the layouts that are allowed for a use: for a raw one only its own.
std::vector<VkImageLayout> layouts_for(const GraphDescription::PassUse& use);
/// Returns the layouts that are allowed for all of several accesses, the best one first.
std::vector<VkImageLayout> layouts_for_all(const Accesses& accesses);

/// Returns the meaning of each access of the application. `moves`: stages of transfers.
std::vector<Meaning> meanings_of(const Accesses& accesses, VkPipelineStageFlags2 moves);

} // namespace weir::tests
