#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>

namespace weir {

/// Ranges of elements to copy. Each buffer has one word per range.
struct CopiedRanges {
    BufferRef<std::uint32_t> sizes;               ///< elements of each range; `sizes.count` is the number of ranges
    BufferRef<std::uint32_t> source_offsets;      ///< first element of each range in the source
    BufferRef<std::uint32_t> destination_offsets; ///< first element of each range in the destination
};

/// Options of copy_ranges.
struct CopyRangesOptions {
    /// Maximum total number of elements to copy. Elements beyond it are not copied. 0: the capacity of the destination.
    std::uint32_t max_elements = 0;
};

namespace detail {

/// A copy of elements whose type is known at run time only.
struct CopyRangesRequest {
    std::uint32_t words = 1; ///< words per element
    BufferId source = {}, destination = {};
    std::uint32_t source_capacity = 0, destination_capacity = 0;
    CopiedRanges ranges = {};
    std::uint32_t max_elements = 0; ///< maximum total number of elements to copy
};

WEIR_API void add_copy_ranges(Graph& graph, const CopyRangesRequest& request);

} // namespace detail

/// Adds a copy of ranges of elements from one buffer to another. Range r has `sizes[r]` elements. They start at element
/// `source_offsets[r]` of the source and are copied to element `destination_offsets[r]` of the destination and the
/// elements after it. The ranges are in GPU buffers, and their number may be on the GPU too. Elements have 1 to 16
/// words. The destination must not be the source.
///
/// If ranges overlap in the destination, any one of them may be stored. Elements beyond the capacity of the source or
/// the destination are not copied. Other elements of the destination keep their values. The sizes may add up to any
/// number; only the first `max_elements` elements are copied.
///
///     weir::copy_ranges(graph, vertices, packed,
///                       {.sizes = lengths, .source_offsets = from, .destination_offsets = to});
///
/// Algorithm: a scan of the sizes, then one dispatch sized for `max_elements` elements, in which every workgroup has
/// the same number of elements. Therefore a few long ranges take no longer than many short ones. Scratch memory: one
/// word per range, and that of the scan.
///
/// Errors, reported by `compile`: `invalid_argument` for a buffer that is too small or used twice; `limit_exceeded` if
/// `max_elements` is 2^32 - 2^20 or more, or if a buffer has 2^32 words or more.
template <class T>
void copy_ranges(const GraphCall& graph, BufferRef<T> source, BufferRef<T> destination, const CopiedRanges& ranges,
                 const CopyRangesOptions& options = {}) {
    detail::add_copy_ranges(graph,
                            {.words = element_type<T>.words(),
                             .source = source,
                             .destination = destination,
                             .source_capacity = source.capacity,
                             .destination_capacity = destination.capacity,
                             .ranges = ranges,
                             .max_elements = options.max_elements != 0 ? options.max_elements : destination.capacity});
}

} // namespace weir
