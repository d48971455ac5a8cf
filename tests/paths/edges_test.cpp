// Edges of draws: anti-aliasing, and the shapes of strokes. Pictures with known pixels.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::edges_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathEdges.*"}; // random scenes run on others too

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
            const std::uint32_t row = at / 60;
            const float x = static_cast<float>(at % 60) + 0.5F, y = static_cast<float>(row) + 0.5F;
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

Path line_path(std::initializer_list<Point> points) {
    Path path;
    for (const Point p : points) {
        path.line_to(p);
    }
    return path;
}

/// Returns the maximum difference between a stroke and a filled shape.
float difference_of(const Path& path, const Stroke& stroke, const Transform& transform, const Path& shape) {
    const View view{.width = 64, .height = 64};
    Scene stroked, filled;
    stroked.stroke(stroked.add_outline(path), stroked.add_paint({0, 0, 0, 1}), stroke, transform);
    filled.fill(filled.add_outline(shape), filled.add_paint({0, 0, 0, 1}));
    const auto picture = drawn(stroked, view), expected = picture_of(filled, view);
    float greatest = 0;
    for (std::size_t i = 0; i < picture.size(); ++i) {
        greatest = std::max(greatest, std::abs(picture[i][3] - expected[i][3]));
    }
    return greatest;
}

TEST(PathEdges, StartAndEndCapsDiffer) {
    const Path path = line_path({{10, 10}, {30, 10}});
    const Stroke forth{.width = 8, .cap = Cap::butt, .end_cap = Cap::square};
    const Stroke back{.width = 8, .cap = Cap::square, .end_cap = Cap::butt};
    const Stroke both{.width = 8, .cap = Cap::square};
    EXPECT_LT(difference_of(path, forth, {}, Path().add_rect(10, 6, 24, 8)), 0.01F);
    EXPECT_LT(difference_of(path, back, {}, Path().add_rect(6, 6, 24, 8)), 0.01F);
    EXPECT_LT(difference_of(path, both, {}, Path().add_rect(6, 6, 28, 8)), 0.01F);
    // Each dash has both caps.
    const Stroke dashed{.width = 4, .cap = Cap::butt, .end_cap = Cap::square, .dashes = {8, 8}};
    EXPECT_LT(
        difference_of(line_path({{8, 10}, {40, 10}}), dashed, {}, Path().add_rect(8, 8, 10, 4).add_rect(24, 8, 10, 4)),
        0.01F);
}

TEST(PathEdges, MiterClipCutsTheCornerAtTheLimit) {
    const Path corner = line_path({{10, 50}, {50, 50}, {50, 10}});
    Stroke stroke{.width = 20, .join = Join::miter_clip, .miter_limit = 1.5F};
    const Path sharp = line_path({{10, 40}, {40, 40}, {40, 10}, {60, 10}, {60, 60}, {10, 60}});
    EXPECT_LT(difference_of(corner, stroke, {}, sharp), 0.01F);
    stroke.miter_limit = 1.2F; // the cut is 12 from the corner of the path
    const float cut = 100 + 12 * std::sqrt(2.0F) - 60;
    const Path clipped = line_path({{10, 40}, {40, 40}, {40, 10}, {60, 10}, {60, cut}, {cut, 60}, {10, 60}});
    EXPECT_LT(difference_of(corner, stroke, {}, clipped), 0.01F);
    EXPECT_LT(difference_of(line_path({{50, 10}, {50, 50}, {10, 50}}), stroke, {}, clipped), 0.01F);
    // Where the path turns back, the cut is at the limit too.
    const Stroke turn{.width = 10, .join = Join::miter_clip, .miter_limit = 2};
    EXPECT_LT(difference_of(line_path({{10, 30}, {40, 30}, {10, 30}}), turn, {}, Path().add_rect(10, 25, 40, 10)),
              0.01F);
}

TEST(PathEdges, NonScalingStrokeHasPixels) {
    const Path path = line_path({{1, 1.05F}, {5, 1.05F}});
    const Stroke hairline{.width = 1, .is_non_scaling = true};
    for (const Transform& transform : {Transform::scaling(10, 10), Transform{10, 0, 2, 10, -2.1F, 0}}) {
        EXPECT_LT(difference_of(path, hairline, transform, Path().add_rect(10, 10, 40, 1)), 0.02F);
    }
    EXPECT_LT(
        difference_of(line_path({{1, 1}, {1, 5}}), hairline, {10, 0, 0, 2, 0.5F, 0}, Path().add_rect(10, 2, 1, 8)),
        0.01F);
    const Stroke dashed{.width = 2, .dashes = {4, 12}, .is_non_scaling = true};
    EXPECT_LT(difference_of(line_path({{1, 1}, {4, 1}}), dashed, Transform::scaling(8, 8),
                            Path().add_rect(8, 7, 4, 2).add_rect(24, 7, 4, 2)),
              0.02F);
}

TEST(PathEdges, UpdateCanChangeAntialiasing) {
    const auto square = [](Antialias antialias) {
        Scene scene;
        scene.set_antialias(antialias);
        scene.fill(scene.add_outline(Path().add_rect(1.25F, 1, 5, 5)), scene.add_paint({1, 0, 0, 1}));
        return scene;
    };
    const View view{.width = 8, .height = 8};
    Renderer renderer = ok(Renderer::create(test_context(), square(Antialias::area)));
    for (const Antialias antialias : {Antialias::area, Antialias::none, Antialias::area}) {
        ok(renderer.update(square(antialias)));
        ok(renderer.draw(view));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(square(antialias), view)), 1);
    }
}

} // namespace
} // namespace weir::tests::edges_test
