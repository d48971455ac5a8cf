#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expand.hpp>
#include <weir/primitives/layout.hpp>

namespace weir {

/// Options of run_length_decode.
template <class T>
struct RunLengthDecodeOptions {
    /// Capacity of a new output in elements. Required if `output` is not valid.
    std::uint32_t capacity = 0;
    BufferRef<T> output = {};                   ///< not valid: a new transient
    BufferRef<std::uint32_t> output_count = {}; ///< a word; not valid: a new transient
    WordLayout value_layout = {};               ///< layout of the values
    WordLayout output_layout = {};              ///< layout of the output
    ExpandTuning tuning = {};                   ///< kernel shape
};

/// Result of run_length_decode: the elements of all runs.
template <class T>
struct RunLengthDecodeResult {
    BufferRef<T> items; ///< the elements; the count is `count`, limited to the capacity of the output
    /// A word: number of all elements, including those that did not fit. It saturates: 2^32 - 1 means this number or
    /// more.
    BufferRef<std::uint32_t> count;
};

/// Adds a run-length decoding, the inverse of the encoding: repeats each value by its length, which may be 0. The
/// number of runs is `lengths.count`. Elements have 1 to 16 words. If the output has capacity for fewer elements, the
/// first ones are written. Passes, memory, capacity and errors are as for `expand`.
template <class T>
RunLengthDecodeResult<T> run_length_decode(const GraphCall& graph, BufferRef<T> values,
                                           BufferRef<std::uint32_t> lengths,
                                           const std::type_identity_t<RunLengthDecodeOptions<T>>& options = {}) {
    constexpr std::uint32_t words = element_type<T>.words();
    detail::ExpandRequest request;
    request.name = "run-length decode";
    const auto fail = [&](ErrorCode code, const char* why) {
        graph->fail({code, request.name + std::string(": ") + why});
        return RunLengthDecodeResult<T>{};
    };
    if (!lengths.valid()) {
        return fail(ErrorCode::invalid_argument, "the buffer of lengths is null");
    }
    if (!options.output.valid() && options.capacity == 0) {
        return fail(ErrorCode::invalid_argument, "capacity must be set if output is null");
    }
    const std::uint64_t stride = options.output_layout.stride != 0 ? options.output_layout.stride : words;
    const std::uint64_t needed = (options.output_layout.offset + options.capacity * stride + words - 1) / words;
    if (needed > ~0U) {
        return fail(ErrorCode::limit_exceeded, "the elements would exceed 2^32 words");
    }
    const BufferRef<T> output = detail::given_or_transient(graph, options.output, "decoded", needed);
    request.counts = lengths;
    request.total = options.output_count;
    request.element_words = words;
    request.values = values;
    request.value_words = std::uint64_t{values.capacity} * words;
    request.value_layout = options.value_layout;
    request.items = output;
    request.item_words = std::uint64_t{output.capacity} * words;
    request.item_layout = options.output_layout;
    request.tuning = options.tuning;
    const ExpandResult expanded = detail::add_expand(graph, request);
    return {output.with_count(expanded.sources.count), expanded.count};
}

} // namespace weir
