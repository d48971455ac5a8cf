// Tiles that start in other orders. Results must have the same bits as without faults, also of floats. In reversed
// order, each tile waits for tiles that have not started and may not start before it ends, as with the most unfair
// scheduler.

#include "tests/primitives/compaction_cases.hpp"
#include "tests/primitives/radix_sort_trial.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::tile_order_test {
namespace {

const Sweeps sweeps{
    "TileOrder.Scans",      "TileOrder.ScansWith*", "TileOrder.ScansOf*", "TileOrder.Reductions*",
    "TileOrder.SortsWith*", "TileOrder.SortsOf*",   "TileOrder.Sorts",    "TileOrder.CompactionsAndSumsByKey"};

using Order = Instrument::Order;

/// Number of elements: more than two blocks of spine_walk.glsl at every subgroup size of the drivers, and a partial
/// tile.
constexpr std::uint32_t elements = 40 * 64 * 4 + 7;

/// An output and the number of its words that are compared.
struct Output {
    BufferId buffer;
    std::size_t words;
};
/// Adds a primitive to the graph of a trial and returns its outputs.
using Adds = std::function<std::vector<Output>(Trial& trial)>;

/// Runs the primitive in every order, with and without silent tiles, and compares all words with those of the first
/// run. The first run has no faults: `one_in` is ~0U, so no tile is silent, but it uses the same kernel as all other
/// runs. Compiling the kernel takes most of the test's time.
void check_orders(const Adds& add, const Instrument& variant = {}) {
    std::vector<Words> expected;
    const auto run = [&](Instrument faults, std::uint32_t runs) {
        faults.tile_states = variant.tile_states;
        faults.scan_variant = variant.scan_variant;
        SCOPED_TRACE("order " + std::to_string(static_cast<int>(faults.order)) + ", silent 1 in " +
                     std::to_string(faults.one_in));
        Trial trial(elements);
        if (faults.order != Order::as_started) {
            faults.seed = trial.seed;
        }
        const auto scope = weir::testing::instrument(trial.graph, faults);
        const auto outputs = add(trial);
        for (std::uint32_t seed = 1; seed <= runs && !testing::Test::HasFailure(); ++seed) {
            trial.run(elements, seed);
            std::vector<Words> found;
            for (const Output& output : outputs) {
                found.push_back(trial.words_in(output.buffer, output.words));
            }
            expected = expected.empty() ? found : expected;
            for (std::size_t i = 0; i < found.size(); ++i) {
                expect_equal(found[i], expected[i], "output " + std::to_string(i) + ", run " + std::to_string(seed));
            }
        }
    };
    run({.one_in = ~0U}, 1);
    for (const Order order : tile_orders) {
        for (const std::uint32_t one_in : {0U, 2U}) {
            run({.one_in = one_in, .order = order}, order == Order::random ? 4 : 2);
        }
    }
}

template <class T>
std::vector<T> numbers() {
    if constexpr (std::is_same_v<T, float>) {
        return floats_that_round(elements);
    } else {
        return Random(2).vector<T>(elements);
    }
}

template <class T>
void check_scan(const ScanOptions<T>& wanted, const Instrument& variant = {}) {
    const Adds add = [&](Trial& trial) -> std::vector<Output> {
        ScanOptions<T> options = wanted;
        options.output = trial.output<T>("out", elements);
        scan(trial.graph, trial.input("in", numbers<T>()), options);
        return {{options.output, elements * sizeof(T) / 4}};
    };
    check_orders(add, variant);
}

TEST(TileOrder, Scans) {
    check_scan<std::uint32_t>({.kind = ScanKind::exclusive, .tuning = small_scan()});
    check_scan<float>({.tuning = small_scan()});
}

// Split states, packed states of 64 bits, and flagged states with acquire and release.
TEST(TileOrder, ScansWithOtherStates) {
    const ScanOptions<std::uint32_t> options{.tuning = small_scan()};
    check_scan(options, {.tile_states = TileStates::split});
    if (has_packed_states()) {
        check_scan(options, {.tile_states = TileStates::packed});
    }
    if (has_flagged_states()) {
        check_scan(options, {.scan_variant = studies::scan_variant({.flagged_states = true})});
    }
}

TEST(TileOrder, ScansOfSegments) {
    check_scan<float>({.segments = Segments::of_length(3001), .tuning = small_scan()});
}

// A tile must not be reduced after it has been overwritten.
TEST(TileOrder, ScansInPlace) {
    check_orders([](Trial& trial) -> std::vector<Output> {
        const auto items = trial.in_place("items", floats_that_round(elements));
        scan(trial.graph, items, {.output = items, .tuning = small_scan()});
        return {{items, elements}};
    });
}

// A non-commutative operator that rounds, with a custom load and store.
TEST(TileOrder, FusedScans) {
    check_orders([](Trial& trial) -> std::vector<Output> {
        const auto out = trial.output<float>("y", elements);
        const auto in = trial.input("x", floats_that_round(elements));
        fused_scan(trial.graph, {.monoid = {.name = "average",
                                            .fields = {"float a", "float b"},
                                            .identity = "T(1.0, 0.0)",
                                            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
                                 .count = trial.count,
                                 .buffers = {{"float x[]", read(in)}, {"float y[]", write(out)}},
                                 .load = "return T(0.99, 0.01 * x[i]);",
                                 .store = "y[i] = inclusive.b;",
                                 .tuning = small_scan()});
        return {{out, elements}};
    });
}

TEST(TileOrder, ReductionsByKey) {
    const Words keys = runs(elements, 3000);
    const std::size_t found = indices_where(elements, [&](std::uint32_t i) { return is_head(keys, i); }).size();
    check_orders([&](Trial& trial) -> std::vector<Output> {
        const auto sums = trial.output<float>("sums", elements);
        reduce_by_key(trial.graph, trial.input("keys", keys), trial.input("values", floats_that_round(elements)),
                      {.output_values = sums, .tuning = small_scan()});
        return {{sums, found}};
    });
}

TEST(TileOrder, ReductionsBySegment) {
    check_orders([](Trial& trial) -> std::vector<Output> {
        const auto sums = trial.output<float>("sums", elements);
        reduce_by_segment(trial.graph, trial.input("values", floats_that_round(elements)), Segments::of_length(700),
                          {.output = sums, .tuning = small_scan()});
        return {{sums, (elements + 699) / 700}};
    });
}

/// Checks sorts by two digits, which take two sweeps, in every order.
template <class K>
void check_sorts(SortOf what, RadixRanks ranks) {
    const std::vector<K> keys = mixed_keys<K>(12 * small_tile() + 3);
    for (const Order order : tile_orders) {
        for (const std::uint32_t one_in : {~0U, 2U}) {
            SCOPED_TRACE("order " + std::to_string(static_cast<int>(order)));
            RadixSortOptions<K> options{.tuning = small_shape()};
            options.end_bit = 16;
            options.tuning.ranks = ranks;
            const auto n = count_of(keys);
            check_sort(keys, what, {n, n - 3 * small_tile()}, options,
                       {.instrument = {.one_in = one_in, .seed = 3U, .order = order}});
        }
    }
}

TEST(TileOrder, Sorts) {
    check_sorts<std::uint32_t>(SortOf::pairs, RadixRanks::voted);
}

TEST(TileOrder, SortsWithCheckedRanks) {
    check_sorts<std::uint32_t>(SortOf::keys, RadixRanks::checked);
}

TEST(TileOrder, SortsOfWideKeys) {
    check_sorts<double>(SortOf::pairs, RadixRanks::voted);
}

} // namespace
} // namespace weir::tests::tile_order_test
