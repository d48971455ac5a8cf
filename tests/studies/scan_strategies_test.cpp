// Every strategy gives the same results as the default strategy.

#include <cmath>

#include "engine/base/strings.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_strategies_test {
namespace {

using studies::ScanStrategy;

const Sweeps sweeps{"ScanStrategies.*", "SubgroupScans.Emulated"};

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2};
}
constexpr std::uint32_t small_tile = 64 * 2 * 4; // maximum, in words

constexpr ScanStrategy alternatives[] = {ScanStrategy::look_back, ScanStrategy::chained, ScanStrategy::scalar_fallback,
                                         ScanStrategy::reduce_then_scan, ScanStrategy::scan_then_propagate};

/// Calls `f` with each strategy whose turn it is: one in `of`. Tests with another number `test` have other turns.
template <class F>
void for_each_alternative(std::uint32_t test, std::uint32_t of, const F& f) {
    for (const ScanStrategy strategy : alternatives) {
        if (is_turn(static_cast<std::uint32_t>(strategy) + test, of)) {
            SCOPED_TRACE(to_string(strategy));
            std::optional<InOrderDevice> device;
            if (strategy == ScanStrategy::look_back || strategy == ScanStrategy::chained) {
                device.emplace();
            }
            f(strategy);
        }
    }
}

// One program runs all counts, so each run starts from the state that the previous one left.
TEST(ScanStrategies, CountsOfEveryKind) {
    for_each_alternative(0, 1, [](ScanStrategy strategy) {
        for (const Count::Kind kind : {Count::Kind::parameter, Count::Kind::gpu}) {
            const std::uint32_t capacity = 40 * small_tile;
            ScanProgram program({.element = {Scalar::u32, 1},
                                 .kind = ScanKind::exclusive,
                                 .total = true,
                                 .initial = true,
                                 .capacity = capacity,
                                 .count = kind,
                                 .variant = {.strategy = strategy},
                                 .tuning = small_shape()});
            for (const std::uint32_t n : {capacity, 0U, 1U, small_tile, small_tile + 1, capacity / 2 - 1, capacity}) {
                program.check(n, n);
            }
        }
    });
}

TEST(ScanStrategies, TypesAndLayouts) {
    for_each_alternative(0, 2, [](ScanStrategy strategy) {
        const bool exact_only = strategy == ScanStrategy::scalar_fallback;
        const std::uint32_t n = 20 * small_tile + 3;
        ScanCase scan{.element = {Scalar::u64, 1},
                      .op = Operator::min,
                      .other = strategy != ScanStrategy::scan_then_propagate,
                      .in = {.offset = 1, .stride = 3},
                      .out = {.offset = 4},
                      .capacity = n,
                      .n = n,
                      .variant = {.strategy = strategy},
                      .tuning = small_shape()};
        check(scan);
        scan = {.element = {Scalar::i32, 3}, .op = Operator::max, .kind = ScanKind::exclusive, .capacity = n, .n = n};
        scan.variant.strategy = strategy;
        scan.tuning = small_shape();
        scan.in_place = !exact_only;
        check(scan);
        if (!exact_only) {
            check({.element = {Scalar::f32, 1},
                   .total = true,
                   .capacity = n,
                   .n = n,
                   .variant = {.strategy = strategy},
                   .tuning = small_shape()});
        }
    });
}

// Default shapes, which scan a tile before they know its prefix.
TEST(ScanStrategies, LargeInput) {
    for_each_alternative(1, 2, [](ScanStrategy strategy) {
        const std::uint32_t n = (1U << 22) + 77;
        check({.capacity = n, .n = n, .variant = {.strategy = strategy}});
    });
}

