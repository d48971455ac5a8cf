#include <algorithm>
#include <map>

#include "graph/stages.hpp"

namespace weir {

namespace {

/// A layout that does for two uses.
VkImageLayout for_both(VkImageLayout a, VkImageLayout b) {
    constexpr VkImageLayout sampled = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    constexpr VkImageLayout depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL; // can be sampled, too
    if (a == b) {
        return a;
    }
    return (a == sampled && b == depth) || (a == depth && b == sampled) ? depth : VK_IMAGE_LAYOUT_GENERAL;
}

} // namespace

std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups) {
    std::vector<std::vector<PlanGroup::Layout>> layouts(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
        std::map<std::uint32_t, VkImageLayout> of;
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                if (graph.resources[touch.resource].image) {
                    const VkImageLayout wanted = layout_of(touch.access);
                    const auto [at, is_first] = of.emplace(touch.resource, wanted);
                    at->second = is_first ? wanted : for_both(at->second, wanted);
                }
            }
        }
        for (std::uint32_t resource = 0;
             groups[group].role == PassGroup::Role::leaving && resource < graph.resources.size(); ++resource) {
            const auto& node = graph.resources[resource];
            if (node.image && node.exported && node.leaves != Access::none &&
                queues.on(node.queues.leaves) == groups[group].queue) {
                of.emplace(resource, layout_of(node.leaves));
            }
        }
        for (const auto& [resource, layout] : of) {
            layouts[group].push_back({resource, layout});
        }
    }
    return layouts;
}

VkImageLayout PlanGroup::layout(std::uint32_t resource) const {
    const auto at = std::lower_bound(layouts.begin(), layouts.end(), resource,
                                     [](const Layout& known, std::uint32_t wanted) { return known.resource < wanted; });
    return at != layouts.end() && at->resource == resource ? at->layout : VK_IMAGE_LAYOUT_UNDEFINED;
}

} // namespace weir
