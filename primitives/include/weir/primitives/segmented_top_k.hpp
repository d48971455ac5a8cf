#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/outputs.hpp>
#include <weir/primitives/detail/sort_request.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/segmented_sort.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

/// Kernel shapes for tests and tuning. 0: chosen by device and segments. Results do not depend on them.
struct SegmentedTopKTuning {
    static constexpr std::uint32_t max_parts = 64; ///< maximum number of parts of a segment

    /// Invocations per workgroup, which handles one segment or part: a power of two from the subgroup size to 1024. If
    /// it is set, subgroups do not handle short rows.
    std::uint32_t workgroup = 0;
    /// Parts of each segment, 1 to max_parts. With more than one, k keys of each part are chosen first.
    std::uint32_t parts = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Shape of the sort of the chosen keys.
    SegmentedSortTuning sort = {};
};

/// Options of segmented_top_k. K is the key type.
template <class K>
struct SegmentedTopKOptions {
    bool descending = false;       ///< choose the largest keys, largest first
    bool sorted = true;            ///< false: the chosen keys are in the order of the input
    bool want_indices = false;     ///< write the indices of the keys
    bool local_indices = false;    ///< indices count from the start of the segment
    BufferRef<K> output_keys = {}; ///< capacity for k keys of each segment; not valid: a new transient
    /// Capacity for k indices of each segment. Not valid: a new transient, if indices are requested. Setting it also
    /// requests indices.
    BufferRef<std::uint32_t> output_indices = {};
    SegmentedTopKTuning tuning = {}; ///< kernel shapes
};

/// The chosen keys of all segments.
template <class K>
struct SegmentedTopKResult {
    /// Segment s has the k keys from index s * k on. The count is k times the number of segments.
    BufferRef<K> keys = {};
    /// Index of each key in the whole input, or in its segment with `local_indices`; not valid if not requested.
    BufferRef<std::uint32_t> indices = {};
};

namespace detail {

/// A segmented top k whose key type is known at run time only.
struct SegmentedTopKRequest {
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Segments segments = {};
    Count wanted = {}; ///< k
    bool descending = false, sorted = true, local_indices = false;
    BufferId output_keys = {}, output_indices = {}; ///< the indices are optional
    std::uint64_t output_key_capacity = 0, output_index_capacity = 0;
    SegmentedTopKTuning tuning = {};
};

/// Adds the passes. Returns the number of keys in the output. Fails the graph if the request is invalid.
WEIR_API Count add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request);

} // namespace detail

/// Adds the choice of the k smallest keys of each segment, or the k largest with `descending`. Returns the chosen keys
/// and, if requested, their indices.
///
/// Segments are the rows of a matrix (`Segments::of_length`, `Segments::of_rows`) or at offsets. All segments have the
/// same k: a number of at least 1, a parameter or a count on the GPU, up to the length of the segments or more. Keys
/// have 32 or 64 bits and the order of `radix_sort`. The chosen keys of each segment are sorted, equal keys in the
/// order of the input; without `sorted`, all are in the order of the input. If several keys are equal to the last
/// chosen one, the first of them are chosen. Each segment has k places in the output, directly after those of the
/// segment before it. Outputs need capacity for the maximum k. If a segment has fewer than k keys, its other places
/// hold the index 0xFFFFFFFF and the last key in the requested order (for ascending floats, a NaN with all bits set but
/// the sign).
///
///     auto experts = weir::segmented_top_k(graph, scores, weir::Segments::of_length(tokens), 8,
///                                          {.descending = true, .want_indices = true});
///
/// Algorithm: one workgroup per segment finds the last chosen key by radix select, 8 or 11 bits at a time, and stops as
/// soon as all remaining candidates are chosen. It then reads the keys twice more, to count and to take them. If a part
/// has 2^14 or more keys, a sample of them yields a key that is most likely after the last chosen key, and only the
/// keys up to it are searched. A row of at most 16 keys of 32 bits for each invocation of a subgroup (32 if there are
/// 1024 or more rows) is searched by one subgroup, in registers, bit by bit. Up to 64 chosen keys are sorted by
/// comparing each with all others, more by a segmented sort. If segments are long and too few to fill the device, they
/// are split into parts, whose keys are chosen first, in a separate dispatch. If segments of one length are long and
/// few, and k is a large part of the length, the whole device sorts them instead, and the first k keys are taken. For a
/// single segment with millions of keys `top_k` is faster.
///
/// Scratch memory: k keys and indices per part if segments are split; k keys and indices per segment if the result is
/// sorted and k exceeds 64, and the scratch of that sort. If all keys are sorted: a key and an index per key, and the
/// scratch of the sort.
///
/// Errors, reported by `compile`: those of `segmented_sort`; `invalid_argument` for a k of 0, an output that is too
/// small or is an input, or a shape that the device cannot run; `limit_exceeded` for 2^30 or more keys in the input, in
/// the output or chosen by all parts together, and for too many parts.
template <class K>
SegmentedTopKResult<K> segmented_top_k(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                       const Count& k,
                                       const std::type_identity_t<SegmentedTopKOptions<K>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    const std::uint64_t places = std::uint64_t{segments.max_segments(keys.count.max)} * k.max;
    const auto most = static_cast<std::uint32_t>(places < 1U << 30 ? places : 1U << 30);
    SegmentedTopKResult<K> result{.keys =
                                      detail::given_or_transient(graph, options.output_keys, "segmented top k", most)};
    if (options.want_indices || options.output_indices.valid()) {
        result.indices = detail::given_or_transient(graph, options.output_indices, "segmented top k: indices", most);
    }
    result.keys.count = result.indices.count =
        detail::add_segmented_top_k(graph, {.key = element_type<K>.scalar,
                                            .count = keys.count,
                                            .keys = keys,
                                            .key_capacity = keys.capacity,
                                            .segments = segments,
                                            .wanted = k,
                                            .descending = options.descending,
                                            .sorted = options.sorted,
                                            .local_indices = options.local_indices,
                                            .output_keys = result.keys,
                                            .output_indices = result.indices,
                                            .output_key_capacity = result.keys.capacity,
                                            .output_index_capacity = result.indices.capacity,
                                            .tuning = options.tuning});
    return result;
}

} // namespace weir
