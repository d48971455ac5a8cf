// The capacity for pairs: limits, growth, and recovery from dense views.

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>
#include <weir/splats/pair_capacity.hpp>
#include <weir/splats/renderer.hpp>

#include "renderers/splats/src/building.hpp"
#include "tests/splats/clouds.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::splat_capacity_test {
namespace {

using namespace weir::splats;
using weir::splats::Renderer;
using weir::splats::View;

const OnOneDriver on_one_driver{"SplatCapacity.*"};

TEST(SplatCapacity, DeviceAndBudgetLimitIt) {
    const Capabilities device{.max_storage_range = 1U << 20};
    PairCapacity capacity(device, 10'000, 0, 0);
    EXPECT_EQ(capacity.next(), 40'000U);
    capacity.take(~0U);
    EXPECT_EQ(capacity.next(), 1U << 18);
    PairCapacity within_budget(device, 10'000, 0, 50'000);
    within_budget.take(45'000);
    EXPECT_EQ(within_budget.next(), 50'000U);
    EXPECT_EQ(PairCapacity(device, 1'000'000, 0, 0).next(), 1U << 18);
}

TEST(SplatCapacity, ShrinksAfterManyPicturesWithFewPairs) {
    PairCapacity capacity({}, 1000, 0, 0);
    const std::uint32_t first = capacity.next();
    capacity.take(1'000'000);
    EXPECT_EQ(capacity.next(), 1'250'000U);
    for (std::uint32_t i = 0; i + 1 < PairCapacity::patience; ++i) {
        capacity.take(i % 2 == 0 ? 100 : 20'000);
    }
    EXPECT_EQ(capacity.next(), 1'250'000U);
    capacity.take(100);
    EXPECT_EQ(capacity.next(), 25'000U); // for the 20,000 pairs of one of them
    EXPECT_GT(capacity.next(), first);
}

/// Returns a capacity or fails above `available` pairs.
auto allocation_of(std::uint32_t available) {
    return [available](std::uint32_t pairs) -> Result<std::uint32_t> {
        if (pairs > available) {
            return tl::unexpected(Error{ErrorCode::out_of_memory, "no memory"});
        }
        return pairs;
    };
}

TEST(SplatCapacity, ShortMemoryKeepsProgramThatFits) {
    PairCapacity capacity({}, 0, 10'000, 0);
    capacity.take(100'000);
    EXPECT_EQ(ok(build_in_memory(capacity, 10'000, allocation_of(50'000))), std::nullopt);
    EXPECT_EQ(capacity.next(), 10'000U);
    capacity.take(100'000);
    EXPECT_EQ(capacity.next(), 10'000U); // until another picture may have memory
    capacity.lift();
    capacity.take(100'000);
    EXPECT_EQ(capacity.next(), 125'000U);
}

TEST(SplatCapacity, ShortMemoryGivesSmallerProgram) {
    PairCapacity capacity({}, 0, 100'000, 0);
    EXPECT_EQ(ok(build_in_memory(capacity, 0, allocation_of(30'000))), 25'000U);
    const auto none = build_in_memory(capacity, 0, allocation_of(0));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::out_of_memory);
}

TEST(SplatCapacity, RendererRecoversFromDenseView) {
    Cloud cloud;
    for (int i = 0; i < 100; ++i) {
        const float size = std::exp(5.0F), shade = 0.01F * static_cast<float>(i);
        cloud.add({.mean = {0, 0, static_cast<float>(i)},
                   .scale = {size, size, size},
                   .opacity = 0.3F,
                   .color = {shade, -shade, 0}});
    }
    Renderer renderer = ok(Renderer::create(test_context(), cloud, {.max_pairs = 1250}));
    View far_away{.width = 32, .height = 32, .depths = {1, 1e6F}};
    far_away.camera.eye = {0, 0, -20'000};
    View near_by{.width = 512, .height = 256, .depths = {0.1F, 1e4F}};
    near_by.camera.eye = {0, 0, -1};
    ok(renderer.draw(far_away));
    EXPECT_FALSE(renderer.is_short());
    const auto pixels = ok(renderer.pixels());
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(ok(renderer.draw(near_by)).pairs, 100U * 16 * 8);
        EXPECT_TRUE(renderer.is_short());
        EXPECT_EQ(renderer.pair_capacity(), 1250U);
        // The nearest 9 splats are complete. Each lets 0.7 of the light pass.
        EXPECT_NEAR(ok(renderer.pixels())[0] & 255, 255 * (1 - std::pow(0.7, 10)) * 0.5, 10);
    }
    ok(renderer.draw(far_away));
    EXPECT_FALSE(renderer.is_short());
    EXPECT_EQ(ok(renderer.pixels()), pixels);
}

} // namespace
} // namespace weir::tests::splat_capacity_test
