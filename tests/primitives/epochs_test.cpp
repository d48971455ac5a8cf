#include "tests/primitives/compaction_cases.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

// Tile states are never cleared: an epoch of 14 bits distinguishes runs. States of a large run that smaller runs do not
// overwrite must not become valid when the epoch wraps around. Here no tile posts its own states. Therefore the last
// look-backs would see any state that remains from the large run.

namespace weir::tests::epochs_test {
namespace {

const OnOneDriver on_one_driver{"Epochs.WrapInScan"};
const Sweeps sweeps{"Epochs.*With*", "Epochs.WrapInReduceByKey", "Epochs.WrapInCompaction"};

constexpr std::uint32_t epochs = 1U << 14;
/// Returns an instrument with which no tile posts.
Instrument never_posts(TileStates states = TileStates::automatic) {
    return {.one_in = 1, .kind = Instrument::Kind::never_post, .tile_states = states};
}

/// Returns the number of tiles in two blocks of spine_walk.glsl and one more tile.
std::uint32_t many_tiles() {
    return 2 * test_context().capabilities().subgroup_size_max + 1;
}

/// Runs with many tiles, then with two and three tiles until the epoch has wrapped around, then twice with many tiles.
/// `refill` writes the inputs for a seed, and `check` compares the outputs with those of the seed.
template <class Refill, class Check>
void come_round(Trial& trial, std::uint32_t tile, const Refill& refill, const Check& check) {
    refill(1);
    trial.run(many_tiles() * tile);
    check(1);
    for (const std::uint32_t tiles : {2U, 3U}) {
        trial.repeat(tiles * tile, tiles == 2 ? epochs / 2 : epochs / 2 - 1);
    }
    refill(2);
    trial.run(many_tiles() * tile);
    check(2);
    trial.run(many_tiles() * tile);
    check(2);
}

ScanTuning shape() {
    return {.workgroup = test_context().capabilities().subgroup_size_max, .chunks = 1, .max_spins = 1};
}

template <class T>
void scans_come_round(const Instrument& instrument) {
    const ScanTuning tuning = shape();
    const std::uint32_t tile = tuning.workgroup * 4, n = many_tiles() * tile;
    const auto elements = [n](std::uint64_t seed) {
        const Words words = random_words(n, seed);
        return tabulated(n, [&](std::uint32_t i) { return static_cast<T>(words[i] % 1000); });
    };
    Trial trial(n);
    const auto in = trial.input("in", elements(0));
    const auto out = trial.output<T>("out", n);
    const auto scope = weir::testing::instrument(trial.graph, instrument);
    scan(trial.graph, in, {.output = out, .tuning = tuning});
    come_round(
        trial, tile, [&](std::uint64_t seed) { trial.refill(in, elements(seed)); },
        [&](std::uint64_t seed) {
            std::vector<T> sums = elements(seed);
            std::partial_sum(sums.begin(), sums.end(), sums.begin());
            trial.expect(out, sums);
        });
}

TEST(Epochs, WrapInScan) {
    scans_come_round<std::uint32_t>(never_posts(TileStates::split));
}

TEST(Epochs, WrapInScanWithSpine) {
    scans_come_round<float>(never_posts(TileStates::split));
}

TEST(Epochs, WrapInScanWithPackedStates) {
    if (!has_packed_states()) {
        GTEST_SKIP() << "packed tile states are not available";
    }
    scans_come_round<std::uint32_t>(never_posts(TileStates::packed));
}

TEST(Epochs, WrapInScanWithFlaggedStates) {
    if (!has_flagged_states()) {
        GTEST_SKIP() << "flagged tile states are not available";
    }
    Instrument instrument = never_posts();
    instrument.scan_variant = studies::scan_variant({.flagged_states = true});
    scans_come_round<std::uint32_t>(instrument);
}

TEST(Epochs, WrapInCompaction) {
    const CompactionTuning tuning{
        .workgroup = test_context().capabilities().subgroup_size_max, .rows = 2, .max_spins = 1};
    const std::uint32_t tile = tuning.workgroup * 2, n = many_tiles() * tile;
    const auto items = [n](std::uint64_t seed) { return random_words(n, seed); };
    Trial trial(n);
    const auto in = trial.input("in", items(0));
    const auto out = trial.output("out", n);
    const auto scope = weir::testing::instrument(trial.graph, never_posts());
    select_if(trial.graph, in, Predicate::compare(Comparison::less, 1U << 31), {.output = out, .tuning = tuning});
    come_round(
        trial, tile, [&](std::uint64_t seed) { trial.refill(in, items(seed)); },
        [&](std::uint64_t seed) {
            Words kept = items(seed);
            std::erase_if(kept, [](std::uint32_t word) { return word >= 1U << 31; });
            trial.expect(out, kept);
        });
}

TEST(Epochs, WrapInReduceByKey) {
    const ScanTuning tuning = shape();
    const std::uint32_t tile = tuning.workgroup * 4, n = many_tiles() * tile;
    const auto runs = [n](std::uint64_t seed) { // of four on average
        Words keys = random_words(n, seed);
        for (std::uint32_t i = 1; i < n; ++i) {
            keys[i] = keys[i] % 4 == 0 ? keys[i] : keys[i - 1];
        }
        return keys;
    };
    Trial trial(n);
    const auto keys = trial.input("keys", runs(0));
    const auto values = trial.input("values", random_words(n, 0));
    const auto out = trial.output("keys of runs", n), sums = trial.output("sums", n), count = trial.output("count", 1);
    const auto scope = weir::testing::instrument(trial.graph, never_posts());
    reduce_by_key(trial.graph, keys, values,
                  {.output_keys = out, .output_values = sums, .output_count = count, .tuning = tuning});
    come_round(
        trial, tile,
        [&](std::uint64_t seed) {
            trial.refill(keys, runs(seed));
            trial.refill(values, random_words(n, seed + 10));
        },
        [&](std::uint64_t seed) {
            const Words given = runs(seed), added = random_words(n, seed + 10);
            Words found, totals;
            for (std::uint32_t i = 0; i < n; ++i) {
                if (i == 0 || given[i] != given[i - 1]) {
                    found.push_back(given[i]);
                    totals.push_back(0);
                }
                totals.back() += added[i];
            }
            trial.expect(count, {count_of(found)});
            trial.expect(out, found);
            trial.expect(sums, totals);
        });
}

} // namespace
} // namespace weir::tests::epochs_test
