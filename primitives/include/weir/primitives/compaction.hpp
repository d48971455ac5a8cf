#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction_tuning.hpp>
#include <weir/primitives/layout.hpp>

// Options and results of the functions that keep some of the elements.

namespace weir {

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
