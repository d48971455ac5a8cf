#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/predicate.hpp>

namespace weir {

/// Options of lower_bound and upper_bound.
struct SearchOptions {
    BufferRef<std::uint32_t> output = {}; ///< capacity for one index per key; not valid: a new transient
};

/// Options of partition_point.
struct PartitionPointOptions {
    BufferRef<std::uint32_t> output = {}; ///< capacity for one word; not valid: a new transient
    WordLayout input_layout = {};         ///< layout of the input
};

namespace detail {

/// A search whose element type is known at run time only.
struct SearchRequest {
    const char* name = "";
    ElementType element = {};
    Count sorted_count = {}, key_count = {};
    BufferId sorted = {}, keys = {};
    std::uint64_t sorted_capacity = 0, key_capacity = 0;
    BufferRef<std::uint32_t> output = {};
    bool upper = false;
};

WEIR_API void add_search(Graph& graph, const SearchRequest& request);

/// A search for the partition point of an array whose element type is known at run time only.
struct PartitionPointRequest {
    ElementType element = {};
    Count count = {};
    BufferId input = {};
    std::uint64_t input_words = 0; ///< size of the input
    const Predicate* predicate = nullptr;
    BufferRef<std::uint32_t> output = {};
    WordLayout input_layout = {};
};

WEIR_API void add_partition_point(Graph& graph, const PartitionPointRequest& request);

template <class T>
BufferRef<std::uint32_t> search(Graph& graph, const char* name, BufferRef<T> sorted, BufferRef<T> keys,
                                const SearchOptions& options, bool upper) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "lower_bound and upper_bound require 32-bit or 64-bit numbers");
    BufferRef<std::uint32_t> output = given_or_transient(graph, options.output, "places", keys.count.max);
    output.count = keys.count;
    add_search(graph, {.name = name,
                       .element = element_type<T>,
                       .sorted_count = sorted.count,
                       .key_count = keys.count,
                       .sorted = sorted,
                       .keys = keys,
                       .sorted_capacity = sorted.capacity,
                       .key_capacity = keys.capacity,
                       .output = output,
                       .upper = upper});
    return output;
}

} // namespace detail

/// Adds a binary search for each of the first `keys.count` keys among the first `sorted.count` elements. The elements
/// must ascend; the keys may be in any order. Returns, for each key, the index of the first element that is not less
/// than the key, or the number of elements. The count of the result is that of the keys.
///
/// T is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, on every device. Floats are in IEEE
/// 754 total order: -0 comes before +0, and NaNs come after the infinity of their sign.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for buffers that are too small, or an output that is
/// an input; `limit_exceeded` for elements beyond 2^32 words.
template <class T>
BufferRef<std::uint32_t> lower_bound(const GraphCall& graph, BufferRef<T> sorted, BufferRef<T> keys,
                                     const SearchOptions& options = {}) {
    return detail::search(graph, "lower bound", sorted, keys, options, false);
}

/// Adds a binary search for the index of the first element that is greater than each key. Everything else is as for
/// `lower_bound`.
template <class T>
BufferRef<std::uint32_t> upper_bound(const GraphCall& graph, BufferRef<T> sorted, BufferRef<T> keys,
                                     const SearchOptions& options = {}) {
    return detail::search(graph, "upper bound", sorted, keys, options, true);
}

/// Adds a search for the partition point of the first `input.count` elements, in which all elements that satisfy the
/// predicate must come before all others. This is so after `partition`, or if the elements are sorted and the predicate
/// follows their order. Returns one word: the index of the first element that does not satisfy the predicate, or the
/// number of elements. If the input is not partitioned, the result is any number from 0 to the number of elements.
/// Elements may have any type of `element_type`.
///
/// One dispatch: one workgroup tests as many elements at a time as it has invocations. It tests 1024 of 2^32 elements
/// in total. No scratch.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small, a predicate of another type or an
/// empty one, or an output that is also an input; `limit_exceeded` for elements beyond 2^32 words;
/// `shader_compilation`, which names the predicate and its line.
template <class T>
BufferRef<std::uint32_t> partition_point(const GraphCall& graph, BufferRef<T> input, const Predicate& predicate,
                                         const PartitionPointOptions& options = {}) {
    const BufferRef<std::uint32_t> output =
        detail::given_or_transient<std::uint32_t>(graph, options.output, "partition point", 1);
    detail::add_partition_point(graph, {.element = element_type<T>,
                                        .count = input.count,
                                        .input = input,
                                        .input_words = std::uint64_t{input.capacity} * sizeof(T) / 4,
                                        .predicate = &predicate,
                                        .output = output,
                                        .input_layout = options.input_layout});
    return output.with_count(1);
}

/// Adds a search for the partition point by a GLSL expression. Same as `Predicate{.expression = expression}`.
template <class T, std::convertible_to<std::string> Glsl>
BufferRef<std::uint32_t> partition_point(const GraphCall& graph, BufferRef<T> input, const Glsl& expression,
                                         const PartitionPointOptions& options = {}) {
    return partition_point(graph, input, Predicate{.expression = expression}, options);
}

} // namespace weir
