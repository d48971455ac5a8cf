// Color glyphs. Fonts are DejaVu Sans Mono with a table COLR: glyph 36 is A, 43 is H.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/view.hpp>
#include <weir/text/draw.hpp>

#include "tests/text/fonts.hpp"
#include "tests/text/made_paints.hpp"

namespace text_tests {

using weir::paths::Color;
using weir::paths::Composite;
using weir::paths::Point;
using weir::paths::Rect;
using weir::paths::Transform;
using weir::text::ColorGlyph;
using weir::text::ColorStep;
using weir::text::Font;
using Kind = ColorStep::Kind;

constexpr std::uint16_t base = 36, shape = 43, text_color = 0xFFFF;
constexpr float em = 2048; // units of DejaVu

class ColorGlyphs : public WithFonts {
protected:
    void SetUp() override {
        WithFonts::SetUp();
        bytes = file("DejaVuSansMono.ttf");
    }
    /// The font whose glyph `base` has a paint.
    [[nodiscard]] Font font(const Bytes& paint, PaintTable table = {}) const {
        table.glyphs.insert(table.glyphs.begin(), {base, paint});
        return *Font::from_memory(with_paints(bytes, table));
    }
    [[nodiscard]] ColorGlyph read(const Bytes& paint, const PaintTable& table = {}) const {
        return font(paint, table).color_glyph(base);
    }
    /// The only step of a paint.
    [[nodiscard]] ColorStep step(const Bytes& paint) const {
        const ColorGlyph glyph = read(paint);
        EXPECT_TRUE(glyph.is_complete);
        EXPECT_EQ(glyph.steps.size(), 1U);
        return glyph.steps.empty() ? ColorStep{} : glyph.steps[0];
    }
    template <class Paint>
    [[nodiscard]] Paint paint(const Bytes& paint) const {
        const ColorStep found = step(glyph_paint(shape, paint));
        EXPECT_TRUE(std::holds_alternative<Paint>(found.paint));
        return std::holds_alternative<Paint>(found.paint) ? std::get<Paint>(found.paint) : Paint{};
    }
    [[nodiscard]] bool is_refused(const Bytes& paint, const PaintTable& table = {}) const {
        return !read(paint, table).is_complete;
    }
    Bytes bytes;
};

void near(Point point, float x, float y) {
    EXPECT_NEAR(point.x, x, 1e-3);
    EXPECT_NEAR(point.y, y, 1e-3);
}

std::vector<Kind> kinds(const ColorGlyph& glyph) {
    std::vector<Kind> result;
    for (const ColorStep& step : glyph.steps) {
        result.push_back(step.kind);
    }
    return result;
}

TEST_F(ColorGlyphs, Version0HasALayerPerStep) {
    const auto font = Font::from_memory(with_colors(bytes, base, {{37, 0}, {38, 1}, {39, text_color}}));
    ASSERT_TRUE(font) << font.error().message;
    const auto& steps = font->color_glyph(base).steps;
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].outline.points(), font->outline(37).points());
    EXPECT_EQ(std::get<Color>(steps[0].paint).red, 1.0F);
    EXPECT_EQ(std::get<Color>(steps[1].paint).green, 1.0F);
    EXPECT_EQ(std::get<weir::text::TextPaint>(steps[2].paint).alpha, 1.0F);
    EXPECT_TRUE(font->color_glyph(40).steps.empty());
}

TEST_F(ColorGlyphs, SolidColors) {
    const ColorStep red = step(glyph_paint(shape, solid_paint(0, 0.5)));
    EXPECT_EQ(red.outline.points(), font({}).outline(shape).points());
    EXPECT_EQ(std::get<Color>(red.paint).red, 1.0F);
    EXPECT_EQ(std::get<Color>(red.paint).alpha, 0.5F);
    EXPECT_EQ(std::get<weir::text::TextPaint>(step(glyph_paint(shape, solid_paint(text_color, 0.25))).paint).alpha,
              0.25F);
    EXPECT_TRUE(is_refused(glyph_paint(shape, solid_paint(2)))) << "the palette has two colors";
}