TEST(ScanStrategies, CustomOperator) {
    for_each_alternative(2, 3, [](ScanStrategy strategy) {
        const std::uint32_t n = 5001;
        Monoid monoid = bicyclic;
        monoid.exact = strategy == ScanStrategy::scalar_fallback;
        std::vector<Bicyclic> input(n), expected(n);
        const auto drawn = random_words(n, 3);
        Bicyclic sum{0, 0};
        for (std::uint32_t i = 0; i < n; ++i) {
            input[i] = drawn[i] % 2 != 0 ? Bicyclic{1, 0} : Bicyclic{0, 1};
            expected[i] = sum = combine(sum, input[i]);
        }
        Graph graph(test_context());
        const auto in = graph.import_buffer<Bicyclic>("in", n);
        const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(strategy)});
        const auto out = scan(graph, in, {.op = monoid, .tuning = small_shape()});
        graph.export_buffer(out);
        Program program = ok(compile(test_context(), graph));
        const Buffer buffer = buffer_of(input);
        ok(program.bind(in, buffer));
        ok(program.run());
        const auto found = contents<Bicyclic>(program.view(out), n);
        for (std::uint32_t i = 0; i < n; ++i) {
            ASSERT_EQ(found[i].close, expected[i].close) << i;
            ASSERT_EQ(found[i].open, expected[i].open) << i;
        }
    });
}

// Elements are computed and used in the same dispatch.
TEST(ScanStrategies, FusedReduceThenScan) {
    const std::uint32_t n = 7001;
    const auto input = random_words(n, 4);
    Graph graph(test_context());
    const auto x = graph.import_buffer<std::uint32_t>("x", n), y = graph.import_buffer<std::uint32_t>("y", n);
    const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)});
    fused_scan(
        graph,
        {.monoid = {.name = "sum", .fields = {"uint v"}, .identity = "T(0)", .combine = "return T(left.v + right.v);"},
         .count = n,
         .buffers = {{"uint x[]", read(x)}, {"uint y[]", write(y)}},
         .load = "return T(3 * x[i]);",
         .store = "y[i] = exclusive.v;",
         .tuning = small_shape()});
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(input), out_buffer = poisoned_buffer(n);
    ok(program.bind(x, in_buffer));
    ok(program.bind(y, out_buffer));
    ok(program.run());
    std::vector<std::uint32_t> expected(n);
    for (std::uint32_t i = 1; i < n; ++i) {
        expected[i] = expected[i - 1] + 3 * input[i - 1];
    }
    expect_equal(contents(out_buffer, n), expected, "sums");
}

// Float sums are equal for strategies that group operands in the same way.
TEST(ScanStrategies, FloatSumsHaveSameBits) {
    const std::uint32_t n = 300 * small_tile + 5;
    Random random(5);
    std::vector<float> input(n);
    for (float& item : input) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-20, 20));
    }
    const InOrderDevice device;
    const Buffer buffer = buffer_of(input);
    std::vector<std::uint32_t> first;
    for (const ScanStrategy strategy :
         {ScanStrategy::fallback, ScanStrategy::look_back, ScanStrategy::reduce_then_scan}) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<float>("in", n);
        const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(strategy)});
        const auto out = scan(graph, in, {.initial = 0.1F, .tuning = small_shape()});
        graph.export_buffer(out);
        Program program = ok(compile(test_context(), graph));
        ok(program.bind(in, buffer));
        ok(program.run());
        const auto found = contents(program.view(out), n);
        first = first.empty() ? found : first;
        expect_equal(found, first, to_string(strategy));
    }
}

TEST(ScanStrategies, ScalarFallbackHandlesSilentTiles) {
    for (const std::uint32_t one_in : {1U, 3U}) {
        const std::uint32_t n = 9 * small_tile + 1;
        check({.element = {Scalar::u32, 1},
               .op = Operator::bit_xor,
               .capacity = n,
               .n = n,
               .instrument = {.one_in = one_in},
               .variant = {.strategy = ScanStrategy::scalar_fallback},
               .tuning = small_shape()});
    }
}

using Kind = Instrument::Kind;
using Order = Instrument::Order;

