#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/predicate.hpp>
#include <weir/primitives/reduce.hpp>

namespace weir {

/// Options of count_if and find_if.
struct FindOptions {
    BufferRef<std::uint32_t> output = {}; ///< room for one word; not valid: a new transient
    WordLayout input_layout = {};         ///< of the input
    ReduceTuning tuning = {};             ///< shape of the kernel
};

/// Options of is_sorted and is_sorted_until.
struct SortedOptions {
    BufferRef<std::uint32_t> output = {}; ///< room for one word; not valid: a new transient
    bool descending = false;              ///< whether the greatest elements come first
    WordLayout input_layout = {};         ///< of the input
    ReduceTuning tuning = {};             ///< shape of the kernel
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
    std::uint64_t input_words = 0; ///< size of the input
    /// Null: what is found comes before its predecessor.
    const Predicate* predicate = nullptr;
    bool descending = false;
    BufferRef<std::uint32_t> output = {};
    WordLayout input_layout = {};
    ReduceTuning tuning = {};
};

/// Adds the search.
WEIR_API void add_find(Graph& graph, const FindRequest& request);

/// Adds the search of `request`, whose input and output are filled in here.
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
                  "the order of elements is that of 32- or 64-bit numbers");
    request.descending = options.descending;
    request.input_layout = options.input_layout;
    request.tuning = options.tuning;
    return find(graph, input, options.output, request);
}

} // namespace detail

/// Adds the count of those of the first `input.count` elements that satisfy the predicate. Returns a word. Elements are
/// of any type of `element_type`. Comparisons of floats are those of IEEE 754: with NaN only `not_equal` is true.
///
/// One dispatch, a reduction: each element is read once. Scratch: that of `reduce`. Errors, reported by `compile`:
/// those of `reduce`, and `invalid_argument` for a predicate of another type or an empty one, or an output that is also
/// an input; `shader_compilation` names the predicate and its line.
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

/// Adds the search for the first of the first `input.count` elements that satisfies the predicate. Returns a word: its
/// index, or the number of elements if there is none. All elements are read, those behind it included. Otherwise as
/// `count_if`.
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

/// Adds the question whether the first `input.count` elements ascend, or with `descending` descend; equal ones may
/// follow each other. Returns a word: 1 if they do, else 0; 1 for fewer than two elements. T is std::uint32_t,
/// std::int32_t, float, std::uint64_t, std::int64_t or double, on every device. Floats are in the total order of IEEE
/// 754, as in sorts: -0 comes before +0, and NaNs come after the infinity of their sign.
///
/// One dispatch, a reduction. Scratch: that of `reduce`. Errors: those of `reduce`, and `invalid_argument` for an
/// output that is also an input.
template <class T>
BufferRef<std::uint32_t> is_sorted(const GraphCall& graph, BufferRef<T> input, const SortedOptions& options = {}) {
    return detail::find_unsorted(graph, input, options,
                                 {.name = "is sorted", .result = detail::FindRequest::Result::whether_none});
}

/// Adds the search for the first element that comes before its predecessor. Returns a word: how many elements are
/// sorted from the first one on, which is its index, or the number of elements if there is none. Otherwise as
/// `is_sorted`.
template <class T>
BufferRef<std::uint32_t> is_sorted_until(const GraphCall& graph, BufferRef<T> input,
                                         const SortedOptions& options = {}) {
    return detail::find_unsorted(graph, input, options,
                                 {.name = "is sorted until", .result = detail::FindRequest::Result::first});
}

} // namespace weir
