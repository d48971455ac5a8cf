#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/sort_request.hpp>
#include <weir/primitives/sort_types.hpp>

namespace weir {

/// Options of radix_sort. K is the key type. V is the value type: any trivially copyable type of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct RadixSortOptions {
    BufferRef<V> values = {};  ///< if valid: values that move with the keys; capacity at least that of the keys
    bool want_indices = false; ///< use the indices of the keys as values; V is std::uint32_t and `values` is not set
    bool descending = false;   ///< largest key first
    /// Bits [first_bit, end_bit) are compared, of the unsigned integer that has the same order as the key.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    bool want_keys = true;                 ///< write the sorted keys; if false, `values` or `want_indices` must be set
    BufferRef<K> output_keys = {};         ///< not valid: a new transient; may be the keys' own buffer
    BufferRef<V> output_values = {};       ///< not valid: a new transient; may be the values' own buffer
    RadixSortTuning tuning = {};           ///< shape of the kernels
};

/// Result of radix_sort.
template <class K = std::uint32_t, class V = std::uint32_t>
using RadixSortResult = SortResult<K, V>;

namespace detail {

struct RadixSortRequest : SortRequest {
    RadixSortTuning tuning = {};
};

/// Adds the passes.
WEIR_API void add_radix_sort(Graph& graph, const RadixSortRequest& request);

} // namespace detail

/// Adds a stable radix sort of the first `keys.count` keys and returns the sorted buffers.
///
/// Compares bits [first_bit, end_bit), ascending or descending. Keys that are equal in these bits keep their order.
/// Inputs are not modified unless they are also outputs.
///
/// Key types: uint8_t, int8_t, uint16_t, int16_t, Half, BFloat16, uint32_t, int32_t, float, uint64_t, int64_t, double.
/// No device feature is required. Keys of 8 or 16 bits are packed in buffers as on the host, four or two per word.
/// Floats sort in IEEE 754 total order: negative NaNs, -infinity, ..., -0, +0, ..., +infinity, positive NaNs. All bits
/// of all keys are kept. Bits are numbered in the unsigned integer that has the same order as the key: the sign bit of
/// a signed key is inverted, and for negative floats all other bits are inverted too.
///
/// Algorithm: least significant digit first, 8 bits per pass. One pass counts the digits of all keys. One sweep per
/// digit moves the keys, with decoupled look-back and fallback between tiles, as in the scan (Adinets and Merrill,
/// "Onesweep"; Smith, Levien and Owens). If two consecutive digits are equal in all keys, the GPU skips both sweeps.
/// The first sweep is never skipped if the result is in another buffer than the input, or if the number of digits is
/// odd. The first and the last sweep are never skipped for floats and for signed keys of 8 or 16 bits. Small capacities
/// take one dispatch: the whole device ranks each key by comparing it with all others (Knuth, "comparison counting"),
/// or one workgroup sorts all keys.
///
/// Scratch memory: one key per key if there are two or more digits, one value per value in the same case, and 2048
/// bytes per tile. Sorting in place with an odd number of digits or in one dispatch needs the same keys and values
/// again, and elements of the outputs beyond the first `keys.count` are then undefined. If the sorted keys are not
/// requested, three or more digits need one more key per key.
///
/// Keys of 8 or 16 bits stay packed if Capabilities::narrow_storage is set. Without it, and for sorts in place with an
/// odd number of digits, in one dispatch or by no bits, one more pass widens the keys to words and another packs the
/// sorted ones. This needs 8 bytes per key; or 4 if the sorted keys are not requested and either the keys have 8 bits
/// or at most 8 bits are compared. Memory for values does not change. A buffer of narrow keys has capacity for whole
/// words. Bytes of the last word beyond the keys are kept, also in place; no other pass or queue may write them during
/// the sort.
///
/// If a buffer exceeds Capabilities::max_storage_range, each sweep has one dispatch per window of that size, and stores
/// by address: outputs that are imports need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT. No sweep is skipped. Scratch
/// memory: additionally 8 KiB per window.
///
/// Errors: `limit_exceeded` for 2^30 or more keys in one dispatch, and for buffers that exceed max_storage_range if the
/// device has no Capabilities::buffer_address or the keys have 8 or 16 bits; `invalid_argument` if the count can exceed
/// `keys.capacity`, if the bit range exceeds the key, if an output or value buffer is smaller than `keys.capacity`, or
/// if a buffer is used twice other than as the output of its own input.
template <class K, class V = std::uint32_t>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys,
                                 const std::type_identity_t<RadixSortOptions<K, V>>& options = {}) {
    RadixSortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "radix sort", keys, options, result)) {
        detail::add_radix_sort(graph, {*request, options.tuning});
    }
    return result;
}

