#include "tune/space.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/report.hpp"
#include "tune/table.hpp"
#include "weir_shaders.hpp"

namespace weir::tests::space {

namespace {

using namespace weir::bench;
using testing::ElementsAre;

Capabilities large_device() {
    Capabilities device;
    device.max_workgroup_invocations = 1024;
    device.max_workgroup_memory = 49152;
    device.subgroup_size = 32;
    device.int64 = device.int64_atomics = true;
    return device;
}

bool contains(const std::vector<KernelShape>& shapes, const KernelShape& shape) {
    return std::ranges::any_of(shapes, [&](const KernelShape& other) { return same_shape(other, shape); });
}

TEST(TunedSpace, ContainsEveryRowOfTable) {
    const ShapeTable table = read_shapes(shaders::shapes);
    for (const KernelShape& row : table.all()) {
        EXPECT_TRUE(can_be_found(row)) << line_of(row);
    }
    KernelShape row = table.rows[0];
    row.items = 5;
    EXPECT_FALSE(can_be_found(row));
}

/// Each row of NVIDIA devices is at most two steps away from the grid of a large device.
TEST(TunedSpace, EveryRowIsReachableFromGrid) {
    const ShapeTable table = read_shapes(shaders::shapes);
    const Capabilities device = large_device();
    for (const KernelShape& row : table.all()) {
        if (row.device != "nvidia") {
            continue;
        }
        std::vector<KernelShape> reached = grid_of(row.kernel, device, row.max_spins, false);
        for (int steps = 0; steps < 2 && !contains(reached, row); ++steps) {
            for (const KernelShape& shape : std::vector(reached)) {
                if (shape.workgroup == row.workgroup && shape.items == row.items) {
                    std::ranges::copy(neighbours_of(shape, device), std::back_inserter(reached));
                }
            }
        }
        EXPECT_TRUE(contains(reached, row)) << line_of(row);
    }
}

TEST(TunedSpace, ContainsOnlyValidRows) {
    const Capabilities device = large_device();
    for (std::size_t i = 0; i < shape_kernel_names.size(); ++i) {
        const auto kernel = static_cast<ShapeKernel>(i);
        for (const KernelShape& shape : grid_of(kernel, device, 8, false)) {
            for (KernelShape other : neighbours_of(shape, device)) {
                other.device = "cpu";
                other.up_to = other.sorts_alone() ? 1 : KernelShape::any;
                EXPECT_EQ(mistake_of(other), "") << line_of(other);
            }
        }
    }
}

TEST(TunedSpace, SpinsFor_FailedPolls_FirstCandidateAbove) {
    const std::pair<std::uint32_t, std::uint32_t> expected[] = {{0, 2},  {1, 2},     {2, 4},     {3, 4},     {7, 8},
                                                                {8, 16}, {127, 128}, {128, 128}, {5000, 128}};
    for (const auto& [failed_polls, spins] : expected) {
        EXPECT_EQ(spins_for(failed_polls), spins) << failed_polls;
    }
}

TEST(TunedSpace, DescribesShapeThatDeviceRuns) {
    Capabilities device = large_device();
    const KernelShape sort{
        .kernel = ShapeKernel::sort_keys, .workgroup = 1024, .items = 16, .groups = 0, .max_spins = 64};
    EXPECT_EQ(describe(as_run(sort, device)), "512 x 16, 2 rounds, 64 spins"); // 16 rows of counters
    device.subgroup_size = 4;
    EXPECT_EQ(as_run(sort, device).workgroup, 64);
    device.int64_atomics = false;
    const KernelShape scan{.workgroup = 256, .items = 4, .max_spins = 8, .packed = 1};
    EXPECT_EQ(as_run(scan, device).packed, 0);
}

TEST(TunedShape, IsBetterInMoreThanTwoOfThreeRounds) {
    const std::vector<double> present{1.03, 1.2, 0.99, 1.04};
    EXPECT_TRUE(is_clearly_better({1, 1.1, 1.1, 1}, present)); // in three of four
    EXPECT_FALSE(is_clearly_better({1, 1.1, 1.1, 1.03}, present));
    EXPECT_FALSE(is_clearly_better({1, 1, 1}, {1.03, 1.03, 1.01}));
    EXPECT_FALSE(is_clearly_better({1, 1, 1}, {1.015, 1.015, 1.015})); // noise
    EXPECT_FALSE(is_clearly_better({}, {}));
}

TEST(TunedReport, JudgesRows) {
    const KernelShape small{.device = "cpu", .up_to = 1 << 12, .workgroup = 64, .items = 1, .max_spins = 8};
    KernelShape middle = small, large = small;
    middle.up_to = 1 << 16;
    middle.items = 2;
    large.up_to = KernelShape::any;
    large.items = 4;
    const std::vector rows{small, middle, large};
    const std::vector<Choice> choices{
        {.words = 1 << 11, .fastest = small},
        {.words = 1 << 12, .fastest = large, .behind = 0.011},
        {.words = 1 << 14, .winner = large, .fastest = large, .behind = 0.034},
        {.words = 1 << 15, .fastest = small, .behind = 0.05},
    };
    EXPECT_THAT(verdicts(rows, choices),
                ElementsAre("cpu,scan_light,2^12,64,1,0,0,8,0: the best; within noise, 1.1 % behind 64 x 4, 8 spins at "
                            "2^12 (2 of 2 sizes)",
                            "cpu,scan_light,2^16,64,2,0,0,8,0: 3.4 % behind 64 x 4, 8 spins at 2^14 (1 of 2 sizes)",
                            "cpu,scan_light,any,64,4,0,0,8,0: not measured"));
}

TEST(TunedReport, ListsChangedRows) {
    const KernelShape row{.device = "cpu", .workgroup = 64, .items = 1, .max_spins = 8};
    KernelShape other = row;
    other.items = 2;
    EXPECT_THAT(changes(std::vector{row}, std::vector{other}),
                ElementsAre("-cpu,scan_light,any,64,1,0,0,8,0", "+cpu,scan_light,any,64,2,0,0,8,0"));
    EXPECT_THAT(changes(std::vector{row}, std::vector{row}), ElementsAre());
}

} // namespace

} // namespace weir::tests::space
