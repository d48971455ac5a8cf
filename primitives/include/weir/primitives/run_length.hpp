#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/expand.hpp>

namespace weir {

template <class T>
struct RunLengthOptions {
    BufferRef<T> values = {};              ///< not valid: a new transient with room for a run to every element
    BufferRef<std::uint32_t> lengths = {}; ///< likewise
    BufferRef<std::uint32_t> offsets = {}; ///< likewise, if they are wanted
    bool wants_values = true;
    bool wants_offsets = false;          ///< whether it is also wanted where the runs begin
    bool repeated_only = false;          ///< whether runs of a single element are left out
    BufferRef<std::uint32_t> count = {}; ///< a word; not valid: a new transient
    WordLayout input_layout = {};
    WordLayout value_layout = {};
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters
    CompactionTuning tuning = {};
};

/// Runs of equal elements, in their order.
template <class T>
struct Runs {
    BufferRef<T> values;              ///< of each; its count is `count`, but never more than any output has room for
    BufferRef<std::uint32_t> lengths; ///< likewise
    BufferRef<std::uint32_t> offsets; ///< index of the first element of each; likewise
    BufferRef<std::uint32_t> count;   ///< a word: how many there are, those without room included
};

/// Adds a run-length encoding: each run of equal neighbours becomes a value, a length and, if wanted, the index of its
/// first element. Elements are equal if their bits are. A given output is one that is wanted; what becomes of runs that
/// an output has no room for, memory, capacity and errors are as of `select_if`.
///
/// One dispatch: a scan of how many runs there are and where the last one began. Each element is read twice, most often
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

template <class T>
struct RunLengthDecodeOptions {
    std::uint32_t capacity = 0;          ///< elements that there is room for if no output is given
    BufferRef<T> output = {};            ///< not valid: a new transient
    BufferRef<std::uint32_t> count = {}; ///< a word; not valid: a new transient
    WordLayout value_layout = {};
    WordLayout output_layout = {};
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {}; ///< if valid: four words that become LookBackCounters
    ExpandTuning tuning = {};
};

/// The elements that runs consist of.
template <class T>
struct Decoded {
    BufferRef<T> items;             ///< its count is `count`, but never more than it has room for
    BufferRef<std::uint32_t> count; ///< a word: how many there are, those without room included
};

/// Adds a run-length decoding, the inverse of the encoding: as many of each value as its length says, which may be 0.
/// There are lengths.count runs; elements have 1 to 16 words. Where the output has room for fewer, the first ones are
/// written. Passes, memory, capacity and errors are as of `expand`.
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
        return fail(ErrorCode::invalid_argument, "the lengths are no buffer of any graph");
    }
    if (!options.output.valid() && options.capacity == 0) {
        return fail(ErrorCode::invalid_argument, "how many elements there is room for is not said");
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
