#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/expand.hpp>

namespace weir {

/// Options of run_length_encode. An output that is given is also wanted.
template <class T>
struct RunLengthOptions {
    BufferRef<T> values = {};               ///< not valid: a new transient with room for one run per element
    BufferRef<std::uint32_t> lengths = {};  ///< not valid: a new transient with room for one run per element
    BufferRef<std::uint32_t> offsets = {};  ///< not valid: a new transient with room for one run per element, if wanted
    bool wants_values = true;               ///< whether the element of each run is wanted
    bool wants_offsets = false;             ///< whether the index of the first element of each run is wanted
    bool repeated_only = false;             ///< whether runs of one element are left out
    BufferRef<std::uint32_t> count = {};    ///< a word; not valid: a new transient
    WordLayout input_layout = {};           ///< of the input
    WordLayout value_layout = {};           ///< of the values
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters
    CompactionTuning tuning = {};           ///< shape of the kernel
};

/// Runs of equal elements, in their order.
template <class T>
struct Runs {
    BufferRef<T> values; ///< element of each run; count: `count`, but at most what every output has room for
    BufferRef<std::uint32_t> lengths; ///< number of elements of each run; the same count
    BufferRef<std::uint32_t> offsets; ///< index of the first element of each run; the same count
    BufferRef<std::uint32_t> count;   ///< a word: number of runs, those that did not fit included
};

/// Adds a run-length encoding: each run of equal neighbours becomes a value, a length and, if wanted, the index of its
/// first element. Elements are equal if their bits are. Runs that an output has no room for, memory, capacity and
/// errors are as for `select_if`.
///
/// One dispatch: a scan of the number of runs and the beginning of the last one. Each element is read twice, mostly
/// from a cache.
template <class T>
Runs<T> run_length_encode(const GraphCall& graph, BufferRef<T> input,
                          const std::type_identity_t<RunLengthOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.name = "run-length encode";
    request.classifier = detail::CompactionRequest::Classifier::heads;
    request.input_layout = options.input_layout;
    request.output_layout = options.value_layout;
    request.repeated_only = options.repeated_only;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    Runs<T> runs;
    if (input.valid()) {
        runs.lengths = detail::given_or_transient(graph, options.lengths, "run lengths", input.count.max);
    }
    request.lengths = runs.lengths;
    const Selected<T> heads =
        detail::compact<T>(graph, request, input,
                           {{options.wants_values, options.wants_offsets, options.values, options.offsets}},
                           options.count)
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
    std::uint32_t capacity = 0;             ///< elements that fit, if no output is given
    BufferRef<T> output = {};               ///< not valid: a new transient
    BufferRef<std::uint32_t> count = {};    ///< a word; not valid: a new transient
    WordLayout value_layout = {};           ///< of the values
    WordLayout output_layout = {};          ///< of the output
    FaultInjection faults = {};             ///< for tests
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four or five words that become LookBackCounters
    ExpandTuning tuning = {};               ///< shape of the kernel
};

/// The elements of runs.
template <class T>
struct Decoded {
    BufferRef<T> items; ///< the elements; count: `count`, but at most what the output has room for
    /// A word: number of elements, including those that did not fit. 2^32 - 1 stands for this number and all greater
    /// ones.
    BufferRef<std::uint32_t> count;
};

/// Adds a run-length decoding, the inverse of the encoding: each value as often as its length says, which may be 0.
/// There are lengths.count runs; elements have 1 to 16 words. Where the output has room for fewer elements, the first
/// ones are written. Passes, memory, capacity and errors are as for `expand`.
template <class T>
Decoded<T> run_length_decode(const GraphCall& graph, BufferRef<T> values, BufferRef<std::uint32_t> lengths,
                             const std::type_identity_t<RunLengthDecodeOptions<T>>& options = {}) {
    constexpr std::uint32_t words = element_type<T>.words();
    detail::ExpandRequest request;
    request.name = "run-length decode";
    const auto fail = [&](ErrorCode code, const char* why) {
        graph->fail({code, request.name + std::string(": ") + why});
        return Decoded<T>{};
    };
    if (!lengths.valid()) {
        return fail(ErrorCode::invalid_argument, "the lengths are not a buffer of a graph");
    }
    if (!options.output.valid() && options.capacity == 0) {
        return fail(ErrorCode::invalid_argument, "the capacity is not given");
    }
    const std::uint64_t stride = options.output_layout.stride != 0 ? options.output_layout.stride : words;
    const std::uint64_t needed = (options.output_layout.offset + options.capacity * stride + words - 1) / words;
    if (needed > ~0U) {
        return fail(ErrorCode::limit_exceeded, "the elements would reach past 2^32 words");
    }
    const BufferRef<T> output = detail::given_or_transient(graph, options.output, "decoded", needed);
    request.counts = lengths;
    request.total = options.count;
    request.element_words = words;
    request.values = values;
    request.value_words = std::uint64_t{values.capacity} * words;
    request.value_layout = options.value_layout;
    request.items = output;
    request.item_words = std::uint64_t{output.capacity} * words;
    request.item_layout = options.output_layout;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    const Expanded expanded = detail::add_expand(graph, request);
    return {output.with_count(expanded.sources.count), expanded.count};
}

} // namespace weir
