#include "graph/describe/raw_use.hpp"

#include "graph/plan/sync/access_masks.hpp"

namespace weir {

namespace {

constexpr VkAccessFlags2 writing = single_writes | VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
constexpr VkAccessFlags2 reading = single_reads | VK_ACCESS_2_MEMORY_READ_BIT;
constexpr VkAccessFlags2 of_images =
    VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
    VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR | VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT |
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
/// Stages in which no use is.
constexpr VkPipelineStageFlags2 nowhere =
    VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
constexpr VkAccessFlags2 of_host = VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT;

/// A stage or an access of Vulkan, and the mask that plans use for it.
struct Replaced {
    VkFlags64 mask, by;
};
constexpr Replaced stages_of_kinds[] = {
    {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
         VK_PIPELINE_STAGE_2_CLEAR_BIT,
     VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT},
    {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
     VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT},
    {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
         VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT | VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT |
         VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT,
     VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT},
};

VkFlags64 replace(VkFlags64 mask, const Replaced& kind) {
    return (mask & kind.mask) != 0 ? (mask & ~kind.mask) | kind.by : mask;
}

/// Returns the accesses with single ones instead of SHADER_READ and SHADER_WRITE. A build of acceleration structures
/// has no single access for the geometry that it reads: there, SHADER_READ stays.
VkAccessFlags2 with_single_accesses(VkAccessFlags2 access, VkPipelineStageFlags2 stages) {
    constexpr VkPipelineStageFlags2 builds =
        VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    constexpr VkPipelineStageFlags2 shaders =
        VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    const VkAccessFlags2 of_builds = (stages & builds) != 0 ? VK_ACCESS_2_SHADER_READ_BIT : 0;
    const bool has_shaders = (stages & shaders) != 0 || of_builds == 0;
    access = replace(access, {VK_ACCESS_2_SHADER_READ_BIT, of_builds | (has_shaders ? single_shader_reads : 0)});
    return replace(access, {VK_ACCESS_2_SHADER_WRITE_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
}

} // namespace

std::string mistake_of(const UseScope& raw, bool is_image) {
    const VkAccessFlags2 access = raw.scope.access, unknown = access & ~(writing | reading);
    if (raw.scope.stages == 0) {
        return "has no stages";
    }
    if ((raw.scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 || (access & of_host) != 0) {
        return "has a stage or an access of the host; imports arrive and exports leave with Access::host_read or "
               "Access::host_write";
    }
    if ((raw.scope.stages & nowhere) != 0) {
        return "has the stage TOP_OF_PIPE or BOTTOM_OF_PIPE, which accesses nothing";
    }
    if (!raw.reads && !raw.writes) {
        return "neither reads nor writes";
    }
    if (raw.reads && (access & reading) == 0 && unknown == 0) {
        return "reads, but has no access that reads";
    }
    if (raw.writes && (access & writing) == 0 && unknown == 0) {
        return "writes, but has no access that writes";
    }
    if (!raw.writes && (access & writing) != 0) {
        return "has an access that writes, but does not set UseScope::writes";
    }
    if (is_image && (access & of_images) == 0 && unknown == 0) {
        return "has only accesses of buffers";
    }
    if (is_image == (raw.layout == VK_IMAGE_LAYOUT_UNDEFINED)) {
        return is_image ? "has no layout, which an image requires" : "has a layout, which requires an image";
    }
    if (raw.layout == VK_IMAGE_LAYOUT_PREINITIALIZED) {
        return "has the layout PREINITIALIZED, which no command can use";
    }
    return "";
}

UseScope with_known_masks(UseScope raw) {
    constexpr VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    if ((raw.scope.stages & nowhere) != 0) { // a mistake, which `mistake_of` finds
        return raw;
    }
    VkPipelineStageFlags2& stages = raw.scope.stages;
    VkAccessFlags2& access = raw.scope.access;
    for (const Replaced& kind : stages_of_kinds) {
        stages = replace(stages, kind);
    }
    stages = (stages & ~known_stages) != 0 ? all : stages;
    access = with_single_accesses(access, stages);
    constexpr VkAccessFlags2 known =
        single_reads | single_writes | VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    if ((access & ~known) != 0) {
        access = (access & known) | (raw.reads ? VK_ACCESS_2_MEMORY_READ_BIT : 0) |
                 (raw.writes ? VK_ACCESS_2_MEMORY_WRITE_BIT : 0);
    }
    return raw;
}

} // namespace weir
