#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expand.hpp>
#include <weir/primitives/layout.hpp>

namespace weir {

/// Options of run_length_encode. A valid `output_offsets` also requests the offsets. A valid `output_values` with
/// `want_values` false is the error `invalid_argument`.
template <class T>
struct RunLengthOptions {
    BufferRef<T> output_values = {};              ///< not valid: a new transient with capacity for one run per element
    BufferRef<std::uint32_t> output_lengths = {}; ///< not valid: a new transient with capacity for one run per element
    /// Not valid: a new transient with capacity for one run per element, if requested.
    BufferRef<std::uint32_t> output_offsets = {};
    bool want_values = true;                    ///< write the element of each run
    bool want_offsets = false;                  ///< write the index of the first element of each run
    bool repeated_only = false;                 ///< skip runs of one element
    BufferRef<std::uint32_t> output_count = {}; ///< a word; not valid: a new transient
    WordLayout input_layout = {};               ///< layout of the input
    WordLayout value_layout = {};               ///< layout of the values
    CompactionTuning tuning = {};               ///< kernel shape
};

/// Result of run_length_encode: runs of equal elements, in order.
template <class T>
struct RunLengthResult {
    /// Element of each run. The count is `count`, limited to the capacity of the smallest output.
    BufferRef<T> values;
    /// Number of elements of each run. Count as for `values`.
    BufferRef<std::uint32_t> lengths;
    /// Index of the first element of each run. Count as for `values`.
    BufferRef<std::uint32_t> offsets;
    /// A word: number of all runs, including those that did not fit.
    BufferRef<std::uint32_t> count;
};

/// Adds a run-length encoding. Each run of equal consecutive elements becomes a value, a length and, if requested, the
/// index of its first element. Elements are equal if their bits are. Outputs with capacity for fewer runs, memory,
/// capacity and errors are as for `select_if`.
///
/// One dispatch: a scan of the number of runs and the beginning of the last one. Each element is read twice, mostly
/// from a cache.
template <class T>
RunLengthResult<T> run_length_encode(const GraphCall& graph, BufferRef<T> input,
                                     const std::type_identity_t<RunLengthOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.name = "run-length encode";
    if (!options.want_values && options.output_values.valid()) {
        graph->fail({ErrorCode::invalid_argument,
                     request.name + std::string(": .output_values is set but .want_values is false")});
        return {};
    }
    request.classifier = detail::CompactionRequest::Classifier::heads;
    request.input_layout = options.input_layout;
    request.output_layout = options.value_layout;
    request.repeated_only = options.repeated_only;
    request.tuning = options.tuning;
    RunLengthResult<T> runs;
    if (input.valid()) {
        runs.lengths = detail::given_or_transient(graph, options.output_lengths, "run lengths", input.count.max);
    }
    request.lengths = runs.lengths;
    const SelectResult<T> heads =
        detail::compact<T>(graph, request, input,
                           {{options.want_values, options.want_offsets, options.output_values, options.output_offsets}},
                           options.output_count)
            .front();
    runs.values = heads.items;
    runs.offsets = heads.indices;
    runs.count = heads.count;
    runs.lengths.count = heads.indices.count;
    return runs;
}

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