TEST_F(ColorGlyphs, TransformsApplyToTheOutlineOrToItsPaint) {
    const auto at = [&](const Bytes& paint) { return step(paint).transform({100 / em, -200 / em}); };
    const Bytes shape_paint = glyph_paint(shape, solid_paint(0));
    near(at(linked_paint(14, shape_paint, words({10, 20}))), 110 / em, -220 / em);
    near(at(affine_paint(shape_paint, {2, 0, 1, 3, 5, 6})), 405 / em, -606 / em);
    const auto half = static_cast<std::int32_t>(fraction(0.5));
    near(at(linked_paint(16, shape_paint, words({half, -half}))), 50 / em, 100 / em);
    near(at(linked_paint(18, shape_paint, words({half, half, 100, 0}))), 100 / em, -100 / em);
    near(at(linked_paint(20, shape_paint, words({half}))), 50 / em, -100 / em);
    near(at(linked_paint(22, shape_paint, words({half, 0, 200}))), 50 / em, -200 / em);
    near(at(linked_paint(24, shape_paint, words({half}))), -200 / em, -100 / em); // 90 degrees, counterclockwise
    near(at(linked_paint(26, shape_paint, words({half, 100, 0}))), -100 / em, 0);
    const auto eighth = static_cast<std::int32_t>(fraction(0.25)); // 45 degrees
    near(at(linked_paint(28, shape_paint, words({eighth, 0}))), -100 / em, -200 / em);
    near(at(linked_paint(30, shape_paint, words({0, eighth, 50, 0}))), 100 / em, -250 / em);
    // The order: the outer transform applies last.
    near(at(linked_paint(20, linked_paint(14, shape_paint, words({10, 20})), words({half}))), 55 / em, -110 / em);

    const Bytes line = linked_paint(4, color_line(0, {{0, 0}, {1, 1}}), words({0, 0, 100, 0, 0, 100}));
    const ColorStep inner = step(glyph_paint(shape, linked_paint(14, line, words({10, 20}))));
    near(inner.transform({1, 1}), 1, 1);
    near(std::get<weir::paths::LinearGradient>(inner.paint).transform({0, 0}), 10 / em, -20 / em);
}

TEST_F(ColorGlyphs, Gradients) {
    // p2 turns the lines of equal color: they are parallel to (100, 100).
    const Bytes stops = color_line(1, {{0.75, 0}, {0.25, 1, 0.5}});
    const auto linear = paint<weir::paths::LinearGradient>(linked_paint(4, stops, words({0, 0, 100, 0, 100, 100})));
    near(linear.start, 12.5F, -12.5F);
    near(linear.end, 37.5F, -37.5F);
    EXPECT_EQ(linear.spread, weir::paths::Spread::repeat);
    ASSERT_EQ(linear.stops.size(), 2U) << "sorted, from 0 to 1";
    EXPECT_EQ(linear.stops[0].offset, 0);
    EXPECT_EQ(linear.stops[0].color.green, 1);
    EXPECT_EQ(linear.stops[0].color.alpha, 0.5F);
    EXPECT_EQ(linear.stops[1].offset, 1);

    const auto radial = paint<weir::paths::RadialGradient>(
        linked_paint(6, color_line(2, {{0, 0}, {0.5, 1}}), words({0, 0, 10, 100, 0, 50})));
    near(radial.center, 50, 0);
    near(radial.focus.value(), 0, 0);
    EXPECT_NEAR(radial.radius, 30, 1e-4);
    EXPECT_NEAR(radial.focal_radius, 10, 1e-4);
    EXPECT_EQ(radial.spread, weir::paths::Spread::reflect);

    const auto quarter = static_cast<std::int32_t>(fraction(-0.5)), end = static_cast<std::int32_t>(fraction(1));
    const auto sweep = paint<weir::paths::SweepGradient>(
        linked_paint(8, color_line(0, {{0, 0}, {1, 1}}), words({10, 20, quarter, end})));
    near(sweep.center, 10, 20);
    EXPECT_NEAR(sweep.start_angle, std::numbers::pi / 2, 1e-4);
    EXPECT_NEAR(sweep.end_angle, std::numbers::pi * 2, 1e-4);

    for (const Bytes& wrong :
         {linked_paint(4, stops, words({0, 0, 0, 0, 100, 100})), linked_paint(4, stops, words({0, 0, 100, 0, 200, 0})),
          linked_paint(6, color_line(0, {{-1, 0}, {1, 1}}), words({0, 0, 10, 100, 0, 50})),
          linked_paint(8, stops, words({0, 0, 0, 0})), linked_paint(8, color_line(0, {}), words({0, 0, 0, end})),
          linked_paint(8, color_line(3, {{0, 0}}), words({0, 0, 0, end}))}) {
        EXPECT_TRUE(is_refused(glyph_paint(shape, wrong)));
    }
}

