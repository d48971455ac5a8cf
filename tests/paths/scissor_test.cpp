// Pictures of which a rectangle is drawn again.

#include <random>

#include <gtest/gtest.h>
#include <weir/paths/bounds.hpp>
#include <weir/paths/cpu.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scissor_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathScissor.*"};

const View view{.width = 70, .height = 61, .background = {1, 1, 1, 1}};

bool is_inside(const PixelRect& rect, std::uint32_t i) {
    const std::uint32_t x = i % view.width, y = i / view.width;
    return x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
}

/// A scene, and edits of it.
struct Edited {
    Scene before, after;
    explicit Edited(std::mt19937& random) {
        before = RandomScene(random, 64, {.dashes = true, .gradients = true, .layers = random() % 2 == 0}).scene();
        after = before;
        if (after.draws().empty()) {
            return;
        }
        const auto draw = static_cast<std::uint32_t>(random() % after.draws().size());
        switch (random() % 4) {
        case 0: after.move(draw, Transform::translation(-3, 5) * after.draws()[draw].transform); break;
        case 1: after.recolor(draw, after.add_paint({1, 0, 0, 0.5F})); break;
        case 2: after.set_visible(draw, !after.is_visible(draw)); break;
        default: after.fill(after.add_outline(Path().add_rect(30, 20, 9, 30)), after.add_paint({0, 0, 1, 1}));
        }
    }
};

TEST(PathScissor, RedrawnRectangleCompletesPicture) {
    std::mt19937 random(21);
    int small = 0, fewer = 0;
    for (int i = 0; i < 100 && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Edited scenes(random);
        View whole = view;
        whole.coverage = i % 3 == 1 ? Coverage::samples_16 : Coverage::area;
        View part = whole;
        part.scissor = changed_bounds(scenes.before, scenes.after, whole);
        const auto old_picture = picture_of(scenes.before, whole), picture = picture_of(scenes.after, whole);
        const CpuStrips strips = cpu_strips(scenes.after, part);
        const auto redrawn = cpu_fine(scenes.after, part, strips);
        for (std::uint32_t k = 0; k < picture.size(); ++k) {
            ASSERT_EQ((is_inside(part.scissor, k) ? redrawn : old_picture)[k], picture[k]) << k;
        }
        small += part.visible().right - part.visible().left < 60 ? 1 : 0;
        fewer += strips.cuts.size() < cpu_strips(scenes.after, whole).cuts.size() ? 1 : 0;
        if (i % 50 == 0) {
            expect_same(scenes.after, part);
        }
    }
    EXPECT_GT(small, 10);
    EXPECT_GT(fewer, 25);
}

TEST(PathScissor, BoundsOfDrawsHaveTheirPixels) {
    Scene scene;
    const PaintId paint = scene.add_paint({0, 0, 0, 1});
    const std::uint32_t fill = scene.fill(scene.add_outline(Path().add_rect(10.5F, 5, 20, 30)), paint);
    const std::uint32_t stroke = scene.stroke(scene.add_outline(Path().move_to({40, 20}).line_to({50, 20})), paint,
                                              {.width = 2, .join = Join::bevel}, Transform::translation(0, 100));
    const PixelRect bounds = bounds_of(scene, view, fill);
    EXPECT_EQ(bounds.intersected({10, 5, 31, 35}), (PixelRect{10, 5, 31, 35}));
    EXPECT_LE(bounds.right - bounds.left, 23U);
    EXPECT_TRUE(bounds_of(scene, view, stroke).empty());
    const Scene before = scene;
    EXPECT_TRUE(changed_bounds(before, scene, view).empty());
    scene.set_visible(fill, false);
    EXPECT_TRUE(bounds_of(scene, view, fill).empty());
    EXPECT_EQ(changed_bounds(before, scene, view), bounds);
    scene.push_layer({.opacity = 0.5F});
    scene.pop_layer();
    EXPECT_EQ(changed_bounds(before, scene, view), bounds);
}

} // namespace
} // namespace weir::tests::scissor_test
