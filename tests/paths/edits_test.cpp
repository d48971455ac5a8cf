// Edits of the draws of a scene, without encoding it again.

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>

#include "renderers/paths/src/stored_scene.hpp"
#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
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

TEST(PathEdits, RecoloredResultOfEffectStaysAsItIs) {
    Scene scene;
    Effect blur;
    blur.add({.work = effect::Blur{2, 2}});
    scene.push_layer({.effect = scene.add_effect(blur)});
    scene.fill(scene.add_outline(Path().add_rect(10, 10, 30, 20)), scene.add_paint(red));
    scene.pop_layer();
    const auto picture = picture_of(scene, view);
    const auto result = static_cast<std::uint32_t>(scene.draws().size()) - 1;
    scene.recolor(result, scene.add_paint({0, 1, 0, 1}));
    EXPECT_EQ(picture_of(scene, view), picture);
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

TEST(PathEdits, ChangedDrawsAreThoseOfLaterEdits) {
    Scene scene;
    const OutlineId outline = scene.add_outline(Path().add_rect(0, 0, 4, 4));
    const PaintId paint = scene.add_paint(red);
    for (int i = 0; i < 1000; ++i) {
        scene.fill(outline, paint);
    }
    const SceneState state = scene.state();
    EXPECT_TRUE(scene.is_later_than(state));
    EXPECT_TRUE(scene.changed_draws(state).empty());
    const Scene copy = scene;
    EXPECT_FALSE(copy.is_later_than(state));
    scene.move(100, {});
    scene.recolor(500, paint);
    scene.set_visible(563, false);
    scene.fill(outline, paint);
    std::vector<std::uint32_t> changed;
    for (const DrawRange& draws : scene.changed_draws(state)) {
        for (std::uint32_t draw = draws.first; draw != draws.end; ++draw) {
            changed.push_back(draw);
        }
    }
    for (const std::uint32_t draw : {100U, 500U, 563U, 1000U}) {
        EXPECT_EQ(std::count(changed.begin(), changed.end(), draw), 1);
    }
    EXPECT_LT(changed.size(), 300U);
    EXPECT_FALSE(scene.has_changed_layers(state));
    scene.push_layer();
    EXPECT_TRUE(scene.has_changed_layers(state));
    const Scene moved = std::move(scene);
    EXPECT_TRUE(moved.is_later_than(state));
    EXPECT_FALSE(Scene().is_later_than(state));
}

/// Checks that two scenes have the same layers, strips and pictures.
void expect_equal(const Scene& scene, const Scene& expected, const View& seen) {
    EXPECT_EQ(scene.color_slots(), expected.color_slots());
    EXPECT_EQ(scene.mask_slots(), expected.mask_slots());
    const auto layers = std::as_bytes(std::span(scene.layers()));
    const auto expected_layers = std::as_bytes(std::span(expected.layers()));
    EXPECT_TRUE(std::equal(layers.begin(), layers.end(), expected_layers.begin(), expected_layers.end()));
    const CpuStrips strips = cpu_strips(scene, seen), expected_strips = cpu_strips(expected, seen);
    EXPECT_EQ(strips.strips, expected_strips.strips);
    EXPECT_EQ(strips.spans, expected_strips.spans);
    EXPECT_EQ(picture_of(scene, seen), picture_of(expected, seen));
}

/// Appends random scenes to the picture, to an empty layer and to one with a draw. They are expected to equal the same
/// calls in one scene.
/// Kernels read instances up to the capacity of their buffer, also if the first update removes all draws.
TEST(PathEdits, EmptySceneClearsInstances) {
    const Scene scene = Covered(half_blue).scene;
    StoredScene stored = ok(StoredScene::create(test_context(), scene));
    ok(stored.update(test_context(), {}));
    const std::vector<SceneContents> contents = contents_of({}, scene);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (contents[i].bytes.data() == std::as_bytes(std::span(scene.instances())).data()) {
            const std::shared_ptr<Buffer> buffer = stored.buffers()[i];
            const std::span words(reinterpret_cast<const std::uint32_t*>(buffer->mapped()), scene.instances().size());
            EXPECT_TRUE(std::all_of(words.begin(), words.end(), [](std::uint32_t draw) { return draw == no_draw; }));
        }
    }
}

