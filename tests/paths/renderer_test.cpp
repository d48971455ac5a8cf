// The path renderer: its buffers grow to the need of a scene, or it returns an error.

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/effects.hpp>
#include <weir/paths/profile.hpp>
#include <weir/paths/renderer.hpp>

#include "engine/device/device.hpp"
#include "engine/shader/shader_cache.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
#include "tests/paths/short_of_memory.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::renderer_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathRenderer.*"};
const OnlyWith only_long{"WEIR_TESTS_LONG", {"PathRenderer.RandomScenes*"}};

/// Returns overlapping circles with strokes and dashes.
Scene circles() {
    Scene scene;
    for (int i = 0; i < 12; ++i) {
        const auto place = static_cast<float>(i);
        const OutlineId outline = scene.add_outline(Path().add_ellipse({20 + 5 * place, 60 - 3 * place}, 30, 20));
        scene.fill(outline, scene.add_paint({place / 12, 0.5F, 1 - place / 12, 0.7F}));
        scene.stroke(
            outline, scene.add_paint({0, 0, 0, 1}),
            {.width = 3, .join = Join::round, .dashes = i % 2 == 0 ? std::vector<float>{} : std::vector{7.0F, 4.0F}});
    }
    return scene;
}

const View view{.width = 120, .height = 90, .background = {1, 1, 1, 1}};

TEST(PathRenderer, RoomGrowsFromOneElement) {
    const Scene scene = circles();
    const CpuStrips strips = cpu_strips(scene, view);
    Renderer renderer = ok(Renderer::create(test_context(), scene, {1, 1, 1, 1}));
    ok(renderer.draw(view));
    const auto compilations = ContextAccess::device(test_context())->shaders().compilations();
    Renderer again = ok(Renderer::create(test_context(), scene, {1, 1, 1, 1}));
    const Drawn drawn = ok(again.draw(view));
    EXPECT_EQ(ContextAccess::device(test_context())->shaders().compilations(), compilations);
    EXPECT_EQ(drawn.needed, sizes_of(strips));
    EXPECT_GT(drawn.tries, 1U); // given capacities are not estimated
    EXPECT_LE(drawn.tries, 6U); // a stage without room hides the need of the next one
    EXPECT_LE(difference(ok(again.download()), cpu_fine(scene, view, strips)), 1);
    EXPECT_EQ(ok(again.draw(view)).tries, 1U);
}

TEST(PathRenderer, EstimatesSufficeForFirstDraw) {
    Renderer renderer = ok(Renderer::create(test_context(), circles()));
    EXPECT_EQ(ok(renderer.draw(view)).tries, 1U);
    const VkDeviceSize estimated_memory = renderer.program().memory();
    EXPECT_EQ(ok(renderer.draw(view)).tries, 1U); // with the capacities that the first one needed
    EXPECT_LT(renderer.program().memory(), estimated_memory);
    EXPECT_LE(difference(ok(renderer.download()), picture_of(circles(), view)), 1);
    std::mt19937 random(4);
    int small_ones = 0;
    for (int i = 0; i < 100; ++i) {
        const View seen{.width = static_cast<std::uint32_t>(random() % 500 + 20),
                        .height = static_cast<std::uint32_t>(random() % 500 + 20)};
        const auto size = static_cast<float>(std::max(seen.width, seen.height));
        const RandomScene made(random, size, {.dashes = i % 2 == 0, .layers = i % 3 == 0});
        const Sizes needed = sizes_of(cpu_strips(made.scene(), seen)), estimated = estimated_sizes(made.scene(), seen);
        const bool suffices = estimated.centers >= needed.centers && estimated.lines >= needed.lines &&
                              estimated.cuts >= needed.cuts && estimated.row_cuts >= needed.row_cuts;
        small_ones += suffices ? 0 : 1;
        EXPECT_LE(estimated.cuts, 50 * needed.cuts + 1000) << i; // memory matters, too
    }
    EXPECT_LE(small_ones, 2);
}

TEST(PathRenderer, GivenCapacitiesAreKept) {
    Renderer renderer = ok(Renderer::create(test_context(), circles(),
                                            {.centers = 50000, .lines = 50000, .cuts = 50000, .row_cuts = 500}));
    ok(renderer.draw(view));
    const VkDeviceSize memory = renderer.program().memory();
    ok(renderer.draw(view));
    EXPECT_EQ(renderer.program().memory(), memory);
}

