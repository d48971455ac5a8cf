// Draws at points of a picture.

#include <cmath>
#include <optional>
#include <random>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/effects.hpp>
#include <weir/paths/hit.hpp>

#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::hit_tests {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathHit.*"}; // random scenes run on others too
using Hit = std::optional<std::uint32_t>;

const View view{.width = 64, .height = 64};
constexpr Hit none;

TEST(PathHit, TopmostDrawIsHit) {
    Scene scene;
    const OutlineId square = scene.add_outline(Path().add_rect(0, 0, 20, 20));
    const PaintId paint = scene.add_paint({1, 0, 0, 1}), transparent = scene.add_paint({0, 0, 0, 0});
    const std::uint32_t below = scene.fill(square, paint, Transform::translation(10, 10));
    const std::uint32_t above = scene.fill(square, transparent, Transform::translation(20, 20));
    const std::uint32_t stroke = scene.stroke(scene.add_outline(Path().move_to({40, 5}).line_to({60, 5})), paint,
                                              {.width = 4, .dashes = {5, 5}});
    HitTester tester(scene, view);
    EXPECT_EQ(tester.hit({15, 15}), Hit(below));
    EXPECT_EQ(tester.hit({25, 25}), Hit(above));
    EXPECT_EQ(tester.hit({10.01F, 10.01F}), Hit(below));
    EXPECT_EQ(tester.hit({9.99F, 10.01F}), none);
    EXPECT_EQ(tester.hit({42, 6.9F}), Hit(stroke));
    EXPECT_EQ(tester.hit({42, 7.1F}), none);
    EXPECT_EQ(tester.hit({47, 5}), none); // a gap
    for (const Point outside : {Point{-1, 15}, {15, -1}, {64, 15}, {15, 64}, {NAN, 15}}) {
        EXPECT_EQ(tester.hit(outside), none);
    }
    scene.set_visible(above, false);
    EXPECT_EQ(tester.hit({25, 25}), Hit(below));
    EXPECT_EQ(tester.hit({35, 35}), none);
    scene.move(below, Transform::translation(30, 30));
    EXPECT_EQ(tester.hit({15, 15}), none);
    EXPECT_EQ(tester.hit({35, 35}), Hit(below));
    const std::uint32_t added = scene.fill(square, paint);
    EXPECT_EQ(tester.hit({1, 1}), Hit(added));
    const View zoomed{.transform = Transform::scaling(0.5F, 0.5F), .width = 64, .height = 64, .scissor = {}};
    EXPECT_EQ(hit_test(scene, zoomed, {8, 8}), Hit(added));
    EXPECT_EQ(hit_test(scene, zoomed, {17, 17}), Hit(below));
    scene = Scene();
    EXPECT_EQ(tester.hit({35, 35}), none);
}

/// Layers with effects and operators have draws of their own.
TEST(PathHit, DrawsOfLayersAreNotHit) {
    Scene scene;
    const OutlineId square = scene.add_outline(Path().add_rect(10, 10, 20, 20));
    Effect blur{.region = {0, 0, 60, 60}};
    blur.add({.work = effect::Blur{2, 2}});
    scene.push_layer({.effect = scene.add_effect(blur)});
    const std::uint32_t blurred = scene.fill(square, scene.add_paint({1, 0, 0, 1}));
    scene.pop_layer();
    EXPECT_EQ(hit_test(scene, view, {15, 15}), Hit(blurred));
    EXPECT_EQ(hit_test(scene, view, {35, 35}), none);
    scene.push_layer({.composite = Composite::src_in});
    scene.pop_layer();
    EXPECT_EQ(hit_test(scene, view, {15, 15}), Hit(blurred));
    EXPECT_EQ(hit_test(scene, view, {35, 35}), none);
}

