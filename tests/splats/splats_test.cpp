// Pictures of splats, compared with those of the CPU in double precision, and the order of the splats.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <weir/splats/oracle.hpp>
#include <weir/splats/renderer.hpp>

#include "tests/splats/clouds.hpp"
#include "tests/support/device.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::splats_test {
namespace {

const OnOneDriver on_one_driver{"Splats.LimitedPairCapacity*", "Splats.ManySplats*", "Splats.PicturesOfAnySize"};

using namespace weir::splats;
using weir::splats::Renderer;
using weir::splats::View;

Renderer drawn(const Cloud& cloud, const View& view) {
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    ok(renderer.draw(view));
    EXPECT_FALSE(renderer.is_short());
    return renderer;
}

constexpr double allowed = 2; // in units of 1/255

const View small_view{.width = 150, .height = 100, .background = {0.2F, 0.4F, 0.6F, 1}};

/// Checks a picture of the device against that of the CPU.
void expect_same(Renderer& renderer, const Cloud& cloud, const View& view) {
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), allowed);
}

TEST(Splats, PicturesMatchCpu) {
    const std::uint32_t clouds = long_tests() ? 200 : 4;
    for (std::uint32_t i = 0; i < clouds; ++i) {
        if (!is_turn(i, 4)) { // one cloud of each degree
            continue;
        }
        const Cloud cloud = wild_cloud(300 + i * 13 % 400, i % 4, i);
        Renderer renderer = drawn(cloud, small_view);
        SCOPED_TRACE("cloud " + std::to_string(i));
        expect_same(renderer, cloud, small_view);
    }
}

TEST(Splats, PicturesOfGeneratedCloudMatchCpu) {
    const Cloud cloud = make_cloud(4000, 1, 2);
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    for (const double turn : {0.0, 0.3, 0.7}) {
        const View view = view_from(turn, 97, 130);
        ok(renderer.draw(view));
        ASSERT_FALSE(renderer.is_short());
        expect_same(renderer, cloud, view);
    }
}

/// Results of the stages.
struct Stages {
    std::vector<std::uint64_t> order;
    std::vector<std::uint32_t> blocks, splats, tile_bits, ranges;
    std::uint32_t visible = 0, pairs = 0;
    std::vector<std::uint32_t> visible_splats; ///< in `order`
    std::vector<std::uint32_t> places;         ///< place of each splat in `order`, or ~0 if it is not visible
};

Stages stages_of(Renderer& renderer, const Cloud& cloud) {
    const Context& gpu = test_context();
    const SplatBuffers& buffers = renderer.buffers();
    const Program& program = renderer.program();
    const auto words = [&](BufferId buffer, std::size_t count) {
        return ok(gpu.download<std::uint32_t>(program.view(buffer), count));
    };
    const auto numbers = [&](BufferId buffer, std::size_t count) {
        return ok(gpu.download<std::uint64_t>(program.view(buffer), count));
    };
    Stages stages;
    stages.visible = words(buffers.visible, 1)[0];
    stages.pairs = std::min(words(buffers.pairs, 1)[0], renderer.pair_capacity());
    stages.order = numbers(buffers.order, stages.visible);
    stages.blocks = words(buffers.blocks, stages.pairs);
    for (const std::uint32_t word : words(buffers.splats, stages.pairs)) {
        stages.splats.push_back(word & ((1U << pair_index_bits) - 1));
        stages.tile_bits.push_back(word >> pair_index_bits);
    }
    stages.ranges = words(buffers.ranges, buffers.ranges.capacity);
    stages.places.resize(cloud.size(), ~0U);
    for (const std::uint64_t number : stages.order) {
        const std::uint32_t splat = static_cast<std::uint32_t>(number) & ((1U << buffers.index_bits) - 1);
        stages.places[splat] = static_cast<std::uint32_t>(stages.visible_splats.size());
        stages.visible_splats.push_back(splat);
    }
    return stages;
}

/// Returns the splat that touches the most tiles, of the nearest tenth.
std::uint32_t splat_of_most_tiles(const Stages& stages, const Renderer& renderer) {
    const std::uint32_t bits = renderer.buffers().index_bits;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < stages.order.size() / 10; ++i) {
        const auto low = static_cast<std::uint32_t>(stages.order[i]);
        most = low >> bits > most >> bits ? low : most;
    }
    return most & ((1U << bits) - 1);
}

TEST(Splats, ComparisonDetectsWrongPictures) {
    const Cloud cloud = wild_cloud(300, 1, 7);
    Renderer renderer = drawn(cloud, small_view);
    const auto pixels = ok(renderer.pixels());
    View shifted = small_view;
    shifted.camera.eye[0] += 0.01F;
    EXPECT_GT(distance(pixels, cpu_picture(cloud, shifted)), allowed);
    Cloud without_one = cloud;
    without_one.places[splat_of_most_tiles(stages_of(renderer, cloud), renderer)].radius = -1;
    EXPECT_GT(distance(pixels, cpu_picture(without_one, small_view)), allowed);
}

