// The primitives of one pass by all counts, in one graph: from none to three tiles, and powers of two with their
// neighbours.

#include "tests/primitives/family.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::counts_test {
namespace {

const OnOneDriver on_one_driver{"EveryCount.*"};

// In a short run every third of them, and those around tiles.
TEST(EveryCount, UpToThreeTiles) {
    const auto check = [](Part part, std::uint32_t tile) {
        Family family(part, 3 * tile + 1, small_shapes(), Count::Kind::gpu);
        for (std::uint32_t n = 0; n <= 3 * tile + 1 && !HasFailure(); ++n) {
            if (long_tests() || n % 3 == 0 || (n + 1) % tile <= 2) {
                family.check(n);
            }
        }
    };
    check(Part::single_pass, 256); // the largest tile of these shapes
    check(Part::elementwise, 1024);
}

// The large ones in turn, for SwiftShader takes a second for a million elements of each primitive.
TEST(EveryCount, PowersOfTwoAndNeighbours) {
    constexpr std::uint32_t ranges[][2] = {{0, 12}, {13, 16}, {17, 22}};
    for (const auto [bottom, top] : ranges) {
        if (top > 16 && !is_turn(2, configurations)) {
            continue;
        }
        Family family(Part::all, (1U << top) + 1, {}, Count::Kind::parameter);
        for (std::uint32_t power = bottom; power <= top && !HasFailure(); ++power) {
            for (const std::uint32_t n : {(1U << power) - 1, 1U << power, (1U << power) + 1}) {
                family.check(n);
            }
        }
    }
}

TEST(EveryCount, NeedsNobodysProgress) {
    const std::uint32_t n = 30 * small_compaction_tile() + 7;
    for (const auto kind : {Kind::never_post, Kind::late_post, Kind::torn_post}) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            Family family(Part::single_pass, n, small_shapes(), Count::Kind::parameter,
                          {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 7U : 0U});
            for (const std::uint32_t count : {n, n, n - 3 * small_compaction_tile()}) {
                family.check(count);
            }
        }
    }
}

// In reverse, no tile that another one waits for has started.
TEST(TileOrder, OfCompactionsAndSumsByKey) {
    const std::uint32_t n = 20 * small_compaction_tile() + 7;
    for (const auto order : tile_orders) {
        for (const std::uint32_t one_in : {~0U, 3U}) { // no tile has the former number
            Family family(Part::single_pass, n, small_shapes(), Count::Kind::parameter,
                          {.one_in = one_in, .seed = 5U, .order = order});
            for (const std::uint32_t count : {n, n - 3 * small_compaction_tile(), 1U}) {
                family.check(count);
            }
        }
    }
}

} // namespace
} // namespace weir::tests::counts_test
