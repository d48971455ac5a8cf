#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/layout.hpp>

namespace weir {

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results do not depend on it.
struct ExpandTuning {
    std::uint32_t workgroup = 0; ///< invocations per workgroup: a power of two from 2 to the device limit
    std::uint32_t rows = 0;      ///< slots per invocation; at most 32
};

/// Options of expand. A valid output buffer also requests that output. If no output is requested, slots are only
/// counted.
struct ExpandOptions {
    std::uint32_t capacity = 0;                   ///< capacity, in slots, of outputs that are not provided
    bool want_sources = true;                     ///< requests the item of each slot
    bool want_ranks = false;                      ///< requests the position of each slot among the slots of its item
    BufferRef<std::uint32_t> output_sources = {}; ///< not valid: a new transient, if requested
    BufferRef<std::uint32_t> output_ranks = {};   ///< not valid: a new transient, if requested
    BufferRef<std::uint32_t> output_offsets = {}; ///< capacity for all items; not valid: a new transient
    BufferRef<std::uint32_t> output_count = {};   ///< one word; not valid: a new transient
    ExpandTuning tuning = {};                     ///< kernel shape
};

/// Result of an expansion. The slots of an item follow those of the item before it.
struct ExpandResult {
    BufferRef<std::uint32_t> sources; ///< item of each slot; count: `count`, limited by the smallest output capacity
    BufferRef<std::uint32_t> ranks;   ///< position of each slot among the slots of its item; same count as `sources`
    BufferRef<std::uint32_t> offsets; ///< index of the first slot of each item
    /// One word: number of slots, including those that did not fit. Numbers above 2^32 - 1 are stored as 2^32 - 1.
    BufferRef<std::uint32_t> count;
};

/// Adds an expansion, the inverse of a compaction. Item i gets counts[i] slots, possibly none. Each slot receives the
/// index of its item and, if requested, its position among the slots of the item. Work that differs from item to item
/// is thus spread evenly: later passes have one invocation per slot. The number of slots stays on the GPU and can be
/// the count of later passes.
///
/// If an output has a smaller capacity than the number of slots, every output receives only the first slots, up to the
/// smallest capacity, and nothing is written out of bounds. `count` still holds the number of all slots. If the counts
/// add up to 2^32 or more, `count` and all offsets above 2^32 - 1 are stored as 2^32 - 1, and the slots that fit are
/// still correct. Outputs must not be the input or another output.
///
/// Algorithm: the counts are scanned by the decoupled-fallback scan of Smith, Levien and Owens. Each slot then finds
/// its item by the load-balancing search of Baxter. Two dispatches, and a small one that computes the size of the
/// second. Speed depends on the number of slots, hardly on their distribution. Scratch memory: 4 bytes per item, and
/// that of the scan. The maximum number of items is that of `scan`.
///
/// Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice, for a requested
/// output that is not provided while `capacity` is 0, or for a shape that the device cannot run; `limit_exceeded` for
/// too many items, or if the kernel needs more workgroup memory than the device has.
WEIR_API ExpandResult expand(const GraphCall& graph, BufferRef<std::uint32_t> counts,
                             const ExpandOptions& options = {});

/// Adds an expansion with known offsets. Item i has the slots from offsets[i] to before offsets[i + 1]; the slots of
/// the last item end before `slot_count`. Offsets must ascend from 0. If two consecutive offsets are equal, the first
/// of the two items has no slots.
///
/// A scan by the application wraps if counts add up to 2^32 or more. The offsets that `expand` returns with
/// `want_sources` false do not wrap.
///
/// One dispatch. The options `output_offsets` and `output_count` must not be set, and the result has no `count`. If
/// `slot_count` is on the GPU, outputs may have a smaller capacity than the number of slots, as in `expand`; otherwise
/// this is the error `invalid_argument`. If `capacity` is 0, new outputs have capacity for all slots.
WEIR_API ExpandResult expand_offsets(const GraphCall& graph, BufferRef<std::uint32_t> offsets, const Count& slot_count,
                                     const ExpandOptions& options = {});

namespace detail {

/// A request for the outputs of each slot. One output may be the value of the slot's item. Outputs that are not valid
/// are not written.
struct ExpandRequest {
    const char* name = "";
    BufferRef<std::uint32_t> counts = {}; ///< slots per item; optional
    /// With `counts`: receives the offsets computed from them; not valid: a new transient. Without `counts`: the input.
    BufferRef<std::uint32_t> offsets = {};
    BufferRef<std::uint32_t> total = {}; ///< receives the sum of `counts`; not valid: a new transient
    Count slot_count = {};               ///< number of slots; without `counts` only
    BufferRef<std::uint32_t> sources = {}, ranks = {};
    std::uint32_t element_words = 0;               ///< words per value; 0: no values
    BufferId values = {}, items = {};              ///< value of each item; output: the value of each slot's item
    std::uint64_t value_words = 0, item_words = 0; ///< sizes of `values` and `items` in words
    WordLayout value_layout = {}, item_layout = {};
    ExpandTuning tuning = {};
};

/// Adds the passes. `sources` of the result has the count of slots even if it is not requested.
WEIR_API ExpandResult add_expand(Graph& graph, ExpandRequest request);

} // namespace detail

} // namespace weir
