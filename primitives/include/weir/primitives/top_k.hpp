#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/gather.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/radix_sort.hpp>

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
    bool descending = false;  ///< choose the largest keys, largest first
    bool sorted = true;       ///< false: the chosen keys are in the order of the input
    bool keys = true;         ///< write the keys; if false, `indices`, `output_indices` or `values` must be set
    bool indices = false;     ///< write the indices of the keys
    BufferRef<V> values = {}; ///< if valid: also choose the values of the chosen keys; capacity for one value per key
    /// Capacity for the maximum number of chosen keys, at least 1. Not valid: a new transient.
    BufferRef<K> output_keys = {};
    /// Capacity as for `output_keys`. Not valid: a new transient, if indices are requested.
    BufferRef<std::uint32_t> output_indices = {};
    /// Capacity as for `output_keys`; allowed only with `values`. Not valid: a new transient, if there are values.
    BufferRef<V> output_values = {};
    BufferRef<std::uint32_t> count = {}; ///< a word; not valid: a new transient
    FaultInjection faults = {};          ///< for tests; in the selection and the sort
    TopKTuning tuning = {};              ///< kernel shapes
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

/// A radix select whose key type is known at run time only.
struct RadixSelectRequest {
    /// Keys that are searched: all keys, a sample of them, or the candidates that a sample yielded.
    enum class From : std::uint8_t { all, sample, candidates };

    const char* name = "";
    From from = From::all;
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Count wanted = {};     ///< rank of the key, counted from 1; limited to the number of keys
    bool is_place = false; ///< `wanted` is the place of the key, counted from 0
    bool descending = false;
    /// Receives three words for a compaction by order; with candidates, `found_words` words.
    BufferRef<std::uint32_t> found = {};
    /// Launch the kernel and write `found` even if there are no keys.
    bool finds_nothing = true;
    Count all = {}; ///< candidates only: count of the keys from which they were selected
    /// Candidates only: receives the number of chosen keys, the smaller of `wanted` and `all`.
    BufferRef<std::uint32_t> chosen_count = {};
    BufferId output = {}; ///< if valid: receives the key
    std::uint64_t output_capacity = 0;
    RadixSelectTuning tuning = {};
};

/// Words that a search among candidates writes: three for a compaction by order, the number of candidates to choose
/// from, and the number of all keys to choose from if the candidates do not suffice. One of the last two is 0.
constexpr std::uint32_t found_words = 5;

/// Adds the passes.
WEIR_API void add_radix_select(Graph& graph, const RadixSelectRequest& request);

/// Returns the candidate capacity if up to `chosen` of up to `keys` keys are chosen by means of a sample; 0: no sample
/// is used.
WEIR_API std::uint32_t candidate_room(Graph& graph, const RadixSelectTuning& tuning, std::uint32_t keys,
                                      std::uint32_t chosen);

