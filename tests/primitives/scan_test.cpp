#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_test {
namespace {

const Sweeps sweeps{"Scan.RandomFaultsManyTimes", "Scan.CountersCount*", "Scan.MaximumNumberOfTiles",
                    "Scan/ScanKinds.PowersOf*", "Scan.SeveralScansInOne*"};

/// Returns the scan of the first n elements of `input`.
Words reference(const Words& input, std::uint32_t n, ScanKind kind) {
    Words expected(n);
    if (kind == ScanKind::inclusive) {
        std::inclusive_scan(input.begin(), input.begin() + n, expected.begin());
    } else {
        std::exclusive_scan(input.begin(), input.begin() + n, expected.begin(), 0U);
    }
    return expected;
}

/// A scan of the first n elements of `input`; n is set for each run.
class Scanner {
public:
    Scanner(Words input, ScanOptions<std::uint32_t> options, const Instrument& instrument = {}, bool counts = false,
            Count::Kind kind = Count::Kind::parameter, const Capabilities& device = test_context().capabilities())
        : input_(std::move(input)), kind_(options.kind), trial_(count_of(input_), kind, device) {
        options.output = out_ = trial_.output("out", count_of(input_));
        const Instrument faults = with_seed(instrument, trial_.seed);
        const auto scope = weir::testing::instrument(trial_.graph, counts ? trial_.counted(faults) : faults);
        scan(trial_.graph, trial_.input("in", input_), options);
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        trial_.run(n, seed);
        trial_.expect(out_, reference(input_, std::min(n, count_of(input_)), kind_));
    }

    [[nodiscard]] LookBackCounters counters() const { return trial_.counters(); }

private:
    Words input_;
    ScanKind kind_;
    Trial trial_;
    Ref out_;
};

/// Returns a shape with small tiles, so that few elements make many tiles.
ScanTuning small_shape() {
    return {.workgroup = std::min(256U, max_workgroup()), .chunks = 1};
}
std::uint32_t small_tile() {
    return small_shape().workgroup * 4;
}

class ScanKinds : public testing::TestWithParam<ScanKind> {};
INSTANTIATE_TEST_SUITE_P(Scan, ScanKinds, testing::Values(ScanKind::inclusive, ScanKind::exclusive),
                         [](const auto& info) {
                             return info.param == ScanKind::inclusive ? "inclusive" : "exclusive";
                         });

// In a short run, each driver checks a fifth of the counts, and all counts around tile boundaries.
TEST_P(ScanKinds, EveryCountUpToThreeTiles) {
    const std::uint32_t most = 3 * small_tile();
    Scanner scanner(random_words(most + 1, 1), {.kind = GetParam(), .tuning = small_shape()});
    for (std::uint32_t n = 0; n <= most + 1 && !HasFailure(); ++n) {
        if (is_turn(n, configurations) || (n + 1) % small_tile() <= 2) {
            scanner.check(n);
        }
    }
}

TEST_P(ScanKinds, EveryShapeAtItsTileBoundaries) {
    for (const std::uint32_t workgroup : {64U, 128U, 256U, 512U, 1024U}) {
        if (workgroup > max_workgroup()) {
            continue;
        }
        for (const std::uint32_t chunks : {1U, 3U, 8U}) {
            if (!is_turn(workgroup / 64 + chunks + (GetParam() == ScanKind::inclusive ? 0 : 1), configurations)) {
                continue;
            }
            const std::uint32_t tile = workgroup * chunks * 4;
            Scanner scanner(random_words(2 * tile + 2, 2),
                            {.kind = GetParam(), .tuning = {.workgroup = workgroup, .chunks = chunks}});
            for (const std::uint32_t n : {1U, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1}) {
                scanner.check(n);
            }
        }
    }
}

TEST_P(ScanKinds, PowersOfTwoAndNeighbours) {
    Words powers{10, 16};
    if (is_turn(GetParam() == ScanKind::inclusive ? 1 : 2,
                configurations)) { // SwiftShader scans a million numbers per second
        powers.push_back(24);
    }
    for (const std::uint32_t power : powers) {
        Scanner scanner(random_words((1U << power) + 1, 3), {.kind = GetParam()});
        for (std::uint32_t p = power > 16 ? 15 : 0; p <= power; ++p) {
            for (const std::uint32_t n : {(1U << p) - 1, 1U << p, (1U << p) + 1}) {
                scanner.check(n);
            }
        }
    }
}

TEST(Scan, KindsOfInput) {
    const std::uint32_t n = 5 * small_tile() + 7;
    Words last_only(n, 0);
    last_only.back() = 1;
    for (const Words& input :
         {Words(n, 0), Words(n, 1), Words(n, ~0U), Words(n, 0x80000000U), ascending(n), last_only}) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            Scanner(input, {.kind = kind, .tuning = small_shape()}).check(n);
        }
    }
}

