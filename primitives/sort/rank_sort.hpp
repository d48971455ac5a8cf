#pragma once

#include <cstdint>

#include <weir/primitives/detail/sort_request.hpp>
#include <weir/primitives/segments.hpp>

#include "primitives/sort/radix_sweep.hpp"

// Rank sorts: shaders/sort/rank_sort.comp, which finds the place of each key by comparing it with all keys of its
// segment. One dispatch of the whole device, for sorts of few keys.

namespace weir {

/// Returns the maximum number of comparisons of a rank sort: `wanted`, which is max_comparisons of the tuning, or if it
/// is 0, a number for which rank sorts take less time on the device than radix sorts. `is_default`: no member of the
/// tuning is set. `sweeps`: number of times that a radix sort moves the keys or values. Returns 0 if the workgroups of
/// the device are too small for the kernel.
std::uint64_t most_comparisons(const Capabilities& device, std::uint64_t wanted, bool is_default, std::uint32_t sweeps);

/// A rank sort of a request that was checked.
struct RankSort {
    SortItems from, to;                      ///< different buffers
    Access key_store = Access::shader_write; ///< access to `to.keys`
    Segments segments = {};                  ///< no kind: all keys are one segment
    std::uint32_t longest = 0;               ///< maximum length of a segment
    bool has_local_indices = false;          ///< LOCAL_INDICES
};

/// Adds the pass.
void add_rank_sort(Graph& graph, const char* name, const detail::SortRequest& request, const KeyForm& form,
                   const RankSort& sort);

} // namespace weir