/// Scenes of which one part of the estimate is the largest.
TEST(PathRenderer, EstimatesContainCapsAndJoins) {
    const auto stroked = [](const Path& path, const Stroke& stroke) {
        Scene scene;
        scene.stroke(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}), stroke);
        return scene;
    };
    Path dots, zigzag;
    for (int i = 0; i < 200; ++i) {
        const Point at{static_cast<float>(i % 20) * 6, static_cast<float>(i * 7 % 90)};
        dots.move_to(at).line_to({at.x + 1, at.y});
        i == 0 ? zigzag.move_to(at) : zigzag.line_to(at);
    }
    for (const Scene& scene :
         {stroked(dots, {.width = 20, .cap = Cap::round}), stroked(zigzag, {.width = 20, .join = Join::round})}) {
        const Sizes needed = sizes_of(cpu_strips(scene, view)), estimated = estimated_sizes(scene, view);
        EXPECT_GE(estimated.lines, needed.lines);
        EXPECT_GE(estimated.cuts, needed.cuts);
        EXPECT_GE(estimated.row_cuts, needed.row_cuts);
    }
    // A dashed curve that is mostly outside has 8192 lines.
    Path curves;
    curves.move_to({0, 0});
    for (int i = 0; i < 700; ++i) {
        curves.cubic_to({1e7F, 0}, {-1e7F, 90}, {0, 0});
    }
    EXPECT_EQ(estimated_sizes(stroked(curves, {.width = 1, .dashes = {1, 1}}), view).centers, 1U << 22);
}

TEST(PathRenderer, ZoomAndSizeCanChange) {
    const Scene scene = circles();
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    for (const float zoom : {1.0F, 8.0F, 0.1F}) {
        for (const std::uint32_t width : {120U, 33U}) {
            View other = view;
            other.width = width;
            other.transform = Transform::scaling(zoom, zoom) * Transform::rotation(zoom);
            ok(renderer.draw(other));
            EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, other)), 1) << zoom << ' ' << width;
        }
    }
}

TEST(PathRenderer, UpdatedSceneIsDrawn) {
    Scene scene = circles();
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    ok(renderer.draw(view));
    scene.move(3, Transform::translation(-20, 10));
    ok(renderer.update(scene));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    for (int i = 0; i < 3; ++i) {
        scene.fill(scene.add_outline(Path().add_rect(10 * static_cast<float>(i), 0, 8, 50)),
                   scene.add_paint({0, 0.5F, 0, 1}));
        ok(renderer.update(scene));
        ok(renderer.draw(view));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    }
    ok(renderer.update(Scene()));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of({}, view)), 1);
}

/// The program of the first scene has neither gradients nor strokes, dashes, layers or images.
TEST(PathRenderer, UpdateCanAddKindsOfRecords) {
    Scene scene;
    const OutlineId outline = scene.add_outline(Path().add_rect(10, 10, 50, 50));
    scene.fill(outline, scene.add_paint({1, 0.5F, 0, 1}));
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    const std::array<std::uint32_t, 4> pixels = {0xFF0000FF, 0x80008000, 0xFFFF0000, 0xFFFFFFFF};
    const std::array<std::function<void()>, 5> additions = {
        [] {},
        [&] {
            scene.stroke(outline, scene.add_paint({0, 0, 0, 1}), {.width = 3});
        },
        [&] {
            scene.stroke(outline, scene.add_paint({0, 1, 0, 1}), {.width = 8, .dashes = {5, 3}});
        },
        [&] {
            scene.fill(outline, scene.add_paint(ImagePaint{.bitmap = scene.add_bitmap({2, 2, pixels}),
                                                           .transform = Transform::scaling(20, 20)}));
        },
        [&] {
            scene.push_clip(outline, {}, FillRule::nonzero, {.opacity = 0.5F});
            scene.fill(outline,
                       scene.add_paint(LinearGradient{{.stops = {{0, {}}, {1, {1, 1, 1, 1}}}}, {0, 0}, {64, 0}}));
            scene.pop_layer();
        }};
    for (const auto& add : additions) {
        add();
        ok(renderer.update(scene));
        ok(renderer.draw(view));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    }
}

