#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/segments.hpp>
#include <weir/primitives/sort_request.hpp>

namespace weir {

/// The shape of the kernel; a 0 is chosen by device and segments. All shapes give the same results.
struct SegmentedSortTuning {
    std::uint32_t workgroup = 0;           ///< invocations, at most 16 subgroups
    std::uint32_t keys_per_invocation = 0; ///< the tile has workgroup * keys_per_invocation keys
    std::uint32_t segments = 0;            ///< of a workgroup, which sorts as many together as fit a tile
    std::uint32_t subgroup_size = 0;       ///< where the device lets a pipeline require one
};

/// K is the type of the keys, V that of the values: anything of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct SegmentedSortOptions {
    BufferRef<V> values = {}; ///< if valid: moved along with the keys; at least the keys' capacity
    bool indices = false;     ///< the values, a uint32_t each, are where the keys were among all keys; none go in
    bool descending = false;
    /// Only bits first_bit <= b < end_bit are compared, counted as by `radix_sort`.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8;
    bool keys = true;                ///< whether the sorted keys are wanted; without them, values or indices have to be
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< likewise
    /// No segment at offsets has more keys, which saves scratch memory and time. 0: they may have any number. Of a
    /// segment that has more after all, the outputs may be left as they are.
    std::uint32_t longest = 0;
    SegmentedSortTuning tuning = {};
};

namespace detail {

struct SegmentedSortRequest : SortRequest {
    Segments segments = {};
    std::uint32_t longest = 0;
    SegmentedSortTuning tuning = {};
};

/// Adds the pass.
WEIR_API void add_segmented_sort(Graph& graph, const SegmentedSortRequest& request);

} // namespace detail

/// Adds a sort of each segment for itself, all in one dispatch: stable, ascending or descending by the chosen bits, of
/// the first `keys.count` keys. Keys, their order and values are those of `radix_sort`. Inputs are left alone unless
/// they are the outputs as well.
///
/// Segments are of one length or at offsets, and empty ones cost next to nothing; so do their number and how they are
/// spread. Elements that precede the first offset are in no segment, and the outputs do not get them. Offsets past
/// `keys.count` count as that. Where offsets do not ascend the results are of no use, but nothing is written beside
/// them.
///
/// A workgroup takes neighbouring segments and sorts in its registers as many as a tile holds, some thousand keys,
/// together: by their digits, least significant first, 8 bits at a time, and in the end by which segment they are of.
/// So short segments take hardly longer than those that fill a tile. A longer segment is sorted by one workgroup
/// through memory, whatever its length; of these there should be many, for one alone leaves most of the device idle: a
/// few long ones are better sorted by `radix_sort`.
///
/// Scratch memory: none where no segment can be longer than a tile, by the length or `longest`. Else a key per key, a
/// value per value, and another key per key if the sorted keys are not wanted.
///
/// Errors: those of `radix_sort`; `invalid_argument` for segments at flags, bits or keys, and of no elements.
template <class K, class V = std::uint32_t>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                const std::type_identity_t<SegmentedSortOptions<K, V>>& options = {}) {
    static_assert(sizeof(K) >= 4, "keys are numbers of 32 or 64 bits");
    SortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "segmented sort", keys, options, result)) {
        detail::add_segmented_sort(graph, {*request, segments, options.longest, options.tuning});
    }
    return result;
}

/// The same for values of any type, which take the place of those of the options.
template <class K, class V>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                const Segments& segments,
                                std::type_identity_t<SegmentedSortOptions<K, V>> options = {}) {
    options.values = values;
    return segmented_sort<K, V>(graph, keys, segments, options);
}

/// Where the keys were, among all, that the sort puts first, second, ... in each segment: without the keys unless there
/// is an output for them.
template <class K>
BufferRef<std::uint32_t> segmented_argsort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                           std::type_identity_t<SegmentedSortOptions<K>> options = {}) {
    options.indices = true;
    options.keys = options.output_keys.valid();
    return segmented_sort(graph, keys, segments, options).values;
}

} // namespace weir
