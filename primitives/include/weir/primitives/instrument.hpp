#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

namespace weir {

/// Makes tiles of a single-pass primitive misbehave, to test that the others cope: a testing option, never needed
/// otherwise. Kernels with faults or counters are compiled with the graph, which needs shaderc.
struct FaultInjection {
    enum class Kind : std::uint8_t {
        never_post, ///< the tile tells its successors nothing
        late_post,  ///< it does so after a long while
        torn_post,  ///< it posts the first part of each value only, and nothing of one that has a single part
        /// Of radix sorts with RadixRanks::checked: it takes its keys in the wrong order. Others do as without faults.
        out_of_order,
    };
    std::uint32_t one_in = 0; ///< how many tiles there are to each faulty one; 0: no faults, 1: every tile
    Kind kind = Kind::never_post;
    /// 0: every one_in-th tile. Otherwise tiles are drawn at random from this seed, which may be a parameter.
    PushWord seed = 0U;
};

/// What a counter buffer (four words) holds after a single-pass primitive has run with it.
struct LookBackCounters {
    std::uint32_t spins = 0;         ///< polls that brought nothing
    std::uint32_t look_back = 0;     ///< polls that brought something, over all walks
    std::uint32_t fallbacks = 0;     ///< fallbacks started, and tiles that a sort has written again (see RadixRanks)
    std::uint32_t fallbacks_won = 0; ///< values that a fallback was the first to post
};

} // namespace weir
