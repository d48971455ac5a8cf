// Tests that primitives reject enum values that are not enumerators, such as a setting that the application cast
// without a check.

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"
#include "tests/support/place.hpp"

namespace weir::tests::enums_test {
namespace {

/// Returns the error of planning what `add` adds to a graph, without the source location, or "no error".
std::string error(const std::function<void(Graph&)>& add) {
    Graph graph(small_device());
    add(graph);
    const std::string message = plan_error(graph);
    return message == "no error" ? message : without_place(message, {SourceLocation::current().file, 1000});
}

std::string scan_error(const ScanOptions<std::uint32_t>& options) {
    return error([&](Graph& g) { scan(g, imported(g), options); });
}

std::string instrument_error(const Instrument& instrument) {
    return error([&](Graph& g) {
        const auto scope = weir::testing::instrument(g, instrument);
        scan(g, imported(g));
    });
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
    EXPECT_EQ(instrument_error({.tile_states = TileStates{9}}), "instrument: 9 is not a valid TileStates");
}

TEST(Enums, OtherPrimitivesRejectInvalidValues) {
    EXPECT_EQ(error([](Graph& g) { reduce(g, imported(g), {.op = Operator{9}}); }),
              "reduce: 9 is not a valid Operator");
    EXPECT_EQ(error([](Graph& g) { radix_sort(g, imported(g), {.tuning = {.ranks = RadixRanks{9}}}); }),
              "radix sort: 9 is not a valid RadixRanks");
    EXPECT_EQ(error([](Graph& g) { histogram(g, imported(g), {.kind = Bins::Kind{9}}); }),
              "histogram: 9 is not a valid Bins::Kind");
    EXPECT_EQ(error([](Graph& g) { select_if(g, imported(g), Predicate::compare(Comparison{9}, 5U)); }),
              "select: 9 is not a valid Comparison");
}

TEST(Enums, InvalidValuesPrintAsQuestionMark) {
    EXPECT_STREQ(to_string(TileStates::packed), "packed");
    EXPECT_STREQ(to_string(TileStates{9}), "?");
    EXPECT_STREQ(to_string(Operator::bit_xor), "xor");
    EXPECT_STREQ(to_string(Operator{9}), "?");
    EXPECT_STREQ(to_string(WorkgroupScan{workgroup_scans - 1}), "warp_radix_redundant");
    EXPECT_STREQ(to_string(WorkgroupScan{workgroup_scans}), "?");
}

} // namespace
} // namespace weir::tests::enums_test
