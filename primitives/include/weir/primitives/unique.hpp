#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

template <class T>
struct UniqueOptions {
    BufferRef<T> output;                     ///< not valid: a new transient with room for all elements
    bool items = true;                       ///< whether the elements themselves are wanted
    BufferRef<std::uint32_t> output_indices; ///< not valid: a new transient, if indices are wanted
    bool indices = false;                    ///< whether it is also, or only, wanted where the elements were
    BufferRef<std::uint32_t> count;          ///< a word; not valid: a new transient
    WordLayout input_layout;
    WordLayout output_layout;
    FaultInjection faults;
    BufferRef<std::uint32_t> counters; ///< if valid: four words that become LookBackCounters
    CompactionTuning tuning;
};

namespace detail {

template <class T>
Selected<T> unique(Graph& graph, BufferRef<T> input, const UniqueOptions<T>& options, CompactionRequest request) {
    request.name = "unique";
    request.classifier = CompactionRequest::Classifier::heads;
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    return compact<T>(graph, request, input, {{options.items, options.indices, options.output, options.output_indices}},
                      options.count)
        .front();
}

} // namespace detail

/// Adds a pass that keeps of each run of equal neighbours the first one: of sorted elements, each one once. Elements
/// are equal if their bits are. Otherwise as `select_if`.
template <class T>
Selected<T> unique(Graph& graph, BufferRef<T> input, const std::type_identity_t<UniqueOptions<T>>& options = {}) {
    return detail::unique(graph, input, options, {});
}

template <class K, class V>
struct UniqueByKey {
    BufferRef<K> keys;
    BufferRef<V> values;
    BufferRef<std::uint32_t> indices;
    BufferRef<std::uint32_t> count; ///< a word: how many there are, those without room included
};

/// Adds a pass that keeps of each run of equal keys the first one and its value. There are as many values as keys, each
/// of 1 to 16 words; `output_values` that is not valid is a new transient. Otherwise as `unique`.
template <class K, class V>
UniqueByKey<K, V> unique_by_key(Graph& graph, BufferRef<K> keys, BufferRef<V> values,
                                std::type_identity_t<BufferRef<V>> output_values = {},
                                const std::type_identity_t<UniqueOptions<K>>& options = {}) {
    static_assert(sizeof(V) % 4 == 0 && sizeof(V) <= 64, "a value has 1 to 16 words");
    detail::CompactionRequest request;
    request.value_words = sizeof(V) / 4;
    request.values = values;
    request.value_capacity = values.capacity;
    if (keys.valid()) {
        output_values = detail::given_or_transient(graph, output_values, "kept values", keys.count.max);
    }
    request.output_values = output_values;
    request.output_value_capacity = output_values.capacity;
    const Selected<K> selected = detail::unique(graph, keys, options, request);
    return {selected.items, output_values.with_count(selected.indices.count), selected.indices, selected.count};
}

} // namespace weir
