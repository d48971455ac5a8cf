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
#include <weir/primitives/reduce_tuning.hpp>

namespace weir {

/// Options of count_if and find_if.
struct FindOptions {
    BufferRef<std::uint32_t> output = {}; ///< capacity for one word; not valid: a new transient
    WordLayout input_layout = {};         ///< layout of the input
    ReduceTuning tuning = {};             ///< kernel shape
};

/// Options of is_sorted and is_sorted_until.
struct SortedOptions {
    BufferRef<std::uint32_t> output = {}; ///< capacity for one word; not valid: a new transient
    bool descending = false;              ///< the largest elements come first
    WordLayout input_layout = {};         ///< layout of the input
    ReduceTuning tuning = {};             ///< kernel shape
};

namespace detail {

/// A search whose element type is known at run time only.
struct FindRequest {
    enum class Result : std::uint8_t { count, first, whether_none };

    const char* name = "";
    Result result = Result::count;
    ElementType element = {};
    Count count = {};
    BufferId input = {};
    std::uint64_t input_words = 0; ///< size of the input in words
    /// If null, the search finds elements that come before their predecessor.
    const Predicate* predicate = nullptr;
    bool descending = false;
    BufferRef<std::uint32_t> output = {};
    WordLayout input_layout = {};
    ReduceTuning tuning = {};
};

/// Adds the search.
WEIR_API void add_find(Graph& graph, const FindRequest& request);

/// Adds the search described by `request`. Fills in its input and output.
template <class T>
BufferRef<std::uint32_t> find(Graph& graph, BufferRef<T> input, BufferRef<std::uint32_t> output, FindRequest request) {
    request.element = element_type<T>;
    request.count = input.count;
    request.input = input;
    request.input_words = std::uint64_t{input.capacity} * sizeof(T) / 4;
    request.output = given_or_transient(graph, output, request.name, 1);
    add_find(graph, request);
    return request.output.with_count(1);
}

template <class T>
BufferRef<std::uint32_t> find_unsorted(Graph& graph, BufferRef<T> input, const SortedOptions& options,
                                       FindRequest request) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "is_sorted and is_sorted_until require 32-bit or 64-bit numbers");
    request.descending = options.descending;
    request.input_layout = options.input_layout;
    request.tuning = options.tuning;
    return find(graph, input, options.output, request);
}

} // namespace detail

/// Adds a count of the elements that satisfy the predicate, among the first `input.count`. Returns the count in one
/// word. Elements may have any type of `element_type`. Floats compare as in IEEE 754: with a NaN, only `not_equal` is
/// true.
///
/// One dispatch, a reduction that reads each element once. Scratch memory: that of `reduce`. Errors, reported by
/// `compile`: those of `reduce`; `invalid_argument` for an empty predicate, a predicate of another type, or an output
/// that is also an input; `shader_compilation`, which names the predicate and its line.
template <class T>
BufferRef<std::uint32_t> count_if(const GraphCall& graph, BufferRef<T> input, const Predicate& predicate,
                                  const FindOptions& options = {}) {
    return detail::find(graph, input, options.output,
                        {.name = "count if",
                         .result = detail::FindRequest::Result::count,
                         .predicate = &predicate,
                         .input_layout = options.input_layout,
                         .tuning = options.tuning});
}

/// Adds a count of the elements that satisfy a GLSL expression. Same as `Predicate{.expression = expression}`.
template <class T, std::convertible_to<std::string> Glsl>
BufferRef<std::uint32_t> count_if(const GraphCall& graph, BufferRef<T> input, const Glsl& expression,
                                  const FindOptions& options = {}) {
    return count_if(graph, input, Predicate{.expression = expression}, options);
}

/// Adds a search for the first element that satisfies the predicate, among the first `input.count`. Returns its index
/// in one word, or the number of elements if no element satisfies it. All elements are read, including those after the
/// one found. Types, comparisons, memory and errors are those of `count_if`.
template <class T>
BufferRef<std::uint32_t> find_if(const GraphCall& graph, BufferRef<T> input, const Predicate& predicate,
                                 const FindOptions& options = {}) {
    return detail::find(graph, input, options.output,
                        {.name = "find if",
                         .result = detail::FindRequest::Result::first,
                         .predicate = &predicate,
                         .input_layout = options.input_layout,
                         .tuning = options.tuning});
}

/// Adds a search for the first element that satisfies a GLSL expression. Same as `Predicate{.expression = expression}`.
template <class T, std::convertible_to<std::string> Glsl>
BufferRef<std::uint32_t> find_if(const GraphCall& graph, BufferRef<T> input, const Glsl& expression,
                                 const FindOptions& options = {}) {
    return find_if(graph, input, Predicate{.expression = expression}, options);
}

/// Adds a check that the first `input.count` elements ascend, or descend if `descending` is set. Equal elements may
/// follow each other. Returns one word: 1 if the elements are in order, otherwise 0. Fewer than two elements are in
/// order.
///
/// T must be std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double. Every device supports all of
/// these types. Floats are compared in IEEE 754 total order, as in sorts: -0 comes before +0, and NaNs come beyond the
/// infinity of their sign.
///
/// One dispatch, a reduction. Scratch memory: that of `reduce`. Errors: those of `reduce`, and `invalid_argument` for
/// an output that is also an input.
template <class T>
BufferRef<std::uint32_t> is_sorted(const GraphCall& graph, BufferRef<T> input, const SortedOptions& options = {}) {
    return detail::find_unsorted(graph, input, options,
                                 {.name = "is sorted", .result = detail::FindRequest::Result::whether_none});
}

/// Adds a search for the first element that comes before its predecessor. Returns its index in one word, or the number
/// of elements if there is no such element. This is the length of the sorted prefix. Types, order, memory and errors
/// are those of `is_sorted`.
template <class T>
BufferRef<std::uint32_t> is_sorted_until(const GraphCall& graph, BufferRef<T> input,
                                         const SortedOptions& options = {}) {
    return detail::find_unsorted(graph, input, options,
                                 {.name = "is sorted until", .result = detail::FindRequest::Result::first});
}

} // namespace weir
