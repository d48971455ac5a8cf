// Gradients: pictures with known colors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::gradients_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathGradients.*"}; // random scenes run on others too

constexpr std::uint32_t size = 32;
constexpr float pi = std::numbers::pi_v<float>;

/// Fills the picture with a gradient, and checks that the device draws it too.
template <class Gradient>
std::vector<std::array<float, 4>> drawn(const Gradient& gradient) {
    Scene scene;
    scene.fill(scene.add_outline(Path().add_rect(0, 0, size, size)), scene.add_paint(gradient));
    const View view{.width = size, .height = size};
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// The red of a gradient from 0 to 1 is its position.
TEST(PathGradients, SweepFollowsTheAngle) {
    struct Case {
        float start, end;
        Spread spread;
    };
    for (const auto& [start, end, spread] :
         {Case{0, 2 * pi, Spread::pad}, Case{1, 3, Spread::pad}, Case{3, 1, Spread::pad},
          Case{0.5F, 1.5F, Spread::repeat}, Case{-1, 1, Spread::reflect}}) {
        SCOPED_TRACE(start);
        SweepGradient gradient;
        gradient.stops = {{0, {0, 0, 0, 1}}, {1, {1, 0, 0, 1}}};
        gradient.spread = spread;
        gradient.center = {13.2F, 17.7F};
        gradient.start_angle = start;
        gradient.end_angle = end;
        const auto picture = drawn(gradient);
        for (std::uint32_t i = 0; i < size * size; ++i) {
            const std::uint32_t row = i / size;
            const float x = static_cast<float>(i % size) + 0.5F, y = static_cast<float>(row) + 0.5F;
            float angle = std::atan2(y - 17.7F, x - 13.2F);
            angle = angle < 0 ? angle + 2 * pi : angle;
            float t = (angle - start) / (end - start);
            if (spread == Spread::repeat) {
                t -= std::floor(t);
            } else if (spread == Spread::reflect) {
                t = std::abs(t - 2 * std::round(t / 2));
            }
            ASSERT_NEAR(picture[i][0], std::clamp(t, 0.0F, 1.0F), 1e-5F) << x << ' ' << y;
        }
    }
}

TEST(PathGradients, SweepWithoutAnglePaintsNothing) {
    SweepGradient gradient;
    gradient.stops = {{0, {1, 0, 0, 1}}};
    gradient.end_angle = gradient.start_angle = 1;
    for (const auto& pixel : drawn(gradient)) {
        ASSERT_EQ(pixel[3], 0);
    }
}

/// Two circles: the focal one and the outer one.
struct Circles {
    const char* name;
    double x0, y0, r0, x1, y1, r1;
};

/// Returns the position of the last circle through a point.
std::optional<double> last_circle(const Circles& circles, double x, double y) {
    const double dx = circles.x1 - circles.x0, dy = circles.y1 - circles.y0, growth = circles.r1 - circles.r0;
    const double px = x - circles.x0, py = y - circles.y0;
    const double a = dx * dx + dy * dy - growth * growth, b = px * dx + py * dy + circles.r0 * growth;
    const double c = px * px + py * py - circles.r0 * circles.r0;
    std::vector<double> positions;
    if (std::abs(a) < 1e-9) {
        positions = {c / (2 * b)};
    } else if (b * b >= a * c) {
        const double root = std::sqrt(b * b - a * c);
        positions = {(b + root) / a, (b - root) / a};
    }
    std::optional<double> last;
    for (const double t : positions) {
        if (circles.r0 + t * growth >= 0 && (!last || t > *last)) {
            last = t;
        }
    }
    return last;
}

/// Checks a gradient whose red is its position. Points at the edge of its cone may differ.
void expect_circles(const Circles& circles, const RadialGradient& gradient) {
    SCOPED_TRACE(circles.name);
    const auto picture = drawn(gradient);
    for (std::uint32_t i = 0; i < size * size; ++i) {
        const std::uint32_t row = i / size;
        const double x = i % size + 0.5, y = row + 0.5;
        const auto position = last_circle(circles, x, y), above = last_circle(circles, x, y - 0.01),
                   below = last_circle(circles, x, y + 0.01);
        if (position.has_value() == above.has_value() && position.has_value() == below.has_value()) {
            ASSERT_EQ(picture[i][3], position ? 1 : 0) << x << ' ' << y;
            ASSERT_NEAR(picture[i][0], position ? std::clamp(*position, 0.0, 1.0) : 0, 4e-3) << x << ' ' << y;
        }
    }
}

TEST(PathGradients, RadialTwoCircles) {
    for (const Circles& circles :
         {Circles{"one in the other", 13, 17, 3, 15, 16, 12},
          {"apart", 10, 16, 3, 20, 15, 6},
          {"apart, the outer one smaller", 20, 15, 6, 10, 16, 3},
          {"equal radii", 9, 16, 5, 20, 15, 5},
          {"to a point", 8, 16, 6, 24, 15, 0},
          {"to a point inside", 14, 16, 12, 17, 15, 0},
          {"to the center", 15, 16, 12, 15, 16, 0},
          {"from a point", 8, 16, 0, 20, 15, 5},
          {"to a point of the circle", 16, 16, 10, 6, 16, 0},
          {"touching", 12, 13, 5, 15, 17, 10},
          {"touching, the outer one smaller", 15, 17, 10, 12, 13, 5},
          {"touching, the outer one much smaller", 15, 17, 13, 15 - 3.6 * 2, 17 - 4.8 * 2, 1}}) {
        const auto at = [](double x, double y) { return Point{static_cast<float>(x), static_cast<float>(y)}; };
        RadialGradient gradient;
        gradient.stops = {{0, {0, 0, 0, 1}}, {1, {1, 0, 0, 1}}};
        gradient.focus = at(circles.x0, circles.y0);
        gradient.focal_radius = static_cast<float>(circles.r0);
        gradient.center = at(circles.x1, circles.y1);
        gradient.radius = static_cast<float>(circles.r1);
        expect_circles(circles, gradient);
        // Coordinates that are large, and therefore rounded.
        const float x = 4000.3F, y = 3000.7F;
        gradient.focus = at(circles.x0 + x, circles.y0 + y);
        gradient.center = at(circles.x1 + x, circles.y1 + y);
        gradient.transform = Transform::translation(-x, -y);
        expect_circles(circles, gradient);
    }
}

TEST(PathGradients, RadialWithoutFocusIsConcentric) {
    RadialGradient gradient;
    gradient.stops = {{0, {0, 0, 0, 1}}, {1, {1, 0, 0, 1}}};
    gradient.center = {15, 16};
    gradient.radius = 12;
    expect_circles({"concentric", 15, 16, 0, 15, 16, 12}, gradient);
}

TEST(PathGradients, RadialCenterIsPainted) {
    Scene scene;
    const auto pixel = scene.add_outline(Path().add_rect(0, 0, 1, 1));
    for (std::uint32_t i = 0; i < size * size; ++i) {
        const std::uint32_t column = i % size, row = i / size;
        RadialGradient gradient;
        gradient.stops = {{0, {1, 0, 0, 1}}};
        gradient.center = {0.5F, 0.5F};
        gradient.radius = 20;
        gradient.focal_radius = 0.037F * static_cast<float>(i + 1);
        scene.fill(pixel, scene.add_paint(gradient),
                   Transform::translation(static_cast<float>(column), static_cast<float>(row)));
    }
    const View view{.width = size, .height = size};
    expect_same(scene, view);
    for (const auto& color : picture_of(scene, view)) {
        ASSERT_EQ(color[3], 1);
    }
}

TEST(PathGradients, RadialEqualCirclesAndPointsPaintNothing) {
    for (const float radius : {0.0F, 5.0F}) {
        RadialGradient gradient;
        gradient.stops = {{0, {1, 0, 0, 1}}};
        gradient.center = {16.5F, 16.5F};
        gradient.radius = gradient.focal_radius = radius;
        gradient.focus = radius == 0 ? Point{8.5F, 16.5F} : gradient.center; // the line has centers of pixels
        for (const auto& pixel : drawn(gradient)) {
            ASSERT_EQ(pixel[3], 0);
        }
    }
}

/// Between opaque red and transparent blue, premultiplied colors stay red.
TEST(PathGradients, PremultipliedInterpolation) {
    for (const bool is_premultiplied : {false, true}) {
        LinearGradient gradient;
        gradient.stops = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 0}}};
        gradient.is_premultiplied = is_premultiplied;
        gradient.end = {size, 0};
        const auto picture = drawn(gradient);
        for (std::uint32_t x = 0; x < size; ++x) {
            const float alpha = 1 - (static_cast<float>(x) + 0.5F) / size;
            EXPECT_NEAR(picture[x][3], alpha, 1e-5F);
            EXPECT_NEAR(picture[x][0], is_premultiplied ? alpha : alpha * alpha, 1e-5F);
            EXPECT_NEAR(picture[x][2], is_premultiplied ? 0 : alpha * (1 - alpha), 1e-5F);
        }
    }
}

} // namespace
} // namespace weir::tests::gradients_test
