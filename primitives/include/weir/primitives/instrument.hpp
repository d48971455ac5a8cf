#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

namespace weir {

/// Makes tiles of a single-pass primitive misbehave, to test that the others still compute the right result. A testing
/// option. Kernels with faults or counters are compiled with the graph, which needs shaderc.
struct FaultInjection {
    /// What faulty tiles do.
    enum class Kind : std::uint8_t {
        never_post, ///< the tile never posts its state
        late_post,  ///< the tile posts its state after a long time
        torn_post,  ///< the tile posts only the first part of each value, and nothing of a value that has a single part
        /// For sorts with RadixRanks::checked: the tile ranks its keys in the wrong order; of sorts of segments and by
        /// a single workgroup, every tile. Other sorts behave as without faults.
        out_of_order,
    };
    /// In which order tiles are handed out to the workgroups as they start.
    enum class Order : std::uint8_t {
        as_started, ///< the first tile to the first workgroup: when a tile has to wait, those before it have started
        reversed,   ///< the last tile first: every tile needs those that start after it
        both_ends,  ///< the first, the last, the second, the last but one, ...
        random,     ///< at random from the seed
    };
    std::uint32_t one_in = 0;     ///< one tile in this many is faulty; 0: none, 1: every tile
    Kind kind = Kind::never_post; ///< what faulty tiles do
    /// 0: every one_in-th tile is faulty. Otherwise tiles are chosen at random from this seed, which may be a
    /// parameter.
    PushWord seed = 0U;
    /// The order of all tiles, faulty or not. What waits for tiles that have not started goes on only by fallbacks, so
    /// this is what workgroups that starve would do to each other. The first passes of sorts of keys alone, in which no
    /// tile waits for another, keep theirs.
    Order order = Order::as_started;
};

/// The contents of a counter buffer after a single-pass primitive has run with it. A buffer of four words gets the
/// first four.
struct LookBackCounters {
    std::uint32_t spins = 0;         ///< polls of entries that were not ready
    std::uint32_t look_back = 0;     ///< polls of entries that were ready, over all look-backs
    std::uint32_t fallbacks = 0;     ///< fallbacks started, and tiles that a sort wrote again (see RadixRanks)
    std::uint32_t fallbacks_won = 0; ///< values that a fallback posted before their owner
    /// Tiles between a look-back's own and the prefix at which it ended, over all look-backs: divided by the number of
    /// tiles, the length of a look-back. Of a sort, those of the first digit, over all passes.
    std::uint32_t tiles = 0;
};

} // namespace weir
