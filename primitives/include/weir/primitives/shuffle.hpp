#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Options of shuffle.
template <class T>
struct ShuffleOptions {
    BufferRef<T> output = {}; ///< capacity for all elements; not valid: a new transient
};

namespace detail {

/// A shuffle of elements whose type is known at run time only.
struct ShuffleRequest {
    const char* name = "shuffle";
    std::uint32_t words = 1; ///< words of an element
    Count count = {}, seed = {};
    BufferId items = {}; ///< not valid: the output receives indices
    BufferId output = {};
    std::uint64_t item_capacity = 0, output_capacity = 0;
};

WEIR_API void add_shuffle(Graph& graph, const ShuffleRequest& request);

} // namespace detail

/// Adds a pass that writes the first `items.count` elements in a random order. `seed` determines the order; it is a
/// number, or a parameter that each recording may set. The same seed and count give the same order on every device. T
/// has 1 to 16 words. Returns the output, with the count of the items. The output must not be the input.
///
///     auto frame = graph.parameter("frame", ~0U);
///     auto samples = weir::shuffle(graph, points, frame); // another order in each frame
///
/// One dispatch and no scratch memory. Each output index is mapped to an input index by a bijection: a Feistel network
/// of 12 rounds with a 32-bit hash. It is applied again while its result is not below the count, less than twice on
/// average. Quality: sufficient for sampling, dithering and tests, not for cryptography. At most 2^32 of the orders of
/// n elements can occur, so not all orders occur for 13 or more elements.
///
/// Errors, reported by `compile`: `invalid_argument` for buffers that are too small or used twice, and for a seed on
/// the GPU; `limit_exceeded` for more than 2^31 elements, or words beyond 2^32.
template <class T>
BufferRef<T> shuffle(const GraphCall& graph, BufferRef<T> items, const Count& seed,
                     const std::type_identity_t<ShuffleOptions<T>>& options = {}) {
    const BufferRef<T> output = detail::given_or_transient(graph, options.output, "shuffled", items.count.max);
    if (!items.valid()) {
        graph->fail({ErrorCode::invalid_argument, "shuffle: the input is null"});
        return output;
    }
    detail::add_shuffle(graph, {.words = element_type<T>.words(),
                                .count = items.count,
                                .seed = seed,
                                .items = items,
                                .output = output,
                                .item_capacity = items.capacity,
                                .output_capacity = output.capacity});
    return output.with_count(items.count);
}

/// Adds a pass that writes the numbers below `count` in a random order. Element i of the result is the index of the
/// element that `shuffle` with the same seed writes to i. Everything else is as for `shuffle`.
inline BufferRef<std::uint32_t> random_permutation(const GraphCall& graph, const Count& count, const Count& seed,
                                                   const ShuffleOptions<std::uint32_t>& options = {}) {
    const BufferRef<std::uint32_t> output =
        detail::given_or_transient(graph, options.output, "random permutation", count.max);
    detail::add_shuffle(graph, {.name = "random permutation",
                                .count = count,
                                .seed = seed,
                                .output = output,
                                .output_capacity = output.capacity});
    return output.with_count(count);
}

} // namespace weir
