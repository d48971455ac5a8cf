#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

// Settings for tests and comparisons. No other header of Weir includes this one.

namespace weir::testing {

/// Another implementation of a part of the scan, for comparison. studies/strategies has some.
struct ScanVariant;

/// Memory layout of tile states. Results do not depend on it. Errors: `unsupported` if the device or the scan does not
/// support the layout.
enum class TileStates : std::uint8_t {
    automatic, ///< the fastest layout measured on such devices; `split` if none were measured
    split,     ///< 16 bits of value per 32-bit word; on every device
    /// 32 bits of value per 64-bit word; needs 64-bit atomics. Supports any Monoid, and built-in operators on single
    /// numbers except sums and products of doubles. Not for segments with built-in operators.
    packed,
};

/// Returns the name of the enumerator, such as "automatic"; "?" for other numbers.
WEIR_API const char* to_string(TileStates states);

/// Contents of a counter buffer after single-pass primitives have run with it. A buffer of four words receives only the
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

/// Instruments single-pass primitives: makes tiles misbehave, to test that the other tiles still compute the right
/// result, counts events, and selects variants for comparison. Kernels with faults or counters are compiled with the
/// graph, which requires shaderc. Primitives that are not single-pass ignore it.
struct Instrument {
    /// Behavior of faulty tiles.
    enum class Kind : std::uint8_t {
        never_post, ///< the tile never posts its state
        late_post,  ///< the tile posts its state after a long delay
        torn_post,  ///< the tile posts only the first part of each value; a value of a single part is not posted
        /// The tile ranks its keys in the wrong order. Sorts with RadixRanks::checked only; other sorts behave as
        /// without faults. In sorts by a single workgroup and of segments that fit a workgroup, every tile is
        /// faulty. These sorts support no other kind.
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
    /// If valid: receives LookBackCounters of all primitives of the scope together; 4 or 5 words. Opening the scope
    /// adds a pass that zeroes it.
    BufferRef<std::uint32_t> counters = {};
    TileStates tile_states = TileStates::automatic; ///< scans and reductions by segment or key only
    /// If not null: replaces a part of scans and of reductions by segment or key. Must outlive the scope.
    const ScanVariant* scan_variant = nullptr;
};

/// Opens a scope: single-pass primitives that are added while the returned object exists are instrumented.
///
///     const auto scope = weir::testing::instrument(graph, {.one_in = 3, .counters = counters});
///     auto sums = weir::scan(graph, input);
///
/// A primitive that is based on a single-pass primitive is also instrumented, such as `expand` and `top_k`. With a
/// default Instrument, primitives are added as without a scope.
///
/// Errors: `invalid_argument` for counters of fewer than 4 words, and for numbers that are not enumerators.
[[nodiscard]] WEIR_API InstrumentScope instrument(Graph& graph, const Instrument& settings,
                                                  SourceLocation where = SourceLocation::current());

} // namespace weir::testing

namespace weir {

/// A scope: single-pass primitives that are added while it exists are instrumented; see `testing::instrument`. In
/// nested scopes, the innermost one applies. Scopes must end in reverse order and before their graph. The graph must
/// not be moved while a scope exists.
class WEIR_API InstrumentScope {
public:
    /// Ends the scope.
    ~InstrumentScope();
    InstrumentScope(const InstrumentScope&) = delete;
    InstrumentScope& operator=(const InstrumentScope&) = delete;

private:
    friend InstrumentScope testing::instrument(Graph& graph, const testing::Instrument& settings, SourceLocation where);
    friend const testing::Instrument& instrument_of(const Graph& graph);
    InstrumentScope(Graph& graph, const testing::Instrument& settings);
    static const InstrumentScope* innermost(const Graph& graph);
    Graph& graph_;
    const InstrumentScope* before_;
    testing::Instrument settings_;
};

} // namespace weir
