#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// The shape of the kernel; 0: chosen by device and size. Results do not depend on it.
struct ExpandTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from 2 to the limit of the device
    std::uint32_t rows = 0;      ///< slots per invocation, up to 32
};

/// Options of expand. An output that is given is also wanted. Without any output, slots are only counted.
struct ExpandOptions {
    std::uint32_t capacity = 0;             ///< slots that outputs have room for, where they are not given
    bool wants_sources = true;              ///< whether the item of each slot is wanted
    bool wants_ranks = false;               ///< whether the position of each slot among the slots of its item is wanted
    BufferRef<std::uint32_t> sources = {};  ///< not valid: a new transient, if wanted
    BufferRef<std::uint32_t> ranks = {};    ///< not valid: a new transient, if wanted
    BufferRef<std::uint32_t> offsets = {};  ///< room for all items; not valid: a new transient
    BufferRef<std::uint32_t> count = {};    ///< a word; not valid: a new transient
    FaultInjection faults = {};             ///< for tests; in the scan of the counts
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters, of that scan
    ExpandTuning tuning = {};               ///< shape of the kernel
};

/// The slots of all items, item after item.
struct Expanded {
    BufferRef<std::uint32_t> sources; ///< item of each slot; count: `count`, but at most what every output has room for
    BufferRef<std::uint32_t> ranks;   ///< position of each slot among the slots of its item; the same count
    BufferRef<std::uint32_t> offsets; ///< first slot of each item
    /// A word: number of slots, including those that did not fit. 2^32 - 1 stands for this number and all greater ones.
    BufferRef<std::uint32_t> count;
};

/// Adds an expansion, the inverse of a compaction: item i gets counts[i] slots, possibly none, and each slot learns its
/// item and its position among the slots of the item. So work that differs from item to item is spread evenly: the
/// passes that follow have one invocation per slot. The number of slots stays on the GPU and can be the count of what
/// follows.
///
/// Where an output has room for fewer slots, every output gets as many of the first ones, and nothing is written past
/// the end; `count` still has the number of all slots. If the counts add up to 2^32 or more, `count` and the offsets
/// past 2^32 - 1 are 2^32 - 1, and the slots that fit are still right. Outputs must not be the input or another output.
///
/// Two dispatches, and a small one that sizes the second: the counts are scanned by the decoupled-fallback scan of
/// Smith, Levien and Owens, and each slot finds its item by the load-balancing search of Baxter. Speed depends on the
/// number of slots, hardly on their distribution. Scratch: 4 bytes per item, and that of the scan. Capacity: as `scan`.
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small or used twice, an output that is
/// not given and has no capacity, and a shape that the device cannot run; `limit_exceeded` for too many items, or more
/// workgroup memory than the device has.
WEIR_API Expanded expand(const GraphCall& graph, BufferRef<std::uint32_t> counts, const ExpandOptions& options = {});

/// The same where the offsets are known: the slots of item i are offsets[i] to before offsets[i + 1]; those of the last
/// item end before `slot_count`. Offsets ascend from 0; where two are equal, the first of both items has no slots. A
/// scan of your own wraps where counts add up to 2^32 or more; the offsets of `expand` with `wants_sources` false do
/// not. One
/// dispatch. The options `offsets`, `count`, `faults` and `counters` are not allowed, and the result has no `count`. If
/// `slot_count` is on the GPU, outputs may have room for fewer slots, as above; otherwise that is `invalid_argument`.
/// Without a capacity, new outputs have room for all slots.
WEIR_API Expanded expand_offsets(const GraphCall& graph, BufferRef<std::uint32_t> offsets, const Count& slot_count,
                                 const ExpandOptions& options = {});

namespace detail {

/// An expansion with its outputs for each slot, the value of its item included. Buffers that are not valid are not
/// wanted.
struct ExpandRequest {
    const char* name = "";
    BufferRef<std::uint32_t> counts = {}; ///< of items
    /// Computed from the counts if these are valid; if not valid itself, a new transient.
    BufferRef<std::uint32_t> offsets = {};
    BufferRef<std::uint32_t> total = {}; ///< likewise
    Count slot_count = {};               ///< if there are no counts
    BufferRef<std::uint32_t> sources = {}, ranks = {};
    std::uint32_t element_words = 0;               ///< of values
    BufferId values = {}, items = {};              ///< an item's value becomes that of all of its slots
    std::uint64_t value_words = 0, item_words = 0; ///< their sizes
    WordLayout value_layout = {}, item_layout = {};
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    ExpandTuning tuning = {};
};

/// Adds the passes. `sources` of the result has the count even if they are not wanted.
WEIR_API Expanded add_expand(Graph& graph, ExpandRequest request);

} // namespace detail

} // namespace weir
