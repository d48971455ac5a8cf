#pragma once

#include <algorithm>
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

/// The shape of the kernel that finds a key; a 0 is chosen by device and size. Results do not depend on it.
struct RadixSelectTuning {
    std::uint32_t workgroup = 0;     ///< invocations: a power of two from the subgroup size to the device's limit
    std::uint32_t group_keys = 0;    ///< keys of a workgroup, a multiple of 4 up to 2^18
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
};

template <class K>
struct KthElementOptions {
    bool descending = false;  ///< the greatest key is that of place 0
    BufferRef<K> output = {}; ///< room for one; not valid: a new transient
    RadixSelectTuning tuning = {};
};

struct TopKTuning {
    RadixSelectTuning select;
    CompactionTuning compaction;
    RadixSortTuning sort;
};

/// K is the type of the keys, V that of the values: anything of 1 to 16 words. A given output is one that is wanted.
template <class K = std::uint32_t, class V = std::uint32_t>
struct TopKOptions {
    bool descending = false;       ///< the greatest keys, greatest first
    bool sorted = true;            ///< else in the order of the input
    bool keys = true;              ///< whether the keys are wanted; without them, indices or values have to be
    bool indices = false;          ///< whether it is wanted where they were
    BufferRef<V> values = {};      ///< if valid: those of the chosen keys are wanted; at least as many as keys
    BufferRef<K> output_keys = {}; ///< room for as many as can be chosen, at least 1; not valid: a new transient
    BufferRef<std::uint32_t> output_indices = {}; ///< likewise
    BufferRef<V> output_values = {};              ///< likewise
    BufferRef<std::uint32_t> count = {};          ///< a word; not valid: a new transient
    FaultInjection faults = {};                   ///< in the compaction and the sort
    TopKTuning tuning = {};
};

/// The first k in order. What was not wanted is not valid.
template <class K, class V = std::uint32_t>
struct TopK {
    BufferRef<K> keys = {};                ///< its count is `count`
    BufferRef<std::uint32_t> indices = {}; ///< where each of them was in the input; likewise
    BufferRef<V> values = {};              ///< of each of them; likewise
    BufferRef<std::uint32_t> count = {};   ///< a word: how many there are, the lesser of k and the input's count
};

namespace detail {

/// The search for a key whose type is only known at run time.
struct RadixSelectRequest {
    const char* name = "";
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Count wanted = {};     ///< the last one of the first so many keys is searched for, or of all there are
    bool is_place = false; ///< one more of them: `wanted` is the place of the last one
    bool descending = false;
    BufferRef<std::uint32_t> found = {}; ///< three words, for a compaction by order
    BufferId output = {};                ///< if valid: the key
    std::uint64_t output_capacity = 0;
    RadixSelectTuning tuning = {};
};

/// Adds the passes.
WEIR_API void add_radix_select(Graph& graph, const RadixSelectRequest& request);

/// Adds the search; returns what it finds.
template <class K>
BufferRef<std::uint32_t> radix_select(Graph& graph, BufferRef<K> keys, RadixSelectRequest request) {
    static_assert(is_sort_key<K> && sizeof(K) >= 4, "keys are numbers of 32 or 64 bits");
    request.key = element_type<K>.scalar;
    request.count = keys.count;
    request.keys = keys;
    request.key_capacity = keys.capacity;
    request.found = graph.transient_buffer<std::uint32_t>(std::string(request.name) + ": key found", 3);
    add_radix_select(graph, request);
    return request.found;
}

} // namespace detail

