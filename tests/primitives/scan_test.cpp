#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <weir/weir.hpp>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_test {
namespace {

const Sweeps sweeps{"Scan.RandomFaultsManyTimes", "Scan.CountersCount*", "Scan.MaximumNumberOfTiles",
                    "Scan/ScanKinds.PowersOf*", "Scan.SeveralScansInOne*"};

constexpr std::uint32_t poison = 0xDEADBEEF;

std::vector<std::uint32_t> reference(const std::vector<std::uint32_t>& input, std::size_t n, ScanKind kind) {
    std::vector<std::uint32_t> expected(input.size(), poison);
    if (kind == ScanKind::inclusive) {
        std::inclusive_scan(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(n), expected.begin());
    } else {
        std::exclusive_scan(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(n), expected.begin(), 0U);
    }
    return expected;
}

/// A program that scans the first n elements of `input` into a poisoned output; n is set for each run.
class Scanner {
public:
    Scanner(std::vector<std::uint32_t> input, ScanOptions<std::uint32_t> options, Instrument instrument = {},
            bool count = false)
        : input_(std::move(input)), kind_(options.kind) {
        const auto capacity = static_cast<std::uint32_t>(input_.size());
        Graph graph(test_context());
        n_ = graph.parameter("n", capacity);
        seed_ = graph.parameter("seed", ~0U);
        const auto in = graph.import_buffer<std::uint32_t>("in", capacity, n_);
        const auto out = graph.import_buffer<std::uint32_t>("out", capacity);
        graph.add_fill("poison", out, poison);
        options.output = out;
        if (count) {
            counters_ = instrument.counters = graph.transient_buffer<std::uint32_t>("counters", 5);
            graph.export_buffer(counters_);
        }
        const auto scope = weir::testing::instrument(graph, with_seed(instrument, seed_));
        scan(graph, in, options);
        graph.export_buffer(out);
        program_.emplace(ok(compile(test_context(), graph)));
        in_ = buffer_of(input_);
        out_ = poisoned_buffer(capacity);
        ok(program_->bind(in, in_));
        ok(program_->bind(out, out_));
    }

    void run(std::uint32_t n, std::uint32_t seed = 1) {
        ok(program_->set(n_, n));
        ok(program_->set(seed_, seed));
        ok(program_->run());
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        run(n, seed);
        const auto output = contents(out_, input_.size());
        expect_equal(output, reference(input_, n, kind_),
                     "n = " + std::to_string(n) + ", seed " + std::to_string(seed));
    }

    LookBackCounters counters() {
        const auto words = contents(program_->view(counters_), 5);
        return {words[0], words[1], words[2], words[3], words[4]};
    }

private:
    std::vector<std::uint32_t> input_;
    ScanKind kind_;
    Count n_, seed_;
    BufferRef<std::uint32_t> counters_;
    std::optional<Program> program_;
    Buffer in_, out_;
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
    std::vector<std::uint32_t> powers{10, 16};
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
    std::vector<std::uint32_t> ascending(n), last_only(n, 0);
    std::iota(ascending.begin(), ascending.end(), 0U);
    last_only.back() = 1;
    for (const auto& input :
         {std::vector<std::uint32_t>(n, 0), std::vector<std::uint32_t>(n, 1), std::vector<std::uint32_t>(n, ~0U),
          std::vector<std::uint32_t>(n, 0x80000000U), ascending, last_only}) {
        for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
            Scanner(input, {.kind = kind, .tuning = small_shape()}).check(n);
        }
    }
}

