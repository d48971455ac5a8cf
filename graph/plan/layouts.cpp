#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// A map from resources to `T`, for few resources or for resources that are added in order.
template <class T>
class ResourceMap {
public:
    [[nodiscard]] const T* find(std::uint32_t resource) const {
        const auto at = lower_bound(resource);
        return at != entries_.end() && at->first == resource ? &at->second : nullptr;
    }
    /// Adds the resource with `value` unless it exists. Returns its value, and true if it is new.
    std::pair<T&, bool> emplace(std::uint32_t resource, const T& value) {
        const auto at = lower_bound(resource);
        const bool is_new = at == entries_.end() || at->first != resource;
        const auto place = entries_.begin() + (at - entries_.cbegin());
        return {(is_new ? entries_.insert(place, {resource, value}) : place)->second, is_new};
    }
    void clear() { entries_.clear(); }
    [[nodiscard]] auto begin() const { return entries_.cbegin(); }
    [[nodiscard]] auto end() const { return entries_.cend(); }

private:
    using Entries = std::vector<std::pair<std::uint32_t, T>>;
    [[nodiscard]] auto lower_bound(std::uint32_t resource) const {
        const auto is_less = [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; };
        return entries_.empty() || entries_.back().first < resource
                   ? entries_.end()
                   : std::lower_bound(entries_.begin(), entries_.end(), resource, is_less);
    }
    Entries entries_; ///< by resource
};

