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

/// The most keys of both arrays, and one more: places a little past the end fit 32 bits.
constexpr std::uint64_t too_many_merged_keys = (std::uint64_t{1} << 32) - (1U << 20);

/// What the passes of a merge path of two arrays have in common; see shaders/search/merge_path.glsl.
struct MergePath {
    /// Of workgroups of `most_workgroup` invocations, or as many as the device can run, with `items` keys each.
    MergePath(Graph& graph, const char* name, ElementType element, const detail::MergeRequest::Array& first,
              const detail::MergeRequest::Array& second, std::uint32_t most_workgroup, std::uint32_t items);

    /// A pass that has both arrays, and the constants.
    Pass pass(const Packed& shader, const std::string& pass_name) const;

    /// Adds the pass that finds where each tile begins. Returns a place of the first array for each tile, and its end.
    BufferRef<std::uint32_t> add_splits() const;

    Graph& graph;
    const char* name;
    BufferId first_keys, second_keys;
    CountInputs firsts, seconds;
    SubgroupChoice subgroup;
    std::uint32_t most; ///< keys
    std::uint32_t workgroup;
    std::uint32_t tile; ///< keys of a workgroup
    std::uint32_t tiles;
    std::uint32_t split_lanes; ///< that search for a place
    MergePathInterface constants;
};

} // namespace weir
