#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>

namespace weir {

/// The shape of the kernels; a 0 is chosen by device and size. All shapes give the same results.
struct RadixSortTuning {
    std::uint32_t workgroup = 0;           ///< invocations, at most 16 subgroups
    std::uint32_t keys_per_invocation = 0; ///< of a pass; the tile has workgroup * keys_per_invocation keys
    std::uint32_t rounds = 0;              ///< in which a tile is exchanged through workgroup memory
    std::uint32_t subgroup_size = 0;       ///< where the device lets a pipeline require one
    /// Most keys that one workgroup sorts in a single dispatch. 1: never, but for a single key.
    std::uint32_t single_workgroup_keys = 0;
    std::uint32_t max_spins = 0; ///< polls of a late predecessor before a workgroup computes its value itself
};

struct RadixSortOptions {
    BufferRef<std::uint32_t> values; ///< if valid: moved along with the keys; at least the keys' capacity
    bool descending = false;
    std::uint32_t first_bit = 0; ///< only bits first_bit <= b < end_bit of the keys are compared
    std::uint32_t end_bit = 32;
    BufferRef<std::uint32_t> output_keys;   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<std::uint32_t> output_values; ///< likewise
    FaultInjection faults;                  ///< in the passes; a sort by a single workgroup has none
    BufferRef<std::uint32_t> counters;      ///< if valid: four words that become LookBackCounters, over all passes
    RadixSortTuning tuning;
};

struct RadixSortResult {
    BufferRef<std::uint32_t> keys;
    BufferRef<std::uint32_t> values; ///< not valid if none went in
};

/// Adds a stable sort of the first `keys.count` keys, ascending or descending by the chosen bits; equal keys keep their
/// order, and so do keys that differ in other bits only. Inputs are left alone unless they are the outputs as well.
///
/// Least significant digit first, 8 bits at a time: one pass counts the digits of all keys, then a single sweep per
/// digit moves the keys, its tiles chained by the same look-back with fallback as the scan (after Adinets and Merrill,
/// "Onesweep", and Smith, Levien and Owens). A small capacity is sorted by one workgroup in one dispatch. Scratch
/// memory: 4 bytes per key for two digits or more, as much again for values, and 2048 bytes per tile. Capacity: less
/// than 2^30 keys, else `limit_exceeded`.
WEIR_API RadixSortResult radix_sort(Graph& graph, BufferRef<std::uint32_t> keys, const RadixSortOptions& options = {});

} // namespace weir