/// Adds the search for the key that a sort of the first `keys.count` keys would put in place k, counted from 0:
/// ascending, or `descending`. k is a number, a parameter, or on the GPU. Keys are of the types that `radix_sort` takes
/// and in the same order; they are left alone. Returns the key, one element. For a k that is not below the count it is
/// the last key in that order; where there are no keys, nothing is written.
///
///     auto median = weir::kth_element(graph, samples, samples.capacity / 2);
///
/// Radix select, 11 bits at a time from the highest: keys of 32 bits take three dispatches, of 64 bits six, and all
/// keys that one workgroup can look at a single one. Each is a histogram of the digit over the keys that begin as the
/// one that is searched for. Workgroups list those as soon as they are few, an eighth of their share, so that most
/// inputs are read twice and no more, and others once for each digit (after Zhang, Naruse, Li and Wang, "Parallel Top-K
/// Algorithms on GPU").
///
/// Scratch memory: an eighth of the keys' own, so half a byte for each key of 32 bits and a byte for each of 64, and 4
/// bytes per workgroup; state memory: 8 KiB. Capacity: less than 2^32 - 2^20 keys, and 2^32 words. Errors, which
/// `compile` reports: `invalid_argument` for a constant k that is not below the keys' greatest count, an output that
/// has no room or is the input, and a shape that the device cannot run; `limit_exceeded` for too many keys.
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

/// Adds the choice of the k least of the first `keys.count` keys, or of the k greatest if `descending`: their keys,
/// where they were, and their values, as far as they are wanted. k is a number, a parameter, or on the GPU. If there
/// are not as many keys, all are chosen; `count` says how many were. Of keys that are equal to the last one chosen
/// those are taken that come first in the input. The result is sorted, and equal keys stay in the order of the input;
/// or all is in that order, if it need not be `sorted`.
///
///     auto nearest = weir::top_k(graph, distances, 100, {.indices = true});
///
/// The last key is found as by `kth_element`, then one compaction takes what is before it and as many of its equals as
/// there is need for, and a radix sort orders them. So the keys are read once more than by `kth_element`, and
/// everything else is of the size of k: where that is a large part of the keys, a sort of them all is faster.
///
/// Scratch memory: that of `kth_element`; if sorted, a key and, where indices or values are wanted, two indices for
/// each chosen key, and what a sort of them takes; 32 bytes of state per tile. Errors: those of `kth_element` but for a
/// large k, of `select_if` and of `radix_sort`; `invalid_argument` for outputs with too little room, fewer values than
/// keys, and if nothing is wanted.
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
        return fail("the input is no buffer of any graph");
    }
    if ((!options.keys && (options.output_keys.valid() || !(has_values || has_indices))) ||
        (!has_values && options.output_values.valid())) {
        return fail("an output is given that is not wanted, or none is wanted");
    }
    if (has_values && options.values.capacity < keys.count.max) {
        return fail("there are fewer values than keys");
    }
    const std::uint32_t room = (std::max)(1U, (std::min)(k.max, keys.count.max));
    const auto too_small = [&](const auto& output) { return output.valid() && output.capacity < room; };
    if (too_small(options.output_keys) || too_small(options.output_indices) || too_small(options.output_values)) {
        return fail("an output has room for fewer than can be chosen");
    }

    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::order;
    request.descending = options.descending;
    request.flags = detail::radix_select(
        graph, keys,
        {.name = "top k: last key", .wanted = k, .descending = options.descending, .tuning = options.tuning.select});
    SelectOptions<K> choice{.items = options.keys || options.sorted,
                            .indices = has_indices || has_values,
                            .count = options.count,
                            .faults = options.faults,
                            .tuning = options.tuning.compaction};
    if (choice.items) {
        choice.output = options.sorted ? graph->transient_buffer<K>("top k: chosen keys", room)
                                       : detail::given_or_transient(graph, options.output_keys, "top k", room);
    }
    if (choice.indices) {
        choice.output_indices = options.sorted
                                    ? graph->transient_buffer<std::uint32_t>("top k: chosen indices", room)
                                    : detail::given_or_transient(graph, options.output_indices, "top k: indices", room);
    }
    const Selected<K> chosen = detail::select(graph, "top k", keys, choice, request);

    TopK<K, V> top{.keys = chosen.items, .indices = chosen.indices, .count = chosen.count};
    if (options.sorted) {
        const RadixSortResult<K> sorted = radix_sort(graph, chosen.items,
                                                     {.values = chosen.indices,
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

/// The same with values of any type, which take the place of those of the options.
template <class K, class V>
TopK<K, V> top_k(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values, const Count& k,
                 std::type_identity_t<TopKOptions<K, V>> options = {}) {
    options.values = values;
    return top_k<K, V>(graph, keys, k, options);
}

} // namespace weir
