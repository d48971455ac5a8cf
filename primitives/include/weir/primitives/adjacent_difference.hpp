#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Options of adjacent_difference.
template <class T>
struct AdjacentDifferenceOptions {
    BufferRef<T> output = {}; ///< capacity for all elements; not valid: a new transient
};

namespace detail {

/// A request whose element type is known at run time only.
struct AdjacentDifferenceRequest {
    ElementType element = {};
    Count count = {};
    BufferId input = {}, output = {};
    std::uint64_t input_capacity = 0, output_capacity = 0;
};

WEIR_API void add_adjacent_difference(Graph& graph, const AdjacentDifferenceRequest& request);

} // namespace detail

/// Adds a pass that computes output[i] = input[i] - input[i - 1] for the first `input.count` elements, with output[0] =
/// input[0]. Returns the output with the count of the input. The output must not be the input.
///
/// Integers wrap, so an inclusive sum of the output restores them. T must be std::uint32_t, std::int32_t, float,
/// std::uint64_t, std::int64_t or double.
///
/// One dispatch, no scratch memory. Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or
/// used twice; `limit_exceeded` if the elements need 2^32 words or more; `unsupported` for doubles on a device without
/// 64-bit floats.
template <class T>
BufferRef<T> adjacent_difference(const GraphCall& graph, BufferRef<T> input,
                                 const std::type_identity_t<AdjacentDifferenceOptions<T>>& options = {}) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "adjacent_difference requires 32-bit or 64-bit numbers");
    BufferRef<T> output = detail::given_or_transient(graph, options.output, "differences", input.count.max);
    output.count = input.count;
    detail::add_adjacent_difference(graph, {.element = element_type<T>,
                                            .count = input.count,
                                            .input = input,
                                            .output = output,
                                            .input_capacity = input.capacity,
                                            .output_capacity = output.capacity});
    return output;
}

} // namespace weir
