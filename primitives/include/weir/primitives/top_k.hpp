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

/// The shape of the kernel that finds a key; 0: chosen by device and size. Results do not depend on it.
struct RadixSelectTuning {
    std::uint32_t workgroup = 0;     ///< invocations: a power of two from the subgroup size to the limit of the device
    std::uint32_t group_keys = 0;    ///< keys per workgroup, a multiple of 4 up to 2^18
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    std::uint32_t sample_from = 0;   ///< top_k of so many keys or more looks at a sample first
};

/// Options of kth_element.
template <class K>
struct KthElementOptions {
    bool descending = false;       ///< place 0 is that of the greatest key
    BufferRef<K> output = {};      ///< room for one key; not valid: a new transient
    RadixSelectTuning tuning = {}; ///< shape of the kernel
};

/// The shapes of the kernels of top_k.
struct TopKTuning {
    RadixSelectTuning select;    ///< of the search for the last key
    CompactionTuning compaction; ///< of the selection
    RadixSortTuning sort;        ///< of the sort of the chosen keys
};

/// Options of top_k. K is the type of the keys, V that of the values: any trivially copyable type of 1 to 16 words. An
/// output that is given is also wanted.
template <class K = std::uint32_t, class V = std::uint32_t>
struct TopKOptions {
    bool descending = false;       ///< the greatest keys, greatest first
    bool sorted = true;            ///< false: in the order of the input
    bool keys = true;              ///< whether the keys are wanted; otherwise indices or values have to be
    bool indices = false;          ///< whether the indices of the keys are wanted
    BufferRef<V> values = {};      ///< if valid: the values of the chosen keys are wanted; at least as many as keys
    BufferRef<K> output_keys = {}; ///< room for as many as can be chosen, at least 1; not valid: a new transient
    BufferRef<std::uint32_t> output_indices = {}; ///< likewise
    BufferRef<V> output_values = {};              ///< likewise
    BufferRef<std::uint32_t> count = {};          ///< a word; not valid: a new transient
    FaultInjection faults = {};                   ///< for tests; in the selection and the sort
    TopKTuning tuning = {};                       ///< shapes of the kernels
};

/// The chosen keys. Buffers that were not wanted are not valid.
template <class K, class V = std::uint32_t>
struct TopK {
    BufferRef<K> keys = {};                ///< the keys; count: `count`
    BufferRef<std::uint32_t> indices = {}; ///< the index of each in the input; the same count
    BufferRef<V> values = {};              ///< the value of each; the same count
    BufferRef<std::uint32_t> count = {};   ///< a word: the smaller of k and the count of the input
};

namespace detail {

/// The search for a key whose type is known at run time only.
struct RadixSelectRequest {
    /// Where the key is searched for: among all keys, in a sample of them, or among candidates that a sample gave.
    enum class From : std::uint8_t { all, sample, candidates };

