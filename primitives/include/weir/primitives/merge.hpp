#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Options of merge.
template <class K>
struct MergeOptions {
    BufferRef<K> keys = {};              ///< room for the keys of both inputs; not valid: a new transient
    BufferRef<std::uint32_t> count = {}; ///< a word; not valid: a new transient
};

/// The result of merge.
template <class K>
struct Merged {
    BufferRef<K> keys;              ///< keys of both inputs; count: `count`
    BufferRef<std::uint32_t> count; ///< a word: their number
};

/// Options of merge_by_key.
template <class K, class V>
struct MergeByKeyOptions {
    BufferRef<K> keys = {};              ///< room for the keys of both inputs; not valid: a new transient
    BufferRef<V> values = {};            ///< room for as many values; not valid: a new transient
    BufferRef<std::uint32_t> count = {}; ///< a word; not valid: a new transient
};

/// The result of merge_by_key.
template <class K, class V>
struct MergedByKey {
    BufferRef<K> keys;              ///< keys of both inputs; count: `count`
    BufferRef<V> values;            ///< their values; the same count
    BufferRef<std::uint32_t> count; ///< a word: their number
};

namespace detail {

/// A merge of arrays whose types are known at run time only.
struct MergeRequest {
    struct Array {
        BufferId keys = {}, values = {};
        std::uint64_t key_capacity = 0, value_capacity = 0;
        Count count = {};
    };

    const char* name = "merge";
    ElementType element = {};
    std::uint32_t value_words = 0;              ///< of the value of each key; 0: no values
    Array first = {}, second = {}, output = {}; ///< the output's count does not matter
    BufferRef<std::uint32_t> count = {};
};

WEIR_API void add_merge(Graph& graph, const MergeRequest& request);

/// The greatest number of merged elements, at most 2^32 - 1.
inline std::uint32_t most_merged(const Count& first, const Count& second) {
    const std::uint64_t most = std::uint64_t{first.max} + second.max;
    return most < ~0U ? static_cast<std::uint32_t>(most) : ~0U;
}

} // namespace detail

/// Adds the merge of two arrays, whose first `count` keys ascend, to one ascending array. Stable: equal keys keep their
/// order, and those of the first array come before those of the second. K is std::uint32_t, std::int32_t, float,
/// std::uint64_t, std::int64_t or double, on every device. Floats are in the total order of IEEE 754: -0 comes before
/// +0, and NaNs come after the infinity of their sign. Outputs must not be inputs.
///
/// One dispatch with as many workgroups as the greatest possible number of keys needs; workgroups past the end do
/// nothing. Where there may be 2^18 keys or more, a dispatch before it finds where each workgroup begins, with one word
/// of scratch memory per workgroup. Each key is read once, and a few keys also by binary searches. Errors, reported by
/// `compile`: `invalid_argument` for buffers that are too small or used twice, `limit_exceeded` for 2^32 - 2^20 keys or
/// more, or words past 2^32.
template <class K>
Merged<K> merge(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                const std::type_identity_t<MergeOptions<K>>& options = {}) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "what is merged are 32- or 64-bit numbers");
    const std::uint32_t most = detail::most_merged(first.count, second.count);
    Merged<K> merged{detail::given_or_transient(graph, options.keys, "merged", most),
                     detail::given_or_transient(graph, options.count, "merged count", 1)};
    detail::add_merge(graph, {.element = element_type<K>,
                              .first = {.keys = first, .key_capacity = first.capacity, .count = first.count},
                              .second = {.keys = second, .key_capacity = second.capacity, .count = second.count},
                              .output = {.keys = merged.keys, .key_capacity = merged.keys.capacity, .count = {}},
                              .count = merged.count});
    merged.keys.count = graph->count_in(merged.count, 0, most);
    return merged;
}

/// Adds the merge of two arrays of keys with a value of 1 to 4 words each. Otherwise as `merge`.
template <class K, class V>
MergedByKey<K, V> merge_by_key(const GraphCall& graph, BufferRef<K> first_keys, BufferRef<V> first_values,
                               BufferRef<K> second_keys, BufferRef<V> second_values,
                               const std::type_identity_t<MergeByKeyOptions<K, V>>& options = {}) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "what is merged are 32- or 64-bit numbers");
    static_assert(element_type<V>.words() <= 4, "a value has 1 to 4 words");
    const std::uint32_t most = detail::most_merged(first_keys.count, second_keys.count);
    MergedByKey<K, V> merged{detail::given_or_transient(graph, options.keys, "merged keys", most),
                             detail::given_or_transient(graph, options.values, "merged values", most),
                             detail::given_or_transient(graph, options.count, "merged count", 1)};
    detail::add_merge(
        graph, {.name = "merge by key",
                .element = element_type<K>,
                .value_words = element_type<V>.words(),
                .first = {first_keys, first_values, first_keys.capacity, first_values.capacity, first_keys.count},
                .second = {second_keys, second_values, second_keys.capacity, second_values.capacity, second_keys.count},
                .output = {merged.keys, merged.values, merged.keys.capacity, merged.values.capacity, {}},
                .count = merged.count});
    merged.keys.count = merged.values.count = graph->count_in(merged.count, 0, most);
    return merged;
}

} // namespace weir
