// Many primitives in one graph, with all counts from zero to three tiles, and with powers of two and their neighbors.

#include "tests/primitives/family.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::counts_test {
namespace {

const OnOneDriver on_one_driver{"EveryCount.*"};

// A short run takes every third count, and the counts around tile boundaries.
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

// A short run has counts above 2^16 only in its turn, because SwiftShader takes a second per primitive for a million
// elements.
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

TEST(EveryCount, FaultsDoNotChangeResults) {
    const std::uint32_t n = 30 * small_compaction_tile() + 7;
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            Family family(Part::single_pass, n, small_shapes(), Count::Kind::parameter,
                          {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 7U : 0U});
            for (const std::uint32_t count : {n, n, n - 3 * small_compaction_tile()}) {
                family.check(count);
            }
        }
    }
}

// In reversed order, each tile waits for tiles that have not started.
TEST(TileOrder, CompactionsAndSumsByKey) {
    const std::uint32_t n = 20 * small_compaction_tile() + 7;
    for (const auto order : tile_orders) {
        for (const std::uint32_t one_in : {~0U, 3U}) { // ~0U: practically no tile is faulty
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
