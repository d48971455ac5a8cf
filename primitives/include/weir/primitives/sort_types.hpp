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

/// Kernel shape of radix_sort, for tests and tuning. 0: chosen by device and size. Results do not depend on it.
struct RadixSortTuning {
    /// Invocations per workgroup; at most 16 subgroups.
    std::uint32_t workgroup = 0;
    /// Keys per invocation in a sweep. A tile holds workgroup * keys_per_invocation keys.
    std::uint32_t keys_per_invocation = 0;
    /// Minimum number of rounds in which a tile is exchanged through workgroup memory; at most 64.
    std::uint32_t rounds = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Maximum capacity that a single workgroup sorts in one dispatch. 1 disables this path for more than one key.
    std::uint32_t single_workgroup_keys = 0;
    /// Polls of a late predecessor before a workgroup falls back and computes its value itself.
    std::uint32_t max_spins = 0;
    /// Method that keeps keys with equal digits in order.
    RadixRanks ranks = RadixRanks::automatic;
    /// Maximum number of comparisons, the square of the capacity, of a sort by ranks. 1 disables this path for more
    /// than one key. It is disabled too if this is 0 and another member is set.
    std::uint64_t max_comparisons = 0;

    /// Compares all members.
    friend bool operator==(const RadixSortTuning&, const RadixSortTuning&) = default;
};

} // namespace weir