TEST(Scan, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 130 * small_tile() + 3;
    const auto input = random_words(n, 4);
    const std::uint32_t step = long_tests() ? 2 : 8;
    for (const auto kind : all_faults) {
        for (std::uint32_t one_in = 512; one_in >= 1; one_in /= step) {
            Scanner(input, {.tuning = small_shape()}, {.one_in = one_in, .kind = kind}).check(n);
        }
    }
}

TEST(Scan, RandomFaultsManyTimes) {
    const std::uint32_t n = 64 * small_tile() - 5;
    Scanner scanner(random_words(n, 5), {.tuning = small_shape()}, {.one_in = 3, .seed = 1U});
    for (std::uint32_t repetition = 1; repetition <= 200 && !HasFailure(); ++repetition) {
        scanner.check(n, repetition);
    }
}

TEST(Scan, CountersCountFallbacks) {
    const std::uint32_t tiles = 40;
    const auto input = random_words(tiles * small_tile(), 6);
    for (const bool flagged : {false, true}) {
        if (flagged && !has_flagged_states()) {
            continue;
        }
        Instrument instrument{.tile_states = flagged ? TileStates::automatic : TileStates::split,
                              .scan_variant = studies::scan_variant({.flagged_states = flagged})};
        Scanner ordinary(input, {.tuning = small_shape()}, instrument, true);
        instrument.one_in = 1;
        Scanner faulty(input, {.tuning = small_shape()}, instrument, true);
        faulty.check(tiles * small_tile());
        const LookBackCounters counted = faulty.counters();
        // No tile posts. Each value that a successor uses was computed by fallbacks and posted by exactly one of them.
        EXPECT_EQ(counted.fallbacks_won, tiles - 1);
        EXPECT_GE(counted.fallbacks, tiles - 1);
        EXPECT_GT(counted.spins, 0U);
        EXPECT_EQ(counted.tiles, tiles * (tiles - 1) / 2); // without prefixes, each look-back goes to the first tile
        ordinary.check(tiles * small_tile());
        EXPECT_GE(ordinary.counters().tiles, tiles - 1); // all tiles except the first look back
        EXPECT_LE(ordinary.counters().tiles, tiles * (tiles - 1) / 2);
    }

    Scanner alone(random_words(small_tile(), 7), {.tuning = small_shape()}, {}, true);
    alone.check(small_tile());
    const LookBackCounters none = alone.counters();
    EXPECT_EQ(none.spins + none.look_back + none.fallbacks + none.fallbacks_won + none.tiles, 0U);
}

TEST(Scan, CountersCountTilesOfChains) {
    const InOrderDevice device; // chained tiles wait without limit
    const std::uint32_t tiles = 12, n = tiles * small_tile();
    Scanner chained(random_words(n, 13), {.tuning = small_shape()},
                    {.scan_variant = studies::scan_variant(studies::ScanStrategy::chained)}, true);
    chained.check(n);
    EXPECT_EQ(chained.counters().tiles, tiles - 1); // each tile uses the prefix of the preceding tile
}

