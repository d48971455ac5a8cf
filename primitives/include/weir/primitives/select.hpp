#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/predicate.hpp>

namespace weir {

/// Adds a selection of the elements that satisfy the predicate. Returns these elements in their order and without gaps,
/// their indices if requested (`want_indices`), and their number. The number stays on the GPU and can be the count of
/// later passes. Elements may have any type of `element_type`; structs have 1 to 16 words.
///
/// If an output has capacity for fewer elements, every output gets only the first elements up to the smallest capacity,
/// and nothing is written beyond it. `count` still holds the number of all selected elements. Outputs must not be the
/// input or another output.
///
/// Algorithm: the decoupled-fallback scan of Smith, Levien and Owens over the number of kept elements, in one dispatch.
/// Each element is read once. State memory: 32 bytes per tile. Capacity: up to 262140 tiles of the largest shape, and
/// 2^32 words.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small or used twice, a predicate of
/// another type or an empty one, and a shape that the device cannot run; `limit_exceeded` for too many elements;
/// `unsupported` for a subgroup size that the device does not support; `shader_compilation`, which names the predicate
/// and its line.
template <Element T>
SelectResult<T> select_if(const GraphCall& graph, BufferRef<T> input, const Predicate& predicate,
                          const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.predicates = {&predicate};
    return detail::select(graph, "select", input, options, request);
}

/// Adds a selection of the elements that satisfy a GLSL expression. Same as `Predicate{.expression = expression}`.
template <class T, std::convertible_to<std::string> Glsl>
SelectResult<T> select_if(const GraphCall& graph, BufferRef<T> input, const Glsl& expression,
                          const std::type_identity_t<SelectOptions<T>>& options = {}) {
    return select_if(graph, input, Predicate{.expression = expression}, options);
}

/// Adds a selection of the elements whose flag is not 0. `flags` has one word per element. Everything else is as for
/// `select_if`.
template <Element T>
SelectResult<T> select_flagged(const GraphCall& graph, BufferRef<T> input, BufferRef<std::uint32_t> flags,
                               const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::flags;
    request.flags = flags;
    return detail::select(graph, "select", input, options, request);
}

/// Adds a selection of the elements whose bit is set: for element i, bit i % 32 of word i / 32. Everything else is as
/// for `select_if`.
template <Element T>
SelectResult<T> select_by_bits(const GraphCall& graph, BufferRef<T> input, BufferRef<std::uint32_t> bits,
                               const std::type_identity_t<SelectOptions<T>>& options = {}) {
    detail::CompactionRequest request;
    request.classifier = detail::CompactionRequest::Classifier::bits;
    request.flags = bits;
    return detail::select(graph, "select", input, options, request);
}

} // namespace weir
