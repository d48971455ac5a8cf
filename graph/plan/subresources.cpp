#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/describe/image_size.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using PassUse = GraphDescription::PassUse;
using Resource = GraphDescription::Resource;

/// The mips and layers of an image, or the 32-bit words of a buffer as layers of one mip.
struct Region {
    std::uint32_t mip = 0, mips = 1;
    std::uint64_t layer = 0, layers = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of the comparison for a pointer
    friend auto operator<=>(const Region&, const Region&) = default;
};

Region region_of(const ImagePart& range) {
    return {range.mip, range.mips, range.layer, range.layers};
}

Region region_of(const GraphDescription& graph, std::uint32_t resource) {
    const Resource& node = graph.resources[resource];
    return node.image ? region_of(range_of(graph, resource)) : Region{0, 1, node.offset / 4, node.bytes / 4};
}

bool meet(const Region& a, const Region& b) {
    return a.mip < b.mip + b.mips && b.mip < a.mip + a.mips && a.layer < b.layer + b.layers &&
           b.layer < a.layer + a.layers;
}

/// Returns the mips and layers that a use accesses: all of its resource, or the region of a copy, a blit or a clear.
Region touched(const GraphDescription& graph, const GraphDescription::PassNode& pass, const PassUse& use) {
    Region range = region_of(graph, use.resource);
    const auto* work = std::get_if<GraphDescription::ImageWork>(&pass.work);
    if (work != nullptr && graph.resources[use.resource].image) {
        const ImageRegion& region = use.writes() ? work->destination : work->source;
        range = {range.mip + region.mip, 1, range.layer + region.layer, region.layers};
    }
    return range;
}

/// Checks if two uses of a pass access a common byte, mip or layer, and one of them writes, or one is raw and the other
/// one needs another layout.
bool conflict(const GraphDescription& graph, const GraphDescription::PassNode& pass, const PassUse& a,
              const PassUse& b) {
    const bool differ =
        (a.raw || b.raw) && graph.resources[a.resource].image && a.meaning().layout != b.meaning().layout;
    return (differ || a.writes() || b.writes()) && overlap(graph, a.resource, b.resource) &&
           (!graph.resources[a.resource].image || meet(touched(graph, pass, a), touched(graph, pass, b)));
}

/// Checks if a pass has conflicting uses. Compares only uses of the same buffer or image.
bool has_conflict(const GraphDescription& graph, const GraphDescription::PassNode& pass) {
    const auto uses = pass.accesses();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_root; // and index of the use
    by_root.reserve(uses.size());
    for (std::uint32_t i = 0; i < uses.size(); ++i) {
        by_root.emplace_back(root_of(graph, uses[i].resource), i);
    }
    std::sort(by_root.begin(), by_root.end());
    for (std::size_t i = 0; i < by_root.size(); ++i) {
        for (std::size_t j = i; j > 0 && by_root[j - 1].first == by_root[i].first; --j) {
            if (conflict(graph, pass, uses[by_root[j - 1].second], uses[by_root[i].second])) {
                return true;
            }
        }
    }
    return false;
}

/// Checks that a pass uses a resource twice only to read it. Two bindings of which one writes would race within the
/// pass. A raw use of an image requires that other uses have its layout.
Result<> check_uses(const GraphDescription& graph, const GraphDescription::PassNode& pass) {
    if (!has_conflict(graph, pass)) {
        return {};
    }
    const auto uses = pass.accesses();
    for (std::size_t i = 0; i < uses.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto &a = uses[j], &b = uses[i];
            if (conflict(graph, pass, a, b)) {
                const Resource &first = graph.resources[a.resource], &second = graph.resources[b.resource];
                const std::string other = a.resource == b.resource ? " twice: as use "
                                                                   : concat(" and ", kind_of(second), " '", second.name,
                                                                            "', which overlap: as use ");
                return tl::unexpected(Error{ErrorCode::invalid_graph,
                                            concat("pass '", pass.name, "' declares ", kind_of(first), " '", first.name,
                                                   "'", other, j, " for ", a.access_name(), " and as use ", i, " for ",
                                                   b.access_name(), to_string(pass.where))});
            }
        }
    }
    return {};
}

/// Cuts one image.
class Cutter {
public:
    Cutter(GraphDescription& graph, std::uint32_t image)
        : graph_(graph), image_(image), whole_(region_of(graph, image)) {
        cut_at(whole_);
    }

    /// Prevents pieces from crossing the border of `range`.
    void cut_at(const Region& range) {
        mips_.insert(mips_.end(), {range.mip, range.mip + range.mips});
        layers_.insert(layers_.end(), {range.layer, range.layer + range.layers});
    }