    const char* name = "";
    From from = From::all;
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Count wanted = {};     ///< number of keys up to the one that is searched for; limited by the number of keys
    bool is_place = false; ///< `wanted` is the place of that key, counted from 0
    bool descending = false;
    BufferRef<std::uint32_t> found = {}; ///< three words, for a compaction by order; from candidates, `found_words`
    bool finds_nothing = true; ///< whether the words are written, and kernels launched, where there are no keys
    Count all = {};            ///< of candidates: the keys that they come from
    BufferRef<std::uint32_t> chosen_count = {}; ///< of candidates: gets how many keys are wanted and there
    BufferId output = {};                       ///< if valid: gets the key
    std::uint64_t output_capacity = 0;
    RadixSelectTuning tuning = {};
};

/// Words that are found from candidates: three for a compaction by order, the number of candidates to choose from, and
/// the number of keys to choose from where candidates do not do. One of these two is 0.
constexpr std::uint32_t found_words = 5;

/// Adds the passes.
WEIR_API void add_radix_select(Graph& graph, const RadixSelectRequest& request);

/// How many candidates there is room for if up to `chosen` of up to `keys` keys are chosen by way of a sample; 0: not
/// that way.
WEIR_API std::uint32_t candidate_room(Graph& graph, const RadixSelectTuning& tuning, std::uint32_t keys,
                                      std::uint32_t chosen);

/// Adds the search; returns what it finds.
template <class K>
BufferRef<std::uint32_t> radix_select(Graph& graph, BufferRef<K> keys, RadixSelectRequest request) {
    static_assert(is_sort_key<K> && sizeof(K) >= 4, "keys are numbers of 32 or 64 bits");
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
/// ascending or `descending`. k is a number, a parameter, or a count on the GPU. Keys are of 32 or 64 bits, in the
/// order of `radix_sort`, and do not change. Returns the key, one element. For a k that is not below the count it is
/// the last key in that order; for an empty input nothing is written.
///
///     auto median = weir::kth_element(graph, samples, samples.capacity / 2);
///
/// Radix select, 11 bits at a time from the highest: three dispatches for keys of 32 bits, six for 64 bits, one where a
/// single workgroup can look at all keys. Each is a histogram of one digit over the keys that begin like the one that
/// is searched for. Workgroups list these keys as soon as they are few, an eighth of their share, so that most inputs
/// are read just twice, and others once per digit (after Zhang, Naruse, Li and Wang, "Parallel Top-K Algorithms on
/// GPU").
///
/// Scratch memory: an eighth of the keys, so half a byte per key of 32 bits and a byte per key of 64 bits, and 4 bytes
/// per workgroup. State memory: 8 KiB. Capacity: less than 2^32 - 2^20 keys, and 2^32 words. Errors, reported by
/// `compile`: `invalid_argument` for a constant k that is not below the greatest count of the keys, an output that has
/// no room or is the input, and a shape that the device cannot run; `limit_exceeded` for too many keys.
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

/// Adds the choice of the k smallest of the first `keys.count` keys, or of the k greatest if `descending`: the keys,
/// their indices and their values, as far as they are wanted. k is a number, a parameter, or a count on the GPU. Where
/// there are fewer keys, all are chosen; `count` has the number of chosen keys. Of keys that are equal to the last
/// chosen one, those that come first in the input are taken. The result is sorted, with equal keys in the order of the
/// input; without `sorted`, all of it is in the order of the input.
///
///     auto nearest = weir::top_k(graph, distances, 100, {.indices = true});
///
/// The last key is found as by `kth_element`. Then one selection takes the keys before it and as many of its equals as
/// needed, and a radix sort orders them. So the keys are read once more than by `kth_element`, and everything else has
/// the size of k: where k is a large part of the keys, a sort of all keys is faster.
///
/// Of 2^22 keys and more, up to 2^16 and a 64th of the keys are chosen in a single pass over the keys: it selects those
/// up to a key that a sample tells, and among these candidates the same search follows. They are too few in about one
/// run of a million, and too many where more keys than they have room for are alike: then all keys are looked at after
/// all. The result is the same.
///
/// Scratch memory: that of `kth_element`; with a sample, a key and an index for each of 2 k + n / 512 candidates; if
/// sorted, a key and, where indices or values are wanted, two indices per chosen key, and the scratch of their sort; 32
/// bytes of state per tile. Errors: those of `kth_element` except for a large k, of `select_if` and of `radix_sort`;
/// `invalid_argument` for outputs with too little room, fewer values than keys, and if nothing is wanted.
template <class K, class V = std::uint32_t>
TopK<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, const Count& k,
                 const std::type_identity_t<TopKOptions<K, V>>& options = {}) {
    const auto fail = [&](const char* why) {
        graph->fail({ErrorCode::invalid_argument, std::string("top k: ") + why});
        return TopK<K, V>{};
    };
    const bool has_values = options.values.valid();
    const bool has_indices = options.indices || options.output_indices.valid();
    if (!keys.valid()) {
        return fail("the input is not a buffer of a graph");
    }
    if ((!options.keys && (options.output_keys.valid() || !(has_values || has_indices))) ||
        (!has_values && options.output_values.valid())) {
        return fail("an output is given that is not requested, or none is requested");
    }
    if (has_values && options.values.capacity < keys.count.max) {
        return fail("there are fewer values than keys");
    }
    const std::uint32_t most = k.max < keys.count.max ? k.max : keys.count.max;
    const std::uint32_t room = most > 0 ? most : 1;
    const auto too_small = [&](const auto& output) { return output.valid() && output.capacity < room; };
    if (too_small(options.output_keys) || too_small(options.output_indices) || too_small(options.output_values)) {
        return fail("an output has room for fewer elements than can be selected");
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
    // Of those keys that come first, or that are `up_to` what was found. `map`: their indices.
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
        // Candidates in the order of the input, up to a key that a sample tells. They are enough but for bad luck.
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
        const Selected<K> candidates =
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
    const Selected<K> rest = select(remaining, detail::radix_select(graph, remaining, search), choice, {});
    if (candidate_room == 0) {
        chosen_count = rest.count;
    }
    const Count chosen = graph->count_in(chosen_count, 0, room);
    items.count = indices.count = chosen;

    TopK<K, V> top{.keys = items, .indices = indices, .count = chosen_count};
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

/// The same with values of any type, which replace those of the options.
template <class K, class V>
TopK<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Count& k,
                 std::type_identity_t<TopKOptions<K, V>> options = {}) {
    options.values = values;
    return top_k<K, V>(graph, keys, k, options);
}

} // namespace weir
