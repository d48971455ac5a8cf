#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction_tuning.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/sort_key.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/gather.hpp>
#include <weir/primitives/sort_types.hpp>

namespace weir {

/// Shape of the kernel that finds the last key, for tests and tuning. 0: chosen by device and size. Results do not
/// depend on it.
struct RadixSelectTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    /// Keys per workgroup: a multiple of 4, at most 2^18.
    std::uint32_t group_keys = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Minimum number of keys for which top_k searches a sample first. If set, k is not considered.
    std::uint32_t sample_from = 0;
};

/// Options of kth_element.
template <class K>
struct KthElementOptions {
    bool descending = false;       ///< place 0 is that of the largest key
    BufferRef<K> output = {};      ///< capacity for one key; not valid: a new transient
    RadixSelectTuning tuning = {}; ///< kernel shape
};

/// Kernel shapes of top_k.
struct TopKTuning {
    RadixSelectTuning select;    ///< search for the last key
    CompactionTuning compaction; ///< selection
    RadixSortTuning sort;        ///< sort of the chosen keys
};

/// Options of top_k. K is the key type. V is the value type: any trivially copyable type of 1 to 16 words. Setting
/// `output_indices` also requests indices.
template <class K = std::uint32_t, class V = std::uint32_t>
struct TopKOptions {
    bool descending = false;   ///< choose the largest keys, largest first
    bool sorted = true;        ///< false: the chosen keys are in the order of the input
    bool want_keys = true;     ///< write the keys; if false, `want_indices`, `output_indices` or `values` must be set
    bool want_indices = false; ///< write the indices of the keys
    BufferRef<V> values = {};  ///< if valid: also choose the values of the chosen keys; capacity for one value per key
    /// Capacity for the maximum number of chosen keys, at least 1. Not valid: a new transient.
    BufferRef<K> output_keys = {};
    /// Capacity as for `output_keys`. Not valid: a new transient, if indices are requested.
    BufferRef<std::uint32_t> output_indices = {};
    /// Capacity as for `output_keys`; allowed only with `values`. Not valid: a new transient, if there are values.
    BufferRef<V> output_values = {};
    BufferRef<std::uint32_t> output_count = {}; ///< a word; not valid: a new transient
    TopKTuning tuning = {};                     ///< kernel shapes
};

/// Result of top_k. Buffers that were not requested are not valid.
template <class K, class V = std::uint32_t>
struct TopKResult {
    BufferRef<K> keys = {};                ///< the chosen keys; the count is `count`
    BufferRef<std::uint32_t> indices = {}; ///< index of each key in the input; count as for `keys`
    BufferRef<V> values = {};              ///< value of each key; count as for `keys`
    BufferRef<std::uint32_t> count = {};   ///< a word: the smaller of k and the count of the input
};

namespace detail {

/// A search whose key type is known at run time only.
struct KthElementRequest {
    Scalar key = Scalar::u32;
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Count count = {};
    Count k = {};
    bool descending = false;
    BufferId output = {};
    std::uint64_t output_capacity = 0;
    RadixSelectTuning tuning = {};
};

/// Adds the search.
WEIR_API void add_kth_element(Graph& graph, const KthElementRequest& request);

/// Adds the choice of keys and indices. K has 32 or 64 bits.
template <class K>
WEIR_API TopKResult<K> choose_keys(Graph& graph, BufferRef<K> keys, const Count& k, const TopKOptions<K>& options);

} // namespace detail

/// Adds the search for the key that a sort of the first `keys.count` keys would put in place k, counted from 0,
/// ascending or `descending`. Returns the key, one element.
///
/// k is a number, a parameter, or a count on the GPU. Keys have 32 or 64 bits and the order of `radix_sort`; they are
/// not modified. If k is not below the count, the result is the last key in that order. For an empty input nothing is
/// written.
///
///     auto median = weir::kth_element(graph, samples, samples.capacity / 2);
///
/// Algorithm: radix select, 11 bits at a time from the highest (after Zhang, Naruse, Li and Wang, "Parallel Top-K
/// Algorithms on GPU"). There are three dispatches for keys of 32 bits, six for 64 bits, and one if a single workgroup
/// can process all keys. Each dispatch counts one digit of the candidates, the keys that equal the result in the digits
/// found so far. A workgroup lists its candidates as soon as they are at most an eighth of its share of the keys. Most
/// inputs are therefore read just twice, others once per digit.
///
/// Scratch memory: an eighth of the keys, that is half a byte per key of 32 bits and one byte per key of 64 bits, and 4
/// bytes per workgroup. State memory: 8 KiB. Capacity: less than 2^32 - 2^20 keys, and 2^32 words.
///
/// Errors, reported by `compile`: `invalid_argument` for a constant k that is not below the maximum count of the keys,
/// an output that is too small or is the input, and a shape that the device cannot run; `limit_exceeded` for too many
/// keys.
template <class K>
BufferRef<K> kth_element(const GraphCall& graph, BufferRef<K> keys, const Count& k,
                         const std::type_identity_t<KthElementOptions<K>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    BufferRef<K> output = detail::given_or_transient(graph, options.output, "kth element", 1);
    output.count = 1;
    detail::add_kth_element(graph, {.key = element_type<K>.scalar,
                                    .keys = keys,
                                    .key_capacity = keys.capacity,
                                    .count = keys.count,
                                    .k = k,
                                    .descending = options.descending,
                                    .output = output,
                                    .output_capacity = output.capacity,
                                    .tuning = options.tuning});
    return output;
}