TEST(PathHit, FillRulesDecide) {
    const Path rings = Path().add_rect(10, 10, 40, 40).add_rect(20, 20, 20, 20);
    for (const FillRule rule : {FillRule::nonzero, FillRule::even_odd}) {
        Scene scene;
        scene.fill(scene.add_outline(rings), scene.add_paint({1, 0, 0, 1}), {}, rule);
        EXPECT_EQ(hit_test(scene, view, {30, 30}), rule == FillRule::nonzero ? Hit(0) : none);
        EXPECT_EQ(hit_test(scene, view, {15, 30}), Hit(0));
    }
}

TEST(PathHit, ClipsRestrictAndMasksDoNot) {
    Scene scene;
    const OutlineId all = scene.add_outline(Path().add_rect(0, 0, 64, 64));
    const auto half = [&](float x, float y) { return scene.add_outline(Path().add_rect(x, y, 32, 32)); };
    const PaintId paint = scene.add_paint({1, 0, 0, 1});
    scene.push_clip(half(0, 0), {}, FillRule::nonzero, {.opacity = 0});
    scene.push_layer();
    scene.push_clip(half(16, 0));
    const std::uint32_t clipped = scene.fill(all, paint);
    scene.pop_layer();
    scene.pop_layer();
    scene.pop_layer();
    scene.begin_mask(Mask::luminance);
    scene.fill(half(32, 32), scene.add_paint({0, 0, 0, 1}));
    scene.end_mask();
    scene.push_layer();
    const std::uint32_t masked = scene.fill(half(0, 32), paint);
    scene.pop_layer();
    EXPECT_EQ(hit_test(scene, view, {20, 10}), Hit(clipped));
    EXPECT_EQ(hit_test(scene, view, {10, 10}), none);
    EXPECT_EQ(hit_test(scene, view, {40, 10}), none);
    EXPECT_EQ(hit_test(scene, view, {10, 40}), Hit(masked));
    EXPECT_EQ(hit_test(scene, view, {40, 40}), none);
}

/// Where a magnified picture of a single draw has one color around a point, the test must agree with it.
TEST(PathHit, AgreesWithPictures) {
    std::mt19937 random(17);
    int hits = 0, misses = 0;
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        Scene scene = RandomScene(random, 64, {.dashes = true}).scene();
        HitTester tester(scene, view);
        View large = view;
        large.transform = Transform::scaling(4, 4);
        large.width = large.height = 256;
        large.tolerance = 4 * view.tolerance;
        const PaintId black = scene.add_paint({0, 0, 0, 1});
        const auto count = static_cast<std::uint32_t>(scene.draws().size());
        std::vector<std::vector<std::array<float, 4>>> alone;
        for (std::uint32_t draw = 0; draw < count; ++draw) {
            Scene single = scene;
            single.recolor(draw, black);
            for (std::uint32_t other = 0; other < count; ++other) {
                single.set_visible(other, other == draw && scene.is_visible(draw));
            }
            alone.push_back(picture_of(single, large));
        }
        for (int k = 0; k < 200; ++k) {
            const std::uint32_t x = 2 + random() % 252, y = 2 + random() % 252;
            Hit expected;
            bool is_certain = true;
            for (std::uint32_t draw = 0; draw < count; ++draw) {
                const float alpha = alone[draw][y * 256 + x][3];
                for (std::uint32_t neighbor = 0; neighbor < 25; ++neighbor) {
                    is_certain =
                        is_certain && alone[draw][(y + neighbor / 5 - 2) * 256 + x + neighbor % 5 - 2][3] == alpha;
                }
                is_certain = is_certain && (alpha == 0 || alpha == 1);
                expected = alpha == 1 ? Hit(draw) : expected;
            }
            if (is_certain) {
                const Point pixel{(static_cast<float>(x) + 0.5F) / 4, (static_cast<float>(y) + 0.5F) / 4};
                EXPECT_EQ(tester.hit(pixel), expected) << x << ' ' << y;
                ++(expected ? hits : misses);
            }
        }
    }
    EXPECT_GT(hits, 300);
    EXPECT_GT(misses, 300);
}

} // namespace
} // namespace weir::tests::hit_tests
