#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/compaction.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/segmented_sort.hpp>
#include <weir/primitives/segments.hpp>

namespace weir {

/// The shapes of the kernels of segmented_top_k; 0: chosen by device and segments. Results do not depend on them.
struct SegmentedTopKTuning {
    static constexpr std::uint32_t most_parts = 64; ///< of a segment

    std::uint32_t workgroup = 0;     ///< invocations for a segment: a power of two from the subgroup size to 1024
    std::uint32_t parts = 0;         ///< of each segment, which choose k keys each first: 1 to most_parts
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    SegmentedSortTuning sort = {};   ///< of the sort of the chosen keys
};

/// Options of segmented_top_k. K is the type of the keys.
template <class K>
struct SegmentedTopKOptions {
    bool descending = false;                      ///< the greatest keys, greatest first
    bool sorted = true;                           ///< false: in the order of the input
    bool indices = false;                         ///< whether the indices of the keys are wanted
    BufferRef<K> output_keys = {};                ///< room for k keys of each segment; not valid: a new transient
    BufferRef<std::uint32_t> output_indices = {}; ///< likewise; one that is given is also wanted
    SegmentedTopKTuning tuning = {};              ///< shapes of the kernels
};

/// The chosen keys of all segments.
template <class K>
struct SegmentedTopK {
    BufferRef<K> keys = {};                ///< those of segment s from s k on; count: k for each segment
    BufferRef<std::uint32_t> indices = {}; ///< the index of each in the whole input; not valid if not wanted
};

namespace detail {

/// A choice from keys whose type is known at run time only.
struct SegmentedTopKRequest {
    Scalar key = Scalar::u32;
    Count count = {};
    BufferId keys = {};
    std::uint64_t key_capacity = 0;
    Segments segments = {};
    std::uint32_t wanted = 0; ///< of each segment
    bool descending = false;
    BufferId chosen_keys = {}, chosen_indices = {}; ///< indices are optional
    std::uint64_t chosen_key_capacity = 0, chosen_index_capacity = 0;
    BufferRef<std::uint32_t> total = {}; ///< if valid: gets how many keys there are in the output
    SegmentedTopKTuning tuning = {};
};

/// Adds the pass. False, and a failed graph, if there is a mistake.
WEIR_API bool add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request);

} // namespace detail

/// Adds the choice of the k smallest keys of each segment, or of the k greatest if `descending`.
/// Segments are the rows of a matrix (`Segments::of_length`) or at offsets; k is the same for all, at least 1. Keys are
/// of 32 or 64 bits, in the order of `radix_sort`. Each segment has k places in the output: its chosen keys sorted,
/// equal ones in the order of the input; without `sorted`, all in the order of the input. Of keys that are equal to the
/// last chosen one, those that come first are taken. Where a segment has fewer keys than k, its other places hold the
/// index 0xFFFFFFFF and the key that comes last of all, whose bits are those of no lesser one.
///
///     auto experts = weir::segmented_top_k(graph, scores, weir::Segments::of_length(tokens), 8, {.descending = true,
///                                                                                                .indices = true});
///
/// A workgroup takes a segment. It finds its last key by a radix select, 8 or 11 bits at a time, and stops as soon as
/// all candidates are taken: of random keys it reads a segment two or three times, and once more to take the keys.
/// Segments that are long, and too few to fill the device, are split into parts, which choose first, in a dispatch of
/// their own. Then a segmented sort orders what was taken. Of a single segment of millions of keys `top_k` is faster.
///
/// Scratch memory: where segments have parts, k keys and indices for each part; where the result is sorted, k keys and
/// indices for each segment, and the scratch of their sort.
/// Errors, reported by `compile`: those of `segmented_sort`; `invalid_argument` for a k of 0, an output with too little
/// room or that is an input, or a shape that the device cannot run; `limit_exceeded` for 2^30 keys or more in the
/// input, the output or what all parts choose, and for too many parts.
template <class K>
SegmentedTopK<K> segmented_top_k(const GraphCall& graph, BufferRef<K> keys, const Segments& segments, std::uint32_t k,
                                 const std::type_identity_t<SegmentedTopKOptions<K>>& options = {}) {
    static_assert(detail::is_sort_key<K> && sizeof(K) >= 4, "keys are numbers of 32 or 64 bits");
    const std::uint64_t places = std::uint64_t{segments.most(keys.count.max)} * k;
    const auto most = static_cast<std::uint32_t>(places < 1U << 30 ? places : 1U << 30);
    const bool has_indices = options.indices || options.output_indices.valid();
    SegmentedTopK<K> result{.keys = detail::given_or_transient(graph, options.output_keys, "segmented top k", most)};
    if (has_indices) {
        result.indices = detail::given_or_transient(graph, options.output_indices, "segmented top k: indices", most);
    }
    SegmentedTopK<K> chosen = result;
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
