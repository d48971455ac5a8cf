#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/reduce_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/fused.hpp>
#include <weir/primitives/layout.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/reduce_tuning.hpp>

namespace weir {

/// Options of reduce.
template <class T>
struct ReduceOptions {
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    std::optional<T> initial = {};                     ///< value before the first element
    BufferRef<T> output = {};                          ///< capacity for one element; not valid: a new transient
    WordLayout input_layout = {};                      ///< layout of the input
    ReduceTuning tuning = {};                          ///< kernel shape
};

/// A reduction whose elements are computed in the same dispatch and are never stored in memory.
template <class T>
struct FusedReduce {
    std::variant<Operator, Monoid> op = Operator::add; ///< operator
    Count count = {};                                  ///< number of elements
    std::vector<FusedBuffer> buffers = {};             ///< buffers that `load` reads
    /// Push constants that `load` uses. They must fit in the push constant range next to those of the kernel.
    std::vector<FusedValue> values = {};
    /// GLSL declarations that `load` may use. Return values are `precise`; `out` parameters must be declared precise by
    /// the application.
    std::string functions = {};
    /// GLSL: body of a function of `uint i` that returns element i. It is called once per element, and its return value
    /// is `precise`. For a Monoid the return type is the struct T. For an Operator it is uint, int or float for a
    /// number of 32 bits; uvec, ivec or vec for an array; uvec2 for a 64-bit number, with its bits, the low word first.
    std::string load = {};
    std::optional<T> initial = {};     ///< value before the first element
    BufferRef<T> output = {};          ///< capacity for one element; not valid: a new transient
    std::string name = "fused reduce"; ///< name of the pass; NAME.load is the file name in compile errors
    ReduceTuning tuning = {};          ///< kernel shape
};

namespace detail {

/// A fused reduction whose element type is known at run time only.
struct FusedReduceRequest {
    ElementType element = {};
    const std::variant<Operator, Monoid>* op = nullptr;
    Count count = {};
    const std::vector<FusedBuffer>* buffers = nullptr;
    const std::vector<FusedValue>* values = nullptr;
    const std::string *functions = nullptr, *load = nullptr, *name = nullptr;
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    BufferId output = {};
    std::uint64_t output_capacity = 0;
    ReduceTuning tuning = {};
};

/// Adds the reduction.
WEIR_API void add_fused_reduce(Graph& graph, const FusedReduceRequest& request);

} // namespace detail

/// Adds the reduction of the first `input.count` elements to one element, in order, by a built-in operator or a Monoid.
/// T is one of the types of `element_type`. Returns the output, one element. The result of an empty input is the
/// initial value; without one, it is the value with which an exclusive scan starts.
///
/// One dispatch; each element is read once. Results have the same bits in every run on one device, floats included.
/// Scratch: one element per workgroup, at most 2048 of them by default, and 128 bytes. If the input exceeds
/// Capabilities::max_storage_range, there is one dispatch per window of that size, and one more.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small or do not fit the operator,
/// `unsupported` for doubles on a device without them.
template <class T>
BufferRef<T> reduce(const GraphCall& graph, BufferRef<T> input,
                    const std::type_identity_t<ReduceOptions<T>>& options = {}) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    BufferRef<T> output = options.output;
    if (!output.valid() && input.valid()) {
        output = graph->transient_buffer<T>("reduced", 1);
    }
    detail::ReduceRequest request;
    request.element = element_type<T>;
    request.op = &options.op;
    request.initial = detail::words_of(options.initial);
    request.count = input.count;
    request.input = input;
    request.output = output;
    request.input_words = std::uint64_t{input.capacity} * words;
    request.output_words = std::uint64_t{output.capacity} * words;
    request.input_layout = options.input_layout;
    request.tuning = options.tuning;
    detail::add_reduce(graph, request);
    return output.with_count(1);
}

/// Adds the reduction of all elements of a large buffer: see `reduce` of other buffers. Returns the output, one
/// element.
template <class T>
BufferRef<T> reduce(const GraphCall& graph, LargeBuffer<T> input,
                    const std::type_identity_t<ReduceOptions<T>>& options = {}) {
    BufferRef<T> output = options.output;
    if (!output.valid() && input.valid()) {
        output = graph->transient_buffer<T>("reduced", 1);
    }
    constexpr std::uint32_t words = sizeof(T) / 4;
    detail::add_reduce(graph, {.element = element_type<T>,
                               .op = &options.op,
                               .initial = detail::words_of(options.initial),
                               .count = detail::small_count(input.capacity),
                               .large_count = input.capacity,
                               .input = input,
                               .output = output,
                               .input_words = input.capacity * words,
                               .output_words = std::uint64_t{output.capacity} * words,
                               .input_layout = options.input_layout,
                               .tuning = options.tuning});
    return output.with_count(1);
}

/// Adds the reduction of elements that GLSL code of the application computes from any buffers, in the order of their
/// indices. Other libraries call this `transform_reduce` or `inner_product`. T is one of the types of `element_type`; a
/// struct needs a Monoid with the same number of words. Returns the output, one element.
///
///     auto dot = fused_reduce<float>(graph, {.count = a.count,
///                                            .buffers = {{"float a[]", read(a)}, {"float b[]", read(b)}},
///                                            .load = "return a[i] * b[i];"});
///
/// The result has the same bits as `reduce` of a buffer with these elements and this count, with the same operator and
/// tuning. It therefore has the same bits in every run on one device. The shader is compiled with the graph, which
/// needs shaderc.
///
/// One dispatch. Scratch: that of `reduce`. Errors: those of `reduce`; `invalid_argument` for a buffer that is not
/// read-only or is the output, and for an empty `load`; `shader_compilation`, which names the part and its line.
template <class T>
BufferRef<T> fused_reduce(const GraphCall& graph, const std::type_identity_t<FusedReduce<T>>& reduction) {
    const BufferRef<T> output = reduction.output.valid() ? reduction.output : graph->transient_buffer<T>("reduced", 1);
    detail::add_fused_reduce(graph, {.element = element_type<T>,
                                     .op = &reduction.op,
                                     .count = reduction.count,
                                     .buffers = &reduction.buffers,
                                     .values = &reduction.values,
                                     .functions = &reduction.functions,
                                     .load = &reduction.load,
                                     .name = &reduction.name,
                                     .initial = detail::words_of(reduction.initial),
                                     .output = output,
                                     .output_capacity = output.capacity,
                                     .tuning = reduction.tuning});
    return output.with_count(1);
}

} // namespace weir
