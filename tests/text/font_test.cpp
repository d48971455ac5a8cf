#include <algorithm>
#include <cmath>
#include <random>

#include <freetype/freetype.h>
#include <gtest/gtest.h>
#include <weir/text/draw.hpp>

#include "tests/text/fonts.hpp"
#include "tests/text/made_fonts.hpp"

namespace text_tests {

using weir::paths::Path;
using weir::paths::Rect;
using weir::text::Font;

class TextFonts : public WithFonts {};

TEST_F(TextFonts, FindsFamilyWeightAndFallsBackInOrder) {
    EXPECT_EQ(fonts.find(sans)->family(), "DejaVu Sans");
    EXPECT_EQ(fonts.find({.families = {"no such family", "DejaVu Serif"}})->family(), "DejaVu Serif");
    EXPECT_FALSE(*fonts.find({.families = {"DejaVu Sans"}, .weight = 700}) == *fonts.find(sans));
    EXPECT_EQ(*fonts.find({.families = {"DejaVu Sans"}, .weight = 900}),
              *fonts.find({.families = {"DejaVu Sans"}, .weight = 700}))
        << "the bold font is the nearest one, and it is opened once";
    EXPECT_EQ(fonts.find_with(U'\x05D0', mono)->family(), "DejaVu Sans") << "the mono font has no Hebrew";
    EXPECT_FALSE(fonts.find_with(U'\x10FFFD', sans));
}

TEST_F(TextFonts, WithoutFontsIsAnError) {
    weir::text::Fonts none(weir::text::Fonts::Source::application);
    EXPECT_EQ(none.find({}).error().code, weir::ErrorCode::unsupported);
}

TEST_F(TextFonts, MetricsAreThoseOfTheFile) {
    const weir::text::Metrics metrics = fonts.find(sans)->metrics();
    EXPECT_NEAR(metrics.ascent, 1901 / 2048.0, 1e-4);
    EXPECT_NEAR(metrics.descent, 483 / 2048.0, 1e-4);
    EXPECT_NEAR(metrics.x_height, 1120 / 2048.0, 1e-4);
    EXPECT_LT(metrics.underline_position, 0);
    EXPECT_GT(metrics.strikeout_position, 0.2F);
}

/// Bounding box of a glyph in font units by FreeType itself, y upwards.
FT_BBox box_by_freetype(FT_Face face, std::uint32_t glyph) {
    FT_BBox box{};
    EXPECT_EQ(FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE), 0);
    const FT_Glyph_Metrics& metrics = face->glyph->metrics;
    box.xMin = metrics.horiBearingX;
    box.xMax = metrics.horiBearingX + metrics.width;
    box.yMax = metrics.horiBearingY;
    box.yMin = metrics.horiBearingY - metrics.height;
    return box;
}

TEST_F(TextFonts, OutlinesHaveTheBoundsOfFreeType) {
    const auto bytes = file("DejaVuSans.ttf");
    FT_Library library = nullptr;
    FT_Face face = nullptr;
    ASSERT_EQ(FT_Init_FreeType(&library), 0);
    ASSERT_EQ(FT_New_Memory_Face(library, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &face), 0);
    const Font font = *Font::from_memory(bytes);
    ASSERT_EQ(font.glyph_count(), static_cast<std::uint32_t>(face->num_glyphs));
    std::size_t compared = 0;
    for (std::uint32_t glyph = 0; glyph < font.glyph_count(); ++glyph) {
        const Path& outline = font.outline(glyph);
        if (outline.empty()) {
            continue;
        }
        // FreeType's metrics are those of all points, which may be off the curve.
        Rect box{1e9F, 1e9F, -1e9F, -1e9F};
        for (const auto& p : outline.points()) {
            box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x),
                   std::max(box.bottom, p.y)};
        }
        const FT_BBox expected = box_by_freetype(face, glyph);
        ASSERT_NEAR(box.left * 2048, expected.xMin, 1) << glyph;
        ASSERT_NEAR(box.right * 2048, expected.xMax, 1) << glyph;
        ASSERT_NEAR(-box.top * 2048, expected.yMax, 1) << glyph;
        ASSERT_NEAR(-box.bottom * 2048, expected.yMin, 1) << glyph;
        ++compared;
    }
    EXPECT_GT(compared, 5000U);
    FT_Done_Face(face);
    FT_Done_FreeType(library);
}

TEST_F(TextFonts, GlyphsOutOfRangeAreEmpty) {
    const Font font = *fonts.find(sans);
    EXPECT_TRUE(font.outline(font.glyph_count()).empty());
    EXPECT_TRUE(font.outline(0xFFFFFFFF).empty());
    EXPECT_TRUE(font.color_glyph(0xFFFFFFFF).steps.empty());
}