TEST(Splats, OrderMatchesStableSort) {
    for (const bool is_layered : {false, true}) {
        const Cloud cloud = is_layered ? layered_cloud(3000, 3) : wild_cloud(3000, 0, 3);
        Renderer renderer = drawn(cloud, small_view);
        const Stages stages = stages_of(renderer, cloud);
        const std::vector<std::uint32_t>& order = stages.visible_splats;
        EXPECT_GT(order.size(), 1000U);
        for (std::size_t i = 1; i < order.size(); ++i) { // by depth, then by index
            EXPECT_LT(std::pair(stages.order[i - 1] >> 32, order[i - 1]), std::pair(stages.order[i] >> 32, order[i]));
        }
        // The CPU has the same order, and also the splats that no pixel sees.
        std::vector<std::uint32_t> on_cpu = cpu_order(cloud, small_view);
        std::erase_if(on_cpu, [&](std::uint32_t splat) { return stages.places[splat] == ~0U; });
        EXPECT_EQ(order, on_cpu);
    }
}

TEST(Splats, PairsOfBlockAreInDepthOrder) {
    const Cloud cloud = layered_cloud(3000, 5);
    Renderer renderer = drawn(cloud, small_view);
    const Stages stages = stages_of(renderer, cloud);
    const std::uint32_t index_mask = (1U << renderer.buffers().index_bits) - 1;
    std::vector<std::uint32_t> touched(cloud.size());
    for (std::size_t i = 0; i < stages.blocks.size(); ++i) {
        ++touched[stages.splats[i]];
        if (i > 0) { // no pair exists twice
            EXPECT_LT(std::pair(stages.blocks[i - 1], stages.places[stages.splats[i - 1]]),
                      std::pair(stages.blocks[i], stages.places[stages.splats[i]]));
        }
    }
    for (const std::uint64_t number : stages.order) {
        const auto low = static_cast<std::uint32_t>(number);
        EXPECT_EQ(low >> renderer.buffers().index_bits, touched[low & index_mask]);
    }
    for (std::uint32_t block = 0; block < stages.ranges.size(); ++block) {
        const auto first = std::lower_bound(stages.blocks.begin(), stages.blocks.end(), block);
        EXPECT_EQ(stages.ranges[block], first - stages.blocks.begin());
    }
}

/// Returns the maximum of log2 of the opacity of a splat at the pixels of a tile.
double most_opaque(const ProjectedSplat& splat, std::uint32_t column, std::uint32_t row, const View& view) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t y = row * tile_size; y < std::min((row + 1) * tile_size, view.height); ++y) {
        for (std::uint32_t x = column * tile_size; x < std::min((column + 1) * tile_size, view.width); ++x) {
            const double dx = x + 0.5 - splat.mean[0], dy = y + 0.5 - splat.mean[1];
            const double u = splat.axis_x * dx - splat.axis_xy * dy, v = splat.axis_y * dy;
            most = std::max(most, splat.log2_opacity - u * u - v * v);
        }
    }
    return most;
}

TEST(Splats, PairsHaveTilesWhereSplatIsVisible) {
    const Cloud cloud = wild_cloud(500, 0, 19);
    const View view{.width = 399, .height = 255};
    Renderer renderer = drawn(cloud, view);
    const Stages stages = stages_of(renderer, cloud);
    const auto projected = ok(
        test_context().download<ProjectedSplat>(renderer.program().view(renderer.buffers().projected), cloud.size()));
    const Shape shape{.width = view.width, .height = view.height};
    std::set<std::array<std::uint32_t, 3>> touched; // splat, column, row
    for (std::size_t i = 0; i < stages.blocks.size(); ++i) {
        const std::uint32_t column = stages.blocks[i] % shape.block_columns() * 2;
        const std::uint32_t row = stages.blocks[i] / shape.block_columns() * 2;
        for (std::uint32_t tile = 0; tile < 4; ++tile) {
            if ((stages.tile_bits[i] >> tile & 1) != 0) {
                touched.insert({stages.splats[i], column + tile % 2, row + tile / 2});
            }
        }
    }
    const double least = std::log2(1.0 / 255);
    std::size_t needless = 0;
    for (const std::uint32_t splat : stages.visible_splats) {
        for (std::uint32_t row = 0; row < shape.rows(); ++row) {
            for (std::uint32_t column = 0; column < shape.columns(); ++column) {
                const bool is_touched = touched.contains({splat, column, row});
                const double opacity = most_opaque(projected[splat], column, row, view);
                EXPECT_TRUE(is_touched || opacity < least + 1e-3) << splat << " at " << column << ", " << row;
                needless += is_touched && opacity < least - 1e-3 ? 1 : 0;
            }
        }
    }
    EXPECT_LT(needless, touched.size() / 50); // ellipses whose outermost points are between pixels
    std::map<std::uint32_t, std::uint32_t> pairs;
    for (const std::uint32_t splat : stages.splats) {
        ++pairs[splat];
    }
    for (const std::uint32_t n : {1U, 2U, 4U, 6U, 9U}) { // within 2 x 2 blocks, and larger
        EXPECT_TRUE(std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return p.second == n; })) << n;
    }
}

