#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include <weir/graph/access.hpp>

#include "graph/describe/raw_use.hpp"

namespace weir {

Accesses::Accesses(std::initializer_list<Access> several, const std::vector<UseScope>& raw) {
    std::copy_if(several.begin(), several.end(), std::back_inserter(all_),
                 [](Access access) { return access != Access::none; });
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    std::transform(all_.begin(), all_.end(), std::back_inserter(scopes_), use_scope);
    std::transform(raw.begin(), raw.end(), std::back_inserter(scopes_), with_known_masks);
}

bool Accesses::contains(Access access) const {
    return std::find(all_.begin(), all_.end(), access) != all_.end();
}

std::string to_string(const Accesses& accesses) {
    std::string names = accesses.empty() ? to_string(Access::none) : "";
    const std::size_t count = accesses.scopes().size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t named = count - accesses.raw().size();
        names += i == 0 ? "" : i + 1 == count ? " and " : ", ";
        names +=
            i < named ? to_string(accesses.begin()[static_cast<std::ptrdiff_t>(i)]) : to_string(accesses.scopes()[i]);
    }
    return names;
}

const char* to_string(Access access) {
    switch (access) {
    case Access::none: return "no use";
    case Access::shader_read: return "shader read";
    case Access::shader_write: return "shader write";
    case Access::shader_read_write: return "shader read and write";
    case Access::sampled_read: return "sampled read";
    case Access::indirect_read: return "indirect read";
    case Access::transfer_read: return "transfer read";
    case Access::transfer_write: return "transfer write";
    case Access::uniform_read: return "uniform read";
    case Access::vertex_read: return "vertex read";
    case Access::index_read: return "index read";
    case Access::vertex_shader_read: return "vertex shader read";
    case Access::fragment_shader_read: return "fragment shader read";
    case Access::fragment_shader_write: return "fragment shader write";
    case Access::fragment_shader_read_write: return "fragment shader read and write";
    case Access::color_write: return "color write";
    case Access::color_read_write: return "color read and write";
    case Access::depth_read: return "depth read";
    case Access::depth_write: return "depth write";
    case Access::depth_read_write: return "depth read and write";
    case Access::present: return "present";
    case Access::host_read: return "host read";
    case Access::host_write: return "host write";
    case Access::any: return "any use";
    }
    return "?";
}

const char* to_string(const UseScope& raw) {
    return !raw.writes ? "raw read" : raw.reads ? "raw read and write" : "raw write";
}

namespace {

constexpr Scope find_scope(Access access) {
    constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    constexpr VkPipelineStageFlags2 vertex = VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT;
    constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    constexpr VkPipelineStageFlags2 color = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    constexpr VkPipelineStageFlags2 depth =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    constexpr VkAccessFlags2 any_shader_read =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT;
    constexpr VkAccessFlags2 depth_read = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    constexpr VkAccessFlags2 depth_write = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    switch (access) {
    case Access::none:
    case Access::present: return {}; // a semaphore orders it
    case Access::shader_read: return {compute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
    case Access::shader_write: return {compute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::shader_read_write:
        return {compute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::sampled_read: return {compute, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
    case Access::indirect_read: return {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
    case Access::transfer_read: return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
    case Access::transfer_write: return {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case Access::uniform_read: return {vertex | fragment | compute, VK_ACCESS_2_UNIFORM_READ_BIT};
    case Access::vertex_read: return {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT};
    case Access::index_read: return {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT};
    case Access::vertex_shader_read: return {vertex, any_shader_read};
    case Access::fragment_shader_read: return {fragment, any_shader_read};
    case Access::fragment_shader_write: return {fragment, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::fragment_shader_read_write: return {fragment, any_shader_read | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::color_write: return {color, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    case Access::color_read_write:
        return {color, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    case Access::depth_read: return {depth, depth_read};
    case Access::depth_write: // its own tests read, too
    case Access::depth_read_write: return {depth, depth_read | depth_write};
    case Access::host_read: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
    case Access::host_write: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT};
    case Access::any:
        return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    }
    return {};
}

constexpr VkImageLayout find_layout(Access access) {
    switch (access) {
    case Access::shader_read:
    case Access::shader_write:
    case Access::shader_read_write:
    case Access::fragment_shader_write:
    case Access::fragment_shader_read_write:
    case Access::any: return VK_IMAGE_LAYOUT_GENERAL;
    case Access::sampled_read:
    case Access::vertex_shader_read:
    case Access::fragment_shader_read: return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    case Access::transfer_read: return VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    case Access::transfer_write: return VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    case Access::color_write:
    case Access::color_read_write: return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case Access::depth_read: return VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    case Access::depth_write:
    case Access::depth_read_write: return VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    case Access::present: return VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    case Access::none:
    case Access::indirect_read:
    case Access::uniform_read:
    case Access::vertex_read:
    case Access::index_read:
    case Access::host_read:
    case Access::host_write: break;
    }
    return VK_IMAGE_LAYOUT_UNDEFINED;
}

constexpr bool find_writes(Access access) {
    switch (access) {
    case Access::shader_write:
    case Access::shader_read_write:
    case Access::transfer_write:
    case Access::fragment_shader_write:
    case Access::fragment_shader_read_write:
    case Access::color_write:
    case Access::color_read_write:
    case Access::depth_write:
    case Access::depth_read_write:
    case Access::host_write:
    case Access::any: return true;
    default: return false;
    }
}

constexpr bool find_reads(Access access) {
    switch (access) {
    case Access::none:
    case Access::shader_write:
    case Access::transfer_write:
    case Access::fragment_shader_write:
    case Access::color_write:
    case Access::depth_write:
    case Access::host_write: return false;
    default: return true;
    }
}

constexpr std::size_t access_count = static_cast<std::size_t>(Access::any) + 1;

constexpr std::array<UseScope, access_count> find_all() {
    std::array<UseScope, access_count> all;
    for (std::size_t i = 0; i < access_count; ++i) {
        const auto access = static_cast<Access>(i);
        all[i] = {find_scope(access), find_layout(access), find_reads(access), find_writes(access)};
    }
    return all;
}

} // namespace

const UseScope& use_scope(Access access) {
    static constexpr std::array<UseScope, access_count> all = find_all();
    const auto index = static_cast<std::size_t>(access);
    return all[index < access_count ? index : 0]; // not an enumerator: no use
}

Scope scope_of(Access access) {
    return use_scope(access).scope;
}
VkImageLayout layout_of(Access access) {
    return use_scope(access).layout;
}
bool writes(Access access) {
    return use_scope(access).writes;
}
bool reads(Access access) {
    return use_scope(access).reads;
}

bool is_for_images(Access access) {
    return access == Access::none || layout_of(access) != VK_IMAGE_LAYOUT_UNDEFINED;
}

bool is_for_buffers(Access access) {
    if (access > Access::any) { // not an enumerator
        return false;
    }
    switch (access) {
    case Access::sampled_read:
    case Access::color_write:
    case Access::color_read_write:
    case Access::depth_read:
    case Access::depth_write:
    case Access::depth_read_write:
    case Access::present: return false;
    default: return true;
    }
}

} // namespace weir
