#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>
#include <weir/primitives/layout.hpp>

// Options and results of the functions that keep some of the elements.

namespace weir {

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results do not depend on it.
struct CompactionTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0;          ///< elements per invocation; at most 32
    std::uint32_t subgroup_size = 0; ///< required subgroup size, if the device supports requiring one
    /// Polls of a late predecessor before a workgroup falls back and counts its elements itself.
    std::uint32_t max_spins = 0;
};

/// Result of a selection. The elements keep the order of the input.
template <class T>
struct SelectResult {
    BufferRef<T> items;               ///< selected elements; count: `count`, limited by the smallest output capacity
    BufferRef<std::uint32_t> indices; ///< index of each selected element in the input; same count as `items`
    BufferRef<std::uint32_t> count;   ///< word p: number of elements of part p, including those that did not fit
};

/// Options of select_if and similar functions. A valid `output_indices` also requests the indices. A valid `output`
/// with `want_items` false is the error `invalid_argument`.
template <class T>
struct SelectOptions {
    BufferRef<T> output = {}; ///< not valid: a new transient with capacity for all elements
    /// Requests the elements. If neither elements nor indices are requested, they are only counted.
    bool want_items = true;
    BufferRef<std::uint32_t> output_indices = {}; ///< not valid: a new transient, if `want_indices` is set
    bool want_indices = false;                    ///< requests the indices of the elements
    BufferRef<std::uint32_t> output_count = {};   ///< one word; not valid: a new transient
    WordLayout input_layout = {};                 ///< layout of the input
    WordLayout output_layout = {};                ///< layout of the items
    CompactionTuning tuning = {};                 ///< kernel shape
};

} // namespace weir