/// Adds the choice of the k smallest of the first `keys.count` keys, or the k largest with `descending`. Returns the
/// keys, their indices and their values, as requested.
///
/// k is a number, a parameter, or a count on the GPU. If there are fewer than k keys, all are chosen; `count` holds the
/// number of chosen keys. If several keys are equal to the last chosen one, the first of them in the input are chosen.
/// The result is sorted, with equal keys in the order of the input; without `sorted`, it is in the order of the input.
///
///     auto nearest = weir::top_k(graph, distances, 100, {.want_indices = true});
///
/// Algorithm: the last key is found as in `kth_element`. One selection takes the keys before it and the required number
/// of keys equal to it, and a radix sort orders them. The keys are read once more than by `kth_element`; all other work
/// is proportional to k. If k is a large part of the keys, a sort of all keys is faster.
///
/// If the input has at least 2^22 keys and k is at most 2^16 and at most 1/64 of the keys, a single pass over the keys
/// suffices: it selects as candidates the keys up to a key found in a sample, and the search continues among these. If
/// the sample yields too few candidates (about one run in a million), or too many because many keys are equal, all keys
/// are searched instead. The result does not change.
///
/// Scratch memory: that of `kth_element`; with a sample, a key and an index for each of 2 k + n / 512 candidates; if
/// sorted, one key per chosen key, two indices per chosen key if indices or values are requested, and the scratch of
/// their sort; 32 bytes of state per tile.
///
/// Errors: those of `kth_element` except for a large k, of `select_if` and of `radix_sort`; `invalid_argument` for
/// outputs that are too small, for fewer values than keys, and if nothing is requested.
template <class K, class V = std::uint32_t>
TopKResult<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, const Count& k,
                       const std::type_identity_t<TopKOptions<K, V>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    const auto fail = [&](const std::string& why) {
        graph->fail({ErrorCode::invalid_argument, "top k: " + why});
        return TopKResult<K, V>{};
    };
    const bool has_values = options.values.valid();
    const bool has_indices = options.want_indices || options.output_indices.valid();
    if (!has_values && options.output_values.valid()) {
        return fail(".output_values is set but .values is null");
    }
    if (!options.want_keys && !has_values && !has_indices) {
        return fail("nothing is requested: set .want_keys, .values or .want_indices");
    }
    if (has_values && options.values.capacity < keys.count.max) {
        return fail(".values has fewer elements than the keys");
    }
    const std::uint32_t most = k.max < keys.count.max ? k.max : keys.count.max;
    if (has_values && options.output_values.valid() && options.output_values.capacity < most) {
        return fail(".output_values requires a capacity of at least " + std::to_string(most) + " elements");
    }
    const TopKResult<K> chosen = detail::choose_keys<K>(graph, keys, k,
                                                        {.descending = options.descending,
                                                         .sorted = options.sorted,
                                                         .want_keys = options.want_keys,
                                                         .want_indices = has_indices || has_values,
                                                         .output_keys = options.output_keys,
                                                         .output_indices = options.output_indices,
                                                         .output_count = options.output_count,
                                                         .tuning = options.tuning});
    TopKResult<K, V> result{.keys = chosen.keys, .count = chosen.count};
    if (has_indices) {
        result.indices = chosen.indices;
    }
    if (has_values && chosen.indices.valid()) {
        result.values =
            gather(graph, options.values.with_count(keys.count), chosen.indices, {.output = options.output_values});
    }
    return result;
}

/// Adds the choice of keys with values of any type. `values` replaces `options.values`.
template <class K, class V>
TopKResult<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Count& k,
                       std::type_identity_t<TopKOptions<K, V>> options = {}) {
    options.values = values;
    return top_k<K, V>(graph, keys, k, options);
}

} // namespace weir
