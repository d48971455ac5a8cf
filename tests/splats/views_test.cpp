// Cameras, depth ranges and backgrounds of pictures of splats.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/splats/oracle.hpp>
#include <weir/splats/renderer.hpp>

#include "tests/splats/clouds.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::splat_views_test {
namespace {

using namespace weir::splats;
using weir::splats::Renderer;
using weir::splats::View;

const OnOneDriver on_one_driver{"SplatViews.*"};

constexpr double allowed = 2; // in units of 1/255

Cloud scaled(const Cloud& cloud, float scale) {
    Cloud made = cloud;
    for (std::uint32_t i = 0; i < cloud.size(); ++i) {
        made.places[i].mean = scale * cloud.places[i].mean;
        made.places[i].radius *= cloud.places[i].radius < 0 ? 1 : scale;
        made.shapes[i].scale = scale * cloud.shapes[i].scale;
    }
    return made;
}

TEST(SplatViews, ScaledCloudsAreVisible) {
    const Cloud cloud = make_cloud(400, 3, 0);
    View view = view_from(0.1, 80, 60);
    Renderer usual = ok(Renderer::create(test_context(), cloud));
    const std::uint32_t visible = ok(usual.draw(view)).visible;
    EXPECT_GT(visible, 300U);
    const Vec3 eye = view.camera.eye;
    for (const float scale : {0.001F, 100.0F, 1e6F}) {
        view.camera.eye = scale * eye;
        Renderer renderer = ok(Renderer::create(test_context(), scaled(cloud, scale)));
        EXPECT_EQ(ok(renderer.draw(view)).visible, visible) << scale;
        EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(scaled(cloud, scale), view)), allowed) << scale;
    }
}

TEST(SplatViews, SkyIsVisible) {
    Cloud cloud = make_cloud(400, 3, 0);
    cloud.add({.mean = {1800, 1800, 5000}, .scale = {800, 800, 1}, .opacity = 0.9F, .color = {1, 1, 1}});
    const View view{.width = 64, .height = 64, .camera = look_at({0, 0, -3}, {0, 0, 0})};
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    ok(renderer.draw(view));
    const CpuPicture expected = cpu_picture(cloud, view);
    EXPECT_LE(distance(ok(renderer.pixels()), expected), allowed);
    cloud.places.back().radius = -1;
    EXPECT_GT(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), 100);
}

TEST(SplatViews, PlanesLimitDepth) {
    const Cloud cloud = wild_cloud(300, 0, 3);
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    const View derived{.width = 64, .height = 64};
    const std::uint32_t all = ok(renderer.draw(derived)).visible;
    const void* graph = renderer.program().plan().graph.get();
    for (const DepthRange depths : {DepthRange{2, 0}, {0, 3}, {2, 3}}) {
        View view = derived;
        view.depths = depths;
        EXPECT_LT(ok(renderer.draw(view)).visible, all);
        EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), allowed);
    }
    EXPECT_EQ(renderer.program().plan().graph.get(), graph); // other planes compile no graph
    View wide = derived;
    wide.depths = {1e-6F, 1e6F}; // more octaves than 27 bits of a float hold
    ok(renderer.draw(wide));
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, wide)), allowed);
}

TEST(SplatViews, BackgroundsShareGraph) {
    const Cloud cloud = wild_cloud(100, 0, 4);
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    View view{.width = 40, .height = 40};
    ok(renderer.draw(view));
    const void* graph = renderer.program().plan().graph.get();
    const std::array<float, 4> backgrounds[] = {{0.1F, 0.9F, 0.5F, 1}, {0, 0, 0, 0}, {0.1F, 0.2F, 0.3F, 0.5F}};
    for (const std::array<float, 4>& background : backgrounds) {
        view.background = background;
        ok(renderer.draw(view));
        EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), allowed);
    }
    EXPECT_EQ(renderer.program().plan().graph.get(), graph);
}

TEST(SplatViews, ProjectionsMatchCpu) {
    const Cloud cloud = wild_cloud(400, 1, 5);
    Renderer renderer = ok(Renderer::create(test_context(), cloud));
    Camera off_center{.intrinsics = Intrinsics{90, 70, 20, 75}}, fisheye{.field_of_view = 150};
    Camera orthographic{.field_of_view = 6, .projection = Projection::orthographic};
    fisheye.projection = Projection::fisheye;
    Camera wide{.projection = Projection::fisheye, .intrinsics = Intrinsics{20, 20, 40, 50}};
    wide.eye = {0.3F, 0.2F, 2.5F}; // among the splats; the picture shows more than a half space
    for (const Camera& camera : {off_center, orthographic, fisheye, wide}) {
        const View view{.width = 110, .height = 90, .camera = camera};
        const std::string name = "projection " + std::to_string(static_cast<int>(camera.projection));
        EXPECT_GT(ok(renderer.draw(view)).visible, 100U) << name;
        EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), allowed) << name;
    }
}