    /// Adds the pieces to the graph and lists them in the image and its parts. A part that equals a piece is that
    /// piece.
    void cut(const std::vector<std::uint32_t>& parts) {
        const auto sort = [](auto& borders) {
            std::sort(borders.begin(), borders.end());
            borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
        };
        sort(mips_);
        sort(layers_);
        std::map<Region, std::uint32_t> known; // the first part of each region
        for (const std::uint32_t part : parts) {
            known.emplace(region_of(graph_, part), part);
        }
        known[whole_] = image_;
        pieces_.reserve((mips_.size() - 1) * (layers_.size() - 1));
        for (std::size_t mip = 0; mip + 1 < mips_.size(); ++mip) {
            for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
                pieces_.push_back(find_or_add(
                    {mips_[mip], mips_[mip + 1] - mips_[mip], layers_[layer], layers_[layer + 1] - layers_[layer]},
                    known));
            }
        }
        const auto enter = [&](std::uint32_t resource) {
            std::vector<std::uint32_t> own;
            each_in(region_of(graph_, resource), [&](std::uint32_t piece) { own.push_back(piece); });
            if (own.size() != 1 || own.front() != resource) {
                graph_.resources[resource].pieces = std::move(own);
            }
        };
        enter(image_);
        std::for_each(parts.begin(), parts.end(), enter);
    }

    /// Calls `visit` with each piece that has a mip and a layer of `range`.
    template <class F>
    void each_in(const Region& range, const F& visit) const {
        const auto first = [](const auto& borders, auto at) {
            return static_cast<std::size_t>(std::upper_bound(borders.begin(), borders.end(), at) - borders.begin()) - 1;
        };
        const std::size_t layer = first(layers_, range.layer);
        for (std::size_t m = first(mips_, range.mip); m + 1 < mips_.size() && mips_[m] < range.mip + range.mips; ++m) {
            for (std::size_t l = layer; l + 1 < layers_.size() && layers_[l] < range.layer + range.layers; ++l) {
                visit(pieces_[m * (layers_.size() - 1) + l]);
            }
        }
    }

private:
    std::uint32_t find_or_add(const Region& range, const std::map<Region, std::uint32_t>& known) {
        if (const auto declared = known.find(range); declared != known.end()) {
            return declared->second;
        }
        graph_.resources.push_back(graph_.resources[image_].image
                                       ? part_of(graph_, image_,
                                                 {.mip = range.mip,
                                                  .mips = range.mips,
                                                  .layer = static_cast<std::uint32_t>(range.layer),
                                                  .layers = static_cast<std::uint32_t>(range.layers)})
                                       : part_of(graph_, image_, range.layer * 4, range.layers * 4));
        return static_cast<std::uint32_t>(graph_.resources.size()) - 1;
    }

    GraphDescription& graph_;
    std::uint32_t image_;
    Region whole_;
    std::vector<std::uint32_t> mips_;   ///< where pieces begin or end
    std::vector<std::uint64_t> layers_; ///< where pieces begin or end
    std::vector<std::uint32_t> pieces_; ///< by mip, then by layer
};

/// Replaces exports of resources with pieces by exports of the pieces, on the queues of the image.
Result<> move_exports(const GraphDescription& declared, GraphDescription& graph) {
    std::map<std::uint32_t, const Resource*> exported_as; // per piece
    for (std::uint32_t resource = 0; resource < declared.resources.size(); ++resource) {
        const Resource& node = declared.resources[resource];
        const std::vector<std::uint32_t> pieces = graph.resources[resource].pieces;
        if (!node.exported || (pieces.empty() && node.part_of == ResourceId::none)) {
            continue;
        }
        graph.resources[resource].exported = pieces.empty();
        for (const std::uint32_t piece : pieces.empty() ? std::vector{resource} : pieces) {
            const Resource& other = *exported_as.emplace(piece, &node).first->second;
            if (other.leaves != node.leaves) {
                return tl::unexpected(
                    Error{ErrorCode::invalid_graph,
                          concat(kind_of(other), " '", other.name, "' and ", kind_of(node), " '", node.name,
                                 "', which overlap, are exported for ", to_string(other.leaves), " and for ",
                                 to_string(node.leaves), "; export both with all accesses", to_string(node.where))});
            }
            graph.resources[piece].exported = true;
            graph.resources[piece].leaves = node.leaves;
        }
    }
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        Resource& node = graph.resources[resource];
        const bool is_part = node.part_of != ResourceId::none;
        if (!is_part && node.pieces.empty()) {
            continue;
        }
        // A resource that neither arrives nor leaves has no queues. An image that never leaves keeps its queues, so
        // that assign_queues reports the mistake.
        const bool has_ends = node.lifetime == GraphDescription::Lifetime::import || node.exported;
        node.queues = is_part ? declared.resources[node.part_of].queues : node.queues;
        node.queues = has_ends || (!is_part && !leaves(graph, resource)) ? node.queues : ImportQueues{};
    }
    return {};
}

/// Replaces each use of a resource with pieces by uses of the pieces that it accesses.
void move_uses(GraphDescription& graph, const std::map<std::uint32_t, Cutter>& cutters) {
    for (auto& pass : graph.passes) {
        const auto has_pieces = [&](const PassUse& use) { return !graph.resources[use.resource].pieces.empty(); };
        if (std::none_of(pass.uses.begin(), pass.uses.end(), has_pieces)) {
            continue;
        }
        std::vector<PassUse> uses;
        for (const PassUse& use : pass.uses) {
            if (!has_pieces(use)) {
                uses.push_back(use);
                continue;
            }
            const Cutter& cutter = cutters.at(root_of(graph, use.resource));
            cutter.each_in(touched(graph, pass, use), [&](std::uint32_t piece) {
                PassUse& of_piece = uses.emplace_back(use);
                of_piece.resource = piece;
                of_piece.declared = use.resource;
            });
        }
        pass.uses = std::move(uses);
    }
}

} // namespace