/// Adds the search. Returns `found`.
template <class K>
BufferRef<std::uint32_t> radix_select(Graph& graph, BufferRef<K> keys, RadixSelectRequest request) {
    static_assert(is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    request.key = element_type<K>.scalar;
    request.count = keys.count;
    request.keys = keys;
    request.key_capacity = keys.capacity;
    request.found = graph.transient_buffer<std::uint32_t>(std::string(request.name) + ": key found", found_words);
    add_radix_select(graph, request);
    return request.found;
}

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
    BufferRef<K> output = detail::given_or_transient(graph, options.output, "kth element", 1);
    output.count = 1;
    detail::radix_select(graph, keys,
                         {.name = "kth element",
                          .wanted = k,
                          .is_place = true,
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
///     auto nearest = weir::top_k(graph, distances, 100, {.indices = true});
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
    const auto fail = [&](const std::string& why) {
        graph->fail({ErrorCode::invalid_argument, "top k: " + why});
        return TopKResult<K, V>{};
    };
    const bool has_values = options.values.valid();
    const bool has_indices = options.indices || options.output_indices.valid();
    if (!keys.valid()) {
        return fail("the input is null");
    }
    if (!options.keys && options.output_keys.valid()) {
        return fail("output_keys is set but .keys is false");
    }
    if (!has_values && options.output_values.valid()) {
        return fail("output_values is set but .values is null");
    }
    if (!options.keys && !has_values && !has_indices) {
        return fail("nothing is requested: set .keys, .values or .indices");
    }
    if (has_values && options.values.capacity < keys.count.max) {
        return fail(".values has fewer elements than the keys");
    }
    const std::uint32_t most = k.max < keys.count.max ? k.max : keys.count.max;
    const std::uint32_t room = most > 0 ? most : 1;
    const auto too_small = [&](const auto& output) { return output.valid() && output.capacity < room; };
    const char* const limiting = too_small(options.output_keys)      ? "output_keys"
                                 : too_small(options.output_indices) ? "output_indices"
                                 : too_small(options.output_values)  ? "output_values"
                                                                     : nullptr;
    if (limiting != nullptr) {
        return fail(std::string(limiting) + " requires a capacity of at least " + std::to_string(room) + " elements");
    }

    const bool has_items = options.keys || options.sorted, selects_indices = has_indices || has_values;
    BufferRef<K> items;
    BufferRef<std::uint32_t> indices;
    if (has_items) {
        items = options.sorted ? graph->transient_buffer<K>("top k: chosen keys", room)
                               : detail::given_or_transient(graph, options.output_keys, "top k", room);
    }
    if (selects_indices) {
        indices = options.sorted ? graph->transient_buffer<std::uint32_t>("top k: chosen indices", room)
                                 : detail::given_or_transient(graph, options.output_indices, "top k: indices", room);
    }
    const std::uint32_t candidate_room = detail::candidate_room(graph, options.tuning.select, keys.count.max, most);
    // Selects the keys that come first or, with `up_to`, those that are not after the found key. `map`: indices of the
    // keys of `from`.
    using Classifier = detail::CompactionRequest::Classifier;
    const auto select = [&](BufferRef<K> from, BufferRef<std::uint32_t> found, SelectOptions<K> choice,
                            BufferRef<std::uint32_t> map, bool up_to = false) {
        detail::CompactionRequest request;
        request.classifier = up_to ? Classifier::up_to : Classifier::order;
        request.descending = options.descending;
        request.flags = found;
        request.index_map = map;
        request.counts_nothing = candidate_room == 0 || up_to;
        choice.faults = options.faults;
        choice.tuning = options.tuning.compaction;
        return detail::select(graph, up_to ? "top k: candidates" : "top k", from, choice, request);
    };
    SelectOptions<K> choice{.output = items, .items = has_items, .output_indices = indices, .indices = selects_indices};
    detail::RadixSelectRequest search{
        .name = "top k: last key", .wanted = k, .descending = options.descending, .tuning = options.tuning.select};
    BufferRef<K> remaining = keys;
    BufferRef<std::uint32_t> chosen_count;
    if (candidate_room != 0) {
        // Candidates in the order of the input: the keys up to a key found in a sample. There are enough of them except
        // in about one run in a million.
        using From = detail::RadixSelectRequest::From;
        chosen_count = detail::given_or_transient(graph, options.count, "top k: count", 1);
        detail::RadixSelectRequest sample = search;
        sample.name = "top k: sample";
        sample.from = From::sample;
        SelectOptions<K> candidate_outputs{.indices = selects_indices};
        candidate_outputs.output = graph->transient_buffer<K>("top k: candidates", candidate_room);
        if (selects_indices) {
            candidate_outputs.output_indices =
                graph->transient_buffer<std::uint32_t>("top k: candidates' indices", candidate_room);
        }
        const SelectResult<K> candidates =
            select(keys, detail::radix_select(graph, keys, sample), candidate_outputs, {}, true);
        detail::RadixSelectRequest among = search;
        among.name = "top k: last candidate";
        among.from = From::candidates;
        among.all = keys.count;
        among.chosen_count = chosen_count;
        const BufferRef<std::uint32_t> found = detail::radix_select(graph, candidates.items, among);
        select(candidates.items.with_count(graph->count_in(found, 3, candidate_room)), found, choice,
               candidates.indices);
        search.finds_nothing = false;
        remaining = keys.with_count(graph->count_in(found, 4, keys.count.max));
    } else {
        choice.count = options.count;
    }
    const SelectResult<K> rest = select(remaining, detail::radix_select(graph, remaining, search), choice, {});
    if (candidate_room == 0) {
        chosen_count = rest.count;
    }
    const Count chosen = graph->count_in(chosen_count, 0, room);
    items.count = indices.count = chosen;

    TopKResult<K, V> top{.keys = items, .indices = indices, .count = chosen_count};
    if (options.sorted) {
        const RadixSortResult<K> sorted = radix_sort(graph, items,
                                                     {.values = indices,
                                                      .descending = options.descending,
                                                      .keys = options.keys,
                                                      .output_keys = options.output_keys,
                                                      .output_values = options.output_indices,
                                                      .faults = options.faults,
                                                      .tuning = options.tuning.sort});
        top.keys = sorted.keys;
        top.indices = sorted.values;
    }
    if (has_values) {
        top.values =
            gather(graph, options.values.with_count(keys.count), top.indices, {.output = options.output_values});
    }
    if (!has_indices) {
        top.indices = {};
    }
    return top;
}

/// Adds the choice of keys with values of any type. `values` replaces `options.values`.
template <class K, class V>
TopKResult<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Count& k,
                       std::type_identity_t<TopKOptions<K, V>> options = {}) {
    options.values = values;
    return top_k<K, V>(graph, keys, k, options);
}

} // namespace weir