/// The program has colors for the nested layers of the first scene.
TEST(PathRenderer, UpdateCanNestLayersMoreDeeply) {
    const auto layered = [](bool are_nested) {
        Scene scene;
        const OutlineId outline = scene.add_outline(Path().add_rect(10, 10, 50, 50));
        const PaintId paint = scene.add_paint({0, 0.5F, 1, 1});
        for (int i = 0; i < 2; ++i) {
            scene.push_layer({.opacity = 0.5F});
            scene.fill(outline, paint);
            if (!are_nested) {
                scene.pop_layer();
            }
        }
        return scene;
    };
    Renderer renderer = ok(Renderer::create(test_context(), layered(false)));
    ok(renderer.draw(view));
    ok(renderer.update(layered(true)));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of(layered(true), view)), 1);
}

TEST(PathRenderer, EffectsFollowViewsAndUpdates) {
    const auto with_effect = [](const effect::Work& work) {
        Scene scene;
        Effect effect;
        effect.region = {10, 5, 100, 80};
        effect.add({work});
        scene.push_layer({.effect = scene.add_effect(effect)});
        scene.fill(scene.add_outline(Path().add_ellipse({60, 40}, 40, 25)), scene.add_paint({1, 0.5F, 0, 1}));
        scene.pop_layer();
        return scene;
    };
    const Scene in_front = with_effect(effect::Offset{2, 2}), moved = with_effect(effect::Offset{-20, 9});
    Renderer renderer = ok(Renderer::create(test_context(), in_front));
    for (const float zoom : {0.2F, 1.0F, 1.6F}) {
        View other = view;
        other.transform = Transform::scaling(zoom, zoom);
        EXPECT_EQ(ok(renderer.draw(other)).needed.effects, effect_tiles(in_front.effects(), other));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(in_front, other)), 1) << zoom;
    }
    ok(renderer.update(moved));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of(moved, view)), 1);
    Scene more = with_effect(effect::Blur{2, 2}); // buffers get capacity for more records than it has
    more.append(moved, Transform::scaling(0.5F, 0.5F));
    for (const Scene& scene : {more, in_front, circles(), more}) {
        ok(renderer.update(scene));
        ok(renderer.draw(view));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1) << scene.effects().size();
    }
}

TEST(PathRenderer, TooDeeplyNestedEffectsAreAnError) {
    Scene scene;
    const EffectId effect = scene.add_effect({});
    for (std::uint32_t i = 0; i <= max_nested_effects; ++i) {
        scene.push_layer({.effect = effect});
    }
    for (std::uint32_t i = 0; i <= max_nested_effects; ++i) {
        scene.pop_layer();
    }
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    const Error error = renderer.draw({.width = 4, .height = 4}).error();
    EXPECT_EQ(error.code, ErrorCode::limit_exceeded);
    EXPECT_THAT(error.message, testing::HasSubstr("layers with effects are nested 256 deep"));
}

TEST(PathRenderer, InvalidSizesAreErrors) {
    Renderer renderer = ok(Renderer::create(test_context(), circles()));
    for (const std::uint32_t size : {0U, max_pixels + 1}) {
        View wrong = view;
        wrong.height = size;
        const auto drawn = renderer.draw(wrong);
        ASSERT_FALSE(drawn);
        EXPECT_EQ(drawn.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(drawn.error().message, testing::HasSubstr(std::to_string(size)));
    }
    View part = view;
    part.scissor.right = view.width - 1;
    const auto drawn = renderer.draw(part);
    ASSERT_FALSE(drawn);
    EXPECT_THAT(drawn.error().message, testing::HasSubstr("scissor"));
}

TEST(PathRenderer, LimitedMemoryDrawsAllOrFails) {
    const Scene scene = circles();
    const auto expected = picture_of(scene, view);
    int drawn_ones = 0, refused_ones = 0;
    ShortOfMemory memory;
    for (const std::uint64_t limit : {20000U, 300000U, 30000000U}) {
        memory.leave(limit);
        auto renderer = Renderer::create(memory.gpu(), scene, {1, 1, 1, 1});
        const auto drawn = renderer.and_then([&](Renderer& made) { return made.draw(view); });
        if (drawn) {
            ++drawn_ones;
            EXPECT_LE(difference(ok(renderer->download()), expected), 1) << limit;
        } else {
            ++refused_ones;
            EXPECT_EQ(drawn.error().code, ErrorCode::out_of_memory) << drawn.error().message;
        }
    }
    EXPECT_GT(drawn_ones, 0);
    EXPECT_GT(refused_ones, 0);
}

TEST(PathRenderer, DrawsAllOnceMemoryIsAvailable) {
    ShortOfMemory memory;
    const Scene scene = circles();
    Renderer renderer = ok(Renderer::create(memory.gpu(), scene, {1, 1, 1, 1}));
    View small = view;
    small.width = small.height = 8;
    ok(renderer.draw(small));
    for (const View& drawn : {view, small}) { // a new size, and a size that has a program
        memory.leave(1000);
        View zoomed = drawn;
        zoomed.transform = Transform::scaling(3, 3);
        for (int i = 0; i < 2; ++i) {
            const auto refused = renderer.draw(zoomed);
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory) << refused.error().message;
        }
        memory.leave_all();
        ok(renderer.draw(zoomed));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, zoomed)), 1);
    }
}

