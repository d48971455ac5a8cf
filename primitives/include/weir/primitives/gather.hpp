#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

namespace detail {

/// A request whose element type is known at run time only.
struct GatherRequest {
    const char* name = "";
    std::uint32_t words = 1; ///< of an element
    BufferId items = {}, output = {};
    std::uint64_t item_capacity = 0, output_capacity = 0;
    BufferRef<std::uint32_t> indices = {};
    Count item_count = {}, output_count = {};
    bool scatters = false;
};

WEIR_API void add_gather(Graph& graph, const GatherRequest& request);

template <class T>
void add_gather(Graph& graph, GatherRequest request, BufferRef<T> items, BufferRef<T> output) {
    request.words = element_type<T>.words();
    request.items = items;
    request.item_capacity = items.capacity;
    request.item_count = items.count;
    request.output = output;
    request.output_capacity = output.capacity;
    request.output_count = output.count;
    add_gather(graph, request);
}

} // namespace detail

/// Options of gather.
template <class T>
struct GatherOptions {
    BufferRef<T> output = {}; ///< room for one element per index; not valid: a new transient
};

/// Adds a pass that sets output[i] = items[indices[i]] for the first `indices.count` indices. Where an index is not
/// below `items.count`, the element of the output is not written, and undefined in a new transient. Elements have 1 to
/// 16 words. Returns the output, with the count of the indices. The output must not be the items or the indices.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for buffers that are too small or used twice,
/// `limit_exceeded` for elements past 2^32 words.
template <class T>
BufferRef<T> gather(const GraphCall& graph, BufferRef<T> items, BufferRef<std::uint32_t> indices,
                    const std::type_identity_t<GatherOptions<T>>& options = {}) {
    BufferRef<T> output = detail::given_or_transient(graph, options.output, "gathered", indices.count.max);
    output.count = indices.count;
    detail::add_gather(graph, {.name = "gather", .indices = indices}, items, output);
    return output;
}

/// Adds a pass that sets output[indices[i]] = items[i] for the first `items.count` items. Indices that are not below
/// `output.count` are ignored, and elements to which no index points are not written. Where several items have the same
/// index, any of them arrives; of items of several words, possibly parts of several. Returns the output, which must not
/// be the items or the indices. Otherwise as `gather`.
template <class T>
BufferRef<T> scatter(const GraphCall& graph, BufferRef<T> items, BufferRef<std::uint32_t> indices,
                     BufferRef<T> output) {
    detail::add_gather(graph, {.name = "scatter", .indices = indices.with_count(items.count), .scatters = true}, items,
                       output);
    return output;
}

} // namespace weir