/// Sets of pieces of images that must be in one layout, because one use covers several pieces and a view has one
/// layout.
class Together {
public:
    Together(const GraphDescription& graph, const std::vector<std::uint32_t>& passes) {
        for (const std::uint32_t pass : passes) {
            const GraphDescription::PassUse *before = nullptr, *first = nullptr; // the use before, the first like it
            for (const auto& use : graph.passes[pass].accesses()) {
                const auto& pieces = graph.resources[use.named()].pieces;
                if (pieces.size() > 1 && use.resource != pieces.front()) {
                    first = before != nullptr && is_same(*before, use) ? first : first_like(graph, pass, use);
                    before = &use;
                    join(first->resource, use.resource);
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
    using PassUse = GraphDescription::PassUse;
    /// Checks if two uses are of the same declared use.
    static bool is_same(const PassUse& a, const PassUse& b) {
        return a.named() == b.named() && a.access == b.access && a.raw == b.raw;
    }
    static const PassUse* first_like(const GraphDescription& graph, std::uint32_t pass, const PassUse& use) {
        const auto uses = graph.passes[pass].accesses();
        return &*std::find_if(uses.begin(), uses.end(), [&](const PassUse& other) { return is_same(other, use); });
    }
    /// Adds `piece` to the set of `first`.
    void join(std::uint32_t first, std::uint32_t piece) {
        const std::uint32_t a = of(first), b = of(piece);
        if (a != b) {
            with_[std::max(a, b)] = std::min(a, b);
        }
    }
    std::unordered_map<std::uint32_t, std::uint32_t> with_; ///< later piece to earlier piece of the same set
};

using Wanted = ResourceMap<VkImageLayout>; ///< by image, or by the piece that represents several

void want(Wanted& wanted, std::uint32_t image, VkImageLayout layout) {
    const auto [known, is_first] = wanted.emplace(image, layout);
    known = is_first ? layout : for_both(known, layout);
}

/// Adds the layouts that a pass wants. `general`: GENERAL, except for images of which it has a raw use.
void add_wanted(Wanted& wanted, const GraphDescription& graph, const Together& together, std::uint32_t pass,
                bool general) {
    const auto uses = graph.passes[pass].accesses();
    std::vector<std::uint32_t> raw;
    for (const auto& use : uses) {
        if (general && use.raw) {
            raw.push_back(together.of(use.resource));
        }
    }
    std::sort(raw.begin(), raw.end());
    for (const auto& use : uses) {
        if (graph.resources[use.resource].image) {
            const std::uint32_t image = together.of(use.resource);
            const bool is_general = general && !std::binary_search(raw.begin(), raw.end(), image);
            want(wanted, image, is_general ? VK_IMAGE_LAYOUT_GENERAL : use.meaning().layout);
        }
    }
}

/// Returns the images and pieces for which the pass needs exactly the layout that it wants: the application has written
/// descriptors for it, or the use is raw.
std::vector<std::uint32_t> fixed_by(const GraphDescription& graph, std::uint32_t pass) {
    std::vector<std::uint32_t> fixed;
    const auto add = [&](std::uint32_t resource) {
        if (graph.resources[resource].image) {
            fixed.push_back(resource);
        }
    };
    for (const auto& use : graph.passes[pass].accesses()) {
        if (use.raw) {
            add(use.resource);
        }
    }
    if (const auto* work = graph.passes[pass].compute_pass()) {
        for (const Use& use : work->uses) {
            const auto& pieces = graph.resources[use.resource.index].pieces;
            std::for_each(pieces.begin(), pieces.end(), add);
            if (pieces.empty()) {
                add(use.resource.index);
            }
        }
    }
    return fixed;
}

/// Checks if a pass wants other layouts for `fixed` than it would alone, because other passes use pieces of these
/// images together.
bool is_disturbed(const GraphDescription& graph, const std::vector<std::uint32_t>& fixed, const Together& together,
                  const Wanted& wanted, std::uint32_t pass, bool general) {
    if (fixed.empty()) {
        return false;
    }
    const Together alone(graph, {pass});
    Wanted wanted_alone;
    add_wanted(wanted_alone, graph, alone, pass, general);
    return std::any_of(fixed.begin(), fixed.end(), [&](std::uint32_t image) {
        const VkImageLayout *with_others = wanted.find(together.of(image)), *own = wanted_alone.find(alone.of(image));
        return own != nullptr && *own != *with_others;
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

namespace {

bool uses_images(const GraphDescription& graph, const PassGroup& group) {
    return std::any_of(group.passes.begin(), group.passes.end(), [&](std::uint32_t pass) {
        const auto uses = graph.passes[pass].accesses();
        return std::any_of(uses.begin(), uses.end(),
                           [&](const auto& use) { return graph.resources[use.resource].image.has_value(); });
    });
}

} // namespace

std::vector<PassGroup> split_by_layouts(const GraphDescription& graph, std::vector<PassGroup> groups,
                                        const PlanOptions& options) {
    std::vector<PassGroup> split;
    split.reserve(groups.size());
    Wanted wanted, taken;
    for (PassGroup& left : groups) {
        if (!uses_images(graph, left)) {
            split.push_back(std::move(left));
            continue;
        }
        while (!left.passes.empty()) {
            const Together pieces(graph, left.passes);
            taken.clear();
            std::set<std::uint32_t> fixed;
            PassGroup together{left.queue, {}};
            std::vector<std::uint32_t> later;
            for (const std::uint32_t pass : left.passes) {
                wanted.clear();
                add_wanted(wanted, graph, pieces, pass, options.general_layouts);
                std::vector<std::uint32_t> fixed_here = fixed_by(graph, pass);
                const bool disturbed = is_disturbed(graph, fixed_here, pieces, wanted, pass, options.general_layouts);
                for (std::uint32_t& image : fixed_here) {
                    image = pieces.of(image);
                }
                std::sort(fixed_here.begin(), fixed_here.end());
                const auto is_fixed_here = [&](std::uint32_t image) {
                    return std::binary_search(fixed_here.begin(), fixed_here.end(), image);
                };
                const bool keeps_place = options.order == PassOrder::declared && !later.empty();
                const bool disagrees =
                    keeps_place || disturbed || std::any_of(wanted.begin(), wanted.end(), [&](const auto& image) {
                        const VkImageLayout* other = taken.find(image.first);
                        const bool stays = fixed.contains(image.first) || is_fixed_here(image.first);
                        return other != nullptr && (stays ? *other != image.second : !agree(*other, image.second));
                    });
                if (disagrees) {
                    later.push_back(pass);
                    continue;
                }
                together.passes.push_back(pass);
                for (const auto& [image, layout] : wanted) {
                    want(taken, image, layout);
                    if (is_fixed_here(image)) {
                        fixed.insert(image);
                    }
                }
            }
            if (together.passes.empty()) { // each needs other layouts than the others: the first runs alone
                together.passes.push_back(later.front());
                later.erase(later.begin());
            }
            split.push_back(std::move(together));
            left.passes = std::move(later);
        }
    }
    return split;
}

std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups,
                                                         const PlanOptions& options) {
    std::vector<std::vector<PlanGroup::Layout>> layouts(groups.size());
    Wanted wanted;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const Together together(graph, groups[group].passes);
        wanted.clear();
        for (const std::uint32_t pass : groups[group].passes) {
            add_wanted(wanted, graph, together, pass, options.general_layouts);
        }
        std::vector<PlanGroup::Layout>& of = layouts[group];
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                if (graph.resources[use.resource].image) {
                    of.push_back({use.resource, *wanted.find(together.of(use.resource))});
                }
            }
        }
        for (std::uint32_t resource = 0;
             groups[group].role == PassGroup::Role::leaving && resource < graph.resources.size(); ++resource) {
            const auto& node = graph.resources[resource];
            if (node.image && node.exported && !node.leaves.empty() &&
                queues.on(node.queues.leaves) == groups[group].queue) {
                of.push_back({resource, layout_of(node.leaves)});
            }
        }
        std::sort(of.begin(), of.end(), [](const auto& a, const auto& b) { return a.resource < b.resource; });
        of.erase(std::unique(of.begin(), of.end()), of.end());
        of.shrink_to_fit();
    }
    return layouts;
}

VkImageLayout PlanGroup::layout(std::uint32_t resource) const {
    const auto at = std::lower_bound(layouts.begin(), layouts.end(), resource,
                                     [](const Layout& known, std::uint32_t wanted) { return known.resource < wanted; });
    return at != layouts.end() && at->resource == resource ? at->layout : VK_IMAGE_LAYOUT_UNDEFINED;
}

} // namespace weir