/// Half a million dashed curves of 8192 lines each. Dashes need the lengths of all lines, also outside the picture.
TEST(PathRenderer, LineCountAbove32BitsIsAnError) {
    constexpr std::uint32_t curves = (1U << 19) + 4, lines_of_curve = 8192;
    static_assert(std::uint64_t{curves} * lines_of_curve > ~0U);
    Path path;
    path.move_to({0, 0});
    for (std::uint32_t i = 0; i < curves; ++i) {
        path.quad_to({2e6F, 2e6F}, {0, static_cast<float>(i % 2)});
    }
    Scene scene;
    scene.stroke(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}), {.width = 1, .dashes = {1, 1}});
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    const auto drawn = renderer.draw({.width = 64, .height = 64, .tolerance = 1e-3F});
    ASSERT_FALSE(drawn) << drawn->needed.lines << " lines";
    EXPECT_EQ(drawn.error().code, ErrorCode::limit_exceeded);
    EXPECT_THAT(drawn.error().message, testing::HasSubstr("4294967295 lines of paths"));
}

TEST(PathRenderer, RandomScenesWithLimitedMemory) {
    ShortOfMemory memory;
    std::mt19937 random(3);
    int drawn_ones = 0, refused_ones = 0;
    for (int i = 0; i < 3000 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const bool has_layers = i % 3 == 2;
        const View seen{.width = static_cast<std::uint32_t>(random() % 100 + 1),
                        .height = static_cast<std::uint32_t>(random() % 100 + 1)};
        const auto size = static_cast<float>(std::max(seen.width, seen.height));
        const RandomScene made(random, size, {.dashes = i % 3 == 1, .gradients = has_layers, .layers = has_layers});
        const auto expected = picture_of(made.scene(), seen);
        memory.leave(static_cast<std::uint64_t>(std::exp2(std::uniform_real_distribution(10.0, 20.0)(random))));
        auto renderer = Renderer::create(memory.gpu(), made.scene(), {1, 1, 1, 1});
        const auto pixels =
            renderer.and_then([&](Renderer& drawing) { return drawing.draw(seen); }).and_then([&](const Drawn&) {
                return renderer->download();
            });
        ++(pixels ? drawn_ones : refused_ones);
        if (!pixels) {
            EXPECT_EQ(pixels.error().code, ErrorCode::out_of_memory) << pixels.error().message;
            memory.leave_all();
            if (!renderer) {
                continue;
            }
            ok(renderer->draw(seen));
        }
        EXPECT_LE(difference(pixels ? *pixels : ok(renderer->download()), expected), 1);
    }
    EXPECT_GT(drawn_ones, 500);
    EXPECT_GT(refused_ones, 500);
}

