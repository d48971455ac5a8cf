#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

// Types that all sorts share.

namespace weir {

/// Result of a sort.
template <class K = std::uint32_t, class V = std::uint32_t>
struct SortResult {
    BufferRef<K> keys;   ///< the sorted keys; not valid if not requested
    BufferRef<V> values; ///< values or indices of the sorted keys; not valid if not requested
};

/// Method that keeps keys with equal digits in order. It can be chosen in these cases; all other sorts use `voted`.
///
/// Segmented sorts and sorts by a single workgroup: if keys have values or indices, if they are compared by all bits,
/// or if a workgroup sorts several segments.
///
/// Larger sorts: if keys have no values, are compared by all bits, and a tile has at most 2^15 keys. The method applies
/// to all passes except the first, which may take equal keys in any order.
enum class RadixRanks : std::uint32_t {
    automatic, ///< `checked` if Capabilities::atomics_in_lane_order is set; otherwise `voted`
    voted,     ///< by ballots of each subgroup; always correct
    /// By atomics, in the order in which the device performs them. A tile that is out of order afterwards is sorted
    /// again with `voted`.
    checked,
};

} // namespace weir
