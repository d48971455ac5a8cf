#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/sort_request.hpp>

namespace weir {

/// How keys of a tile that share a digit are kept in order. There is a choice for keys of 32 or 64 bits without values
/// that are compared by all bits, in all passes but the first (which may take them in any order), with tiles of at most
/// 2^15 keys; else they are `voted`.
enum class RadixRanks : std::uint32_t {
    automatic, ///< `checked` where Capabilities::atomics_in_lane_order
    voted,     ///< by ballots of each subgroup, in any case right
    checked,   ///< by atomics, as they come; a tile whose keys are then out of order is written again, `voted`
};

/// The shape of the kernels; a 0 is chosen by device and size. All shapes give the same results.
struct RadixSortTuning {
    std::uint32_t workgroup = 0;           ///< invocations, at most 16 subgroups
    std::uint32_t keys_per_invocation = 0; ///< of a pass; the tile has workgroup * keys_per_invocation keys
    std::uint32_t rounds = 0;              ///< in which a tile is exchanged through workgroup memory, at least
    std::uint32_t subgroup_size = 0;       ///< where the device lets a pipeline require one
    /// Most keys that one workgroup sorts in a single dispatch. 1: never, but for a single key.
    std::uint32_t single_workgroup_keys = 0;
    std::uint32_t max_spins = 0; ///< polls of a late predecessor before a workgroup computes its value itself
    RadixRanks ranks = RadixRanks::automatic;
};

/// K is the type of the keys, V that of the values: anything of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct RadixSortOptions {
    BufferRef<V> values = {}; ///< if valid: moved along with the keys; at least the keys' capacity
    bool indices = false;     ///< the values, a uint32_t each, are where the keys were; none go in
    bool descending = false;
    /// Only bits first_bit <= b < end_bit are compared: of the number whose unsigned order is that of the keys.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8;
    bool keys = true;                ///< whether the sorted keys are wanted; without them, values or indices have to be
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< likewise
    FaultInjection faults = {};      ///< in the passes; a sort by a single workgroup has none
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters, over all passes
    RadixSortTuning tuning = {};
};

template <class K = std::uint32_t, class V = std::uint32_t>
using RadixSortResult = SortResult<K, V>;

namespace detail {

struct RadixSortRequest : SortRequest {
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
    RadixSortTuning tuning = {};
};

/// Adds the passes.
WEIR_API void add_radix_sort(Graph& graph, const RadixSortRequest& request);

} // namespace detail

/// Adds a stable sort of the first `keys.count` keys, ascending or descending by the chosen bits; equal keys keep their
/// order, and so do keys that differ in other bits only. Inputs are left alone unless they are the outputs as well.
///
/// Keys are uint8_t, int8_t, uint16_t, int16_t, Half, uint32_t, int32_t, float, uint64_t, int64_t or double; none needs
/// a feature of the device, and narrow ones lie in buffers as on the host, four or two to a word. Floats are in the
/// total order of IEEE 754: negative NaNs, -infinity, ..., -0, +0, ..., +infinity, positive NaNs; all bits of all
/// keys are kept. Bits are counted from the lowest of the unsigned number that takes a key's place: the sign, inverted,
/// is the highest one, and the others of a negative float are inverted as well.
///
/// Least significant digit first, 8 bits at a time: one pass counts the digits of all keys, then a single sweep per
/// digit moves the keys, its tiles chained by the same look-back with fallback as the scan (after Adinets and Merrill,
/// "Onesweep", and Smith, Levien and Owens). Two sweeps in succession whose digits are the same for all keys move
/// nothing, which the GPU decides; but the first one always moves them if the result is elsewhere, and the first and
/// the last one those of floats. A small capacity is sorted by one workgroup in one dispatch.
///
/// Scratch memory: a key per key for two digits or more, a value per value likewise, and 2048 bytes per tile. A sort by
/// an odd number of digits or one workgroup, in place, takes as much once more, and what follows the first `keys.count`
/// keys may then be anything; so does a third digit where the sorted keys are not wanted.
///
/// Keys of 8 or 16 bits are sorted as words that one more pass makes of them, and another one packs again. That takes 8
/// bytes per key, or 4 where the keys are of 8 bits, or compared by no more, and not wanted back. Values are as above.
/// A buffer of such keys has room for whole words, of which those that the sorted keys fill in part keep their other
/// bytes, also in place; nothing else may write these meanwhile.
///
/// Errors: `limit_exceeded` for 2^30 keys and more; `invalid_argument` for a count that may be past `keys.capacity`,
/// bits that keys do not have, outputs or values for fewer than `keys.capacity`, and a buffer in two places, other than
/// an input that is its own output.
template <class K, class V = std::uint32_t>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys,
                                 const std::type_identity_t<RadixSortOptions<K, V>>& options = {}) {
    RadixSortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "radix sort", keys, options, result)) {
        detail::add_radix_sort(graph, {*request, &options.faults, options.counters, options.tuning});
    }
    return result;
}

/// The same for values of any type, which take the place of those of the options.
template <class K, class V>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                 std::type_identity_t<RadixSortOptions<K, V>> options = {}) {
    options.values = values;
    return radix_sort<K, V>(graph, keys, options);
}

/// Where the keys were that a sort puts first, second, ...: the order as indices, without the keys unless there is an
/// output for them.
template <class K>
BufferRef<std::uint32_t> argsort(const GraphCall& graph, BufferRef<K> keys,
                                 std::type_identity_t<RadixSortOptions<K>> options = {}) {
    options.indices = true;
    options.keys = options.output_keys.valid();
    return radix_sort(graph, keys, options).values;
}

} // namespace weir
