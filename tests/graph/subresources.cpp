#include "tests/graph/subresources.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace weir::tests {

namespace {

using Resources = std::vector<GraphDescription::Resource>;

ImagePart range_in(const Resources& resources, std::uint32_t image) {
    const auto& node = resources[image];
    if (!node.image) { // layers are words
        return {.mips = 1,
                .layer = static_cast<std::uint32_t>(node.offset / 4),
                .layers = static_cast<std::uint32_t>(node.bytes / 4)};
    }
    return node.part_of < resources.size() ? node.part
                                           : ImagePart{.mips = node.image->mips, .layers = node.image->layers};
}

/// Calls `visit(mip, layer)` for each mip and layer of a range.
template <class F>
void each_of(const ImagePart& range, F visit) {
    for (std::uint32_t mip = range.mip; mip < range.mip + range.mips; ++mip) {
        for (std::uint32_t layer = range.layer; layer < range.layer + range.layers; ++layer) {
            visit(mip, layer);
        }
    }
}

/// Adds a resource for each mip and layer of images with parts, and finds it again.
class Singles {
public:
    Singles(const GraphDescription& graph, Resources& out) {
        for (std::uint32_t part = 0; part < graph.resources.size(); ++part) {
            const std::uint32_t image = whole_of(graph, part);
            if (image == part || !singles_[image].empty()) {
                continue;
            }
            each_first(graph.resources, image, [&](std::uint32_t mip, std::uint32_t layer) {
                const bool is_first = mip == 0 && layer == 0;
                const auto single = is_first ? image : static_cast<std::uint32_t>(out.size());
                if (!is_first) {
                    out.push_back(graph.resources[image]);
                    out.back().part_of = image;
                }
                out[single].name += " mip " + std::to_string(mip) + " layer " + std::to_string(layer);
                singles_[image][{mip, layer}] = single;
            });
        }
        for (std::uint32_t part = 0; part < graph.resources.size(); ++part) { // parts themselves are no longer used
            if (whole_of(graph, part) != part) {
                out[part].lifetime = GraphDescription::Lifetime::transient;
                out[part].exported = false;
            }
        }
    }

    /// Calls `visit` with the resource of each mip and layer in a range of the image. If the image has no parts, calls
    /// it with the image.
    template <class F>
    void each(std::uint32_t image, const ImagePart& range, F visit) const {
        const auto known = singles_.find(image);
        if (known == singles_.end() || known->second.empty()) {
            visit(image);
            return;
        }
        for (const auto& [at, single] : known->second) {
            const auto& [mip, layer] = at;
            if (mip >= range.mip && mip < range.mip + range.mips && layer >= range.layer &&
                layer - range.layer < range.layers) {
                visit(single);
            }
        }
    }
    /// Calls `visit` with the resource of each mip and layer of `resource`, which may be a part.
    template <class F>
    void each(const Resources& resources, std::uint32_t resource, F visit) const {
        const std::uint32_t image = resources[resource].part_of;
        each(image < resources.size() ? image : resource, range_in(resources, resource), visit);
    }

private:
    /// Calls `visit` with each mip and layer of an image, or with the first word of each range of a buffer.
    template <class F>
    static void each_first(const Resources& resources, std::uint32_t whole, F visit) {
        if (resources[whole].image) {
            each_of(range_in(resources, whole), visit);
            return;
        }
        std::set<std::uint32_t> ends{0};
        for (std::uint32_t part = 0; part < resources.size(); ++part) {
            if (resources[part].part_of == whole) {
                const ImagePart range = range_in(resources, part);
                ends.insert({range.layer, range.layer + range.layers});
            }
        }
        ends.erase(static_cast<std::uint32_t>(resources[whole].bytes / 4));
        for (const std::uint32_t word : ends) {
            visit(0, word);
        }
    }

    std::map<std::uint32_t, std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>> singles_;
};

} // namespace

std::uint32_t whole_of(const GraphDescription& graph, std::uint32_t resource) {
    const std::uint32_t image = graph.resources[resource].part_of;
    return image < graph.resources.size() ? image : resource;
}

