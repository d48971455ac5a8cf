#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

namespace detail {

/// A request whose element type is known at run time only.
struct FillRequest {
    const char* name = "";
    ElementType element = {};
    Count count = {};
    std::uint64_t large_count = 0; ///< if not 0: the number of elements, instead of `count`
    BufferId output = {};
    std::uint64_t capacity = 0;
    bool sequence = false;
    /// The element; for a sequence, the first element, and the step from word 2 on.
    std::array<std::uint32_t, 16> words{};
};

WEIR_API void add_fill(Graph& graph, const FillRequest& request);

} // namespace detail

/// Adds a pass that sets the first `output.count` elements to `value`. Returns the output. Elements have 1 to 16 words.
/// (`Graph::add_fill` sets all words of a buffer to one value.)
///
/// One dispatch, or one per window if the buffer exceeds Capabilities::max_storage_range. Errors, reported by
/// `compile`: `invalid_argument` for a buffer that is too small or holds its own count; `limit_exceeded` if the
/// elements need 2^32 words or more in one dispatch.
template <class T>
BufferRef<T> fill(const GraphCall& graph, BufferRef<T> output, const std::type_identity_t<T>& value) {
    detail::FillRequest request{.name = "fill",
                                .element = element_type<T>,
                                .count = output.count,
                                .output = output,
                                .capacity = output.capacity};
    std::memcpy(request.words.data(), &value, sizeof(T));
    detail::add_fill(graph, request);
    return output;
}

/// Sets all elements of a large buffer to `value`: see `fill` of other buffers. Returns the output.
template <class T>
LargeBuffer<T> fill(const GraphCall& graph, LargeBuffer<T> output, const std::type_identity_t<T>& value) {
    detail::FillRequest request{.name = "fill",
                                .element = element_type<T>,
                                .count = detail::small_count(output.capacity),
                                .large_count = output.capacity,
                                .output = output,
                                .capacity = output.capacity};
    std::memcpy(request.words.data(), &value, sizeof(T));
    detail::add_fill(graph, request);
    return output;
}

/// Adds a pass that sets the first `output.count` elements to start, start + step, start + 2 step and so on. Returns
/// the output. T must be std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t or double. Integers wrap. For
/// float and double, element i is start + i * step, where i, the product and the sum are each rounded.
///
/// One dispatch, or one per window for integers. Errors: those of `fill`; `limit_exceeded` for floats in a buffer that
/// exceeds Capabilities::max_storage_range; `unsupported` for doubles on a device without 64-bit floats.
template <class T>
BufferRef<T> iota(const GraphCall& graph, BufferRef<T> output, std::type_identity_t<T> start = 0,
                  std::type_identity_t<T> step = 1) {
    static_assert(std::is_arithmetic_v<T> && element_type<T>.scalar != Scalar::custom,
                  "iota requires 32-bit or 64-bit numbers");
    detail::FillRequest request{.name = "iota",
                                .element = element_type<T>,
                                .count = output.count,
                                .output = output,
                                .capacity = output.capacity,
                                .sequence = true};
    std::memcpy(request.words.data(), &start, sizeof(T));
    std::memcpy(&request.words[2], &step, sizeof(T));
    detail::add_fill(graph, request);
    return output;
}

/// Sets the elements of a large buffer to start, start + step and so on: see `iota` of other buffers. Returns the
/// output. T must be an integer type.
template <class T>
LargeBuffer<T> iota(const GraphCall& graph, LargeBuffer<T> output, std::type_identity_t<T> start = 0,
                    std::type_identity_t<T> step = 1) {
    static_assert(std::is_integral_v<T> && element_type<T>.scalar != Scalar::custom,
                  "iota of a large buffer requires 32-bit or 64-bit integers");
    detail::FillRequest request{.name = "iota",
                                .element = element_type<T>,
                                .count = detail::small_count(output.capacity),
                                .large_count = output.capacity,
                                .output = output,
                                .capacity = output.capacity,
                                .sequence = true};
    std::memcpy(request.words.data(), &start, sizeof(T));
    std::memcpy(&request.words[2], &step, sizeof(T));
    detail::add_fill(graph, request);
    return output;
}

} // namespace weir
