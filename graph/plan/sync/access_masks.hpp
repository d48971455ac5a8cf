#pragma once

#include <cstdint>

#include <vulkan/vulkan_core.h>

// The stages and accesses of Vulkan that plans distinguish. `with_known_masks` replaces others.

namespace weir {

/// Stages whose bits a StageSet has, without combined stages such as ALL_COMMANDS.
constexpr VkPipelineStageFlags2 known_stages =
    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
    VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
    VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |
    VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT | VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV |
    VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;

constexpr VkAccessFlags2 single_writes =
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT |
    VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR | VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV |
    VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT;
constexpr VkAccessFlags2 single_shader_reads =
    VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
/// SHADER_READ is the access of builds of acceleration structures to their geometry.
constexpr VkAccessFlags2 single_reads =
    single_shader_reads | VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
    VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT |
    VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_HOST_READ_BIT |
    VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR |
    VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV | VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT |
    VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR | VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT |
    VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT;

/// Expands an access mask into single accesses: MEMORY_READ and MEMORY_WRITE include several.
constexpr VkAccessFlags2 single(VkAccessFlags2 access) {
    return (access & (single_reads | single_writes)) |
           ((access & VK_ACCESS_2_MEMORY_READ_BIT) != 0 ? single_reads : 0) |
           ((access & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0 ? single_writes : 0);
}

/// The single accesses of a mask in 32 bits.
using AccessSet = std::uint32_t;
constexpr AccessSet access_set(VkAccessFlags2 access) {
    constexpr unsigned moved = 4; // SHADER_SAMPLED_READ and the shader storage accesses, from bit 32 on
    constexpr VkAccessFlags2 low = (VkAccessFlags2{1} << 28U) - 1;
    constexpr AccessSet binding_table = AccessSet{1} << 31U;
    const VkAccessFlags2 all = single(access);
    return static_cast<AccessSet>((all & low) | (all >> moved & (VkAccessFlags2{7} << 28U))) |
           ((all & VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR) != 0 ? binding_table : 0);
}
static_assert([] { // each single access has a bit of its own
    AccessSet seen = 0;
    for (VkAccessFlags2 left = single_reads | single_writes; left != 0; left &= left - 1) {
        const AccessSet bit = access_set(left & (~left + 1));
        if (bit == 0 || (seen & bit) != 0) {
            return false;
        }
        seen |= bit;
    }
    return true;
}());

} // namespace weir
