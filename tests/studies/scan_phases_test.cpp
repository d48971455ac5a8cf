// Scans in three dispatches: the buffers that each dispatch accesses, and small inputs.

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_phases_test {
namespace {

using studies::ScanStrategy;

const Sweeps sweeps{"ScanPhases.*"};

constexpr std::uint32_t small_tile = 64 * 4; // maximum, in words

const Monoid sum{.name = "sum", .fields = {"uint v"}, .identity = "T(0)", .combine = "return T(left.v + right.v);"};

// The first dispatch only loads, the second does neither, the third loads and stores.
TEST(ScanPhases, DeclareOnlyTheirLoadsAndStores) {
    const std::uint32_t n = 100;
    Graph graph(test_context());
    const auto x = graph.import_buffer<std::uint32_t>("x", n), y = graph.import_buffer<std::uint32_t>("y", n),
               z = graph.import_buffer<std::uint32_t>("z", n), total = graph.import_buffer<std::uint32_t>("total", 1);
    const auto scope = weir::testing::instrument(graph, {.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)});
    fused_scan(graph, {.monoid = sum,
                       .count = n,
                       .buffers = {{"uint x[]", read(x)}, {"uint y[]", write(y)}, {"uint z[]", read_write(z)}},
                       .load = "return T(x[i] + z[i]);",
                       .store = "y[i] = exclusive.v; z[i] = inclusive.v;",
                       .output_total = total,
                       .tuning = small_scan()});
    const Plan plan = ok(make_plan(graph.description()));
    const std::string text = plan.text();
    EXPECT_THAT(text, HasSubstr("  pass 'sum: reduce'\n"
                                "    'scan spine' shader write\n"
                                "    'x' shader read\n"
                                "    'z' shader read\n"
                                "group 1:\n"));
    EXPECT_THAT(text, HasSubstr("  pass 'sum: spine'\n"
                                "    'scan spine' shader read and write\n"
                                "group 2:\n"));
    EXPECT_THAT(text, HasSubstr("  pass 'sum: scan'\n"
                                "    'scan spine' shader read\n"
                                "    'total' shader write\n"
                                "    'x' shader read\n"
                                "    'y' shader write\n"
                                "    'z' shader read and write\n"
                                "leave:\n"));
}

TEST(ScanPhases, FusedInPlaceWithGpuCount) {
    const std::uint32_t capacity = 13 * small_tile + 5, initial = 100;
    const Words input = random_words(capacity, 6);
    Trial trial(capacity, Count::Kind::gpu);
    const auto x = trial.in_place("x", input), total = trial.output("total", 1);
    const auto scope =
        weir::testing::instrument(trial.graph, {.scan_variant = scan_variant(ScanStrategy::reduce_then_scan)});
    fused_scan(trial.graph, {.monoid = sum,
                             .count = trial.count,
                             .buffers = {{"uint x[]", read_write(x)}},
                             .load = "return T(3 * x[i]);",
                             .store = "x[i] = exclusive.v;",
                             .initial = {initial},
                             .output_total = total,
                             .tuning = small_scan()});
    for (const std::uint32_t n : {capacity, 0U, 1U, small_tile, small_tile + 1, capacity - 1}) {
        trial.run(n);
        std::uint32_t before = initial;
        trial.expect(x, tabulated(n, [&](std::uint32_t i) { return std::exchange(before, before + 3 * input[i]); }));
        trial.expect(total, {before});
    }
}

TEST(ScanPhases, Floats) {
    std::uint32_t number = 0;
    for (const ScanStrategy strategy : {ScanStrategy::reduce_then_scan, ScanStrategy::scan_then_propagate}) {
        for (const Operator op : {Operator::add, Operator::min}) {
            for (const ScanKind kind : {ScanKind::exclusive, ScanKind::inclusive}) {
                if (!is_turn(number++, configurations)) {
                    continue;
                }
                const std::uint32_t capacity = 20 * small_tile + 3;
                ScanProgram program({.element = {Scalar::f32, 1},
                                     .op = op,
                                     .kind = kind,
                                     .total = true,
                                     .capacity = capacity,
                                     .count = Count::Kind::gpu,
                                     .variant = {.strategy = strategy},
                                     .tuning = small_scan()});
                for (const std::uint32_t n : {capacity, 0U, 1U, small_tile, small_tile + 1}) {
                    program.check(n, n);
                }
            }
        }
    }
}

} // namespace
} // namespace weir::tests::scan_phases_test
