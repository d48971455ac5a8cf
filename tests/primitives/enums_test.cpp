// Tests that primitives reject enum values that are not enumerators, such as a setting that the application cast
// without a check.

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"
#include "tests/support/place.hpp"

namespace weir::tests::enums_test {
namespace {

Graph empty_graph() {
    return Graph(small_device());
}

std::string error_of(const Graph& graph, SourceLocation before = SourceLocation::current()) {
    const std::string message = plan_error(graph);
    return message == "no error" ? message : without_place(message, before);
}

std::string scan_error(const ScanOptions<std::uint32_t>& options) {
    Graph graph = empty_graph();
    scan(graph, graph.import_buffer<std::uint32_t>("in", 100), options);
    return error_of(graph);
}

std::string instrument_error(const Instrument& instrument) {
    Graph graph = empty_graph();
    const auto scope = weir::testing::instrument(graph, instrument);
    scan(graph, graph.import_buffer<std::uint32_t>("in", 100));
    return error_of(graph);
}

TEST(Enums, ScanRejectsInvalidValues) {
    EXPECT_EQ(scan_error({}), "no error");
    EXPECT_EQ(scan_error({.kind = ScanKind{9}}), "scan: 9 is not a valid ScanKind");
    EXPECT_EQ(scan_error({.op = Operator{9}}), "scan: 9 is not a valid Operator");
    EXPECT_EQ(scan_error({.segments = {.kind = Segments::Kind{9}}}), "scan: 9 is not a valid Segments::Kind");
}

TEST(Enums, InstrumentRejectsInvalidValues) {
    EXPECT_EQ(instrument_error({.one_in = 2, .kind = Instrument::Kind{9}}),
              "instrument: 9 is not a valid Instrument::Kind");
    EXPECT_EQ(instrument_error({.order = Instrument::Order{9}}), "instrument: 9 is not a valid Instrument::Order");
    EXPECT_EQ(instrument_error({.strategy = ScanStrategy{9}}), "instrument: 9 is not a valid ScanStrategy");
    EXPECT_EQ(instrument_error({.tile_states = TileStates{9}}), "instrument: 9 is not a valid TileStates");
    EXPECT_EQ(instrument_error({.subgroup_scans = SubgroupScans{9}}), "instrument: 9 is not a valid SubgroupScans");
}

TEST(Enums, OtherPrimitivesRejectInvalidValues) {
    Graph reduction = empty_graph();
    reduce(reduction, reduction.import_buffer<std::uint32_t>("in", 100), {.op = Operator{9}});
    EXPECT_EQ(error_of(reduction), "reduce: 9 is not a valid Operator");
    Graph ranks = empty_graph();
    radix_sort(ranks, ranks.import_buffer<std::uint32_t>("keys", 100), {.tuning = {.ranks = RadixRanks{9}}});
    EXPECT_EQ(error_of(ranks), "radix sort: 9 is not a valid RadixRanks");
    Graph bins = empty_graph();
    histogram(bins, bins.import_buffer<std::uint32_t>("in", 100), {.kind = Bins::Kind{9}});
    EXPECT_EQ(error_of(bins), "histogram: 9 is not a valid Bins::Kind");
    Graph selection = empty_graph();
    select_if(selection, selection.import_buffer<std::uint32_t>("in", 100), Predicate::compare(Comparison{9}, 5U));
    EXPECT_EQ(error_of(selection), "select: 9 is not a valid Comparison");
}

TEST(Enums, InvalidValuesPrintAsQuestionMark) {
    EXPECT_STREQ(to_string(ScanStrategy::scan_then_propagate), "scan_then_propagate");
    EXPECT_STREQ(to_string(ScanStrategy{9}), "?");
    EXPECT_STREQ(to_string(Operator::bit_xor), "xor");
    EXPECT_STREQ(to_string(Operator{9}), "?");
    EXPECT_STREQ(to_string(WorkgroupScan{workgroup_scans - 1}), "warp_radix_redundant");
    EXPECT_STREQ(to_string(WorkgroupScan{workgroup_scans}), "?");
}

} // namespace
} // namespace weir::tests::enums_test