/// Returns the pixel at which a camera shows a small splat at `at`.
std::array<double, 2> pixel_of(const Vec3& at, const Camera& camera) {
    Cloud cloud;
    cloud.add({.mean = at, .scale = {0.02F, 0.02F, 0.02F}, .opacity = 1, .color = {2, 2, 2}});
    const CpuPicture picture = cpu_picture(cloud, {.width = 100, .height = 80, .camera = camera, .background = {}});
    double x = 0, y = 0, sum = 0;
    for (std::size_t i = 0; i < picture.colors.size(); ++i) {
        const std::size_t column = i % 100, row = i / 100;
        x += picture.colors[i][3] * (static_cast<double>(column) + 0.5);
        y += picture.colors[i][3] * (static_cast<double>(row) + 0.5);
        sum += picture.colors[i][3];
    }
    return {x / sum, y / sum};
}

TEST(SplatViews, ProjectionsOfPointsAreThoseOfTheirFormulas) {
    const Vec3 at = {0.5F, -0.25F, 2};
    const auto expect = [&](const Camera& camera, double x, double y) {
        const auto pixel = pixel_of(at, camera);
        EXPECT_NEAR(pixel[0], x, 0.1);
        EXPECT_NEAR(pixel[1], y, 0.1);
    };
    expect({.field_of_view = 90}, 50 + 40 * 0.25, 40 - 40 * 0.125);
    expect({.intrinsics = Intrinsics{60, 50, 30, 45}}, 30 + 60 * 0.25, 45 - 50 * 0.125);
    expect({.field_of_view = 4, .projection = Projection::orthographic}, 50 + 20 * 0.5, 40 - 20 * 0.25);
    const double radius = std::hypot(0.5, 0.25), angle = std::atan2(radius, 2.0);
    const double focal = 80 / std::numbers::pi;
    expect({.field_of_view = 180, .projection = Projection::fisheye}, 50 + focal * angle * 0.5 / radius,
           40 - focal * angle * 0.25 / radius);
}

TEST(SplatViews, UpAxisTurnsThePicture) {
    const Vec3 eye = {0, 0, -3}, above = {0, 0.5F, 0};
    EXPECT_LT(pixel_of(above, look_at(eye, {0, 0, 0}))[1], 35);
    EXPECT_GT(pixel_of(above, look_at(eye, {0, 0, 0}, 60, {0, -1, 0}))[1], 45);
    EXPECT_GT(pixel_of(above, look_at(eye, {0, 0, 0}, 60, {1, 0, 0}))[0], 55);
}

TEST(SplatViews, CamerasOfViewMatrices) {
    const Camera camera = look_at({1, 2, -3}, {0.2F, 0.1F, 0});
    for (const ViewAxes axes : {ViewAxes::right_down_forward, ViewAxes::right_up_back}) {
        const float sign = axes == ViewAxes::right_up_back ? -1.0F : 1.0F;
        std::array<float, 16> matrix{};
        for (std::size_t row = 0; row < 3; ++row) {
            const Vec3 axis = (row == 0 ? 1.0F : sign) * camera.axes[row];
            for (std::size_t column = 0; column < 3; ++column) {
                matrix[4 * column + row] = axis[column];
            }
            matrix[12 + row] = -dot(axis, camera.eye);
        }
        const Camera made = camera_of(matrix, axes, {50, 50, 20, 20});
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(made.eye[i], camera.eye[i], 1e-5);
            EXPECT_EQ(made.axes[i], camera.axes[i]);
        }
    }
}

TEST(SplatViews, InvalidViewsAreErrors) {
    Renderer renderer = ok(Renderer::create(test_context(), make_cloud(10, 1, 0)));
    const auto refuses = [&](const View& view, const char* why) {
        const auto drawn = renderer.draw(view);
        ASSERT_FALSE(drawn) << why;
        EXPECT_EQ(drawn.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(drawn.error().message, testing::HasSubstr(why));
    };
    const View usual = view_from(0, 16, 16);
    View view = usual;
    view.camera = look_at({1, 2, 3}, {1, 2, 3});
    refuses(view, "not finite");
    view.camera = {.axes = {Vec3{1, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
    refuses(view, "not independent");
    view.camera = {.field_of_view = 0};
    refuses(view, "field of view");
    view.camera = {.intrinsics = Intrinsics{0, 1, 2, 3}};
    refuses(view, "focal length of 0");
    view = usual;
    view.depths = {2, 1};
    refuses(view, "not before the far plane");
    view.depths = {-1, 1};
    refuses(view, "negative");
    ok(renderer.draw(usual)); // still draws
}

} // namespace
} // namespace weir::tests::splat_views_test
