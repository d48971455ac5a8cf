#include "graph/plan/sync/merged_barriers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>

#include "graph/plan/resources.hpp"

namespace weir {

namespace {

/// Barriers of pieces that form a rectangle.
struct Rectangle {
    ImagePart range;
    std::vector<std::size_t> barriers; ///< their indices
};

/// Joins rectangles with the same layers and consecutive mips or, if `mips` is false, with the same mips and
/// consecutive layers.
void join(std::vector<Rectangle>& rectangles, bool mips) {
    const auto key = [&](const Rectangle& one) {
        const ImagePart& range = one.range;
        return mips ? std::tuple(range.layer, range.layers, range.mip) : std::tuple(range.mip, range.mips, range.layer);
    };
    std::sort(rectangles.begin(), rectangles.end(),
              [&](const Rectangle& a, const Rectangle& b) { return key(a) < key(b); });
    std::vector<Rectangle> joined;
    for (Rectangle& next : rectangles) {
        if (!joined.empty()) {
            ImagePart &last = joined.back().range, &range = next.range;
            const bool is_next =
                mips ? last.layer == range.layer && last.layers == range.layers && last.mip + last.mips == range.mip
                     : last.mip == range.mip && last.mips == range.mips && last.layer + last.layers == range.layer;
            if (is_next) {
                (mips ? last.mips : last.layers) += mips ? range.mips : range.layers;
                joined.back().barriers.insert(joined.back().barriers.end(), next.barriers.begin(), next.barriers.end());
                continue;
            }
        }
        joined.push_back(std::move(next));
    }
    rectangles = std::move(joined);
}

/// Returns as few rectangles as joining in either order gives.
std::vector<Rectangle> joined(const std::vector<Rectangle>& pieces) {
    std::vector<Rectangle> layers_first = pieces, mips_first = pieces;
    join(layers_first, false);
    join(layers_first, true);
    join(mips_first, true);
    join(mips_first, false);
    return mips_first.size() < layers_first.size() ? mips_first : layers_first;
}

/// Barriers of pieces can be merged if this is equal.
auto key_of(const GraphDescription& graph, const ImageBarrier& barrier) {
    return std::tuple(root_of(graph, barrier.resource), barrier.old_layout, barrier.new_layout, barrier.source.stages,
                      barrier.destination.stages);
}

/// Merges `barriers[rectangle.barriers]` into the first of them, and clears the stages of the others.
void merge(const GraphDescription& graph, const Rectangle& rectangle, std::vector<ImageBarrier>& barriers) {
    ImageBarrier merged = barriers[rectangle.barriers.front()];
    merged.resource = root_of(graph, merged.resource);
    merged.range = rectangle.range;
    for (const std::size_t index : rectangle.barriers) {
        merged.pieces.push_back(barriers[index].resource);
        merged.source.access |= barriers[index].source.access;
        merged.destination.access |= barriers[index].destination.access;
        barriers[index].source.stages = barriers[index].destination.stages = 0;
    }
    std::sort(merged.pieces.begin(), merged.pieces.end());
    barriers[*std::min_element(rectangle.barriers.begin(), rectangle.barriers.end())] = std::move(merged);
}

} // namespace

std::vector<ImageBarrier> merge_barriers(const GraphDescription& graph, std::vector<ImageBarrier> barriers) {
    std::vector<std::size_t> of_pieces;
    for (std::size_t i = 0; i < barriers.size(); ++i) {
        if (graph.resources[barriers[i].resource].part_of != ResourceId::none) {
            of_pieces.push_back(i);
        }
    }
    if (of_pieces.size() < 2) {
        return barriers;
    }
    std::stable_sort(of_pieces.begin(), of_pieces.end(), [&](std::size_t a, std::size_t b) {
        return key_of(graph, barriers[a]) < key_of(graph, barriers[b]);
    });
    std::vector<std::vector<Rectangle>> alike;
    for (std::size_t i = 0; i < of_pieces.size(); ++i) {
        const ImageBarrier& barrier = barriers[of_pieces[i]];
        if (i == 0 || key_of(graph, barriers[of_pieces[i - 1]]) != key_of(graph, barrier)) {
            alike.emplace_back();
        }
        alike.back().push_back({range_of(graph, barrier.resource), {of_pieces[i]}});
        alike.back().back().range.view.reset();
    }
    for (const auto& pieces : alike) {
        for (const Rectangle& rectangle : joined(pieces)) {
            if (rectangle.barriers.size() > 1) {
                merge(graph, rectangle, barriers);
            }
        }
    }
    std::erase_if(barriers,
                  [](const ImageBarrier& one) { return one.source.stages == 0 && one.destination.stages == 0; });
    return barriers;
}

} // namespace weir
