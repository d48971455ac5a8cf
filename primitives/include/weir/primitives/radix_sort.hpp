#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/sort_request.hpp>

namespace weir {

/// The shape of the kernels; 0: chosen by device and size. Results do not depend on it.
struct RadixSortTuning {
    std::uint32_t workgroup = 0;           ///< invocations, at most 16 subgroups
    std::uint32_t keys_per_invocation = 0; ///< of a pass; the tile has workgroup * keys_per_invocation keys
    std::uint32_t rounds = 0;              ///< fewest, at most 64, in which a tile is exchanged in workgroup memory
    std::uint32_t subgroup_size = 0;       ///< where the device lets a pipeline require one
    /// Most keys that one workgroup sorts in a single dispatch. 1: only a single key.
    std::uint32_t single_workgroup_keys = 0;
    std::uint32_t max_spins = 0; ///< polls of a late predecessor before a workgroup computes its value itself
    RadixRanks ranks = RadixRanks::automatic; ///< how keys with equal digits are kept in order
};

/// Options of radix_sort. K is the type of the keys, V that of the values: any trivially copyable type of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct RadixSortOptions {
    BufferRef<V> values = {}; ///< if valid: move along with the keys; at least the capacity of the keys
    bool indices = false;     ///< the values are the indices of the keys, std::uint32_t; no values go in
    bool descending = false;  ///< greatest key first
    /// Only bits first_bit <= b < end_bit are compared, of the unsigned number that has the order of the keys.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    bool keys = true;                ///< whether the sorted keys are wanted; otherwise values or indices have to be
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< not valid: a new transient; the values' own buffer: sorted in place
    FaultInjection faults = {};      ///< for tests; a sort by a single workgroup has `out_of_order` only
    BufferRef<std::uint32_t> counters =
        {};                      ///< if valid: four or five words that become LookBackCounters, over all passes
    RadixSortTuning tuning = {}; ///< shape of the kernels
};

/// The result of radix_sort.
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

/// Adds a stable sort of the first `keys.count` keys, ascending or descending by the chosen bits. Equal keys keep their
/// order, and so do keys that differ in other bits only. Inputs do not change unless they are the outputs as well.
///
/// Keys are uint8_t, int8_t, uint16_t, int16_t, Half, uint32_t, int32_t, float, uint64_t, int64_t or double. No device
/// feature is needed; narrow keys are packed in buffers as on the host, four or two per word. Floats are in the total
/// order of IEEE 754: negative NaNs, -infinity, ..., -0, +0, ..., +infinity, positive NaNs; all bits of all keys are
/// kept. Bits are counted from the lowest bit of the unsigned number that represents a key: its highest bit is the
/// inverted sign, and the other bits of a negative float are inverted as well.
///
/// Least significant digit first, 8 bits at a time: one pass counts the digits of all keys, then one sweep per digit
/// moves the keys, with the same look-back with fallback between tiles as the scan (after Adinets and Merrill,
/// "Onesweep", and Smith, Levien and Owens). Two sweeps in succession whose digits are equal in all keys move nothing,
/// which the GPU decides; but the first sweep always moves keys if the result is in another buffer, and the first and
/// the last sweep always move floats, and signed keys of 8 and 16 bits. A small capacity is sorted by one workgroup in
/// one dispatch.
///
/// Scratch memory: one key per key for two digits or more, likewise one value per value, and 2048 bytes per tile. A
/// sort in place by an odd number of digits or by one workgroup takes the same again, and what follows the first
/// `keys.count` keys is then undefined; so does a third digit where the sorted keys are not wanted.
///
/// Keys of 8 or 16 bits stay packed where Capabilities::narrow_storage. Elsewhere, and in sorts in place by an odd
/// number of digits, by one workgroup or by no bits, they are widened to words by one more pass, sorted, and packed
/// again by another. That takes 8 bytes per key, or 4 where keys have 8 bits, or are compared by at most 8 bits, and
/// are not wanted back; values are as above. A buffer of narrow keys has room for whole words. Bytes of the last word
/// that are not keys are kept, also in place; nothing else may write them meanwhile.
///
/// Errors: `limit_exceeded` for 2^30 keys and more; `invalid_argument` for a count that may exceed `keys.capacity`,
/// bits that keys do not have, outputs or values for fewer than `keys.capacity`, and a buffer in two places, except an
/// input that is its own output.
template <class K, class V = std::uint32_t>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys,
                                 const std::type_identity_t<RadixSortOptions<K, V>>& options = {}) {
    RadixSortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "radix sort", keys, options, result)) {
        detail::add_radix_sort(graph, {*request, &options.faults, options.counters, options.tuning});
    }
    return result;
}

/// The same for values of any type, which replace those of the options.
template <class K, class V>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                 std::type_identity_t<RadixSortOptions<K, V>> options = {}) {
    options.values = values;
    return radix_sort<K, V>(graph, keys, options);
}

/// The indices of the keys in sorted order. The sorted keys are written only if the options have an output for them.
template <class K>
BufferRef<std::uint32_t> argsort(const GraphCall& graph, BufferRef<K> keys,
                                 std::type_identity_t<RadixSortOptions<K>> options = {}) {
    options.indices = true;
    options.keys = options.output_keys.valid();
    return radix_sort(graph, keys, options).values;
}

} // namespace weir