TEST_F(ColorGlyphs, LayersClipsAndOperators) {
    const Bytes red = glyph_paint(shape, solid_paint(0)), green = glyph_paint(37, solid_paint(1));
    const ColorGlyph layers = read(layers_paint(2, 1), {.layers = {red, red, green}});
    ASSERT_EQ(kinds(layers), (std::vector{Kind::fill, Kind::fill}));
    EXPECT_EQ(std::get<Color>(layers.steps[1].paint).green, 1);

    const ColorGlyph over = read(composite_paint(red, 3, green));
    ASSERT_EQ(kinds(over), (std::vector{Kind::fill, Kind::fill})) << "needs no layers";
    EXPECT_EQ(std::get<Color>(over.steps[0].paint).green, 1) << "the backdrop comes first";
    const ColorGlyph in = read(composite_paint(red, 5, green)), multiply = read(composite_paint(red, 23, green));
    ASSERT_EQ(kinds(in),
              (std::vector{Kind::push_layer, Kind::fill, Kind::push_layer, Kind::fill, Kind::pop, Kind::pop}));
    EXPECT_EQ(in.steps[2].layer.composite, Composite::src_in);
    EXPECT_EQ(multiply.steps[2].layer.blend, weir::paths::Blend::multiply);
    EXPECT_EQ(multiply.steps[2].layer.composite, Composite::src_over);
    EXPECT_TRUE(is_refused(composite_paint(red, 28, green)));

    const ColorGlyph clip = read(glyph_paint(38, composite_paint(red, 3, solid_paint(1))));
    ASSERT_EQ(kinds(clip), (std::vector{Kind::push_clip, Kind::fill, Kind::fill, Kind::pop}));
    const Rect area = clip.steps[1].outline.bounds(), expected = font({}).outline(38).bounds();
    EXPECT_NEAR(area.left, expected.left, 1e-5) << "fills the area of the clip";
    EXPECT_NEAR(area.bottom, expected.bottom, 1e-5);
    EXPECT_TRUE(is_refused(solid_paint(0))) << "without bounds";

    const ColorGlyph other = read(colr_glyph_paint(40), {.glyphs = {{40, red}}});
    ASSERT_EQ(kinds(other), std::vector{Kind::fill});
    EXPECT_TRUE(is_refused(colr_glyph_paint(41), {.glyphs = {{40, red}}}));
}

TEST_F(ColorGlyphs, ClipBoxes) {
    const Bytes red = glyph_paint(shape, solid_paint(0));
    EXPECT_EQ(kinds(read(red, {.clip_box = {0, -500, 2000, 2000}})), std::vector{Kind::fill}) << "it clips nothing";
    const ColorGlyph clipped = read(red, {.clip_box = {0, 0, 500, 700}});
    ASSERT_EQ(kinds(clipped), (std::vector{Kind::push_clip, Kind::fill, Kind::pop}));
    near({clipped.steps[0].outline.bounds().right, clipped.steps[0].outline.bounds().top}, 500 / em, -700 / em);
    const ColorGlyph filled = read(solid_paint(0), {.clip_box = {0, 0, 500, 700}});
    ASSERT_EQ(kinds(filled), std::vector{Kind::fill});
    near({filled.steps[0].outline.bounds().right, filled.steps[0].outline.bounds().top}, 500 / em, -700 / em);
}

