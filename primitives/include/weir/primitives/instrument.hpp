#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

namespace weir {

/// Makes tiles of a single-pass primitive misbehave, to test that the other tiles still compute the right result. For
/// tests only. Kernels with faults or counters are compiled with the graph, which requires shaderc.
struct FaultInjection {
    /// Behavior of faulty tiles.
    enum class Kind : std::uint8_t {
        never_post, ///< the tile never posts its state
        late_post,  ///< the tile posts its state after a long delay
        torn_post,  ///< the tile posts only the first part of each value; a value of a single part is not posted
        /// The tile ranks its keys in the wrong order. Sorts with RadixRanks::checked only; other sorts behave as
        /// without faults. In sorts of segments and sorts by a single workgroup, every tile is faulty.
        out_of_order,
    };
    /// Order in which tiles are handed out to workgroups as they start.
    enum class Order : std::uint8_t {
        as_started, ///< first tile to the first workgroup: if a tile must wait, the tiles before it have started
        reversed,   ///< last tile first: every tile needs tiles that start after it
        both_ends,  ///< the first, the last, the second, the last but one, ...
        random,     ///< random permutation chosen by the seed
    };
    std::uint32_t one_in = 0;     ///< one tile in `one_in` is faulty; 0: none, 1: every tile
    Kind kind = Kind::never_post; ///< behavior of faulty tiles
    /// 0: every `one_in`-th tile is faulty. Otherwise faulty tiles are chosen at random from this seed. The seed may be
    /// a parameter of the graph.
    PushWord seed = 0U;
    /// Order of all tiles, faulty or not. A tile that waits for tiles that have not started can continue only by
    /// fallbacks. This simulates workgroups that starve each other. The first pass of a sort of keys without values and
    /// by all bits keeps its order, because no tile waits for another in it.
    Order order = Order::as_started;
};

/// Contents of a counter buffer after a single-pass primitive has run with it. A buffer of four words receives only the
/// first four counters.
struct LookBackCounters {
    std::uint32_t spins = 0;         ///< polls of entries that were not ready
    std::uint32_t look_back = 0;     ///< polls of entries that were ready, over all look-backs
    std::uint32_t fallbacks = 0;     ///< fallbacks started, and tiles that a sort wrote again (see RadixRanks)
    std::uint32_t fallbacks_won = 0; ///< values that a fallback posted before their owner
    /// Number of tiles from a look-back's own tile to the prefix at which it ended, summed over all look-backs. Divided
    /// by the number of tiles, it is the mean length of a look-back. For a sort: the look-backs of digit value 0, over
    /// all passes.
    std::uint32_t tiles = 0;
};

} // namespace weir
