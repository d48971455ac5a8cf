#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/reduce.hpp>

namespace weir {

template <class T>
struct ExtremumOptions {
    BufferRef<T> value = {};                ///< room for one; not valid: a new transient
    BufferRef<std::uint32_t> position = {}; ///< likewise
    WordLayout input_layout = {};
    ReduceTuning tuning = {};
};

template <class T>
struct Extremum {
    BufferRef<T> value;                ///< the element, one
    BufferRef<std::uint32_t> position; ///< the index of the first one like it, a word
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

/// Adds the search for the least of the first `input.count` elements: its value and the index of the first one that is
/// equal to it. T is std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double, on every device. Floats
/// go by the total order of IEEE 754, as `reduce` and sorts have it: -0 is before +0, and NaNs are beyond the
/// infinities of their sign, so a NaN without sign is the greatest of all. Of no elements the position is 0xFFFFFFFF,
/// and the value is left alone.
///
/// One dispatch, a reduction: memory is that of `reduce`, with a word more to an element. Errors are those of `reduce`,
/// and `invalid_argument` for an output that is also the input or another output.
template <class T>
Extremum<T> min_element(const GraphCall& graph, BufferRef<T> input,
                        const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "min element", input, options, false);
}

/// Adds the search for the greatest element, and the first one that is equal to it. Otherwise as `min_element`.
template <class T>
Extremum<T> max_element(const GraphCall& graph, BufferRef<T> input,
                        const std::type_identity_t<ExtremumOptions<T>>& options = {}) {
    return detail::extremum(graph, "max element", input, options, true);
}

} // namespace weir