TEST(PathRenderer, DrawsGlyphRuns) {
    Path letter; // a ring; its inner outline has the opposite direction
    letter.add_rect(0, -1, 0.6F, 1).add(Path().add_rect(-0.5F, -0.8F, 0.3F, 0.6F), {-1, 0, 0, 1, 0, 0});
    const PaintId ink{0};
    const auto page = [&] {
        Scene scene;
        scene.add_paint({0, 0, 0.4F, 1});
        scene.fill(scene.add_outline(Path().add_rect(0, 0, 5, 5)), ink);
        return scene;
    };
    Scene run = page(), one_by_one = page();
    const OutlineId ring = run.add_outline(letter), dot = run.add_outline(Path().add_rect(0, -0.2F, 0.2F, 0.2F));
    const Transform size = Transform::translation(8, 40) * Transform::scaling(30, 30);
    EXPECT_EQ(run.fill_glyphs(std::vector<Glyph>{{ring, {0, 0}}, {dot, {0.8F, 0}}, {ring, {1.2F, 0.5F}}}, ink, size),
              1U);
    EXPECT_EQ(run.draws().size(), 4U);
    const OutlineId other_ring = one_by_one.add_outline(letter);
    one_by_one.fill(other_ring, ink, {30, 0, 0, 30, 8, 40});
    one_by_one.fill(one_by_one.add_outline(Path().add_rect(0, -0.2F, 0.2F, 0.2F)), ink, {30, 0, 0, 30, 32, 40});
    one_by_one.fill(other_ring, ink, {30, 0, 0, 30, 44, 55});
    EXPECT_EQ(run.points().size(), one_by_one.points().size());
    Renderer renderer = ok(Renderer::create(test_context(), run));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of(one_by_one, view)), 1);
}

TEST(PathRenderer, StageTimesCoverAllPasses) {
    if (test_context().capabilities().timestamp_bits == 0) {
        GTEST_SKIP() << "no timestamps";
    }
    Renderer renderer = ok(Renderer::create(test_context(), circles()));
    ok(renderer.draw(view));
    const std::vector<Profile> profiles = {ok(renderer.program().profile()), ok(renderer.program().profile())};
    std::vector<std::string> names;
    double first = 0, second = 0;
    for (const StageTimes& stage : stage_times(profiles)) {
        names.push_back(stage.name);
        ASSERT_EQ(stage.us.size(), 2U);
        first += stage.us[0];
        second += stage.us[1];
    }
    EXPECT_NEAR(first, profiles[0].total_us(), 1e-3 * first);
    EXPECT_NEAR(second, profiles[1].total_us(), 1e-3 * second);
    EXPECT_THAT(names, testing::IsSupersetOf({"measure", "flatten", "cut", "strips", "fine", "pixels"}));
    EXPECT_THAT(names, testing::Not(testing::Contains("other")));
}

// The comparison in all these tests must detect wrong pictures.

TEST(PathRenderer, ComparisonDetectsWrongPictures) {
    const auto made = [](float shift, FillRule rule, bool has_dot, float left = -20) {
        Scene scene;
        Path bar; // its left side is left of the picture
        bar.move_to({left, 60}).line_to({40, 60}).line_to({40, 70}).line_to({left, 70}).close();
        scene.fill(scene.add_outline(bar), scene.add_paint({0, 0.5F, 0, 0.5F}));
        Path star;
        star.move_to({50 + shift, 5}).line_to({75, 80}).line_to({10, 33}).line_to({90, 33}).line_to({25, 80}).close();
        scene.fill(scene.add_outline(star), scene.add_paint({0, 0, 0, 1}), {}, rule);
        if (has_dot) {
            scene.fill(scene.add_outline(Path().add_rect(100, 80, 0.5F, 0.5F)), scene.add_paint({1, 0, 0, 1}));
        }
        return scene;
    };
    Renderer renderer = ok(Renderer::create(test_context(), made(0, FillRule::nonzero, true)));
    ok(renderer.draw(view));
    const auto pixels = ok(renderer.download());
    const auto distance = [&](const Scene& other) { return difference(pixels, picture_of(other, view)); };
    EXPECT_LE(distance(made(0, FillRule::nonzero, true)), 1);
    EXPECT_GT(distance(made(0.1F, FillRule::nonzero, true)), 1);
    EXPECT_GT(distance(made(0, FillRule::even_odd, true)), 1);
    EXPECT_GT(distance(made(0, FillRule::nonzero, false)), 1);
    // Column -1 in unsigned arithmetic is another column of the picture. Parts left of the picture must not appear
    // there.
    const float wrapped = static_cast<float>(-1U % view.columns() * tile_width);
    EXPECT_GT(distance(made(0, FillRule::nonzero, true, wrapped)), 1);
}

} // namespace
} // namespace weir::tests::renderer_test