bool have_common(const GraphDescription& graph, std::uint32_t a, std::uint32_t b) {
    if (whole_of(graph, a) != whole_of(graph, b)) {
        return false;
    }
    if (!graph.resources[a].image) {
        const ImagePart of_a = range_in(graph.resources, a), of_b = range_in(graph.resources, b);
        return of_a.layer < of_b.layer + of_b.layers && of_b.layer < of_a.layer + of_a.layers;
    }
    bool common = false;
    each_of(range_in(graph.resources, a), [&](std::uint32_t mip, std::uint32_t layer) {
        each_of(range_in(graph.resources, b), [&](std::uint32_t other_mip, std::uint32_t other_layer) {
            common = common || (mip == other_mip && layer == other_layer);
        });
    });
    return common;
}

bool has_parts(const GraphDescription& graph) {
    return std::any_of(graph.resources.begin(), graph.resources.end(),
                       [&](const GraphDescription::Resource& node) { return node.part_of < graph.resources.size(); });
}

Subresources subresources_of(const GraphDescription& graph, const Plan& plan) {
    Subresources made{graph, plan};
    Resources& resources = made.graph.resources;
    const Singles singles(graph, resources);
    for (std::uint32_t part = 0; part < graph.resources.size(); ++part) {
        const auto& node = graph.resources[part];
        if (node.exported) {
            singles.each(graph.resources, part, [&](std::uint32_t single) {
                resources[single].exported = true;
                resources[single].leaves = node.leaves;
            });
        }
    }
    for (auto& pass : made.graph.passes) {
        std::vector<GraphDescription::PassUse> uses;
        const auto* work = std::get_if<GraphDescription::ImageWork>(&pass.work);
        for (const auto& use : pass.uses) {
            const auto add = [&](std::uint32_t single) {
                uses.push_back({single, use.access, use.resource, use.raw, use.concurrent});
            };
            if (work == nullptr || !graph.resources[use.resource].image) {
                singles.each(graph.resources, use.resource, add);
                continue;
            }
            const bool is_written = use.access == Access::transfer_write;
            const ImageRegion& region = is_written ? work->destination : work->source;
            const ImagePart of = range_in(graph.resources, use.resource);
            singles.each(
                whole_of(graph, use.resource),
                {.mip = of.mip + region.mip, .mips = 1, .layer = of.layer + region.layer, .layers = region.layers},
                add);
        }
        pass.uses = std::move(uses);
    }

    // The ranges of pieces are those of the plan's graph.
    const Resources& planned = plan.graph->resources;
    const auto take_apart = [&](auto& list) {
        const auto whole = std::move(list);
        list.clear();
        for (const auto& one : whole) {
            singles.each(planned, one.resource, [&](std::uint32_t single) {
                list.push_back(one);
                list.back().resource = single;
            });
        }
    };
    for (PlanGroup& group : made.plan.groups) {
        const auto barriers = std::move(group.image_barriers);
        group.image_barriers.clear();
        for (const ImageBarrier& barrier : barriers) { // a recording uses `range` if there are several pieces
            const auto add = [&](std::uint32_t single) {
                group.image_barriers.push_back(
                    {single, barrier.source, barrier.destination, barrier.old_layout, barrier.new_layout});
            };
            if (barrier.pieces.empty()) {
                singles.each(planned, barrier.resource, add);
            } else {
                singles.each(barrier.resource, barrier.range, add);
            }
        }
        take_apart(group.acquired);
        take_apart(group.released);
        take_apart(group.layouts);
        std::sort(group.layouts.begin(), group.layouts.end(),
                  [](const auto& a, const auto& b) { return a.resource < b.resource; });
    }
    made.plan.memory.places.resize(resources.size());
    made.plan.final_layouts.assign(resources.size(), VK_IMAGE_LAYOUT_UNDEFINED);
    for (std::uint32_t resource = 0; resource < planned.size(); ++resource) {
        if (planned[resource].image) { // undefined if its pieces differ; then their own layouts apply
            singles.each(planned, resource, [&](std::uint32_t single) {
                VkImageLayout& layout = made.plan.final_layouts[single];
                layout = layout == VK_IMAGE_LAYOUT_UNDEFINED ? plan.final_layouts[resource] : layout;
            });
        }
    }
    for (std::uint32_t single = 0; single < resources.size(); ++single) {
        made.plan.memory.places[single] = plan.memory.places[whole_of(made.graph, single)];
    }
    return made;
}

} // namespace weir::tests
