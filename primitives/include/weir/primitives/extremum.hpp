#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/reduce.hpp>

namespace weir {

/// Options of min_element and max_element.
template <class T>
struct ExtremumOptions {
    BufferRef<T> value = {};                ///< room for one element; not valid: a new transient
    BufferRef<std::uint32_t> position = {}; ///< room for one word; not valid: a new transient
    WordLayout input_layout = {};           ///< of the input
    ReduceTuning tuning = {};               ///< shape of the kernel
};

/// The result of min_element and max_element.
template <class T>
struct Extremum {
    BufferRef<T> value;                ///< one element
    BufferRef<std::uint32_t> position; ///< a word: the index of the first element that is equal to it
};

namespace detail {

template <class T>
Extremum<T> extremum(Graph& graph, const char* name, BufferRef<T> input, const ExtremumOptions<T>& options,
                     bool greatest) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "the least and the greatest are found of 32- or 64-bit numbers");
    Extremum<T> found{options.value, options.position};
    if (input.valid()) {
        found.value = given_or_transient(graph, found.value, "extremum", 1);
        found.position = given_or_transient(graph, found.position, "extremum's position", 1);
    }
    detail::ReduceRequest request;
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

/// Adds the search for the smallest of the first `input.count` elements: its value, and the index of the first element
/// that is equal to it. T is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, on every
/// device. Floats are in the total order of IEEE 754, as in `reduce` and in sorts: -0 comes before +0, and NaNs come
/// after the infinity of their sign, so that a positive NaN is the greatest float. For an empty input the position is
/// 0xFFFFFFFF, and the value is not written.
///
/// One dispatch, a reduction. Scratch: that of `reduce`, with one word more per element. Errors: those of `reduce`, and
/// `invalid_argument` for an output that is also the input or the other output.
template <class T>
Extremum<T> min_element(const GraphCall& graph, BufferRef<T> input,
                        const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "min element", input, options, false);
}

/// Adds the search for the greatest element, and the first element that is equal to it. Otherwise as `min_element`.
template <class T>
Extremum<T> max_element(const GraphCall& graph, BufferRef<T> input,
                        const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "max element", input, options, true);
}

} // namespace weir
