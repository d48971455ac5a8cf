#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

namespace detail {

/// A request whose element type is known at run time only.
struct GatherRequest {
    const char* name = "";
    std::uint32_t words = 1; ///< words per element
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
    BufferRef<T> output = {}; ///< capacity for one element per index; not valid: a new transient
};

/// Adds a pass that sets output[i] = items[indices[i]] for the first `indices.count` indices. Returns the output with
/// the count of the indices. Elements have 1 to 16 words. If an index is not less than `items.count`, its output
/// element is not written; in a new transient it is undefined. The output must not be the items or the indices.
///
/// One dispatch. Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice;
/// `limit_exceeded` if the elements of a buffer need 2^32 words or more.
template <class T>
BufferRef<T> gather(const GraphCall& graph, BufferRef<T> items, BufferRef<std::uint32_t> indices,
                    const std::type_identity_t<GatherOptions<T>>& options = {}) {
    BufferRef<T> output = detail::given_or_transient(graph, options.output, "gathered", indices.count.max);
    output.count = indices.count;
    detail::add_gather(graph, {.name = "gather", .indices = indices}, items, output);
    return output;
}

/// Adds a pass that sets output[indices[i]] = items[i] for the first `items.count` items. Returns the output. Indices
/// that are not less than `output.count` are ignored. Output elements to which no index points are not written. If
/// several items have the same index, any one of them may be stored; for items of several words, the stored words may
/// come from different items. The output must not be the items or the indices. Element sizes, dispatches and errors are
/// those of `gather`.
template <class T>
BufferRef<T> scatter(const GraphCall& graph, BufferRef<T> items, BufferRef<std::uint32_t> indices,
                     BufferRef<T> output) {
    detail::add_gather(graph, {.name = "scatter", .indices = indices.with_count(items.count), .scatters = true}, items,
                       output);
    return output;
}

} // namespace weir
