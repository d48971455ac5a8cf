#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/reduce_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/reduce_tuning.hpp>

namespace weir {

/// Options of min_element and max_element.
template <class T>
struct ExtremumOptions {
    BufferRef<T> output_value = {};                ///< capacity for one element; not valid: a new transient
    BufferRef<std::uint32_t> output_position = {}; ///< capacity for one word; not valid: a new transient
    WordLayout input_layout = {};                  ///< layout of the input
    ReduceTuning tuning = {};                      ///< kernel shape
};

/// Result of min_element and max_element, and of searches by segment.
template <class T>
struct ExtremumResult {
    BufferRef<T> value;                ///< one element, or one per segment: the minimum or maximum
    BufferRef<std::uint32_t> position; ///< a word for each value: index of the first element that equals it
};

namespace detail {

template <class T>
ExtremumResult<T> extremum(Graph& graph, const char* name, BufferRef<T> input, const ExtremumOptions<T>& options,
                           bool greatest) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "min_element and max_element require 32-bit or 64-bit numbers");
    ExtremumResult<T> found{options.output_value, options.output_position};
    if (input.valid()) {
        found.value = given_or_transient(graph, found.value, "extremum", 1);
        found.position = given_or_transient(graph, found.position, "extremum's position", 1);
    }
    ReduceRequest request;
    request.name = name;
    request.element = element_type<T>;
    request.count = input.count;
    request.input = input;
    request.output = found.value;
    request.input_words = std::uint64_t{input.capacity} * sizeof(T) / 4;
    request.output_words = std::uint64_t{found.value.capacity} * sizeof(T) / 4;
    request.position = found.position;
    request.greatest = greatest;
    request.input_layout = options.input_layout;
    request.tuning = options.tuning;
    add_reduce(graph, request);
    found.value.count = found.position.count = 1;
    return found;
}

} // namespace detail

/// Adds a search for the minimum of the first `input.count` elements. Returns its value and the index of the first
/// element that equals it. For an empty input, the position is 0xFFFFFFFF and the value is not written.
///
/// T must be std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double. Every device supports all of
/// these types. Floats are compared in IEEE 754 total order, as in `reduce` and in sorts: -0 comes before +0, and NaNs
/// come beyond the infinity of their sign. Therefore a positive NaN is the maximum.
///
/// One dispatch, a reduction. Scratch memory: that of `reduce`, and one more word per workgroup. Errors: those of
/// `reduce`, and `invalid_argument` if an output is also the input, its count or the other output.
template <class T>
ExtremumResult<T> min_element(const GraphCall& graph, BufferRef<T> input,
                              const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "min element", input, options, false);
}

/// Adds a search for the maximum of the first `input.count` elements. Returns its value and the index of the first
/// element that equals it. Types, order of floats, memory and errors are those of `min_element`.
template <class T>
ExtremumResult<T> max_element(const GraphCall& graph, BufferRef<T> input,
                              const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "max element", input, options, true);
}

} // namespace weir
