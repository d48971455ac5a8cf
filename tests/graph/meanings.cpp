#include "tests/graph/meanings.hpp"

namespace weir::tests {

namespace {

constexpr VkPipelineStageFlags2 shaders = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                          VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                                          VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 vertices =
    VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
constexpr VkPipelineStageFlags2 tests =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr VkPipelineStageFlags2 drawn =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | vertices | tests |
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
/// The stages of ray tracing and of generated commands.
constexpr VkPipelineStageFlags2 further = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
                                          VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
                                          VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV;
constexpr VkPipelineStageFlags2 others = VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT;
constexpr VkAccessFlags2 shader_reads =
    VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
constexpr VkAccessFlags2 all_reads =
    shader_reads | VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
    VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_HOST_READ_BIT |
    VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR |
    VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV;
constexpr VkAccessFlags2 all_writes =
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT |
    VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR | VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV;

/// The stages of drawing, in their logical order.
constexpr VkPipelineStageFlags2 drawing[] = {
    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,          vertices,
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,          VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,        VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT};

} // namespace

const VkPipelineStageFlags2 device_stages = transfer | drawn | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                            VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | further | others;

bool draws(const Capabilities& device, QueueKind queue) {
    return queue == QueueKind::main && (device.queue_flags.front() & VK_QUEUE_GRAPHICS_BIT) != 0;
}

VkPipelineStageFlags2 stages_of(const Capabilities& device, QueueKind queue) {
    const VkPipelineStageFlags2 stages = queue == QueueKind::transfer ? transfer | others
                                         : draws(device, queue)       ? device_stages
                                                                      : device_stages & ~drawn;
    return stages | VK_PIPELINE_STAGE_2_HOST_BIT;
}

VkPipelineStageFlags2 single_stages(VkPipelineStageFlags2 mask) {
    VkPipelineStageFlags2 stages = mask & (device_stages | VK_PIPELINE_STAGE_2_HOST_BIT);
    if ((mask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
        stages |= device_stages;
    }
    if ((mask & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT) != 0) {
        stages |= transfer;
    }
    if ((mask & VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT) != 0) {
        stages |= vertices;
    }
    if ((mask & (VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT)) != 0) {
        stages |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    }
    return stages;
}

VkAccessFlags2 single_accesses(VkAccessFlags2 mask) {
    VkAccessFlags2 accesses = mask & (all_reads | all_writes);
    if ((mask & VK_ACCESS_2_SHADER_READ_BIT) != 0) {
        accesses |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    }
    if ((mask & VK_ACCESS_2_SHADER_WRITE_BIT) != 0) {
        accesses |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    }
    if ((mask & VK_ACCESS_2_MEMORY_READ_BIT) != 0) {
        accesses |= all_reads;
    }
    if ((mask & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0) {
        accesses |= all_writes;
    }
    return accesses;
}

VkPipelineStageFlags2 with_earlier(VkPipelineStageFlags2 stages) {
    const VkPipelineStageFlags2 mask = stages;
    VkPipelineStageFlags2 before = 0;
    for (const VkPipelineStageFlags2 stage : drawing) {
        stages |= (mask & stage) != 0 ? before : 0;
        before |= stage;
    }
    return stages | ((mask & VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT) != 0 ? VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT : 0);
}

VkPipelineStageFlags2 with_later(VkPipelineStageFlags2 stages) {
    if ((stages & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) != 0) {
        stages |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    }
    bool after = false;
    for (const VkPipelineStageFlags2 stage : drawing) {
        after = after || (stages & stage) != 0;
        stages |= after ? stage : 0;
    }
    return stages;
}

Meaning meaning_of(Access access, VkPipelineStageFlags2 moves) {
    constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    constexpr VkPipelineStageFlags2 color = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    constexpr VkAccessFlags2 depth_reads = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    constexpr VkAccessFlags2 depth_writes = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    switch (access) {
    case Access::none:
    case Access::present: return {};
    case Access::shader_read: return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, 0};
    case Access::shader_write: return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::shader_read_write:
        return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
                VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::indirect_read:
        return {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, 0};
    case Access::transfer_read: return {moves, VK_ACCESS_2_TRANSFER_READ_BIT, 0};
    case Access::transfer_write: return {moves, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case Access::sampled_read: return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, 0};
    case Access::vertex_shader_read: return {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, shader_reads, 0};
    case Access::fragment_shader_read: return {fragment, shader_reads, 0};
    case Access::fragment_shader_write: return {fragment, 0, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::fragment_shader_read_write: return {fragment, shader_reads, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::color_write: return {color, 0, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    case Access::color_read_write:
        return {color, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    case Access::depth_read: return {tests, depth_reads, 0};
    case Access::depth_write: // after a clear, depth tests read the attachment
    case Access::depth_read_write: return {tests, depth_reads, depth_writes};
    case Access::uniform_read: return {shaders, VK_ACCESS_2_UNIFORM_READ_BIT, 0};
    case Access::vertex_read:
        return {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, 0};
    case Access::index_read: return {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT, 0};
    case Access::host_read: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT, 0};
    case Access::host_write: return {VK_PIPELINE_STAGE_2_HOST_BIT, 0, VK_ACCESS_2_HOST_WRITE_BIT};
    case Access::any: return {device_stages, all_reads, all_writes};
    }
    return {};
}

Meaning meaning_of(const UseScope& raw) {
    const VkAccessFlags2 accesses = single_accesses(raw.scope.access);
    VkPipelineStageFlags2 stages = single_stages(raw.scope.stages);
    if ((accesses & VK_ACCESS_2_INDEX_READ_BIT) == 0) { // each stage of vertex input has one access
        stages &= ~VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT;
    }
    if ((accesses & VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT) == 0) {
        stages &= ~VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
    }
    return {stages, accesses & all_reads, accesses & all_writes};
}
Meaning meaning_of(const GraphDescription::PassUse& use, VkPipelineStageFlags2 moves) {
    return use.raw ? meaning_of(*use.raw) : meaning_of(use.access, moves);
}

bool is_write(const GraphDescription::PassUse& use) {
    return use.raw ? use.raw->writes : is_write(use.access);
}
bool needs_contents(const GraphDescription::PassUse& use) {
    return use.raw ? use.raw->reads : needs_contents(use.access);
}
std::vector<VkImageLayout> layouts_for(const GraphDescription::PassUse& use) {
    return use.raw ? std::vector{use.raw->layout} : layouts_for(use.access);
}

bool is_write(Access access) {
    return meaning_of(access, transfer).writes != 0;
}
bool needs_contents(Access access) {
    return access == Access::present || (access != Access::depth_write && meaning_of(access, transfer).reads != 0);
}

std::vector<VkImageLayout> layouts_for(Access access) {
    constexpr VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
    switch (access) {
    case Access::sampled_read:
    case Access::vertex_shader_read:
    case Access::fragment_shader_read:
        return {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, general};
    case Access::transfer_read: return {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, general};
    case Access::transfer_write: return {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, general};
    case Access::color_write:
    case Access::color_read_write: return {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, general};
    case Access::depth_read:
        return {VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                general};
    case Access::depth_write:
    case Access::depth_read_write: return {VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, general};
    case Access::present: return {VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    case Access::none: return {VK_IMAGE_LAYOUT_UNDEFINED};
    default: return {general};
    }
}

std::vector<VkImageLayout> layouts_for_all(const Accesses& accesses) {
    if (!accesses.raw().empty()) {
        return {accesses.raw().front().layout}; // the graph refuses others
    }
    std::vector<VkImageLayout> common = layouts_for(accesses.empty() ? Access::none : *accesses.begin());
    for (const Access access : accesses) {
        const auto fitting = layouts_for(access);
        std::erase_if(common, [&](VkImageLayout layout) {
            return std::find(fitting.begin(), fitting.end(), layout) == fitting.end();
        });
    }
    return common;
}

std::vector<Meaning> meanings_of(const Accesses& accesses, VkPipelineStageFlags2 moves) {
    std::vector<Meaning> meanings;
    for (const Access access : accesses) {
        meanings.push_back(meaning_of(access, moves));
    }
    for (const UseScope& raw : accesses.raw()) {
        meanings.push_back(meaning_of(raw));
    }
    return meanings;
}

} // namespace weir::tests
