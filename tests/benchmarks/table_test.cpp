#include "tune/table.hpp"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir_shaders.hpp"

namespace {

using namespace weir;
using namespace weir::bench;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

KernelShape shape(ShapeKernel kernel, std::uint64_t up_to, std::uint32_t workgroup, std::uint32_t items,
                  std::uint32_t groups = 0) {
    return {.device = "cpu",
            .kernel = kernel,
            .up_to = up_to,
            .workgroup = workgroup,
            .items = items,
            .groups = groups,
            .max_spins = 64};
}
KernelShape scan(std::uint64_t up_to, std::uint32_t workgroup, std::uint32_t items) {
    return shape(ShapeKernel::scan_light, up_to, workgroup, items);
}

std::vector<std::string> lines_of(const std::vector<KernelShape>& rows) {
    std::vector<std::string> lines;
    for (const KernelShape& row : rows) {
        lines.push_back(line_of(row));
    }
    return lines;
}

const std::vector<KernelShape> old_rows{scan(1 << 12, 64, 1), scan(1 << 20, 64, 2), scan(KernelShape::any, 64, 4)};

TEST(TunedTable, MergesEqualNeighbours) {
    const Winners winners{{10, scan(0, 64, 1)}, {14, scan(0, 128, 1)}, {16, scan(0, 128, 1)}, {22, scan(0, 64, 4)}};
    EXPECT_THAT(lines_of(with_winners(old_rows, winners, false)),
                ElementsAre("cpu,scan_light,2^10,64,1,0,0,64,0", "cpu,scan_light,2^16,128,1,0,0,64,0",
                            "cpu,scan_light,any,64,4,0,0,64,0"));
}

TEST(TunedTable, KeepsRowsOfOtherSizes) {
    const Winners winners{{14, scan(0, 256, 1)}, {15, scan(0, 256, 3)}};
    EXPECT_THAT(lines_of(with_winners(old_rows, winners, false)),
                ElementsAre("cpu,scan_light,2^12,64,1,0,0,64,0", "cpu,scan_light,2^13,64,2,0,0,64,0",
                            "cpu,scan_light,2^14,256,1,0,0,64,0", "cpu,scan_light,2^15,256,3,0,0,64,0",
                            "cpu,scan_light,2^20,64,2,0,0,64,0", "cpu,scan_light,any,64,4,0,0,64,0"));
}

TEST(TunedTable, KeepsRowsThatNothingBeats) {
    const auto kept =
        lines_of(with_winners(old_rows, {{11, std::nullopt}, {14, std::nullopt}, {21, std::nullopt}}, true));
    EXPECT_EQ(kept, lines_of(old_rows));
}

TEST(TunedTable, IsUnchangedWithoutMeasurements) {
    EXPECT_EQ(lines_of(with_winners(old_rows, {}, true)), lines_of(old_rows));
}

TEST(TunedTable, WholeTableUsesNearestWinner) {
    const Winners winners{{14, scan(0, 256, 1)}, {15, scan(0, 256, 3)}};
    EXPECT_THAT(lines_of(with_winners(old_rows, winners, true)),
                ElementsAre("cpu,scan_light,2^14,256,1,0,0,64,0", "cpu,scan_light,any,256,3,0,0,64,0"));
}

TEST(TunedTable, OneWorkgroupSortsOnlyWhatItHolds) {
    const auto sort = [](std::uint64_t up_to, std::uint32_t items, std::uint32_t groups) {
        return shape(ShapeKernel::sort_keys, up_to, 256, items, groups);
    };
    const std::vector<KernelShape> rows{sort(1 << 10, 16, 1), sort(KernelShape::any, 8, 0)};
    EXPECT_THAT(lines_of(with_winners(rows, {{10, sort(0, 4, 0)}, {12, sort(0, 16, 1)}}, true)),
                ElementsAre("cpu,sort_keys,2^10,256,4,0,0,64,0", "cpu,sort_keys,2^12,256,16,1,0,64,0",
                            "cpu,sort_keys,any,256,8,0,0,64,0"));
}

/// Returns the table with the rows of a device class and a kernel replaced by a single row.
std::string replaced(std::string_view device, ShapeKernel kernel) {
    KernelShape row = shape(kernel, KernelShape::any, 64, 5, kernel == ShapeKernel::reduce ? 7 : 0);
    row.device = device;
    row.max_spins = kernel == ShapeKernel::reduce ? 0 : 64;
    std::string text = replace_rows(shaders::shapes, {&row, 1}, "Measured somewhere.");
    const ShapeTable table = read_shapes(text);
    EXPECT_EQ(table.mistake, "") << "line " << table.line;
    return text;
}

TEST(TunedTable, ReplacesRowsInPlace) {
    const std::string text = replaced("nvidia", ShapeKernel::reduce);
    const std::regex in_place("\nnvidia,[a-z_]+,any,[0-9,]+\nnvidia,reduce,any,64,5,7,0,0,0\nnvidia,sort_keys,");
    EXPECT_TRUE(std::regex_search(text, in_place)) << text;
    EXPECT_THAT(text, testing::Not(HasSubstr("Measured somewhere")));
    const ShapeTable table = read_shapes(shaders::shapes);
    const Capabilities nvidia = [] {
        Capabilities device;
        device.vendor_id = vendors::nvidia;
        return device;
    }();
    EXPECT_EQ(replace_rows(text, rows_of(table.all(), nvidia, ShapeKernel::reduce), ""), shaders::shapes);
}

TEST(TunedTable, AppendsRowsOfNewDevices) {
    const std::string text = replaced("qualcomm", ShapeKernel::sort_keys);
    EXPECT_THAT(text, EndsWith("\n\n# Measured somewhere.\nqualcomm,sort_keys,any,64,5,0,0,64,0\n"));
    KernelShape row = shape(ShapeKernel::reduce, KernelShape::any, 64, 5, 7);
    row.device = "qualcomm";
    EXPECT_THAT(
        replace_rows(text, {&row, 1}, "Twice?"),
        EndsWith("# Measured somewhere.\nqualcomm,sort_keys,any,64,5,0,0,64,0\nqualcomm,reduce,any,64,5,7,0,64,0\n"));
}

} // namespace
