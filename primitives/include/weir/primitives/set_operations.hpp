#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/merge.hpp>

namespace weir {

/// Options of set operations.
template <class K>
struct SetOptions {
    /// Room for the keys of the result as far as counts tell: of the first array, for a difference; of the smaller one,
    /// for an intersection; of both, otherwise. Not valid: a new transient.
    BufferRef<K> keys = {};
    BufferRef<std::uint32_t> count = {};    ///< a word; not valid: a new transient
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters
};

/// The result of a set operation.
template <class K>
struct SetResult {
    BufferRef<K> keys;              ///< the kept keys, ascending; count: `count`
    BufferRef<std::uint32_t> count; ///< a word: their number
};

namespace detail {

/// A set operation on keys whose type is known at run time only.
struct SetRequest {
    enum class Operation : std::uint8_t { unite, intersect, subtract, subtract_both };

    Operation operation = Operation::unite;
    const char* name = "";
    ElementType element = {};
    MergeRequest::Array first = {}, second = {}, output = {}; ///< the output's count is the most keys that are kept
    BufferRef<std::uint32_t> count = {};
    const FaultInjection* faults = nullptr;
    BufferRef<std::uint32_t> counters = {};
};

WEIR_API void add_set_operation(Graph& graph, const SetRequest& request);

/// Adds the operation of `request`, whose arrays are filled in here.
template <class K>
SetResult<K> set_operation(Graph& graph, BufferRef<K> first, BufferRef<K> second, const SetOptions<K>& options,
                           SetRequest request) {
    static_assert(std::is_arithmetic_v<K> && element_type<K>.scalar != Scalar::custom,
                  "keys of sets are 32- or 64-bit numbers");
    using Operation = SetRequest::Operation;
    const std::uint32_t most = request.operation == Operation::subtract ? first.count.max
                               : request.operation == Operation::intersect
                                   ? (std::min)(first.count.max, second.count.max)
                                   : most_merged(first.count, second.count);
    SetResult<K> result{given_or_transient(graph, options.keys, request.name, most),
                        given_or_transient(graph, options.count, request.name, 1)};
    request.element = element_type<K>;
    request.first = {.keys = first, .key_capacity = first.capacity, .count = first.count};
    request.second = {.keys = second, .key_capacity = second.capacity, .count = second.count};
    request.output = {.keys = result.keys, .key_capacity = result.keys.capacity, .count = most};
    request.count = result.count;
    request.faults = &options.faults;
    request.counters = options.counters;
    add_set_operation(graph, request);
    result.keys.count = graph.count_in(result.count, 0, most);
    return result;
}

} // namespace detail

/// Adds the union of two arrays, whose first `count` keys ascend: what is in either of them, ascending. A key may be in
/// an array several times; it is in the union as often as in the array that has it more often, as with std::set_union.
/// K is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, on every device. Floats are in the
/// total order of IEEE 754, in which keys are equal if their bits are. Outputs must not be inputs.
///
/// A dispatch finds where tiles of their merge begin, unless there is one tile; another one walks the tiles, counts the
/// kept keys of those before by a decoupled look-back with fallback, and writes. Both have as many workgroups as the
/// greatest possible number of keys needs. Tiles have 2304 keys of 32 bits or 1280 of 64 bits where the device has
/// workgroups of 256. Scratch: three words per tile. Errors, reported by `compile`: those of `merge`; `limit_exceeded`
/// for more than 262,140 tiles, which are 604 million keys of 32 bits or 335 million of 64 bits.
template <class K>
SetResult<K> set_union(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                       const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::unite, .name = "set union"});
}

/// Adds the intersection: what is in both arrays, as often as in the one that has it less often. Otherwise as
/// `set_union`.
template <class K>
SetResult<K> set_intersection(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                              const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::intersect, .name = "set intersection"});
}

/// Adds the difference: what is in the first array and not in the second one. A key that is m times in the first and n
/// times in the second is m - n times in the result, if that is more than 0. Otherwise as `set_union`.
template <class K>
SetResult<K> set_difference(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                            const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(graph, first, second, options,
                                 {.operation = detail::SetRequest::Operation::subtract, .name = "set difference"});
}

/// Adds the symmetric difference: what is in one of the arrays and not in the other, as often as the numbers of its
/// copies differ. Otherwise as `set_union`.
template <class K>
SetResult<K> set_symmetric_difference(const GraphCall& graph, BufferRef<K> first, BufferRef<K> second,
                                      const std::type_identity_t<SetOptions<K>>& options = {}) {
    return detail::set_operation(
        graph, first, second, options,
        {.operation = detail::SetRequest::Operation::subtract_both, .name = "set symmetric difference"});
}

} // namespace weir
