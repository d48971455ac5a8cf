#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// The shape of the kernel; a 0 is chosen by device and size. Results do not depend on it.
struct ExpandTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from 2 to the device's limit
    std::uint32_t rows = 0;      ///< slots per invocation, up to 32
};

/// What is wanted of the slots. A given output is one that is wanted; without any, slots are only counted.
struct ExpandOptions {
    std::uint32_t capacity = 0;             ///< slots that there is room for in outputs that are not given
    bool wants_sources = true;              ///< whether it is wanted which item each slot belongs to
    bool wants_ranks = false;               ///< whether it is wanted how many slots its item has before it
    BufferRef<std::uint32_t> sources = {};  ///< not valid: a new transient, if they are wanted
    BufferRef<std::uint32_t> ranks = {};    ///< likewise
    BufferRef<std::uint32_t> offsets = {};  ///< room for all items; not valid: a new transient
    BufferRef<std::uint32_t> count = {};    ///< a word; not valid: a new transient
    FaultInjection faults = {};             ///< in the scan of the counts
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters, of that scan
    ExpandTuning tuning = {};
};

/// The slots of all items, one item's after the other's.
struct Expanded {
    BufferRef<std::uint32_t> sources; ///< of each its item; count: `count`, but never more than any output has room for
    BufferRef<std::uint32_t> ranks;   ///< of each its place among its item's; likewise
    BufferRef<std::uint32_t> offsets; ///< of each item its first slot
    BufferRef<std::uint32_t> count;   ///< a word: how many slots there are, those without room included
};

/// Adds an expansion, the inverse of a compaction: item i gets counts[i] slots, which may be none, and each slot learns
/// which item it belongs to and which of its slots it is. So work that differs from item to item is shared out evenly:
/// the passes that follow have one invocation for each slot. How many slots there are stays on the GPU and can be the
/// count of what follows; it has to be less than 2^32.
///
/// Where an output has room for fewer, as many of the first ones are written to every output, and nothing past the end
/// of any; `count` still tells how many there are. No output may also be the input or another output.
///
/// Two dispatches, and a small one that sizes the second: the counts are scanned, by the decoupled-fallback scan of
/// Smith, Levien and Owens, and each slot looks for its item, by Baxter's load-balancing search: its speed depends on
/// how many slots there are, hardly on who has them. Scratch: 4 bytes for each item, and the scan's. Capacity: as of
/// `scan`. Errors, which `compile` reports: `invalid_argument` for buffers that are too small or are used twice, an
/// output that is neither given nor has a capacity, and a shape that the device cannot run; `limit_exceeded` for too
/// many items, and for more workgroup memory than the device has.
WEIR_API Expanded expand(const GraphCall& graph, BufferRef<std::uint32_t> counts, const ExpandOptions& options = {});

/// The same where it is known where each item's slots begin: at offsets[i], up to the next item's, and for the last one
/// up to `slot_count`. Offsets ascend from 0; two that are the same are those of an item without slots and the one
/// after it. One dispatch. `offsets`, `count`, `faults` and `counters` are no options here, and no `count` comes back.
/// If only the GPU knows `slot_count`, outputs may have room for fewer, as above; otherwise that is `invalid_argument`.
/// Outputs that are not given have room for all if no capacity is.
WEIR_API Expanded expand_offsets(const GraphCall& graph, BufferRef<std::uint32_t> offsets, const Count& slot_count,
                                 const ExpandOptions& options = {});

namespace detail {

/// An expansion with what is written for each slot, the value of its item included. What is not valid is not wanted.
struct ExpandRequest {
    const char* name = "";
    BufferRef<std::uint32_t> counts = {}; ///< of items
    BufferRef<std::uint32_t> offsets =
        {}; ///< made of the counts if these are valid; if not valid itself, a new transient
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

/// Adds the passes. `sources` of what it returns has the count also if they are not wanted.
WEIR_API Expanded add_expand(Graph& graph, ExpandRequest request);

} // namespace detail

} // namespace weir
