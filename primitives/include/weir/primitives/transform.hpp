#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// Options of transform.
template <class T>
struct TransformOptions {
    BufferRef<T> output = {}; ///< capacity for all elements; may be the input; not valid: a new transient
};

namespace detail {

/// A transform between types that are known at run time only.
struct TransformRequest {
    ElementType from = {}, to = {};
    const Expression* expression = nullptr;
    Count count = {};
    BufferId input = {}, output = {};
    std::uint64_t input_capacity = 0, output_capacity = 0;
};

WEIR_API void add_transform(Graph& graph, const TransformRequest& request);

} // namespace detail

/// Adds a pass that sets element i of the output to the value of the expression for element i of the input, for the
/// first `input.count` elements. Both types are of `element_type`. The expression must have the GLSL type of an element
/// of type To, as described in Expression, or a type that GLSL converts to it.
///
///     auto lengths = weir::transform<float>(graph, points, "length(x)"); // of BufferRef<std::array<float, 2>>
///
/// Returns the output, with the count of the input. The output may be the input if both element types have the same
/// number of words.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for buffers that are too small or used twice;
/// `limit_exceeded` for elements beyond 2^32 words; `shader_compilation`, which names the expression and its line.
template <class To, class From>
BufferRef<To> transform(const GraphCall& graph, BufferRef<From> input, const Expression& expression,
                        const std::type_identity_t<TransformOptions<To>>& options = {}) {
    BufferRef<To> output = detail::given_or_transient(graph, options.output, "transformed", input.count.max);
    output.count = input.count;
    detail::add_transform(graph, {.from = element_type<From>,
                                  .to = element_type<To>,
                                  .expression = &expression,
                                  .count = input.count,
                                  .input = input,
                                  .output = output,
                                  .input_capacity = input.capacity,
                                  .output_capacity = output.capacity});
    return output;
}

/// Adds a transform by a GLSL expression. Same as `Expression{.text = expression}`.
template <class To, class From, std::convertible_to<std::string> Glsl>
BufferRef<To> transform(const GraphCall& graph, BufferRef<From> input, const Glsl& expression,
                        const std::type_identity_t<TransformOptions<To>>& options = {}) {
    return transform<To>(graph, input, Expression{.text = expression}, options);
}

} // namespace weir
