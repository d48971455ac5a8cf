// Edits of the draws of a scene, without encoding it again.

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::edits_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathEdits.*"};

const View view{.width = 64, .height = 40, .background = {1, 1, 1, 1}};
const Color red{1, 0, 0, 1}, half_blue{0, 0, 1, 0.5F};

/// A red rectangle under another one, which covers whole tiles, in `top`.
struct Covered {
    Scene scene;
    std::uint32_t draw = 0;
    PaintId gradient;
    explicit Covered(const Color& top) {
        scene.fill(scene.add_outline(Path().add_rect(0, 0, 64, 40)), scene.add_paint(red));
        draw = scene.fill(scene.add_outline(Path().add_rect(4, 2, 57, 33)), scene.add_paint(top));
        gradient = scene.add_paint(LinearGradient{{.stops = {{0, half_blue}, {1, red}}}, {0, 0}, {64, 0}});
    }
};

TEST(PathEdits, RecoloredDrawIsThatOfItsPaint) {
    const auto picture = picture_of(Covered(half_blue).scene, view);
    Covered edited({0, 1, 0, 1});
    EXPECT_NE(edited.scene.draws()[edited.draw].flags & draw_is_opaque, 0U);
    edited.scene.recolor(edited.draw, edited.scene.add_paint(half_blue));
    EXPECT_EQ(edited.scene.draws()[edited.draw].flags & draw_is_opaque, 0U);
    EXPECT_EQ(picture_of(edited.scene, view), picture);
    expect_same(edited.scene, view);
    edited.scene.recolor(edited.draw, edited.gradient);
    EXPECT_NE(picture_of(edited.scene, view), picture);
    expect_same(edited.scene, view);
    edited.scene.recolor(edited.draw, edited.scene.add_paint(red));
    EXPECT_NE(edited.scene.draws()[edited.draw].flags & draw_is_opaque, 0U);
    expect_same(edited.scene, view);
}

TEST(PathEdits, RecoloredDrawInLayerHidesNothing) {
    Scene scene;
    const OutlineId all = scene.add_outline(Path().add_rect(0, 0, 64, 40));
    scene.fill(all, scene.add_paint(red));
    scene.push_layer({.opacity = 0.5F});
    const std::uint32_t draw = scene.fill(all, scene.add_paint(half_blue));
    scene.pop_layer();
    scene.recolor(draw, scene.add_paint({0, 1, 0, 1}));
    EXPECT_EQ(picture_of(scene, view)[0], (std::array<float, 4>{0.5F, 0.5F, 0, 1}));
    expect_same(scene, view);
}

TEST(PathEdits, RecoloredClipStaysClip) {
    Scene scene;
    const OutlineId all = scene.add_outline(Path().add_rect(0, 0, 64, 40));
    const ClipId clip = scene.add_clip(scene.add_outline(Path().add_rect(0, 0, 32, 40)));
    scene.fill(all, scene.add_paint(red));
    scene.push_clip(clip);
    scene.fill(all, scene.add_paint({0, 1, 0, 1}));
    scene.pop_layer();
    const auto picture = picture_of(scene, view);
    for (const Color& color : {half_blue, red}) {
        scene.recolor(clip.first_draw, scene.add_paint(color));
        EXPECT_EQ(picture_of(scene, view), picture);
        expect_same(scene, view);
    }
    scene.set_visible(clip.first_draw, false);
    EXPECT_EQ(picture_of(scene, view)[0], (std::array<float, 4>{1, 0, 0, 1}));
    expect_same(scene, view);
}

TEST(PathEdits, HiddenDrawHasNoLines) {
    Covered edited({0, 1, 0, 1});
    const std::uint32_t stroke =
        edited.scene.stroke(edited.scene.add_outline(Path().move_to({2, 30}).line_to({60, 5})),
                            edited.scene.add_paint({0, 0, 0, 1}), {.width = 3, .dashes = {4, 2}});
    const CpuStrips before = cpu_strips(edited.scene, view);
    for (const std::uint32_t draw : {edited.draw, stroke}) {
        edited.scene.set_visible(draw, false);
        EXPECT_FALSE(edited.scene.is_visible(draw));
    }
    expect_same(edited.scene, view);
    Scene under;
    under.fill(under.add_outline(Path().add_rect(0, 0, 64, 40)), under.add_paint(red));
    EXPECT_EQ(cpu_strips(edited.scene, view).lines, cpu_strips(under, view).lines);
    for (const std::uint32_t draw : {edited.draw, stroke}) {
        edited.scene.set_visible(draw, true);
    }
    EXPECT_EQ(cpu_strips(edited.scene, view).strips, before.strips);
}

} // namespace
} // namespace weir::tests::edits_test
