// Edges of draws: anti-aliasing, and the shapes of strokes. Pictures with known pixels.

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"

namespace weir::tests::edges_test {
namespace {

using namespace weir::paths;

/// Draws a scene on the CPU, and checks that the device draws the same picture.
std::vector<std::array<float, 4>> drawn(const Scene& scene, const View& view) {
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// A pixel is inside if its center is. A center on the left or the upper edge is inside, on the right or the lower edge
/// it is outside.
TEST(PathEdges, AliasedRectangleCoversCenters) {
    std::mt19937 random(1);
    const auto length = [&] { return static_cast<float>(random() % 320) / 8; };
    for (int i = 0; i < 10 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const float left = length(), top = length(), right = left + length() / 2, bottom = top + length() / 2;
        Scene scene;
        scene.set_antialias(Antialias::none);
        scene.fill(scene.add_outline(Path().add_rect(left, top, right - left, bottom - top)),
                   scene.add_paint({1, 0, 0, 1}));
        const View view{.width = 60, .height = 60};
        const auto picture = drawn(scene, view);
        for (std::uint32_t at = 0; at < 60 * 60; ++at) {
            const float x = static_cast<float>(at % 60) + 0.5F, y = static_cast<float>(at / 60) + 0.5F;
            ASSERT_EQ(picture[at][3], x >= left && x < right && y >= top && y < bottom ? 1 : 0) << x << ' ' << y;
        }
    }
}

/// Triangles of a fan share all inner edges. Each pixel belongs to exactly one of them.
TEST(PathEdges, AliasedNeighborsNeitherOverlapNorLeaveGaps) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> inner(20, 76);
    for (const Antialias antialias : {Antialias::none, Antialias::area}) {
        const std::array<Point, 6> rim = {{{0, 0}, {50, 0}, {96, 0}, {96, 96}, {30, 96}, {0, 96}}};
        int others = 0; // pixels that are not covered exactly once
        for (int i = 0; i < 5; ++i) {
            const Point hub{inner(random), inner(random)};
            Scene scene;
            scene.set_antialias(antialias);
            const PaintId half = scene.add_paint({0, 0, 0, 0.5F});
            for (std::size_t k = 0; k < rim.size(); ++k) {
                Path triangle;
                triangle.move_to(hub).line_to(rim[k]).line_to(rim[(k + 1) % rim.size()]).close();
                scene.fill(scene.add_outline(triangle), half);
            }
            for (const auto& pixel : drawn(scene, {.width = 96, .height = 96})) {
                others += pixel[3] == 0.5F ? 0 : 1;
            }
        }
        EXPECT_EQ(others == 0, antialias == Antialias::none) << others;
    }
}

/// Rules, strokes and clips without anti-aliasing.
TEST(PathEdges, AliasedRulesStrokesAndClips) {
    Path star;
    star.move_to({30, 2}).line_to({48, 58}).line_to({2, 22}).line_to({58, 22}).line_to({12, 58}).close();
    const View view{.width = 64, .height = 64};
    for (const FillRule rule : {FillRule::nonzero, FillRule::even_odd}) {
        Scene scene;
        scene.set_antialias(Antialias::none);
        const OutlineId outline = scene.add_outline(star);
        scene.push_clip(outline, Transform::translation(2.3F, 1.7F), rule);
        scene.fill(outline, scene.add_paint({1, 0, 0, 1}), {}, rule);
        scene.stroke(outline, scene.add_paint({0, 0, 1, 1}), {.width = 3});
        scene.pop_layer();
        const auto picture = drawn(scene, view);
        EXPECT_EQ(picture[30 * 64 + 30][3], rule == FillRule::nonzero ? 1 : 0);
        for (const auto& pixel : picture) {
            ASSERT_TRUE(pixel[3] == 0 || pixel[3] == 1);
        }
    }
}

TEST(PathEdges, UpdateRejectsFeaturesOfOtherKernels) {
    const auto square = [](Antialias antialias) {
        Scene scene;
        scene.set_antialias(antialias);
        scene.fill(scene.add_outline(Path().add_rect(1, 1, 5, 5)), scene.add_paint({1, 0, 0, 1}));
        return scene;
    };
    Renderer smooth = ok(Renderer::create(test_context(), square(Antialias::area)));
    const auto updated = smooth.update(square(Antialias::none));
    ASSERT_FALSE(updated);
    EXPECT_EQ(updated.error().code, ErrorCode::invalid_argument);
    Renderer crisp = ok(Renderer::create(test_context(), square(Antialias::none)));
    ok(crisp.update(square(Antialias::area)));
}

} // namespace
} // namespace weir::tests::edges_test