TEST_F(TextFonts, PicturesAreThoseOfTheFile) {
    const auto bytes = file("DejaVuSansMono.ttf");
    const std::uint32_t glyphs = Font::from_memory(bytes)->glyph_count();
    const auto font = Font::from_memory(with_picture(bytes, 36, glyphs));
    ASSERT_TRUE(font) << font.error().message;
    const weir::paths::Rect before = font->outline(37).bounds();
    const weir::text::GlyphPicture* picture = font->picture(36);
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture, font->picture(36)) << "kept";
    EXPECT_THAT(picture->pixels, testing::ElementsAre(0xFF0000FF, 0xFF00FF00, 0x80800000, 0));
    const auto corner = picture->transform({0, 2}); // lower left
    EXPECT_NEAR(corner.x, 0.5F, 1e-6);
    EXPECT_NEAR(corner.y, 0.5F, 1e-6);
    EXPECT_NEAR(picture->transform({0, 0}).y, -0.5F, 1e-6);
    EXPECT_EQ(font->picture(37), nullptr);
    EXPECT_EQ(font->outline(38).bounds().top, Font::from_memory(bytes)->outline(38).bounds().top)
        << "outlines have their size again";
    EXPECT_EQ(font->outline(37).bounds().top, before.top);
}

TEST_F(TextFonts, AddedUnderAnotherStyle) {
    ASSERT_TRUE(fonts.add(file("DejaVuSerif.ttf"), {.families = {"Web", "Other"}, .weight = 700}));
    ASSERT_TRUE(fonts.add(as_woff(file("DejaVuSansMono.ttf")), {.families = {"Web"}}, {{U'a', U'c'}, {U'x', U'x'}}));
    const auto web = *fonts.find({.families = {"Web"}});
    EXPECT_EQ(web.family(), "DejaVu Sans Mono");
    EXPECT_EQ(fonts.find({.families = {"Web"}, .weight = 800})->family(), "DejaVu Serif");
    EXPECT_EQ(fonts.find({.families = {"Other"}})->family(), "DejaVu Serif");
    EXPECT_TRUE(web.has(U'c') && web.has(U'x'));
    EXPECT_FALSE(web.has(U'd') || web.draws(U'd'));
    EXPECT_EQ(fonts.find_with(U'd', {.families = {"Web"}})->family(), "DejaVu Serif") << "the family's other font";
    EXPECT_TRUE(fonts.find(mono)->has(U'd')) << "under its own name it has all characters";
    EXPECT_EQ(fonts.add({1, 2, 3}, sans).error().code, weir::ErrorCode::io);
    EXPECT_FALSE(fonts.add_local("DejaVu Sans", sans)) << "without fonts of the system";
}

TEST_F(TextFonts, WoffIsReadLikeTrueType) {
    const auto bytes = file("DejaVuSansMono.ttf");
    const auto plain = Font::from_memory(bytes), woff = Font::from_memory(as_woff(bytes));
    ASSERT_TRUE(woff) << woff.error().message;
    EXPECT_TRUE(woff->has(U'g'));
    EXPECT_EQ(woff->metrics().ascent, plain->metrics().ascent);
    EXPECT_EQ(woff->outline(74).points(), plain->outline(74).points());
}

TEST(TextFontFiles, NonsenseIsAnError) {
    EXPECT_EQ(Font::from_memory({}).error().code, weir::ErrorCode::io);
    EXPECT_EQ(Font::from_memory(std::vector<std::uint8_t>(1000, 7)).error().code, weir::ErrorCode::io);
    weir::text::Fonts fonts(weir::text::Fonts::Source::application);
    EXPECT_EQ(fonts.add({1, 2, 3}).error().code, weir::ErrorCode::io);
}

TEST_F(TextFonts, DamagedFilesDoNoHarm) {
    const auto bytes = file("DejaVuSansMono.ttf");
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        auto damaged = bytes;
        if (round % 3 == 0) {
            damaged.resize(random() % damaged.size());
        }
        for (int i = 0; i < 20 && !damaged.empty(); ++i) { // mostly in the tables' directory
            damaged[random() % (i < 10 ? std::min<std::size_t>(400, damaged.size()) : damaged.size())] =
                static_cast<std::uint8_t>(random());
        }
        weir::text::Fonts one(weir::text::Fonts::Source::application);
        if (!one.add(damaged)) {
            continue;
        }
        const auto line = weir::text::shape(one, "damaged: \xC3\xA4 AV ffi");
        if (line) {
            const Path path = weir::text::outline_of(*line);
            ASSERT_TRUE(std::isfinite(line->advance)) << round;
        }
    }
}

} // namespace text_tests