// No tile posts. A look-back ends at the nearest tile in which a segment begins, and covers that tile too.
TEST(Scan, CountersCountTilesUpToSegmentStart) {
    const std::uint32_t tiles = 12, segment = 5, n = tiles * small_tile();
    const Words input = random_words(n, 14);
    Trial trial(n, Count::Kind::constant);
    const auto out = trial.output("out", n);
    const auto scope = weir::testing::instrument(trial.graph, trial.counted({.one_in = 1}));
    scan(trial.graph, trial.input("in", input),
         {.output = out, .segments = Segments::of_length(segment * small_tile()), .tuning = small_shape()});
    trial.run(n);
    Words expected = input;
    for (std::uint32_t i = 1; i < n; ++i) {
        expected[i] += i % (segment * small_tile()) == 0 ? 0 : expected[i - 1];
    }
    trial.expect(out, expected);
    std::uint32_t covered = 0;
    for (std::uint32_t tile = 1; tile < tiles; ++tile) {
        covered += (tile - 1) % segment + 1;
    }
    EXPECT_EQ(trial.counters().tiles, covered);
}

// The ticket that assigns tiles cannot count more.
TEST(Scan, MaximumNumberOfTiles) {
    const ScanTuning smallest{.workgroup = test_context().capabilities().subgroup_size, .chunks = 1};
    const std::uint32_t tile = smallest.workgroup * 4, most = 262140;
    Scanner scanner(random_words(most * tile, 12), {.tuning = smallest});
    for (const std::uint32_t n : {most * tile, (most - 2) * tile - 1, most * tile - 1}) {
        scanner.check(n);
    }
    expect_refused("at most 262140", [&](Graph& g) { scan(g, imported(g, most * tile + 1), {.tuning = smallest}); });
}

TEST(Scan, CountOnTheGpu) {
    const std::uint32_t capacity = 3 * small_tile() + 100;
    Scanner scanner(random_words(capacity, 9), {.tuning = small_shape()}, {}, false, Count::Kind::gpu);
    for (const std::uint32_t n : {0U, 1U, small_tile(), small_tile() + 1, capacity - 1, capacity, capacity + 1, ~0U}) {
        scanner.check(n);
    }
}

TEST(Scan, UnknownSubgroupSize) {
    const std::uint32_t n = 5 * small_tile() + 3;
    Scanner(random_words(n, 11), {.tuning = small_shape()}, {.one_in = 2}, false, Count::Kind::constant,
            without_known_subgroup_size())
        .check(n);
}

TEST(Scan, SeveralScansInOneGraphAreIndependent) {
    const std::uint32_t n = 7 * small_tile() + 1;
    const Words input = random_words(n, 10);
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", input);
    const auto once = scan(trial.graph, in, {.tuning = small_shape()});
    const auto twice = trial.exported(scan(trial.graph, once, {.kind = ScanKind::exclusive}));
    const auto other = trial.exported(scan(trial.graph, in, {.kind = ScanKind::exclusive, .tuning = small_shape()}));
    for (int repetition = 0; repetition < 3; ++repetition) {
        trial.run(n);
        trial.expect_exported(twice, reference(reference(input, n, ScanKind::inclusive), n, ScanKind::exclusive));
        trial.expect_exported(other, reference(input, n, ScanKind::exclusive));
    }
}

TEST(Scan, RejectsInvalidArguments) {
    expect_refused("capacity of 99 words",
                   [](Graph& g, Ref in) { scan(g, in, {.output = g.transient_buffer<std::uint32_t>("out", 99)}); });
    expect_refused("100 invocations", [](Graph& g, Ref in) { scan(g, in, {.tuning = {.workgroup = 100}}); });
    expect_refused("268435456 invocations", [](Graph& g, Ref in) { scan(g, in, {.tuning = {.workgroup = 1U << 28}}); });
    expect_refused("subgroup size 1", [](Graph& g, Ref in) { scan(g, in, {.tuning = {.subgroup_size = 1}}); });
    expect_refused("scan: the input is null", [](Graph& g) { scan(g, Ref{}); });
}

} // namespace
} // namespace weir::tests::scan_test