TEST_F(ColorGlyphs, VariableFontsVaryPaints) {
    // Translation by (100, 0), and by 50 units more at the axis' maximum: format 15 with a variation.
    Bytes paint = linked_paint(15, glyph_paint(shape, solid_paint(0)), words({100, 0, 0, 0}));
    Bytes store = words({1, 0, 12, 1, 0, 22});     // format, regions, number of data, their offset
    append(store, words({1, 1, 0, 16384, 16384})); // axes, regions; start, peak, end
    append(store, words({2, 1, 1, 0, 50, 0}));     // rows, words, columns, region; values
    const PaintTable table{.glyphs = {{base, paint}}, .variations = store};
    const std::uint32_t glyphs = Font::from_memory(bytes)->glyph_count();
    const auto variable = with_paints(with_weights(bytes, shape, glyphs), table);
    for (const auto& [weight, shift] :
         {std::pair{400.0F, 100.0F}, {650.0F, 125.0F}, {900.0F, 150.0F}, {100.0F, 100.0F}}) {
        const weir::text::Variation variation{"wght", weight};
        const auto one = Font::from_memory(variable, 0, std::span(&variation, 1));
        ASSERT_TRUE(one) << one.error().message;
        const auto& steps = one->color_glyph(base).steps;
        ASSERT_EQ(steps.size(), 1U);
        EXPECT_NEAR(steps[0].transform.dx * em, shift, 0.1) << weight;
    }
}

TEST_F(ColorGlyphs, CyclesAndDepthAreRefused) {
    const Bytes red = glyph_paint(shape, solid_paint(0));
    EXPECT_TRUE(is_refused(colr_glyph_paint(base)));
    EXPECT_TRUE(is_refused(layers_paint(3, 0), {.layers = {red, layers_paint(3, 0), layers_paint(3, 0)}}));
    Bytes deep = red, transformed = solid_paint(0);
    for (int i = 0; i < 60; ++i) {
        deep = linked_paint(14, deep, words({1, 0}));
        transformed = linked_paint(14, transformed, words({1, 0}));
    }
    EXPECT_NEAR(step(deep).transform.dx * em, 60, 1e-2);
    EXPECT_NEAR(paint<Color>(transformed).red, 1, 0);
    for (int i = 0; i < 10; ++i) {
        deep = linked_paint(14, deep, words({1, 0}));
    }
    EXPECT_TRUE(is_refused(deep));
}

TEST_F(ColorGlyphs, DamagedTablesDoNoHarm) {
    const Bytes line = linked_paint(5, color_line(0, {{0, 0}, {1, 1}}), words({0, 0, 100, 0, 0, 100, 0, 1}));
    const Bytes paint = composite_paint(glyph_paint(shape, line), 5, linked_paint(24, layers_paint(2, 0), words({99})));
    PaintTable table{
        .glyphs = {{base, paint}},
        .layers = {glyph_paint(38, solid_paint(1)), affine_paint(colr_glyph_paint(base), {1, 0, 0, 1, 0, 0})},
        .clip_box = {0, 0, 500, 700}};
    const Bytes whole = with_paints(bytes, table);
    const std::uint32_t tables = bytes[5];
    const std::size_t begin = bytes.size() + 32, size = whole.size() - begin;
    ASSERT_GT(tables, 5U);
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        Bytes damaged = whole;
        for (int i = 0; i < 3; ++i) {
            damaged[begin + random() % size] = static_cast<std::uint8_t>(round % 2 == 0 ? random() : random() % 64);
        }
        if (const auto one = Font::from_memory(damaged)) {
            const ColorGlyph& glyph = one->color_glyph(base);
            const auto pushes = std::count_if(glyph.steps.begin(), glyph.steps.end(), [](const ColorStep& step) {
                return step.kind == Kind::push_clip || step.kind == Kind::push_layer;
            });
            const auto pops = std::count_if(glyph.steps.begin(), glyph.steps.end(),
                                            [](const ColorStep& step) { return step.kind == Kind::pop; });
            ASSERT_EQ(pushes, pops) << round;
        }
    }
}