TEST(Splats, ManySplatsAreInDepthOrder) {
    const Cloud cloud = layered_cloud((1U << 18) + 1000, 23); // several splats per invocation
    const View view{.width = 40, .height = 40};
    Renderer renderer = ok(Renderer::create(test_context(), cloud, {.max_pairs = 1000}));
    const std::uint32_t pair_count = ok(renderer.draw(view)).pairs;
    const Stages stages = stages_of(renderer, cloud);
    std::vector<std::uint32_t> on_cpu = cpu_order(cloud, view);
    std::erase_if(on_cpu, [&](std::uint32_t splat) { return stages.places[splat] == ~0U; });
    EXPECT_EQ(stages.visible_splats, on_cpu);
    EXPECT_GT(on_cpu.size(), 10'000U);
    std::uint64_t pairs = 0;
    for (const std::uint64_t key : stages.order) {
        pairs += static_cast<std::uint32_t>(key) >> renderer.buffers().index_bits;
    }
    EXPECT_EQ(pair_count, pairs);
}

TEST(Splats, KernelCopiesPixels) {
    Renderer renderer = drawn(wild_cloud(50, 0, 1), small_view);
    const auto& passes = renderer.program().plan().graph->passes;
    const auto copy = std::find_if(passes.begin(), passes.end(), [](const auto& p) { return p.name == "read texels"; });
    ASSERT_NE(copy, passes.end());
    EXPECT_NE(copy->compute_pass(), nullptr);
}

TEST(Splats, RunsAreBitIdentical) {
    const Cloud cloud = wild_cloud(2000, 3, 11);
    Renderer renderer = drawn(cloud, small_view);
    const auto pixels = ok(renderer.pixels());
    for (int run = 0; run < 5; ++run) {
        ok(renderer.draw(small_view));
        EXPECT_EQ(ok(renderer.pixels()), pixels);
    }
}

TEST(Splats, LimitedPairCapacityDropsFarthestPairs) {
    const Cloud cloud = wild_cloud(500, 0, 13);
    Renderer complete = drawn(cloud, small_view);
    const Stages all = stages_of(complete, cloud);
    for (const std::uint32_t room : {1U, all.pairs / 3, all.pairs - 1}) {
        Renderer renderer = ok(Renderer::create(test_context(), cloud, {.max_pairs = room}));
        const Counts counts = ok(renderer.draw(small_view));
        EXPECT_TRUE(renderer.is_short());
        EXPECT_EQ(counts.pairs, all.pairs);
        const Stages some = stages_of(renderer, cloud);
        ASSERT_EQ(some.pairs, room);
        // Pairs of the nearest splats are kept, in the same order.
        std::uint32_t farthest = 0;
        for (const std::uint32_t splat : some.splats) {
            farthest = std::max(farthest, all.places[splat]);
        }
        const auto nearer = [&](const Stages& stages) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
            for (std::size_t i = 0; i < stages.blocks.size(); ++i) {
                if (all.places[stages.splats[i]] < farthest) {
                    pairs.emplace_back(stages.blocks[i], stages.splats[i]);
                }
            }
            return pairs;
        };
        EXPECT_EQ(nearer(some), nearer(all));
    }
}

TEST(Splats, PicturesOfAnySize) {
    const Cloud cloud = wild_cloud(60, 0, 17);
    for (const auto& [width, height] : {std::pair{1U, 1U}, {16U, 16U}, {17U, 15U}, {3U, 200U}}) {
        const View view{.width = width, .height = height};
        Renderer renderer = drawn(cloud, view);
        SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
        expect_same(renderer, cloud, view);
    }
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    for (const auto& [width, height] : {std::pair{0U, 1U}, {1U, 0U}, {splats::max_pixels + 1, 1U}}) {
        const auto refused = renderer.draw({.width = width, .height = height});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    }
}

TEST(Splats, SmallClouds) {
    EXPECT_FALSE(Renderer::create(test_context(), Cloud()));
    Cloud one;
    one.add({.mean = {0, 0, 2}, .scale = {0.3F, 0.1F, 0.1F}, .opacity = 0.9F, .color = {1, 0, -1}});
    Renderer renderer = drawn(one, small_view);
    expect_same(renderer, one, small_view);

    Cloud behind;
    behind.add({.mean = {0, 0, -2}, .scale = {0.3F, 0.1F, 0.1F}, .opacity = 0.9F});
    behind.add({.mean = {0, 0, 2}, .scale = {0.3F, 0.1F, 0.1F}, .opacity = 0.003F}); // less than 1/255
    Renderer empty = drawn(behind, small_view);
    EXPECT_EQ(stages_of(empty, behind).visible, 0U);
    EXPECT_LE(distance(ok(empty.pixels()), cpu_picture(behind, small_view)), 0.51); // the background
}

} // namespace
} // namespace weir::tests::splats_test
