#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
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

/// K is the type of the keys, V that of the values: anything of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct RadixSortOptions {
    BufferRef<V> values;  ///< if valid: moved along with the keys; at least the keys' capacity
    bool indices = false; ///< the values, a uint32_t each, are where the keys were; none go in
    bool descending = false;
    /// Only bits first_bit <= b < end_bit are compared: of the number whose unsigned order is that of the keys.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8;
    bool keys = true;           ///< whether the sorted keys are wanted; without them, values or indices have to be
    BufferRef<K> output_keys;   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values; ///< likewise
    FaultInjection faults;      ///< in the passes; a sort by a single workgroup has none
    BufferRef<std::uint32_t> counters; ///< if valid: four words that become LookBackCounters, over all passes
    RadixSortTuning tuning;
};

template <class K = std::uint32_t, class V = std::uint32_t>
struct RadixSortResult {
    BufferRef<K> keys;   ///< not valid if not wanted
    BufferRef<V> values; ///< not valid if none went in and they are no indices
};

namespace detail {

/// A sort whose types are only known at run time.
struct RadixSortRequest {
    Scalar key = Scalar::u32; ///< of 32 or 64 bits; narrow keys are numbers of the same kind
    std::uint32_t key_bits = 32;
    Count count;
    BufferId keys, values;               ///< values: if valid
    BufferId output_keys, output_values; ///< valid if wanted
    std::uint32_t capacity = 0, value_capacity = 0, output_key_capacity = 0, output_value_capacity = 0;
    std::uint32_t value_words = 0; ///< 0: no values
    bool indices = false;
    bool descending = false;
    std::uint32_t first_bit = 0, end_bit = 0;
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters;
    RadixSortTuning tuning;
};

/// Adds the passes.
WEIR_API void add_radix_sort(Graph& graph, const RadixSortRequest& request);

/// The number that a key is; a narrow one sorts like that of 32 bits.
template <class K>
struct SortKey {
    static constexpr ElementType number = element_type<K>;
};
template <>
struct SortKey<std::uint8_t> : SortKey<std::uint32_t> {};
template <>
struct SortKey<std::int8_t> : SortKey<std::int32_t> {};
template <>
struct SortKey<std::uint16_t> : SortKey<std::uint32_t> {};
template <>
struct SortKey<std::int16_t> : SortKey<std::int32_t> {};
template <>
struct SortKey<Half> : SortKey<float> {};

template <class K>
inline constexpr bool is_sort_key = SortKey<K>::number.scalar != Scalar::custom&& SortKey<K>::number.components == 1;

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
/// Errors: `limit_exceeded` for 2^30 keys and more; `invalid_argument` for bits that keys do not have, outputs or
/// values for fewer than `keys.capacity`, and a buffer in two places, other than an input that is its own output.
template <class K, class V = std::uint32_t>
RadixSortResult<K, V> radix_sort(Graph& graph, BufferRef<K> keys,
                                 const std::type_identity_t<RadixSortOptions<K, V>>& options = {}) {
    static_assert(detail::is_sort_key<K>, "keys are numbers of 8, 16, 32 or 64 bits");
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % 4 == 0 && sizeof(V) <= 16,
                  "a value has 1 to 4 words of 32 bits");
    const auto fail = [&](const char* why) {
        graph.fail({ErrorCode::invalid_argument, std::string("radix sort: ") + why});
        return RadixSortResult<K, V>{};
    };
    if (!keys.valid()) {
        return fail("the input is no buffer of any graph");
    }
    const bool has_values = options.values.valid() || options.indices;
    if (options.indices && (options.values.valid() || !std::is_same_v<V, std::uint32_t>)) {
        return fail("indices are the values, of 32 bits, and others are given");
    }
    if ((!options.keys && (!has_values || options.output_keys.valid())) ||
        (!has_values && options.output_values.valid())) {
        return fail("an output is given that is not wanted, or none is wanted");
    }
    RadixSortResult<K, V> result;
    if (options.keys) {
        result.keys = options.output_keys.valid() ? options.output_keys.with_count(keys.count)
                                                  : graph.transient_buffer<K>("sorted keys", keys.capacity, keys.count);
    }
    if (has_values) {
        result.values = options.output_values.valid()
                            ? options.output_values.with_count(keys.count)
                            : graph.transient_buffer<V>("sorted values", keys.capacity, keys.count);
    }
    detail::add_radix_sort(graph, {.key = detail::SortKey<K>::number.scalar,
                                   .key_bits = sizeof(K) * 8,
                                   .count = keys.count,
                                   .keys = keys,
                                   .values = options.values,
                                   .output_keys = result.keys,
                                   .output_values = result.values,
                                   .capacity = keys.capacity,
                                   .value_capacity = options.values.capacity,
                                   .output_key_capacity = result.keys.capacity,
                                   .output_value_capacity = result.values.capacity,
                                   .value_words = has_values ? static_cast<std::uint32_t>(sizeof(V) / 4) : 0,
                                   .indices = options.indices,
                                   .descending = options.descending,
                                   .first_bit = options.first_bit,
                                   .end_bit = options.end_bit,
                                   .faults = &options.faults,
                                   .counters = options.counters,
                                   .tuning = options.tuning});
    return result;
}

/// The same for values of any type, which take the place of those of the options.
template <class K, class V>
RadixSortResult<K, V> radix_sort(Graph& graph, BufferRef<K> keys, BufferRef<V> values,
                                 std::type_identity_t<RadixSortOptions<K, V>> options = {}) {
    options.values = values;
    return radix_sort<K, V>(graph, keys, options);
}

/// Where the keys were that a sort puts first, second, ...: the order as indices, without the keys unless there is an
/// output for them.
template <class K>
BufferRef<std::uint32_t> argsort(Graph& graph, BufferRef<K> keys,
                                 std::type_identity_t<RadixSortOptions<K>> options = {}) {
    options.indices = true;
    options.keys = options.output_keys.valid();
    return radix_sort(graph, keys, options).values;
}

} // namespace weir
