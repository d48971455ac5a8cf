#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Options of merge.
template <class K>
struct MergeOptions {
    BufferRef<K> output_keys = {};              ///< capacity for the keys of both inputs; not valid: a new transient
    BufferRef<std::uint32_t> output_count = {}; ///< one word; not valid: a new transient
};

/// Result of merge.
template <class K>
struct MergeResult {
    BufferRef<K> keys;              ///< merged keys; count: `count`
    BufferRef<std::uint32_t> count; ///< one word: number of merged keys
};

/// Options of merge_by_key.
template <class K, class V>
struct MergeByKeyOptions {
    BufferRef<K> output_keys = {};              ///< capacity for the keys of both inputs; not valid: a new transient
    BufferRef<V> output_values = {};            ///< capacity for the values of both inputs; not valid: a new transient
    BufferRef<std::uint32_t> output_count = {}; ///< one word; not valid: a new transient
};

/// Result of merge_by_key.
template <class K, class V>
struct MergeByKeyResult {
    BufferRef<K> keys;              ///< merged keys; count: `count`
    BufferRef<V> values;            ///< values of the merged keys; same count
    BufferRef<std::uint32_t> count; ///< one word: number of merged keys
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
    std::uint32_t value_words = 0;              ///< words per value; 0: no values
    Array first = {}, second = {}, output = {}; ///< the count of the output is ignored
    BufferRef<std::uint32_t> count = {};
};

WEIR_API void add_merge(Graph& graph, const MergeRequest& request);

/// Returns the maximum number of merged elements, at most 2^32 - 1.
inline std::uint32_t max_merged(const Count& first, const Count& second) {
    const std::uint64_t most = std::uint64_t{first.max} + second.max;
    return most < ~0U ? static_cast<std::uint32_t>(most) : ~0U;
}

} // namespace detail

/// Adds a merge of two ascending arrays into one ascending array. The first `count` keys of each input must ascend. The
/// merge is stable: equal keys keep their order, and keys of the first array come before equal keys of the second.
/// Outputs must not be inputs.
///
/// K must be std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double. Every device supports all of
/// these types. Floats are compared in IEEE 754 total order: -0 comes before +0, and NaNs come beyond the infinity of
/// their sign.
///
/// One dispatch, sized for the maximum number of keys; workgroups beyond the actual number do nothing. If there may be
/// 2^18 keys or more, another dispatch first finds where each workgroup begins. It needs one word of scratch memory per
/// workgroup. Each key is read once, and binary searches read a few keys again.
///
/// Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice; `limit_exceeded` for
/// 2^32 - 2^20 keys or more, or if a buffer needs 2^32 words or more.
template <class K>
MergeResult<K> merge(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                     const std::type_identity_t<MergeOptions<K>>& options = {}) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "merge requires 32-bit or 64-bit numbers");
    const std::uint32_t most = detail::max_merged(first.count, second.count);
    MergeResult<K> merged{detail::given_or_transient(graph, options.output_keys, "merged", most),
                          detail::given_or_transient(graph, options.output_count, "merged count", 1)};
    detail::add_merge(graph, {.element = element_type<K>,
                              .first = {.keys = first, .key_capacity = first.capacity, .count = first.count},
                              .second = {.keys = second, .key_capacity = second.capacity, .count = second.count},
                              .output = {.keys = merged.keys, .key_capacity = merged.keys.capacity, .count = {}},
                              .count = merged.count});
    merged.keys.count = graph->count_in(merged.count, 0, most);
    return merged;
}

/// Adds a merge of two ascending arrays of keys, each with a value of 1 to 4 words. Key types, order, memory and errors
/// are those of `merge`.
template <class K, class V>
MergeByKeyResult<K, V> merge_by_key(const GraphCall& graph, BufferRef<K> first_keys, BufferRef<V> first_values,
                                    BufferRef<K> second_keys, BufferRef<V> second_values,
                                    const std::type_identity_t<MergeByKeyOptions<K, V>>& options = {}) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "merge_by_key requires 32-bit or 64-bit keys");
    static_assert(element_type<V>.words() <= 4, "a value must have 1 to 4 words");
    const std::uint32_t most = detail::max_merged(first_keys.count, second_keys.count);
    MergeByKeyResult<K, V> merged{detail::given_or_transient(graph, options.output_keys, "merged keys", most),
                                  detail::given_or_transient(graph, options.output_values, "merged values", most),
                                  detail::given_or_transient(graph, options.output_count, "merged count", 1)};
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