TEST(Scan, FaultsOfEveryKindAndRate) {
    const std::uint32_t n = 130 * small_tile() + 3;
    const auto input = random_words(n, 4);
    const std::uint32_t step = long_tests() ? 2 : 8;
    for (const auto kind : {Instrument::Kind::never_post, Instrument::Kind::late_post, Instrument::Kind::torn_post}) {
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
    for (const TileStates states : {TileStates::split, TileStates::flagged}) {
        if (!exists(states)) {
            continue;
        }
        Scanner faulty(input, {.tuning = small_shape()}, {.one_in = 1, .tile_states = states}, true);
        faulty.check(tiles * small_tile());
        const LookBackCounters counted = faulty.counters();
        // No tile posts. Each value that a successor uses was computed by fallbacks and posted by exactly one of them.
        EXPECT_EQ(counted.fallbacks_won, tiles - 1);
        EXPECT_GE(counted.fallbacks, tiles - 1);
        EXPECT_GT(counted.spins, 0U);
        EXPECT_EQ(counted.tiles, tiles * (tiles - 1) / 2); // without prefixes, each look-back goes to the first tile
        Scanner ordinary(input, {.tuning = small_shape()}, {.tile_states = states}, true);
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
    Scanner chained(random_words(n, 13), {.tuning = small_shape()}, {.strategy = ScanStrategy::chained}, true);
    chained.check(n);
    EXPECT_EQ(chained.counters().tiles, tiles - 1); // each tile uses the prefix of the preceding tile
}

// No tile posts. A look-back ends at the nearest tile in which a segment begins, and covers that tile too.
TEST(Scan, CountersCountTilesUpToSegmentStart) {
    const std::uint32_t tiles = 12, segment = 5, n = tiles * small_tile();
    const auto input = random_words(n, 14);
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto counters = graph.transient_buffer<std::uint32_t>("counters", 5);
    const auto scope = weir::testing::instrument(graph, {.one_in = 1, .counters = counters});
    const auto out =
        scan(graph, in, {.segments = Segments::of_length(segment * small_tile()), .tuning = small_shape()});
    graph.export_buffer(out);
    graph.export_buffer(counters);
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(input);
    ok(program.bind(in, in_buffer));
    ok(program.run());
    std::vector<std::uint32_t> expected = input;
    for (std::uint32_t i = 1; i < n; ++i) {
        expected[i] += i % (segment * small_tile()) == 0 ? 0 : expected[i - 1];
    }
    expect_equal(contents(program.view(out), n), expected, "sums of segments");
    std::uint32_t covered = 0;
    for (std::uint32_t tile = 1; tile < tiles; ++tile) {
        covered += (tile - 1) % segment + 1;
    }
    EXPECT_EQ(contents(program.view(counters), 5)[4], covered);
}

// The ticket that assigns tiles cannot count more.
TEST(Scan, MaximumNumberOfTiles) {
    const ScanTuning smallest{.workgroup = test_context().capabilities().subgroup_size, .chunks = 1};
    const std::uint32_t tile = smallest.workgroup * 4, most = 262140;
    Scanner scanner(random_words(most * tile, 12), {.tuning = smallest});
    for (const std::uint32_t n : {most * tile, (most - 2) * tile - 1, most * tile - 1}) {
        scanner.check(n);
    }
    Graph graph(test_context());
    scan(graph, graph.import_buffer<std::uint32_t>("in", most * tile + 1), {.tuning = smallest});
    EXPECT_THAT(plan_error(graph), HasSubstr("at most 262140"));
}

TEST(Scan, CountOnTheGpu) {
    const std::uint32_t capacity = 3 * small_tile() + 100;
    const auto input = random_words(capacity, 9);
    Graph graph(test_context());
    const auto counts = graph.import_buffer<std::uint32_t>("counts", 4);
    const auto in = graph.import_buffer<std::uint32_t>("in", capacity, graph.count_in(counts, 2, capacity));
    const auto out = graph.import_buffer<std::uint32_t>("out", capacity);
    graph.add_fill("poison", out, poison);
    scan(graph, in, {.output = out, .tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer count_buffer = poisoned_buffer(4), in_buffer = buffer_of(input),
                 out_buffer = poisoned_buffer(capacity);
    ok(program.bind(counts, count_buffer));
    ok(program.bind(in, in_buffer));
    ok(program.bind(out, out_buffer));
    for (const std::uint32_t n : {0U, 1U, small_tile(), small_tile() + 1, capacity - 1, capacity, capacity + 1, ~0U}) {
        ok(test_context().upload(count_buffer, std::vector<std::uint32_t>{7, 7, n, 7}));
        ok(program.run());
        expect_equal(contents(out_buffer, capacity), reference(input, std::min(n, capacity), ScanKind::inclusive),
                     "n = " + std::to_string(n));
    }
}

TEST(Scan, UnknownSubgroupSize) {
    const std::uint32_t n = 5 * small_tile() + 3;
    const auto input = random_words(n, 11);
    Graph graph(without_known_subgroup_size());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto scope = weir::testing::instrument(graph, {.one_in = 2});
    const auto out = scan(graph, in, {.tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(input);
    ok(program.bind(in, in_buffer));
    ok(program.run());
    expect_equal(contents(program.view(out), n), reference(input, n, ScanKind::inclusive), "out");
}

TEST(Scan, SeveralScansInOneGraphAreIndependent) {
    const std::uint32_t n = 7 * small_tile() + 1;
    const auto input = random_words(n, 10);
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto once = scan(graph, in, {.tuning = small_shape()});
    const auto twice = scan(graph, once, {.kind = ScanKind::exclusive});
    const auto other = scan(graph, in, {.kind = ScanKind::exclusive, .tuning = small_shape()});
    graph.export_buffer(twice);
    graph.export_buffer(other);
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(input);
    ok(program.bind(in, in_buffer));
    for (int repetition = 0; repetition < 3; ++repetition) {
        ok(program.run());
        const auto first = reference(input, n, ScanKind::inclusive);
        expect_equal(contents(program.view(twice), n), reference(first, n, ScanKind::exclusive), "twice");
        expect_equal(contents(program.view(other), n), reference(input, n, ScanKind::exclusive), "other");
    }
}

TEST(Scan, RejectsInvalidArguments) {
    const auto error = [](const std::function<void(Graph&, BufferRef<std::uint32_t>)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("in", 1000));
        return plan_error(graph);
    };
    EXPECT_THAT(error([](Graph& graph, auto in) {
                    scan(graph, in, {.output = graph.transient_buffer<std::uint32_t>("out", 999)});
                }),
                HasSubstr("capacity of 999 words"));
    EXPECT_THAT(error([](Graph& graph, auto in) { scan(graph, in, {.tuning = {.workgroup = 100}}); }),
                HasSubstr("100 invocations"));
    EXPECT_THAT(error([](Graph& graph, auto in) { scan(graph, in, {.tuning = {.workgroup = 1U << 28}}); }),
                HasSubstr("268435456 invocations"));
    EXPECT_THAT(error([](Graph& graph, auto in) { scan(graph, in, {.tuning = {.subgroup_size = 1}}); }),
                HasSubstr("subgroup size 1"));
    EXPECT_THAT(error([](Graph& graph, auto) { scan(graph, BufferRef<std::uint32_t>{}); }),
                HasSubstr("scan: the input is null"));
}

} // namespace
} // namespace weir::tests::scan_test
