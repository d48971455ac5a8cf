#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Adds a pass that keeps the first element of each run of equal consecutive elements. If the input is sorted, it keeps
/// each distinct element once. Elements are equal if their bits are. Each element is read twice, mostly from a cache.
/// Everything else is as for `select_if`.
template <Element T>
SelectResult<T> unique(const GraphCall& graph, BufferRef<T> input,
                       const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::heads;
    return detail::select(graph, "unique", input, options, request);
}

/// Options of unique_by_key.
template <class K, class V>
struct UniqueByKeyOptions {
    SelectOptions<K> key_options = {}; ///< options of `unique` for the keys
    BufferRef<V> output_values = {};   ///< not valid: a new transient with capacity for all values
};

/// Result of unique_by_key.
template <class K, class V>
struct UniqueByKeyResult {
    /// The kept keys. The count is `count`, limited to the capacity of the smallest output.
    BufferRef<K> keys;
    /// Value of each key. Count as for `keys`.
    BufferRef<V> values;
    /// Index of each key in the input, if requested. Count as for `keys`.
    BufferRef<std::uint32_t> indices;
    /// A word: number of all kept keys, including those that did not fit.
    BufferRef<std::uint32_t> count;
};

/// Adds a pass that keeps the first key of each run of equal consecutive keys, and its value. There must be one value
/// per key. Values have 1 to 16 words each and no gaps. Everything else is as for `unique`.
template <class K, class V>
UniqueByKeyResult<K, V> unique_by_key(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                      const std::type_identity_t<UniqueByKeyOptions<K, V>>& options = {}) {
    static_assert(sizeof(V) % 4 == 0 && sizeof(V) <= 64, "a value must have 1 to 16 words");
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::heads;
    request.value_words = sizeof(V) / 4;
    request.values = values;
    request.value_capacity = values.capacity;
    BufferRef<V> output_values = options.output_values;
    if (keys.valid()) {
        output_values = detail::given_or_transient(graph, output_values, "unique_by_key values", keys.count.max);
    }
    request.output_values = output_values;
    request.output_value_capacity = output_values.capacity;
    const SelectResult<K> selected = detail::select(graph, "unique", keys, options.key_options, request);
    return {selected.items, output_values.with_count(selected.indices.count), selected.indices, selected.count};
}

} // namespace weir
