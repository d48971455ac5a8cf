// Blurred rectangles: pictures against a numeric convolution.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"

namespace weir::tests::blurred_rect_test {
namespace {

using namespace weir::paths;

constexpr std::uint32_t size = 40;

/// Draws a scene, and checks that the device draws it too.
std::vector<std::array<float, 4>> drawn(const Scene& scene) {
    const View view{.width = size, .height = size};
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// Returns the convolution of a rounded rectangle with the Gaussian, as a sum over rows.
double convolution(const BlurredRect& paint, double x, double y) {
    const auto [left, top, right, bottom] = paint.rect;
    const double across = paint.deviation * std::numbers::sqrt2, radius = paint.radius;
    constexpr int rows = 1000;
    const double row_height = (double{bottom} - top) / rows;
    double sum = 0;
    for (int row = 0; row < rows; ++row) {
        const double at = top + row_height * (row + 0.5), off = (y - at) / paint.deviation;
        const double in_corner = std::max({0.0, top + radius - at, at - (bottom - radius)});
        const double cut = radius - std::sqrt(radius * radius - in_corner * in_corner);
        sum += std::exp(-off * off / 2) * (std::erf((x - left - cut) / across) - std::erf((x - right + cut) / across));
    }
    return sum * row_height / (2 * paint.deviation * std::sqrt(2 * std::numbers::pi));
}

TEST(PathBlurredRects, MatchConvolution) {
    const Color color{0.2F, 0.4F, 1, 0.8F};
    for (const BlurredRect& paint :
         {BlurredRect{{8, 10, 31, 27}, 0, 2, color}, BlurredRect{{8.3F, 10, 31, 27}, 5, 1, color},
          BlurredRect{{12, 5, 25, 34}, 6.5F, 3, color}, BlurredRect{{15, 17, 23, 20}, 1, 4, color},
          BlurredRect{{-60, 10, 30, 90}, 40, 2, color}, BlurredRect{{10, 10, 30, 30}, 10, 0.7F, color},
          BlurredRect{{-200, -190, 25, 30}, 100, 30, color}}) {
        SCOPED_TRACE(testing::Message() << paint.radius << ' ' << paint.deviation);
        Scene scene;
        scene.fill_blurred_rect(paint);
        const auto picture = drawn(scene);
        for (std::uint32_t i = 0; i < size * size; ++i) {
            const std::uint32_t column = i % size, row = i / size;
            const double alpha = 0.8 * convolution(paint, column + 0.5, row + 0.5);
            ASSERT_NEAR(picture[i][3], alpha, 0.003) << column << ' ' << row;
            ASSERT_NEAR(picture[i][1], picture[i][3] * 0.4F, 1e-5F);
        }
    }
}

/// The blur is in the space of the draw: here an ellipse of twice the width, turned by a right angle.
TEST(PathBlurredRects, FollowTransform) {
    const BlurredRect paint{{-7, -5, 7, 5}, 3, 1.5F};
    Scene scene;
    scene.fill_blurred_rect(paint, Transform{0, 2, -1, 0, 20, 18});
    const auto picture = drawn(scene);
    for (std::uint32_t i = 0; i < size * size; ++i) {
        const std::uint32_t column = i % size, row = i / size;
        const double alpha = convolution(paint, (row + 0.5 - 18) / 2, 20 - (column + 0.5));
        ASSERT_NEAR(picture[i][3], alpha, 0.003) << column << ' ' << row;
    }
}

TEST(PathBlurredRects, InvertedIsRest) {
    BlurredRect paint{{8, 10, 31, 27}, 4, 2, {1, 1, 1, 1}};
    const auto with_paint = [&] {
        Scene scene;
        scene.fill(scene.add_outline(Path().add_rect(0, 0, size, size)), scene.add_blurred_rect(paint));
        return drawn(scene);
    };
    const auto inside = with_paint();
    paint.is_inverted = true;
    const auto outside = with_paint();
    EXPECT_GT(outside[0][3], 0.99F);
    for (std::uint32_t i = 0; i < size * size; ++i) {
        ASSERT_NEAR(inside[i][3] + outside[i][3], 1, 1e-6F);
    }
}

/// Without deviation, the rectangle is filled. Without area, nothing is drawn.
TEST(PathBlurredRects, Degenerate) {
    Scene blurred, sharp, empty;
    blurred.fill_blurred_rect({.rect = {8, 10.5F, 31, 27}, .radius = 4, .deviation = 0});
    sharp.fill(sharp.add_outline(Path().add_rect(8, 10.5F, 23, 16.5F, 4, 4)), sharp.add_paint(Color{}));
    EXPECT_EQ(drawn(blurred), drawn(sharp));
    empty.fill_blurred_rect({.rect = {8, 10, 8, 27}, .radius = 4, .deviation = 2});
    EXPECT_EQ(drawn(empty), drawn({}));
}

} // namespace
} // namespace weir::tests::blurred_rect_test
