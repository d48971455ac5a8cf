#include <algorithm>
#include <map>
#include <set>

#include "graph/plan/stages.hpp"

namespace weir {

namespace {

/// Returns a layout that suits two uses.
VkImageLayout for_both(VkImageLayout a, VkImageLayout b) {
    constexpr VkImageLayout sampled = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    constexpr VkImageLayout depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL; // can also be sampled
    if (a == b) {
        return a;
    }
    return (a == sampled && b == depth) || (a == depth && b == sampled) ? depth : VK_IMAGE_LAYOUT_GENERAL;
}

/// Checks that one layout for both uses costs nothing compared with a layout for each. Shaders can sample an image in
/// GENERAL.
bool agree(VkImageLayout a, VkImageLayout b) {
    const auto is_for_shaders = [](VkImageLayout layout) {
        return layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    };
    return for_both(a, b) != VK_IMAGE_LAYOUT_GENERAL || (is_for_shaders(a) && is_for_shaders(b));
}

/// Sets of pieces of images that must be in one layout, because one use covers several pieces and a view has one
/// layout.
class Together {
public:
    Together(const GraphDescription& graph, const std::vector<std::uint32_t>& passes) {
        for (const std::uint32_t pass : passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                const auto& pieces = graph.resources[use.named()].pieces;
                if (pieces.size() > 1 && use.resource != pieces.front()) {
                    join(graph, pass, use);
                }
            }
        }
    }
    /// Returns the piece that represents the set of `image`.
    [[nodiscard]] std::uint32_t of(std::uint32_t image) const {
        for (auto next = with_.find(image); next != with_.end(); next = with_.find(image)) {
            image = next->second;
        }
        return image;
    }

private:
    /// Adds the piece to the set of the first piece of the same use.
    void join(const GraphDescription& graph, std::uint32_t pass, const GraphDescription::PassUse& use) {
        const auto uses = graph.passes[pass].accesses();
        const auto first = std::find_if(uses.begin(), uses.end(), [&](const GraphDescription::PassUse& other) {
            return other.named() == use.named() && other.access == use.access;
        });
        const std::uint32_t a = of(first->resource), b = of(use.resource);
        if (a != b) {
            with_[std::max(a, b)] = std::min(a, b);
        }
    }
    std::map<std::uint32_t, std::uint32_t> with_; ///< later piece to earlier piece of the same set
};

using Wanted = std::map<std::uint32_t, VkImageLayout>; ///< by image, or by the piece that represents several

void want(Wanted& wanted, std::uint32_t image, VkImageLayout layout) {
    const auto [at, is_first] = wanted.emplace(image, layout);
    at->second = is_first ? layout : for_both(at->second, layout);
}

Wanted wanted_by(const GraphDescription& graph, const Together& together, std::uint32_t pass) {
    Wanted wanted;
    for (const auto& use : graph.passes[pass].accesses()) {
        if (graph.resources[use.resource].image) {
            want(wanted, together.of(use.resource), use.meaning().layout);
        }
    }
    return wanted;
}

/// Checks if the application has written descriptors of the image for the layout that the pass wants. This layout must
/// not change.
bool is_fixed(const GraphDescription& graph, const Together& together, std::uint32_t pass, std::uint32_t image) {
    const auto* work = std::get_if<Pass>(&graph.passes[pass].work);
    return work != nullptr && std::any_of(work->uses.begin(), work->uses.end(), [&](const Use& use) {
               const auto& pieces = graph.resources[use.resource.index].pieces;
               return together.of(use.resource.index) == image ||
                      std::any_of(pieces.begin(), pieces.end(),
                                  [&](std::uint32_t piece) { return together.of(piece) == image; });
           });
}

} // namespace

VkImageLayout layout_of(const Accesses& accesses) {
    VkImageLayout layout = accesses.empty() ? VK_IMAGE_LAYOUT_UNDEFINED : accesses.scopes().front().layout;
    for (const UseScope& use : accesses.scopes()) {
        if (!agree(layout, use.layout)) {
            return VK_IMAGE_LAYOUT_UNDEFINED;
        }
        layout = for_both(layout, use.layout);
    }
    return layout;
}

std::vector<PassGroup> split_by_layouts(const GraphDescription& graph, std::vector<PassGroup> groups, PassOrder order) {
    std::vector<PassGroup> split;
    split.reserve(groups.size());
    for (PassGroup& left : groups) {
        const Together pieces(graph, left.passes);
        while (!left.passes.empty()) {
            Wanted taken;
            std::set<std::uint32_t> fixed;
            PassGroup together{left.queue, {}};
            std::vector<std::uint32_t> later;
            for (const std::uint32_t pass : left.passes) {
                const Wanted wanted = wanted_by(graph, pieces, pass);
                const bool keeps_place = order == PassOrder::declared && !later.empty();
                const bool disagrees =
                    keeps_place || std::any_of(wanted.begin(), wanted.end(), [&](const auto& image) {
                        const auto other = taken.find(image.first);
                        const bool stays = fixed.contains(image.first) || is_fixed(graph, pieces, pass, image.first);
                        return other != taken.end() &&
                               (stays ? other->second != image.second : !agree(other->second, image.second));
                    });
                if (disagrees) {
                    later.push_back(pass);
                    continue;
                }
                together.passes.push_back(pass);
                for (const auto& [image, layout] : wanted) {
                    want(taken, image, layout);
                    if (is_fixed(graph, pieces, pass, image)) {
                        fixed.insert(image);
                    }
                }
            }
            split.push_back(std::move(together));
            left.passes = std::move(later);
        }
    }
    return split;
}

std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups) {
    std::vector<std::vector<PlanGroup::Layout>> layouts(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const Together together(graph, groups[group].passes);
        Wanted wanted, of;
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& [image, layout] : wanted_by(graph, together, pass)) {
                want(wanted, image, layout);
            }
        }
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                if (graph.resources[use.resource].image) {
                    of.emplace(use.resource, wanted.at(together.of(use.resource)));
                }
            }
        }
        for (std::uint32_t resource = 0;
             groups[group].role == PassGroup::Role::leaving && resource < graph.resources.size(); ++resource) {
            const auto& node = graph.resources[resource];
            if (node.image && node.exported && !node.leaves.empty() &&
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