// One program runs all counts: a hint of one run changes the next one.
TEST(ScanStrategies, ChangedFallbacks_SilentTiles_ResultsAreRight) {
    const studies::FallbackChanges changes[] = {
        {.reload = true}, {.hint = true}, {.own_block = true}, {.reload = true, .hint = true, .own_block = true}};
    const Instrument faults[] = {{.one_in = 2},
                                 {.one_in = 1, .order = Order::reversed},
                                 {.one_in = 3, .kind = Kind::torn_post, .seed = 5U, .order = Order::random},
                                 {.one_in = 2, .kind = Kind::late_post, .order = Order::both_ends}};
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        for (std::size_t j = 0; j < std::size(faults); ++j) {
            if (!is_turn(static_cast<std::uint32_t>(4 * i + j), 4)) {
                continue;
            }
            SCOPED_TRACE(concat("change ", i, ", fault ", j));
            const std::uint32_t capacity = 70 * small_tile + 3;
            ScanCase scan{.element = {Scalar::u32, 1},
                          .kind = ScanKind::exclusive,
                          .other = true,
                          .total = true,
                          .initial = true,
                          .capacity = capacity,
                          .count = Count::Kind::gpu,
                          .instrument = faults[j],
                          .variant = {.fallback = changes[i]},
                          .tuning = small_shape()};
            switch ((i + j) % 4) { // each fault meets other elements with the next change
            case 1: scan.element = {Scalar::f32, 1}; break;
            case 2:
                scan.element = {Scalar::u64, 1};
                scan.op = Operator::min;
                scan.in = {.offset = 1, .stride = 3};
                break;
            case 3:
                scan.element = {Scalar::i32, 3};
                scan.other = false;
                scan.in_place = true;
                break;
            default: break;
            }
            ScanProgram program(scan);
            for (const std::uint32_t n : {capacity, 0U, 1U, small_tile, small_tile + 1, 37 * small_tile, capacity}) {
                program.check(n, n, 2);
            }
        }
    }
}

// Default shapes, which scan a tile before the look-back: the tile that is loaded again must be scanned again.
TEST(ScanStrategies, ChangedFallbacks_LargeInput_ResultsAreRight) {
    const std::uint32_t n = (1U << 22) + 77;
    for (const ElementType element : {ElementType{Scalar::u32, 1}, ElementType{Scalar::f32, 1}}) {
        check({.element = element,
               .capacity = n,
               .n = n,
               .instrument = {.one_in = 2},
               .variant = {.fallback = {.reload = true, .hint = true, .own_block = true}}});
    }
}

/// Returns the counters of the last of `runs` runs of a scan of which every other tile never posts.
weir::testing::LookBackCounters counters_of(const studies::FallbackChanges& changes, std::uint32_t runs) {
    const std::uint32_t n = 60 * small_tile;
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto counters = graph.transient_buffer<std::uint32_t>("counters", 5);
    const auto scope = weir::testing::instrument(
        graph, {.one_in = 2, .counters = counters, .scan_variant = studies::scan_variant({.fallback = changes})});
    ScanTuning shape = small_shape();
    shape.max_spins = 64;
    graph.export_buffer(scan(graph, in, {.tuning = shape}));
    graph.export_buffer(counters);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(random_words(n, 1));
    ok(program.bind(in, buffer));
    for (std::uint32_t run = 0; run < runs; ++run) {
        ok(program.run());
    }
    return contents<weir::testing::LookBackCounters>(program.view(counters), 1).at(0);
}

TEST(ScanStrategies, Hint_SecondRun_PollsOnceBeforeFallback) {
    const auto without = counters_of({}, 2), with = counters_of({.hint = true}, 2);
    EXPECT_GE(without.spins, 64 * without.fallbacks_won);
    EXPECT_LT(with.spins, without.spins / 4);
}