ImagePart range_of(const GraphDescription& graph, std::uint32_t image) {
    const Resource& node = graph.resources[image];
    if (node.part_of != ResourceId::none) {
        return node.part;
    }
    return {
        .mip = 0, .mips = node.image ? node.image->mips : 1, .layer = 0, .layers = node.image ? node.image->layers : 1};
}

bool overlap(const GraphDescription& graph, std::uint32_t a, std::uint32_t b) {
    return a == b || (root_of(graph, a) == root_of(graph, b) && meet(region_of(graph, a), region_of(graph, b)));
}

bool leaves(const GraphDescription& graph, std::uint32_t resource) {
    const Resource& node = graph.resources[resource];
    return node.exported || std::any_of(node.pieces.begin(), node.pieces.end(),
                                        [&](std::uint32_t piece) { return graph.resources[piece].exported; });
}

namespace {

/// Returns a part of `whole` without its size.
Resource some_part(const GraphDescription& graph, std::uint32_t whole) {
    Resource part = graph.resources[whole];
    part.exported = part.per_frame = false;
    part.leaves = {};
    part.previous = part.current = ResourceId::none;
    part.part_of = whole;
    part.pieces.clear();
    return part;
}

} // namespace

GraphDescription::Resource part_of(const GraphDescription& graph, std::uint32_t buffer, std::uint64_t offset,
                                   std::uint64_t bytes) {
    Resource part = some_part(graph, buffer);
    part.offset = offset;
    part.bytes = bytes;
    part.name += concat(" bytes ", offset, " to ", offset + bytes - 1);
    return part;
}

GraphDescription::Resource part_of(const GraphDescription& graph, std::uint32_t image, const ImagePart& range) {
    const auto numbers = [](const char* one, std::uint32_t first, std::uint32_t count) {
        return count == 1 ? concat(" ", one, " ", first) : concat(" ", one, "s ", first, " to ", first + count - 1);
    };
    const Resource& whole = graph.resources[image];
    Resource part = some_part(graph, image);
    part.name += range.mips != whole.image->mips ? numbers("mip", range.mip, range.mips) : "";
    part.name += range.layers != whole.image->layers ? numbers("layer", range.layer, range.layers) : "";
    auto& [width, height, depth] = part.image->extent;
    for (std::uint32_t* texels : {&width, &height, &depth}) {
        *texels = std::max(*texels >> range.mip, 1U);
    }
    part.image->mips = range.mips;
    part.image->layers = range.layers;
    part.bytes = estimated_bytes(*part.image);
    part.part = range;
    return part;
}

Result<std::optional<GraphDescription>> cut_images(const GraphDescription& declared) {
    for (const auto& pass : declared.passes) {
        WEIR_PROPAGATE(check_uses(declared, pass));
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> parts; // per image
    for (std::uint32_t resource = 0; resource < declared.resources.size(); ++resource) {
        if (const std::uint32_t image = declared.resources[resource].part_of; image != ResourceId::none) {
            parts[image].push_back(resource);
        }
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    GraphDescription graph = declared;
    std::map<std::uint32_t, Cutter> cutters;
    for (const auto& [image, of] : parts) {
        if (is_history(graph.resources[image])) {
            const Resource& node = graph.resources[image];
            return tl::unexpected(
                Error{ErrorCode::invalid_graph,
                      concat("image '", node.name, "' is of a history and has parts, which is not supported",
                             to_string(node.where))});
        }
        const auto is_per_frame = [&](std::uint32_t resource) { return graph.resources[resource].per_frame; };
        if (is_per_frame(image) || std::any_of(of.begin(), of.end(), is_per_frame)) {
            const Resource& node = graph.resources[image];
            return tl::unexpected(Error{
                ErrorCode::invalid_graph,
                concat(kind_of(node), " '", node.name, "' is exported per frame and has parts; per_frame requires ",
                       node.image ? "an image" : "a buffer", " without parts", to_string(node.where))});
        }
        Cutter& cutter = cutters.emplace(image, Cutter(graph, image)).first->second;
        for (const std::uint32_t part : of) {
            if (graph.resources[part].exported) {
                cutter.cut_at(region_of(graph, part));
            }
        }
    }
    for (const auto& pass : graph.passes) {
        for (const PassUse& use : pass.uses) {
            if (const auto cutter = cutters.find(root_of(graph, use.resource)); cutter != cutters.end()) {
                cutter->second.cut_at(touched(graph, pass, use));
            }
        }
    }
    for (auto& [image, cutter] : cutters) {
        cutter.cut(parts[image]);
    }
    WEIR_PROPAGATE(move_exports(declared, graph));
    move_uses(graph, cutters);
    return graph;
}

} // namespace weir