TEST(PathEdits, AppendedScenesEqualDirectOnes) {
    std::mt19937 random(5);
    for (std::uint32_t i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Variety variety{.dashes = true,
                              .gradients = true,
                              .layers = true,
                              .images = i % 4 == 0,
                              .operators = i % 3 == 1,
                              .edges = i % 4 == 1,
                              .effects = i % 2 == 0,
                              .nested = i % 5};
        Scene direct, appended;
        const auto in_both = [&](const auto& call) {
            call(direct);
            call(appended);
        };
        in_both([&](Scene& scene) {
            if (i % 3 != 0) {
                scene.push_clip(scene.add_outline(Path().add_rect(3, 3, 50, 50)), {}, FillRule::nonzero,
                                {.opacity = 0.7F, .blend = Blend::screen});
            }
            if (i % 2 != 0) {
                scene.stroke(scene.add_outline(Path().add_ellipse({20, 20}, 18, 9)), scene.add_paint(half_blue),
                             {.width = 5, .dashes = {4, 3}});
            }
        });
        for (int part = 0; part < 2; ++part) {
            std::mt19937 again = random;
            direct = RandomScene(again, 64, variety, direct).scene();
            const auto first = static_cast<std::uint32_t>(appended.draws().size());
            EXPECT_EQ(appended.append(RandomScene(random, 64, variety).scene()), first);
        }
        if (i % 3 != 0) {
            in_both([](Scene& scene) { scene.pop_layer(); });
        }
        expect_equal(appended, direct, view);
        if (i == 0) {
            expect_same(appended, view);
        }
    }
}

TEST(PathEdits, AppendedSceneIsTransformed) {
    const std::array<std::uint32_t, 2> pixels = {0xFF0000FF, 0x80008000}, others = {0xFFFFFFFF, 0xFF000000};
    const auto icon = [&](const Transform& transform, const std::array<std::uint32_t, 2>& bitmap) {
        Scene scene;
        const OutlineId outline = scene.add_outline(Path().add_ellipse({6, 6}, 6, 6));
        scene.fill(outline, scene.add_paint({0, 0.5F, 0, 1}), transform);
        scene.fill(scene.add_outline(Path().add_rect(3, 3, 6, 6)),
                   scene.add_paint(ImagePaint{.bitmap = scene.add_bitmap({2, 1, bitmap}),
                                              .filter = Filter::nearest,
                                              .transform = Transform::scaling(4, 4)}),
                   transform);
        scene.stroke(outline, scene.add_paint(red), {.width = 2}, transform);
        return scene;
    };
    const Transform left = Transform::translation(2, 3),
                    right = Transform::translation(30, 5) * Transform::scaling(2, 2);
    const Scene part = icon({}, pixels), other = icon({}, others);
    Scene ui;
    ui.append(part, left);
    ui.append(other, right);
    const std::size_t texels = ui.texels().size();
    EXPECT_EQ(texels, part.texels().size() + other.texels().size());
    Scene direct;
    direct.append(icon(left, pixels));
    direct.append(icon(right, others));
    expect_equal(ui, direct, view);
    expect_same(ui, view);
    for (int i = 0; i < 3; ++i) {
        ui.append(part, Transform::translation(0, 20));
        ui.append(other, Transform::translation(20, 20));
    }
    EXPECT_EQ(ui.texels().size(), texels); // copied once
    ui.append(ui, left);                   // its own contents
    EXPECT_EQ(ui.draws().size(), 48U);
    expect_same(ui, view);
}

} // namespace
} // namespace weir::tests::edits_test
