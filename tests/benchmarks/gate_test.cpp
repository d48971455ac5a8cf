#include "harness/gate.hpp"

#include <gtest/gtest.h>

namespace weir::tests::bench_gate {

namespace {

using namespace weir::bench;

Row row_of(const char* op, std::uint32_t n, double median_ms, double min_ms, const char* impl = "weir") {
    return {.op = op, .type = "u32", .n = n, .impl = impl, .median_ms = median_ms, .min_ms = min_ms};
}

/// Returns the number of slower rows of a run with one row, compared with a table whose row takes 100 ms, at best 90.
std::size_t slower(const char* op, std::uint32_t n, double median_ms, double min_ms) {
    const GateTable table{.path = "table.csv", .rows = {row_of(op, n, 100, 90)}};
    const std::vector rows{row_of(op, n, median_ms, min_ms)};
    const GateResult result = compare(rows, table, [](const Row&) { return true; });
    EXPECT_EQ(result.compared, 1U);
    EXPECT_TRUE(result.not_measured.empty() && result.not_in_table.empty());
    return result.slower.size();
}

TEST(BenchGate, MedianAndMinimumExceedNoise_IsSlower) {
    EXPECT_EQ(slower("reduce", 8192, 103.1, 92.8), 1U);
    EXPECT_EQ(slower("reduce", 8192, 102.9, 92.8), 0U);
    EXPECT_EQ(slower("reduce", 8192, 150, 92.6), 0U) << "some repetitions were as fast as those of the table";
    EXPECT_EQ(slower("reduce", 8192, 50, 45), 0U);
}

TEST(BenchGate, FewItemsAndHostRows_HaveMoreNoise) {
    EXPECT_EQ(slower("reduce", 4096, 106.9, 96.4), 0U);
    EXPECT_EQ(slower("reduce", 4096, 107.1, 96.4), 1U);
    EXPECT_EQ(slower("record", 1000, 149, 136), 0U);
    EXPECT_EQ(slower("record", 1000, 151, 136), 1U);
    EXPECT_EQ(slower("execute", 1000, 149, 136), 1U);
}

TEST(BenchGate, RowsOfOneSide_AreListed) {
    const GateTable table{.path = "table.csv",
                          .rows = {row_of("a", 1, 1, 1), row_of("b", 1024, 1, 1), row_of("b", 2048, 1, 1),
                                   row_of("b", 4096, 1, 1), row_of("c", 1, 1, 1, "cub graph")}};
    const std::vector rows{row_of("a", 1, 1, 1), row_of("a", 3, 1, 1), row_of("a", 1, 1, 1, "weir 256x4"),
                           row_of("a", 1, 1, 1, "cub")};
    const GateResult result = compare(rows, table, [](const Row& row) { return row.n != 4096; });
    EXPECT_EQ(to_text(result, table), "\nCompared with table.csv: 1 rows, 0 slower beyond noise\n"
                                      "In the table, but not in this run:\n    b/u32/weir at 2^10, 2^11\n"
                                      "In this run, but not in the table:\n    a/u32/weir at 3\n"
                                      "    a/u32/weir 256x4 at 2^0\n");
}

} // namespace

} // namespace weir::tests::bench_gate
