#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>

namespace weir {

/// Adds a selection: the elements that satisfy the predicate, in their order, packed; where each of them was, if that
/// is wanted (`indices`); and how many they are, which stays on the GPU and can be the count of what follows. Elements
/// are of any type of `element_type`; those of structs have 1 to 16 words.
///
/// Where an output has room for fewer, as many of the first ones are written to every output, and nothing past the end
/// of any; `count` still tells how many there are. No output may also be the input or another output.
///
/// One dispatch: a scan of what is kept, the decoupled-fallback one of Smith, Levien and Owens. Each element is read
/// once. State memory: 32 bytes per tile. Capacity: up to 262140 tiles of the largest shape, and 2^32 words. Errors,
/// which `compile` reports: `invalid_argument` for buffers that are too small or are used twice, a predicate of another
/// type or none, and a shape that the device cannot run; `limit_exceeded` for too many elements; `unsupported` for a
/// subgroup size that cannot be had; a predicate's compile errors, which name it and its line.
template <class T>
Selected<T> select_if(const GraphCall& graph, BufferRef<T> input, const Predicate& predicate,
                      const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.predicates = {&predicate};
    return detail::select(graph, "select", input, options, request);
}

/// Adds a selection of the elements whose flag, a word to each, is not 0. Otherwise as `select_if`.
template <class T>
Selected<T> select_flagged(const GraphCall& graph, BufferRef<T> input, BufferRef<std::uint32_t> flags,
                           const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::flags;
    request.flags = flags;
    return detail::select(graph, "select", input, options, request);
}

/// Adds a selection of the elements whose bit, i % 32 of word i / 32 for element i, is set. Otherwise as `select_if`.
template <class T>
Selected<T> select_by_bits(const GraphCall& graph, BufferRef<T> input, BufferRef<std::uint32_t> bits,
                           const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::bits;
    request.flags = bits;
    return detail::select(graph, "select", input, options, request);
}

} // namespace weir
