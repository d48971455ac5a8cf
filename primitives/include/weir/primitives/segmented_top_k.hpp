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

    /// Invocations per workgroup, which handles one segment or part: a power of two from the subgroup size to 1024.
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
    /// Index of each key in the whole input; not valid if not requested.
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
    std::uint32_t wanted = 0; ///< k
    bool descending = false;
    BufferId chosen_keys = {}, chosen_indices = {}; ///< the indices are optional
    std::uint64_t chosen_key_capacity = 0, chosen_index_capacity = 0;
    BufferRef<std::uint32_t> total = {}; ///< if valid: receives the number of keys in the output
    SegmentedTopKTuning tuning = {};
};

/// Adds the passes. Returns false and fails the graph if the request is invalid.
WEIR_API bool add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request);

} // namespace detail

/// Adds the choice of the k smallest keys of each segment, or the k largest with `descending`. Returns the chosen keys
/// and, if requested, their indices.
///
/// Segments are the rows of a matrix (`Segments::of_length`) or at offsets. All segments have the same k, at least 1.
/// Keys have 32 or 64 bits and the order of `radix_sort`. The chosen keys of each segment are sorted, equal keys in the
/// order of the input; without `sorted`, all are in the order of the input. If several keys are equal to the last
/// chosen one, the first of them are chosen. Each segment has k places in the output. If a segment has fewer than k
/// keys, its other places hold the index 0xFFFFFFFF and the last key in the requested order (for ascending floats, a
/// NaN with all bits set but the sign).
///
///     auto experts = weir::segmented_top_k(graph, scores, weir::Segments::of_length(tokens), 8,
///                                          {.descending = true, .want_indices = true});
///
/// Algorithm: one workgroup per segment finds the last chosen key by radix select, 8 or 11 bits at a time, and stops as
/// soon as all remaining candidates are chosen. With random keys it reads a segment two or three times for this, and
/// once more to take the keys. If segments are long and too few to fill the device, they are split into parts, whose
/// keys are chosen first, in a separate dispatch. Finally a segmented sort orders the chosen keys. For a single segment
/// of millions of keys `top_k` is faster.
///
/// Scratch memory: k keys and indices per part if segments are split; k keys and indices per segment, and the scratch
/// of their sort, if the result is sorted.
///
/// Errors, reported by `compile`: those of `segmented_sort`; `invalid_argument` for a k of 0, an output that is too
/// small or is an input, or a shape that the device cannot run; `limit_exceeded` for 2^30 or more keys in the input, in
/// the output or chosen by all parts together, and for too many parts.
template <class K>
SegmentedTopKResult<K> segmented_top_k(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                       std::uint32_t k,
                                       const std::type_identity_t<SegmentedTopKOptions<K>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    const std::uint64_t places = std::uint64_t{segments.max_segments(keys.count.max)} * k;
    const auto most = static_cast<std::uint32_t>(places < 1U << 30 ? places : 1U << 30);
    const bool has_indices = options.want_indices || options.output_indices.valid();
    SegmentedTopKResult<K> result{.keys =
                                      detail::given_or_transient(graph, options.output_keys, "segmented top k", most)};
    if (has_indices) {
        result.indices = detail::given_or_transient(graph, options.output_indices, "segmented top k: indices", most);
    }
    SegmentedTopKResult<K> chosen = result;
    if (options.sorted) {
        chosen.keys = graph->transient_buffer<K>("segmented top k: chosen keys", most > 0 ? most : 1);
        if (has_indices) {
            chosen.indices =
                graph->transient_buffer<std::uint32_t>("segmented top k: chosen indices", most > 0 ? most : 1);
        }
    }
    const Count& number = segments.kind == Segments::Kind::offsets ? segments.count : keys.count;
    const bool is_known = number.kind == Count::Kind::constant;
    BufferRef<std::uint32_t> total;
    if (!is_known) {
        total = graph->transient_buffer<std::uint32_t>("segmented top k: total", 1);
    }
    if (!detail::add_segmented_top_k(graph, {.key = element_type<K>.scalar,
                                             .count = keys.count,
                                             .keys = keys,
                                             .key_capacity = keys.capacity,
                                             .segments = segments,
                                             .wanted = k,
                                             .descending = options.descending,
                                             .chosen_keys = chosen.keys,
                                             .chosen_indices = chosen.indices,
                                             .chosen_key_capacity = chosen.keys.capacity,
                                             .chosen_index_capacity = chosen.indices.capacity,
                                             .total = total,
                                             .tuning = options.tuning})) {
        return result;
    }
    const Count count = is_known ? Count(most) : graph->count_in(total, 0, most);
    if (options.sorted) {
        segmented_sort(graph, chosen.keys.with_count(count), Segments::of_length(k),
                       {.values = chosen.indices,
                        .descending = options.descending,
                        .output_keys = result.keys,
                        .output_values = result.indices,
                        .tuning = options.tuning.sort});
    }
    result.keys.count = result.indices.count = count;
    return result;
}

} // namespace weir
