// Clouds in the format of the device.

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "common/half.hpp"
#include "tests/support/turns.hpp"

#include <weir/splats/cloud.hpp>

namespace weir::tests::clouds_test {
namespace {

using namespace splats;

const OnOneDriver on_one_driver{"Clouds.*"};

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

float from_half(std::uint32_t bits) {
    return samples::to_float({static_cast<std::uint16_t>(bits)});
}

TEST(Clouds, LargeNumbersAreLimited) {
    Cloud cloud;
    EXPECT_TRUE(cloud.add({.scale = {1, -1, 0.5F}, .rotation = {0, 0, 0, 0}, .opacity = 7, .color = {1e9F, -1e9F, 0}}));
    EXPECT_TRUE(cloud.add({.scale = {3e38F, 0, 0}}));
    EXPECT_EQ(cloud.shapes[0].scale, (Vec3{1, 1, 0.5F}));
    EXPECT_EQ(cloud.shapes[0].rotation, (std::array<std::int16_t, 4>{32767, 0, 0, 0}));
    EXPECT_EQ(from_half(cloud.shapes[0].color[3]), 1);
    EXPECT_EQ(from_half(cloud.shapes[0].color[0]), 65504);
    EXPECT_EQ(from_half(cloud.shapes[0].color[1]), -65504);
    EXPECT_NEAR(cloud.places[0].radius, std::sqrt(2 * std::log(255)), 1e-3);
    EXPECT_TRUE(std::isfinite(cloud.places[1].radius));
}

TEST(Clouds, NanAndInfinityAreNotAdded) {
    for (const float bad : {nan, infinity, -infinity}) {
        Cloud cloud{.degree = 1};
        EXPECT_FALSE(cloud.add({.mean = {0, bad, 0}}));
        EXPECT_FALSE(cloud.add({.scale = {0, 0, bad}}));
        EXPECT_FALSE(cloud.add({.rotation = {1, bad, 0, 0}}));
        EXPECT_FALSE(cloud.add({.opacity = bad}));
        EXPECT_FALSE(cloud.add({.color = {bad, 0, 0}}));
        Splat splat;
        splat.harmonics[2][1] = bad;
        EXPECT_FALSE(cloud.add(splat));
        EXPECT_EQ(cloud.size(), 0U);
        splat.harmonics[2][1] = 0;
        splat.harmonics[3][1] = bad; // above the cloud's degree
        EXPECT_TRUE(cloud.add(splat));
        EXPECT_EQ(cloud.size(), 1U);
    }
}

TEST(Clouds, SplatReturnsAddedNumbers) {
    for (const std::uint32_t degree : {0U, 1U, 2U, 3U}) {
        Cloud cloud{.degree = degree};
        Splat splat{.mean = {1, 2, 3}, .scale = {0.5F, 0.25F, 2}, .rotation = {0, 0, 1, 0}, .opacity = 0.5F};
        splat.color = {0.25F, -1, 4};
        for (std::size_t i = 0; i < splat.harmonics.size(); ++i) {
            splat.harmonics[i] = {static_cast<float>(i), 0.5F, -0.25F};
        }
        cloud.add({});
        cloud.add(splat);
        const Splat returned = cloud.splat(1);
        EXPECT_EQ(returned.mean, splat.mean);
        EXPECT_EQ(returned.scale, splat.scale);
        EXPECT_EQ(returned.rotation, splat.rotation);
        EXPECT_EQ(returned.opacity, splat.opacity);
        EXPECT_EQ(returned.color, splat.color);
        for (std::size_t i = 0; i < splat.harmonics.size(); ++i) {
            EXPECT_EQ(returned.harmonics[i], i < (degree + 1) * (degree + 1) - 1 ? splat.harmonics[i] : Vec3{});
        }
    }
}

} // namespace
} // namespace weir::tests::clouds_test
