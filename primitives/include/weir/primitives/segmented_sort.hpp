#pragma once

#include <cstdint>
#include <type_traits>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/detail/sort_request.hpp>
#include <weir/primitives/segments.hpp>
#include <weir/primitives/sort_types.hpp>

namespace weir {

/// Kernel shape for tests and tuning. 0: chosen by device and segments. Results do not depend on it.
struct SegmentedSortTuning {
    /// Invocations per workgroup; at most 16 subgroups.
    std::uint32_t workgroup = 0;
    /// Keys per invocation. A tile holds workgroup * keys_per_invocation keys.
    std::uint32_t keys_per_invocation = 0;
    /// Segments per workgroup, which sorts as many of them together as fit in a tile.
    std::uint32_t segments = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Method that keeps keys with equal digits in order.
    RadixRanks ranks = RadixRanks::automatic;
    /// The whole device sorts segments of more keys, if they do not fit in a tile. ~0U: none.
    std::uint32_t long_keys = 0;
    /// Shape of the sweeps that sort long segments. `single_workgroup_keys`, `subgroup_size` and `max_comparisons` are
    /// not used.
    RadixSortTuning sweeps = {};
    /// Maximum number of comparisons, the capacity times the maximum length of a segment, of a sort by ranks. 1
    /// disables this path for more than one key. It is disabled too if this is 0 and another member is set.
    std::uint64_t max_comparisons = 0;

    /// Compares all members.
    friend bool operator==(const SegmentedSortTuning&, const SegmentedSortTuning&) = default;
};

/// Options of segmented_sort. K is the key type. V is the value type: any trivially copyable type of 1 to 4 words.
template <class K = std::uint32_t, class V = std::uint32_t>
struct SegmentedSortOptions {
    BufferRef<V> values = {}; ///< if valid: values that move with the keys; capacity at least that of the keys
    /// Use the indices of the keys in the whole input as values. V is std::uint32_t and `values` is not set.
    bool want_indices = false;
    bool local_indices = false; ///< indices count from the start of the segment; requires `want_indices`
    bool descending = false;    ///< largest key first
    /// Bits [first_bit, end_bit) are compared, numbered as for `radix_sort`.
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = sizeof(K) * 8; ///< one past the highest compared bit
    bool want_keys = true;                 ///< write the sorted keys; if false, `values` or `want_indices` must be set
    BufferRef<K> output_keys = {};         ///< not valid: a new transient; may be the keys' own buffer
    BufferRef<V> output_values = {};       ///< not valid: a new transient; may be the values' own buffer
    /// Maximum number of keys of a segment, for segments at offsets. A value saves scratch memory and time. 0: not
    /// known. If a segment has more keys, its outputs may not be written.
    std::uint32_t longest = 0;
    SegmentedSortTuning tuning = {}; ///< kernel shape
};

namespace detail {

struct SegmentedSortRequest : SortRequest {
    Segments segments = {};
    bool local_indices = false;
    std::uint32_t longest = 0;
    SegmentedSortTuning tuning = {};
};

/// Adds the passes.
WEIR_API void add_segmented_sort(Graph& graph, const SegmentedSortRequest& request);

} // namespace detail

/// Adds a stable sort of each segment of the first `keys.count` keys, all at the same time, and returns the sorted
/// buffers.
///
/// Compares bits [first_bit, end_bit), ascending or descending. Keys have 32 or 64 bits. Their order and the values are
/// those of `radix_sort`. Inputs are not modified unless they are also outputs.
///
/// Segments must have one length, be rows (`Segments::of_rows`) or be at offsets. Empty segments cost almost nothing,
/// and time hardly depends on the number of segments or on the distribution of their lengths. Keys outside all
/// segments, such as those before the first offset, are not written to the outputs. Offsets greater than `keys.count`
/// count as `keys.count`. If offsets do not ascend, the results are undefined, but nothing is written outside of the
/// outputs, and each workgroup sorts a key at most once.
///
/// Algorithm: a workgroup takes consecutive segments. It sorts as many of them together in registers as fit in a tile
/// of some thousand keys: by digits of 8 bits, least significant first, and finally by segment. Short segments
/// therefore take hardly longer per key than those that fill a tile. One workgroup sorts a segment longer than a tile
/// through memory, unless the segment is long: longer than two tiles and than 1/512 of all keys. The whole device sorts
/// long segments by the passes of `radix_sort`: a histogram and one sweep per digit for all segments together, in which
/// tiles look back within their segment.
///
/// If the capacity times the maximum length of a segment is small, and neither keys nor values are sorted in place, the
/// whole device ranks each key by comparing it with all keys of its segment instead.
///
/// The lengths of segments at offsets are known on the GPU only. The first pass lists the long ones, and indirect
/// dispatches sort them. If there are none, these dispatches are empty and take some microseconds. They are added if
/// `longest` is large enough for a long segment. If `longest` is 0, they are added for capacities of 2^22 keys or more
/// and for a mean length of more than 1024 keys.
///
/// Scratch memory: none if no segment can be longer than a tile, by the length or by `longest`. Otherwise one key per
/// key, one value per value, and another key per key if the sorted keys are not requested. If segments can be long,
/// also about two bytes per key.
///
/// Errors: those of `radix_sort`; `invalid_argument` for segments at flags, bits or keys, for a length of 0, for rows
/// that do not fit in the keys, and for `local_indices` without `want_indices`.
template <class K, class V = std::uint32_t>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                const std::type_identity_t<SegmentedSortOptions<K, V>>& options = {}) {
    static_assert(sizeof(K) >= 4, "keys must be numbers of 32 or 64 bits");
    SortResult<K, V> result;
    if (const auto request = detail::sort_request<K, V>(graph, "segmented sort", keys, options, result)) {
        detail::add_segmented_sort(graph, {*request, segments, options.local_indices, options.longest, options.tuning});
    }
    return result;
}

/// Adds a segmented sort of keys with values of any type. `values` replaces `options.values`.
template <class K, class V>
SortResult<K, V> segmented_sort(const GraphCall& graph, BufferRef<K> keys, BufferRef<V> values,
                                const Segments& segments,
                                std::type_identity_t<SegmentedSortOptions<K, V>> options = {}) {
    options.values = values;
    return segmented_sort<K, V>(graph, keys, segments, options);
}

/// Returns the indices that sort the keys of each segment: in the whole input, or in the segment with
/// `options.local_indices`. The sorted keys are written only if `options.output_keys` is set.
template <class K>
BufferRef<std::uint32_t> segmented_argsort(const GraphCall& graph, BufferRef<K> keys, const Segments& segments,
                                           std::type_identity_t<SegmentedSortOptions<K>> options = {}) {
    options.want_indices = true;
    options.want_keys = options.output_keys.valid();
    return segmented_sort(graph, keys, segments, options).values;
}

} // namespace weir
