#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Ranges of elements to copy, one word each for range r.
struct CopiedRanges {
    BufferRef<std::uint32_t> sizes;               ///< elements of the range; `sizes.count`: the number of ranges
    BufferRef<std::uint32_t> source_offsets;      ///< its first element in the source
    BufferRef<std::uint32_t> destination_offsets; ///< where that goes in the destination
};

/// Options of copy_ranges.
struct CopyRangesOptions {
    /// The most elements that all ranges have together; those behind are not copied. 0: the capacity of the
    /// destination.
    std::uint32_t most = 0;
};

namespace detail {

/// A copy of elements whose type is known at run time only.
struct CopyRangesRequest {
    std::uint32_t words = 1; ///< of an element
    BufferId source = {}, destination = {};
    std::uint32_t source_capacity = 0, destination_capacity = 0;
    CopiedRanges ranges = {};
    std::uint32_t most = 0; ///< elements
};

WEIR_API void add_copy_ranges(Graph& graph, const CopyRangesRequest& request);

} // namespace detail

/// Adds a copy of many ranges of elements from one buffer to another: range r has `sizes[r]` elements, from
/// `source_offsets[r]` on in the source, and goes to `destination_offsets[r]`. The ranges are on the GPU, and so may be
/// their number. Elements have 1 to 16 words. Where ranges overlap in the destination, any one arrives. Elements that
/// are past the capacity of a buffer are not copied; other elements of the destination keep their value. Sizes may add
/// up to any number; the first `most` elements are copied. The destination must not be the source.
///
///     weir::copy_ranges(graph, vertices, packed, {.sizes = lengths, .source_offsets = from, .destination_offsets =
///     to});
///
/// A scan of the sizes, then one dispatch in which workgroups have as many elements each, however long ranges are: a
/// few long ones take no longer than many short ones. Its size is that of `most` elements. Scratch: a word for each
/// range, and that of the scan. Errors, reported by `compile`: `invalid_argument` for buffers that are too small or
/// used twice; `limit_exceeded` for 2^32 - 2^20 elements or more, or words past 2^32.
template <class T>
void copy_ranges(const GraphCall& graph, BufferRef<T> source, BufferRef<T> destination, const CopiedRanges& ranges,
                 const CopyRangesOptions& options = {}) {
    detail::add_copy_ranges(graph, {.words = element_type<T>.words(),
                                    .source = source,
                                    .destination = destination,
                                    .source_capacity = source.capacity,
                                    .destination_capacity = destination.capacity,
                                    .ranges = ranges,
                                    .most = options.most != 0 ? options.most : destination.capacity});
}

} // namespace weir
