#pragma once

#include <cstdint>
#include <string>

#include <weir/primitives/merge.hpp>

#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"

namespace weir {

struct MergePathInterface {
#include "shaders/search/merge_interface.h"
};

/// Minimum number of keys of both arrays that is refused. With fewer keys, positions a little past the end fit in 32
/// bits.
constexpr std::uint64_t too_many_merged_keys = (std::uint64_t{1} << 32) - (1U << 20);

/// State shared by the passes of a merge path of two arrays; see shaders/search/merge_path.glsl.
struct MergePath {
    /// Workgroups have `most_workgroup` invocations, or the maximum of the device if that is less. Each invocation has
    /// `items` keys.
    MergePath(Graph& graph, const char* name, ElementType element, const detail::MergeRequest::Array& first,
              const detail::MergeRequest::Array& second, std::uint32_t most_workgroup, std::uint32_t items);

    /// Returns a pass with both arrays, their counts and the constants.
    Pass pass(const Packed& shader, const std::string& pass_name) const;

    /// Adds the pass that finds where each tile begins. Returns one position in the first array per tile, and the
    /// position at which the last tile ends.
    BufferRef<std::uint32_t> add_splits() const;

    Graph& graph;
    const char* name;
    BufferId first_keys, second_keys;
    Count first_count, second_count;
    SubgroupChoice subgroup;
    std::uint32_t most; ///< maximum number of keys
    std::uint32_t workgroup;
    std::uint32_t tile; ///< keys per workgroup
    std::uint32_t tiles;
    std::uint32_t split_lanes; ///< lanes that search for one position
    MergePathInterface constants;
};

} // namespace weir