TEST(ScanStrategies, ChangedFallbacks_Refusals) {
    const auto message = [](const studies::ScanVariantOptions& variant,
                            const ScanOptions<std::uint32_t>& options = {}) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<std::uint32_t>("in", 100);
        const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(variant)});
        scan(graph, in, options);
        return plan_error(graph);
    };
    const studies::FallbackChanges reload{.reload = true};
    EXPECT_THAT(message({.fallback = reload}), HasSubstr("no error"));
    EXPECT_THAT(message({.fallback = reload}, {.segments = Segments::of_length(3)}),
                HasSubstr("changes of the fallback are not supported for segments"));
    EXPECT_THAT(message({.strategy = ScanStrategy::scalar_fallback, .fallback = reload}),
                HasSubstr("changes of the fallback are not supported by other strategies"));
    EXPECT_THAT(message({.fallback = reload, .flagged_states = true}),
                HasSubstr("not supported with flagged tile states or emulated subgroup scans"));
}

TEST(SubgroupScans, Emulated) {
    const studies::ScanVariantOptions emulated{.emulated_subgroup_scans = true};
    const std::uint32_t n = 30 * small_tile + 3;
    for (const Operator op : {Operator::add, Operator::min}) {
        check({.op = op,
               .kind = ScanKind::exclusive,
               .total = true,
               .capacity = n,
               .n = n,
               .variant = emulated,
               .tuning = small_shape()});
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<float>("in", n);
    const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(emulated)});
    scan(graph, in, {.tuning = small_shape()});
    EXPECT_THAT(plan_error(graph), HasSubstr("supported for single 32-bit integers only"));
}

TEST(ScanStrategies, RejectsInvalidArguments) {
    const auto message = [](Instrument instrument, const ScanOptions<float>& options = {}, bool counts = false) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<float>("in", 100);
        const auto counters = graph.import_buffer<std::uint32_t>("counters", 4);
        if (counts) {
            instrument.counters = counters;
        }
        const auto scope = weir::testing::instrument(graph, instrument);
        scan(graph, in, options);
        return plan_error(graph);
    };
    EXPECT_THAT(message({.one_in = 2, .scan_variant = scan_variant(ScanStrategy::look_back)}),
                HasSubstr("strategy look_back does not support fault injection"));
    EXPECT_THAT(message({.one_in = 2, .scan_variant = scan_variant(ScanStrategy::chained)}),
                HasSubstr("strategy chained does not support fault injection"));
    EXPECT_THAT(message({.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)}, {}, true),
                HasSubstr("strategy reduce_then_scan does not support counters"));
    EXPECT_THAT(
        message({.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)}, {.segments = Segments::of_length(3)}),
        HasSubstr("strategy reduce_then_scan is not supported for segments"));
    EXPECT_THAT(message({.scan_variant = scan_variant(ScanStrategy::scalar_fallback)}),
                HasSubstr("strategy scalar_fallback is supported for exact operators only"));
    for (const ScanStrategy strategy : {ScanStrategy::reduce_then_scan, ScanStrategy::scan_then_propagate}) {
        for (const TileStates states : {TileStates::split, TileStates::packed}) {
            EXPECT_THAT(message({.tile_states = states, .scan_variant = scan_variant(strategy)}),
                        HasSubstr("does not use tile states"));
        }
    }
    EXPECT_THAT(message({.scan_variant = scan_variant(ScanStrategy::scalar_fallback)}, {.op = Operator::max}),
                HasSubstr("no error"));
    Graph graph(test_context());
    const auto in = graph.import_buffer<float>("in", 100), other = graph.import_buffer<float>("other", 100);
    const auto scope =
        weir::testing::instrument(graph, {.scan_variant = scan_variant(ScanStrategy::scan_then_propagate)});
    scan(graph, in, {.output_other = other});
    EXPECT_THAT(plan_error(graph), HasSubstr("strategy scan_then_propagate is not supported with another output"));
    Graph by_key(test_context());
    const auto keys = by_key.import_buffer<std::uint32_t>("keys", 100);
    const auto by_key_scope =
        weir::testing::instrument(by_key, {.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)});
    reduce_by_key(by_key, keys, by_key.import_buffer<float>("values", 100));
    EXPECT_THAT(plan_error(by_key), HasSubstr("is not supported for segments"));
}

} // namespace
} // namespace weir::tests::scan_strategies_test
