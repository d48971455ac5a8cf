#include "graph/inspect/names.hpp"

#include <vulkan/vulkan.hpp>

#include "engine/base/strings.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

const char* to_string(Dependency::Reason reason) {
    switch (reason) {
    case Dependency::Reason::read_after_write: return "read after write";
    case Dependency::Reason::write_after_read: return "write after read";
    case Dependency::Reason::write_after_write: return "write after write";
    case Dependency::Reason::memory_reused: return "memory reused";
    case Dependency::Reason::layout_change: return "layout change";
    case Dependency::Reason::after_layout_change: return "after layout change";
    case Dependency::Reason::ownership_transfer: return "ownership transfer";
    }
    return "?";
}

const char* lifetime_of(const GraphDescription::Resource& buffer) {
    if (is_history(buffer)) {
        return "history";
    }
    switch (buffer.lifetime) {
    case GraphDescription::Lifetime::import: return "import";
    case GraphDescription::Lifetime::state: return "state";
    case GraphDescription::Lifetime::transient: return buffer.exported ? "export" : "transient";
    }
    return "?";
}

std::vector<std::string> conditions_of(const GraphDescription& graph, std::uint32_t pass) {
    std::vector<std::string> names;
    for (const auto& condition : graph.passes[pass].conditions) {
        const auto* count = std::get_if<Count>(&condition);
        if (const auto* on = std::get_if<Switch>(&condition)) {
            names.push_back(graph.switches[on->index].name);
        } else if (count == nullptr) {
            continue;
        } else if (count->kind == Count::Kind::parameter) {
            names.push_back(graph.parameters[count->parameter].name);
        } else if (count->kind == Count::Kind::gpu) {
            names.push_back(concat("word ", count->word, " of ", graph.resources[count->buffer.index].name));
        } else {
            names.push_back(std::to_string(count->max));
        }
    }
    return names;
}

std::vector<std::string> switches_off_for(const GraphDescription& graph, std::uint32_t pass) {
    std::vector<std::string> names;
    for (const auto& condition : graph.passes[pass].conditions) {
        if (const auto* off = std::get_if<GraphDescription::Off>(&condition)) {
            names.push_back(graph.switches[off->which.index].name);
        }
    }
    return names;
}

std::string only_if(const GraphDescription& graph, std::uint32_t pass) {
    std::string out, unless;
    for (const std::string& name : conditions_of(graph, pass)) {
        out += concat(out.empty() ? " only if '" : " and '", name, "'");
    }
    for (const std::string& name : switches_off_for(graph, pass)) {
        unless += concat(unless.empty() ? " unless '" : " or '", name, "'");
    }
    return out + unless;
}

std::string shape_of(const GraphDescription::Resource& resource) {
    if (!resource.image) {
        return std::to_string(resource.bytes) + " bytes";
    }
    const ImageInfo& image = *resource.image;
    std::string text = concat(name_of(image.format), " ", image.extent.width, " x ", image.extent.height);
    text += image.extent.depth > 1 ? concat(" x ", image.extent.depth) : "";
    text += image.mips > 1 ? concat(", ", image.mips, " mips") : "";
    text += image.layers > 1 ? concat(", ", image.layers, " layers") : "";
    text += image.samples > 1 ? concat(", ", static_cast<int>(image.samples), " samples") : "";
    return text;
}

std::string name_of(const GraphDescription& graph, const ImageBarrier& barrier) {
    return barrier.pieces.empty() ? graph.resources[barrier.resource].name
                                  : part_of(graph, barrier.resource, barrier.range).name;
}

std::string name_of(VkFormat format) {
    return vk::to_string(static_cast<vk::Format>(format));
}

std::string name_of(VkImageLayout layout) {
    return vk::to_string(static_cast<vk::ImageLayout>(layout));
}

} // namespace weir
