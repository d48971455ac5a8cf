#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

template <class T>
struct SelectOptions {
    BufferRef<T> output;                     ///< not valid: a new transient with room for all elements
    bool items = true;                       ///< whether the elements themselves are wanted
    BufferRef<std::uint32_t> output_indices; ///< not valid: a new transient, if indices are wanted
    bool indices = false;                    ///< whether it is also, or only, wanted where the elements were
    BufferRef<std::uint32_t> count;          ///< a word; not valid: a new transient
    WordLayout input_layout;
    WordLayout output_layout;
    FaultInjection faults;
    BufferRef<std::uint32_t> counters; ///< if valid: four words that become LookBackCounters
    CompactionTuning tuning;
};

namespace detail {

template <class T>
Selected<T> select(Graph& graph, BufferRef<T> input, const SelectOptions<T>& options, CompactionRequest request) {
    request.name = "select";
    request.input_layout = options.input_layout;
    request.output_layout = options.output_layout;
    request.faults = &options.faults;
    request.counters = options.counters;
    request.tuning = options.tuning;
    return compact<T>(graph, request, input, {{options.items, options.indices, options.output, options.output_indices}},
                      options.count)
        .front();
}

} // namespace detail

/// Adds a selection: the elements that satisfy the predicate, in their order, packed; where each of them was, if that
/// is wanted (`indices`); and how many they are, which stays on the GPU and can be the count of what follows. Elements
/// are of any type of `element_type`; those of structs have 1 to 16 words.
///
/// Where an output has room for fewer, the first ones are written and nothing past the end; `count` still tells how
/// many there are. The input may not be an output.
///
/// One dispatch: a decoupled-fallback scan of what is kept. Each element is read once. State memory: 32 bytes per tile.
/// Errors, which `compile` reports: `invalid_argument` for buffers that are too small, or a predicate of another type;
/// `limit_exceeded` for too many elements; a predicate's compile errors.
template <class T>
Selected<T> select_if(Graph& graph, BufferRef<T> input, const Predicate& predicate,
                      const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.predicates = {&predicate};
    return detail::select(graph, input, options, request);
}

/// Adds a selection of the elements whose flag, a word to each, is not 0. Otherwise as `select_if`.
template <class T>
Selected<T> select_flagged(Graph& graph, BufferRef<T> input, BufferRef<std::uint32_t> flags,
                           const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::flags;
    request.flags = flags;
    return detail::select(graph, input, options, request);
}

/// Adds a selection of the elements whose bit, i % 32 of word i / 32 for element i, is set. Otherwise as `select_if`.
template <class T>
Selected<T> select_by_bits(Graph& graph, BufferRef<T> input, BufferRef<std::uint32_t> bits,
                           const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::bits;
    request.flags = bits;
    return detail::select(graph, input, options, request);
}

} // namespace weir
