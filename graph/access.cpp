#include <weir/graph/graph.hpp>
#include <weir/graph/plan.hpp>

namespace weir {

const char* to_string(Access access) {
    switch (access) {
    case Access::none: return "no use";
    case Access::shader_read: return "shader read";
    case Access::shader_write: return "shader write";
    case Access::shader_read_write: return "shader read and write";
    case Access::indirect_read: return "indirect read";
    case Access::transfer_read: return "transfer read";
    case Access::transfer_write: return "transfer write";
    case Access::uniform_read: return "uniform read";
    case Access::vertex_read: return "vertex read";
    case Access::index_read: return "index read";
    case Access::host_read: return "host read";
    case Access::host_write: return "host write";
    case Access::any: return "any use";
    }
    return "?";
}

Scope scope_of(Access access) {
    constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    constexpr VkPipelineStageFlags2 shaders = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    switch (access) {
    case Access::none: return {};
    case Access::shader_read: return {compute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
    case Access::shader_write: return {compute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::shader_read_write:
        return {compute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::indirect_read: return {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
    case Access::transfer_read: return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
    case Access::transfer_write: return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case Access::uniform_read: return {shaders, VK_ACCESS_2_UNIFORM_READ_BIT};
    case Access::vertex_read: return {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT};
    case Access::index_read: return {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT};
    case Access::host_read: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
    case Access::host_write: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT};
    case Access::any:
        return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    }
    return {};
}

bool writes(Access access) {
    return access == Access::shader_write || access == Access::shader_read_write || access == Access::transfer_write ||
           access == Access::host_write || access == Access::any;
}

bool reads(Access access) {
    return access != Access::none && access != Access::shader_write && access != Access::transfer_write &&
           access != Access::host_write;
}

} // namespace weir
