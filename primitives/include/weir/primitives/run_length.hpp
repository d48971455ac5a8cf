#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/detail/outputs.hpp>
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

} // namespace weir