TEST_F(ColorGlyphs, PixelsHaveTheColorsOfThePaints) {
    // A ramp from red to green, without the right half, in which the color of the text is.
    const Bytes ramp = linked_paint(4, color_line(0, {{0, 0}, {1, 1}}), words({0, 0, 2048, 0, 0, 100}));
    const Bytes right =
        linked_paint(4, color_line(0, {{0.5, text_color, 0}, {0.5, text_color}}), words({0, 0, 2048, 0, 0, 100}));
    const Font one = font(composite_paint(right, 3, composite_paint(ramp, 7, right)), {.clip_box = {0, 0, 2048, 2048}});
    weir::paths::Scene scene;
    weir::text::SceneText glyphs(scene);
    const auto blue = scene.add_paint(Color{0, 0, 1, 1});
    const auto draws = glyphs.fill(one, base, blue, Transform::translation(0, 16) * Transform::scaling(16, 16));
    EXPECT_EQ(draws.count, scene.draws().size());
    EXPECT_EQ(glyphs.incomplete_glyphs(), 0U);
    const weir::paths::View view{.width = 16, .height = 16};
    const auto pixels = weir::paths::cpu_pixels(scene, view, weir::paths::cpu_strips(scene, view));
    const auto component = [&](std::size_t x, int index) { return pixels[8 * 16 + x] >> 8 * index & 0xFFU; };
    EXPECT_NEAR(component(4, 0), 183, 2);
    EXPECT_NEAR(component(4, 1), 72, 2);
    EXPECT_EQ(component(4, 3), 255U);
    EXPECT_EQ(component(12, 0), 0U) << "out of the right half";
    EXPECT_EQ(component(12, 2), 255U) << "the color of the text";
}

TEST_F(ColorGlyphs, SvgGlyphsAreReadByTheApplication) {
    const auto one = Font::from_memory(with_svg(bytes, base, "document"));
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->svg_document(base), "document");
    EXPECT_TRUE(one->svg_document(shape).empty());
    weir::paths::Scene scene;
    weir::text::SceneText glyphs(scene);
    const auto blue = scene.add_paint(Color{0, 0, 1, 1});
    EXPECT_EQ(glyphs.fill(*one, shape, blue, {}).count, 1U);
    EXPECT_EQ(glyphs.incomplete_glyphs(), 0U);
    weir::text::SceneText without(scene);
    EXPECT_EQ(without.fill(*one, base, blue, {}).count, 1U) << "the outline";
    EXPECT_EQ(without.incomplete_glyphs(), 1U);
    int calls = 0;
    glyphs.set_svg_reader([&](std::string_view document, const std::string& element, const Color& color) {
        ++calls;
        EXPECT_EQ(document, "document");
        EXPECT_EQ(element, "glyph36");
        EXPECT_EQ(color.blue, 1);
        weir::paths::Scene glyph;
        const auto area = glyph.add_outline(weir::paths::Path().add_rect(0, -1024, 512, 1024));
        glyph.fill(area, glyph.add_paint(color));
        glyph.fill(area, glyph.add_paint(Color{1, 0, 0, 1}));
        return std::optional(glyph);
    });
    const auto draws = glyphs.fill(*one, base, blue, Transform::translation(9, 0) * Transform::scaling(8, 8));
    ASSERT_EQ(draws.count, 2U);
    near(scene.draws().back().transform({512, -1024}), 11, -4);
    glyphs.fill(*one, base, blue, {});
    EXPECT_EQ(calls, 1) << "kept";
    EXPECT_EQ(glyphs.incomplete_glyphs(), 0U);
}

} // namespace text_tests
