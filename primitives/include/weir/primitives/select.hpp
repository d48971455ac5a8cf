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
/// 2^32 words. If the input or an output exceeds Capabilities::max_storage_range, a comparison has one dispatch per
/// window of that size and stores by address: outputs that are imports need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
/// Without Capabilities::buffer_address, and for predicates that are expressions, such buffers are `limit_exceeded`.
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

/// Result of a selection from a large buffer.
template <class T>
struct LargeSelectResult {
    LargeBuffer<T> items;           ///< selected elements, up to the capacity of the output
    BufferRef<std::uint64_t> count; ///< number of selected elements, including those that did not fit
};

/// Options of select_if for large buffers.
template <class T>
struct LargeSelectOptions {
    LargeBuffer<T> output = {};                 ///< not valid: a new transient with capacity for all elements
    BufferRef<std::uint64_t> output_count = {}; ///< one number of 64 bits; not valid: a new transient
    CompactionTuning tuning = {};               ///< kernel shape
};

/// Adds a selection from all elements of a large buffer by a comparison: see `select_if` of other buffers. Requires
/// Capabilities::buffer_address.
template <Element T>
LargeSelectResult<T> select_if(const GraphCall& graph, LargeBuffer<T> input, const Predicate& predicate,
                               const std::type_identity_t<LargeSelectOptions<T>>& options = {}) {
    if (!input.valid()) {
        graph->fail({ErrorCode::invalid_argument, "select: the input is null"});
        return {};
    }
    constexpr std::uint32_t words = sizeof(T) / 4;
    LargeSelectResult<T> selected{options.output, options.output_count};
    if (!selected.items.valid()) {
        selected.items = graph->transient_large_buffer<T>("select items", input.capacity);
    }
    selected.count = detail::given_or_transient(graph, selected.count, "select count", 1).with_count(1);
    detail::CompactionRequest request;
    request.name = "select";
    request.element = element_type<T>;
    request.count = detail::small_count(input.capacity);
    request.large_count = input.capacity;
    request.large_total = selected.count;
    request.input = input;
    request.input_words = input.capacity * words;
    request.predicates = {&predicate};
    request.parts = {{.items = selected.items, .item_words = selected.items.capacity * words}};
    request.tuning = options.tuning;
    detail::add_compaction(graph, request);
    return selected;
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
