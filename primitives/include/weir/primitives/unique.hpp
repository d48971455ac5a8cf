#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

/// Adds a pass that keeps the first element of each run of equal neighbours; of a sorted input, each element once.
/// Elements are equal if their bits are. Otherwise as `select_if`, except that each element is read twice, mostly from
/// a cache.
template <class T>
requires(!is_narrow<T>) Selected<T> unique(const GraphCall& graph, BufferRef<T> input,
                                           const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::heads;
    return detail::select(graph, "unique", input, options, request);
}

/// Options of unique_by_key.
template <class K, class V>
struct UniqueByKeyOptions {
    SelectOptions<K> keys = {}; ///< as of `unique`
    BufferRef<V> values = {};   ///< not valid: a new transient with room for all values
};

/// The result of unique_by_key.
template <class K, class V>
struct UniqueByKey {
    BufferRef<K> keys;                ///< the kept keys; count: `count`, but at most what every output has room for
    BufferRef<V> values;              ///< the value of each; the same count
    BufferRef<std::uint32_t> indices; ///< the index of each in the input, if wanted; the same count
    BufferRef<std::uint32_t> count;   ///< a word: number of kept keys, those that did not fit included
};

/// Adds a pass that keeps the first key of each run of equal keys, and its value. There are as many values as keys,
/// each of 1 to 16 words and without gaps. Otherwise as `unique`.
template <class K, class V>
UniqueByKey<K, V> unique_by_key(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                const std::type_identity_t<UniqueByKeyOptions<K, V>>& options = {}) {
    static_assert(sizeof(V) % 4 == 0 && sizeof(V) <= 64, "a value has 1 to 16 words");
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::heads;
    request.value_words = sizeof(V) / 4;
    request.values = values;
    request.value_capacity = values.capacity;
    BufferRef<V> output_values = options.values;
    if (keys.valid()) {
        output_values = detail::given_or_transient(graph, output_values, "unique_by_key values", keys.count.max);
    }
    request.output_values = output_values;
    request.output_value_capacity = output_values.capacity;
    const Selected<K> selected = detail::select(graph, "unique", keys, options.keys, request);
    return {selected.items, output_values.with_count(selected.indices.count), selected.indices, selected.count};
}

} // namespace weir
