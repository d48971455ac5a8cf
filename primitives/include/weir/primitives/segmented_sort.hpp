#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>
#include <weir/primitives/segments.hpp>
#include <weir/primitives/sort_request.hpp>

namespace weir {

/// The shape of the kernel; 0: chosen by device and segments. Results do not depend on it.
struct SegmentedSortTuning {
    std::uint32_t workgroup = 0;              ///< invocations, at most 16 subgroups
    std::uint32_t keys_per_invocation = 0;    ///< the tile has workgroup * keys_per_invocation keys
    std::uint32_t segments = 0;               ///< segments per workgroup, which sorts as many together as fit in a tile
    std::uint32_t subgroup_size = 0;          ///< where the device lets a pipeline require one
    RadixRanks ranks = RadixRanks::automatic; ///< how keys with equal digits are kept in order
};

/// Options of segmented_sort. K is the type of the keys, V that of the values: any trivially copyable type of 1 to 4
/// words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct SegmentedSortOptions {
    BufferRef<V> values = {}; ///< if valid: move along with the keys; at least the capacity of the keys
    bool indices = false; ///< the values are the indices of the keys in the whole input, std::uint32_t; no values go in
    bool descending = false; ///< greatest key first
    /// Only bits first_bit <= b < end_bit are compared, counted as by `radix_sort`.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    bool keys = true;                ///< whether the sorted keys are wanted; otherwise values or indices have to be
    BufferRef<K> output_keys = {};   ///< not valid: a new transient; the keys' own buffer: sorted in place
    BufferRef<V> output_values = {}; ///< not valid: a new transient; the values' own buffer: sorted in place
    /// Promises that no segment at offsets has more keys, which saves scratch memory and time. 0: no promise. The
    /// outputs of a segment that has more keys may remain unwritten.
    std::uint32_t longest = 0;
    FaultInjection faults = {};      ///< for tests; `out_of_order` only, in every tile
    SegmentedSortTuning tuning = {}; ///< shape of the kernel
};

namespace detail {

struct SegmentedSortRequest : SortRequest {
    Segments segments = {};
    std::uint32_t longest = 0;
    FaultInjection faults = {};
    SegmentedSortTuning tuning = {};
};

/// Adds the pass.
WEIR_API void add_segmented_sort(Graph& graph, const SegmentedSortRequest& request);

} // namespace detail

/// Adds a sort of each segment on its own, all in one dispatch: stable, ascending or descending by the chosen bits, of
/// the first `keys.count` keys. Keys are of 32 or 64 bits; their order and the values are those of `radix_sort`. Inputs
/// do not change unless they are the outputs as well.
///
/// Segments are of one length or at offsets. Empty segments cost next to nothing, and neither do the number of segments
/// nor their distribution. Keys that are in no segment, such as those before the first offset, do not reach the
/// outputs. Offsets greater than `keys.count` count as `keys.count`. Where offsets do not ascend, the results are
/// undefined, but nothing is written outside of the outputs, and each workgroup sorts a key once at most.
///
/// A workgroup takes neighbouring segments and sorts in its registers as many as fit in a tile, some thousand keys,
/// together: by their digits, least significant first, 8 bits at a time, and finally by segment. So short segments take
/// hardly longer than those that fill a tile. A longer segment is sorted by one workgroup through memory, whatever its
/// length; there should be many of them, since a single one leaves most of the device idle. Sort a few long segments
/// with `radix_sort`.
///
/// Scratch memory: none where no segment can be longer than a tile, by the length or by `longest`. Otherwise one key
/// per key, one value per value, and another key per key if the sorted keys are not wanted.
///
/// Errors: those of `radix_sort`; `invalid_argument` for segments at flags, bits or keys, and for a length of 0.
template <class K, class V = std::uint32_t>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                const std::type_identity_t<SegmentedSortOptions<K, V>>& options = {}) {
    static_assert(sizeof(K) >= 4, "keys are numbers of 32 or 64 bits");
    SortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "segmented sort", keys, options, result)) {
        detail::add_segmented_sort(graph, {*request, segments, options.longest, options.faults, options.tuning});
    }
    return result;
}

/// The same for values of any type, which replace those of the options.
template <class K, class V>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                const Segments& segments,
                                std::type_identity_t<SegmentedSortOptions<K, V>> options = {}) {
    options.values = values;
    return segmented_sort<K, V>(graph, keys, segments, options);
}

/// The indices, in the whole input, of the keys of each segment in sorted order. The sorted keys are written only if
/// the options have an output for them.
template <class K>
BufferRef<std::uint32_t> segmented_argsort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                           std::type_identity_t<SegmentedSortOptions<K>> options = {}) {
    options.indices = true;
    options.keys = options.output_keys.valid();
    return segmented_sort(graph, keys, segments, options).values;
}

} // namespace weir
