#pragma once

#include <cstdint>

#include <weir/primitives/segmented_sort.hpp>

#include "primitives/sort/radix_sweep.hpp"

// Sorts of long segments by the whole device: a histogram of each segment (shaders/sort/segment_histogram.comp), then
// sweeps in which tiles look back within their segment. Each pass is one dispatch for all segments.

namespace weir {

/// The long segments of a segmented sort.
struct LongSegments {
    SweepShape shape;
    bool listed = false;            ///< shaders/sort/segmented_sort.comp lists them; otherwise all segments are long
    std::uint32_t least_keys = ~0U; ///< segments of more keys are long
    std::uint32_t max_segments = 0, max_tiles = 0;
    BufferRef<std::uint32_t> totals, tiles; ///< digit totals and list of tiles; see shaders/sort/radix_plan_interface.h
};

/// Chooses the shape of the sweeps and the maximum numbers of segments and tiles for segments of more than `least_keys`
/// keys. `subgroup` is the one of the sort.
LongSegments choose_long_segments(const Graph& graph, const SubgroupChoice& subgroup,
                                  const detail::SegmentedSortRequest& request, bool listed, std::uint32_t least_keys);

/// Checks the tile of the sweeps and the sizes of the buffers. Fails the graph if they are not valid.
bool check_long_segments(Graph& graph, const detail::SegmentedSortRequest& request, const LongSegments& segments);

/// Adds the buffers of the list, and a pass that clears them if needed. Call it before the pass that lists segments.
void add_list(Graph& graph, const detail::SegmentedSortRequest& request, LongSegments& segments);

/// Adds the passes that sort the segments. `between` and `other_keys` are scratch of the size of the input;
/// `other_keys` is needed if there are no output keys.
void add_long_segments(Graph& graph, const detail::SegmentedSortRequest& request, const LongSegments& segments,
                       const SortItems& between, BufferId other_keys);

} // namespace weir
