#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/merge.hpp>

namespace weir {

/// Options of set operations.
template <class K>
struct SetOptions {
    /// Keys of the result. Minimum capacity: the maximum count of the first array for a difference, the smaller maximum
    /// count for an intersection, the sum of both for a union or a symmetric difference. Not valid: a new transient.
    BufferRef<K> output_keys = {};
    BufferRef<std::uint32_t> output_count = {}; ///< a word; not valid: a new transient
};

/// Result of a set operation.
template <class K>
struct SetResult {
    BufferRef<K> keys;              ///< the kept keys, ascending; the count is `count`
    BufferRef<std::uint32_t> count; ///< a word: number of kept keys
};

namespace detail {

/// A set operation on keys whose type is known at run time only.
struct SetRequest {
    enum class Operation : std::uint8_t { unite, intersect, subtract, subtract_both };

    Operation operation = Operation::unite;
    const char* name = "";
    ElementType element = {};
    MergeRequest::Array first = {}, second = {}, output = {}; ///< the output's count is the maximum number of kept keys
    BufferRef<std::uint32_t> count = {};
};

/// Returns the maximum number of keys that the operation keeps.
WEIR_API std::uint32_t max_kept(SetRequest::Operation operation, const Count& first, const Count& second);

/// Adds the passes.
WEIR_API void add_set_operation(Graph& graph, const SetRequest& request);

/// Adds the operation of `request` after filling in its arrays.
template <class K>
SetResult<K> set_operation(Graph& graph, BufferRef<K> first, BufferRef<K> second, const SetOptions<K>& options,
                           SetRequest request) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "set operations require 32-bit or 64-bit keys");
    const std::uint32_t most = max_kept(request.operation, first.count, second.count);
    SetResult<K> result{given_or_transient(graph, options.output_keys, request.name, most),
                        given_or_transient(graph, options.output_count, request.name, 1)};
    request.element = element_type<K>;
    request.first = {.keys = first, .key_capacity = first.capacity, .count = first.count};
    request.second = {.keys = second, .key_capacity = second.capacity, .count = second.count};
    request.output = {.keys = result.keys, .key_capacity = result.keys.capacity, .count = most};
    request.count = result.count;
    add_set_operation(graph, request);
    result.keys.count = graph.count_in(result.count, 0, most);
    return result;
}

} // namespace detail

/// Adds the union of two arrays, whose first `count` keys must ascend. Returns the keys that are in either array,
/// ascending. A key may occur several times in an array; the union has it as often as the array that has it more often,
/// as with std::set_union. K is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, on every
/// device. Floats are in IEEE 754 total order, in which keys are equal if their bits are. Outputs must not be inputs.
///
/// If there is more than one tile, one dispatch finds where tiles of the merged arrays begin. Another dispatch
/// processes the tiles, counts the kept keys of preceding tiles by decoupled look-back with fallback, and writes the
/// result. Both have as many workgroups as the maximum number of keys needs. A tile has 2304 keys of 32 bits or 1280 of
/// 64 bits if the device supports workgroups of 256. Scratch: three words per tile.
///
/// Errors, reported by `compile`: those of `merge`; `limit_exceeded` for more than 262,140 tiles, which are 604 million
/// keys of 32 bits or 335 million of 64 bits.
template <class K>
SetResult<K> set_union(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                       const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::unite, .name = "set union"});
}

/// Adds the intersection: the keys that are in both arrays, each as often as in the array that has it less often.
/// Everything else is as for `set_union`.
template <class K>
SetResult<K> set_intersection(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                              const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::intersect, .name = "set intersection"});
}

/// Adds the difference: the keys of the first array that are not in the second. A key that occurs m times in the first
/// array and n times in the second occurs max(m - n, 0) times in the result. Everything else is as for `set_union`.
template <class K>
SetResult<K> set_difference(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                            const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::subtract, .name = "set difference"});
}

/// Adds the symmetric difference: the keys that are in one array and not in the other. A key that occurs m times in one
/// array and n times in the other occurs |m - n| times in the result. Everything else is as for `set_union`.
template <class K>
SetResult<K> set_symmetric_difference(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                                      const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(
        graph, first, second, options,
        {.operation = detail::SetRequest::Operation::subtract_both, .name = "set symmetric difference"});
}

} // namespace weir
