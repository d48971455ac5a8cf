#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/predicate.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// Options of lower_bound and upper_bound.
struct SearchOptions {
    BufferRef<std::uint32_t> output = {}; ///< room for one place per key; not valid: a new transient
};

/// Options of partition_point.
struct PartitionPointOptions {
    BufferRef<std::uint32_t> output = {}; ///< room for one word; not valid: a new transient
    WordLayout input_layout = {};         ///< of the input
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

/// A search for the end of the first part, in an array whose element type is known at run time only.
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
                  "what is searched are 32- or 64-bit numbers");
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

/// Adds a search for each of the first `keys.count` keys, in any order, among the first `sorted.count` elements, which
/// ascend: the index of the first element that is not less than the key, or the number of elements. T is std::uint32_t,
/// std::int32_t, float, std::uint64_t, std::int64_t or double, on every device. Floats are in the total order of IEEE
/// 754: -0 comes before +0, and NaNs come after the infinity of their sign. Returns the indices, with the count of the
/// keys.
///
/// One dispatch; a binary search per key. Errors, reported by `compile`: `invalid_argument` for buffers that are too
/// small, or an output that is an input; `limit_exceeded` for elements past 2^32 words.
template <class T>
BufferRef<std::uint32_t> lower_bound(const GraphCall& graph, BufferRef<T> sorted, BufferRef<T> keys,
                                     const SearchOptions& options = {}) {
    return detail::search(graph, "lower bound", sorted, keys, options, false);
}

/// Adds a search for the index of the first element that is greater than each key. Otherwise as `lower_bound`.
template <class T>
BufferRef<std::uint32_t> upper_bound(const GraphCall& graph, BufferRef<T> sorted, BufferRef<T> keys,
                                     const SearchOptions& options = {}) {
    return detail::search(graph, "upper bound", sorted, keys, options, true);
}

/// Adds a search for the end of the first part of the first `input.count` elements, in which all those that satisfy the
/// predicate come before all others: as after `partition`, or for a predicate that follows the order of sorted
/// elements. Returns a word: the index of the first element that does not satisfy it, or the number of elements.
/// Elements are of any type of `element_type`. Of an input that is not partitioned so, the result is any number up to
/// that of elements.
///
/// One dispatch: one workgroup looks at as many elements at a time as it has invocations, so at 1024 of 2^32. No
/// scratch. Errors, reported by `compile`: `invalid_argument` for buffers that are too small, a predicate of another
/// type or an empty one, or an output that is also an input; `limit_exceeded` for elements past 2^32 words;
/// `shader_compilation` names the predicate and its line.
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

} // namespace weir
