#pragma once

#include <cstdint>

#include <weir/primitives/detail/sort_request.hpp>

#include "primitives/kernel/shapes.hpp"
#include "primitives/sort/radix_tile.hpp"

// Sweeps of radix sorts: passes of shaders/sort/radix_sweep.glsl, which move keys by one digit each.

namespace weir {

/// Shape of the sweeps of a sort.
struct SweepShape {
    SubgroupChoice subgroup;
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0; ///< maximum number of subgroups; each has a row of counters in workgroup memory
    std::uint32_t keys_per_invocation = 0;
    std::uint32_t rounds = 0;
    std::uint32_t max_spins = 0;
    bool ranks_are_checked = false; ///< ORDER_CHECKED in the passes that support it

    [[nodiscard]] std::uint32_t tile() const { return workgroup * keys_per_invocation; }
};

/// Returns the kernel whose rows of shapes.csv a sort uses.
ShapeKernel sort_kernel(const detail::SortRequest& request, const KeyForm& form);

/// Returns the row for sweeps of a sort with this capacity.
const KernelShape& sweep_row(const Capabilities& device, ShapeKernel kernel, std::uint32_t capacity);

/// Chooses the shape by a row of shapes.csv. If the workgroup of `tuning` is too large, only the tile is set.
SweepShape choose_sweep_shape(const Capabilities& device, const SubgroupChoice& subgroup, const RadixSortTuning& tuning,
                              const KernelShape& row, const KeyForm& form);

/// Checks the tile, the rounds and the ranks, and that the tile states fit a buffer. Fails the graph if not.
bool check_sweeps(Graph& graph, const char* primitive, const SweepShape& shape, const RadixSortTuning& tuning,
                  std::uint32_t keys, std::uint64_t tiles);

/// Returns ORDER of pass `pass`. `in_any_order`: the first pass may process keys in any order.
std::uint32_t sweep_order(const SweepShape& shape, const detail::SortRequest& request, const KeyForm& form,
                          std::uint32_t pass, bool in_any_order = true);

/// Keys and values of a sort.
struct SortItems {
    BufferId keys, values;
};

/// A sweep.
struct Sweep {
    SortItems from, to;
    Access key_store = Access::shader_write; ///< access to `to.keys`
    BufferId plan, states, next_states;      ///< `next_states` is not valid in the last pass
    BufferId segment_tiles;                  ///< valid if segments are sorted
    Digit digit;
    std::uint32_t pass = 0;                                ///< number of the pass in the plan
    std::uint32_t order = 0;                               ///< ORDER
    bool reads_numbers = false, writes_numbers = false;    ///< READS_NUMBERS, WRITES_NUMBERS
    bool makes_indices = false, has_local_indices = false; ///< INDICES, LOCAL_INDICES
    std::uint32_t digit_tables = 0, max_tiles = 0;         ///< sorts of segments only
    BufferId bases;                                        ///< valid if a window is swept; see LARGE of the kernel
    std::uint32_t table = 0, first_index = 0;              ///< windows only
};

/// Returns the pass of a sweep, except for its dispatch.
Pass sweep_pass(const Graph& graph, const SweepShape& shape, const detail::SortRequest& request, const KeyForm& form,
                const Packed& shader, const Sweep& sweep);

} // namespace weir