/// Adds a radix sort of keys with values of any type. `values` replaces `options.values`.
template <class K, class V>
RadixSortResult<K, V> radix_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                 std::type_identity_t<RadixSortOptions<K, V>> options = {}) {
    options.values = values;
    return radix_sort<K, V>(graph, keys, options);
}

/// Options of radix_sort for large buffers. See RadixSortOptions.
template <class K = std::uint32_t, class V = std::uint32_t>
struct LargeRadixSortOptions {
    LargeBuffer<V> values = {};            ///< if valid: values that move with the keys
    bool descending = false;               ///< largest key first
    std::uint32_t first_bit = 0;           ///< lowest compared bit
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    LargeBuffer<K> output_keys = {};       ///< not valid: a new transient; may be the keys' own buffer
    LargeBuffer<V> output_values = {};     ///< not valid: a new transient; may be the values' own buffer
    RadixSortTuning tuning = {};           ///< shape of the kernels
};

/// Result of radix_sort for large buffers.
template <class K, class V>
struct LargeSortResult {
    LargeBuffer<K> keys;   ///< the sorted keys
    LargeBuffer<V> values; ///< the values in the order of the keys, if there are any
};

/// Adds a stable radix sort of all keys of a large buffer: see `radix_sort` of other buffers. Keys must have 32 or 64
/// bits.
template <class K, class V = std::uint32_t>
LargeSortResult<K, V> radix_sort(const GraphCall& graph, LargeBuffer<K> keys,
                                 const std::type_identity_t<LargeRadixSortOptions<K, V>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % 4 == 0 && sizeof(V) <= 16,
                  "a value must have 1 to 4 words of 32 bits");
    if (!keys.valid() || (!options.values.valid() && options.output_values.valid())) {
        graph->fail({ErrorCode::invalid_argument,
                     std::string("radix sort: ") +
                         (keys.valid() ? ".output_values is set, but .values is not" : "the input is null")});
        return {};
    }
    const bool has_values = options.values.valid();
    LargeSortResult<K, V> result{options.output_keys, options.output_values};
    if (!result.keys.valid()) {
        result.keys = graph->transient_large_buffer<K>("sorted keys", keys.capacity);
    }
    if (has_values && !result.values.valid()) {
        result.values = graph->transient_large_buffer<V>("sorted values", keys.capacity);
    }
    const detail::SortRequest request{.key = detail::SortKey<K>::number.scalar,
                                      .key_bits = sizeof(K) * 8,
                                      .count = detail::small_count(keys.capacity),
                                      .keys = keys,
                                      .values = options.values,
                                      .output_keys = result.keys,
                                      .output_values = result.values,
                                      .capacity = detail::small_count(keys.capacity).max,
                                      .large_count = keys.capacity,
                                      .value_capacity = options.values.capacity,
                                      .output_key_capacity = result.keys.capacity,
                                      .output_value_capacity = result.values.capacity,
                                      .value_words = has_values ? static_cast<std::uint32_t>(sizeof(V) / 4) : 0,
                                      .descending = options.descending,
                                      .first_bit = options.first_bit,
                                      .end_bit = options.end_bit};
    detail::add_radix_sort(graph, {request, options.tuning});
    return result;
}

/// Returns the indices that sort the keys. The sorted keys are written only if `options.output_keys` is set.
template <class K>
BufferRef<std::uint32_t> argsort(const GraphCall& graph, BufferRef<K> keys,
                                 std::type_identity_t<RadixSortOptions<K>> options = {}) {
    options.want_indices = true;
    options.want_keys = options.output_keys.valid();
    return radix_sort(graph, keys, options).values;
}

} // namespace weir
