#include <random>

#include <gtest/gtest.h>
#include <weir/text/draw.hpp>

#include "tests/text/fonts.hpp"
#include "tests/text/made_fonts.hpp"

namespace text_tests {

using testing::ElementsAre;
using weir::text::Direction;
using weir::text::Line;
using weir::text::PlacedGlyph;
using weir::text::Span;
using weir::text::TextStyle;

class TextShape : public WithFonts {
protected:
    void SetUp() override {
        WithFonts::SetUp();
        style.font = sans;
        style.size = 20;
        plain = style;
        plain.features = {{"kern", 0}, {"liga", 0}};
    }
    Line shaped(std::string_view text, const TextStyle& with, Direction direction = Direction::automatic) {
        auto line = weir::text::shape(fonts, text, with, direction);
        EXPECT_TRUE(line) << line.error().message;
        return line ? *std::move(line) : Line{};
    }
    static std::vector<std::uint32_t> bytes(const Line& line) {
        std::vector<std::uint32_t> result;
        for (const PlacedGlyph& glyph : line.glyphs) {
            result.push_back(glyph.byte);
        }
        return result;
    }
    TextStyle style, plain;
};

TEST_F(TextShape, KernsAndJoinsLatin) {
    EXPECT_LT(shaped("AV", style).advance, shaped("AV", plain).advance - 0.5F);
    EXPECT_EQ(shaped("ffi", style).glyphs.size(), 1U) << "one ligature";
    EXPECT_EQ(shaped("ffi", plain).glyphs.size(), 3U);
    TextStyle spaced = style;
    spaced.letter_spacing = 1;
    EXPECT_EQ(shaped("ffi", spaced).glyphs.size(), 3U) << "spaced letters are not joined";
}

TEST_F(TextShape, SpansInOneStyleAreShapedTogether) {
    const std::vector<Span> spans{{1, style}, {1, style}};
    const Line line = *weir::text::shape(fonts, "AV", spans);
    EXPECT_EQ(line.advance, shaped("AV", style).advance) << "kerned";
    EXPECT_EQ(line.glyphs[1].span, 1U);
}

TEST_F(TextShape, AdvancesAreProportionalToTheSize) {
    TextStyle large = style;
    large.size = 2000;
    EXPECT_NEAR(shaped("Proportional, AV ffi", large).advance, shaped("Proportional, AV ffi", style).advance * 100,
                0.5);
}

TEST_F(TextShape, PositionsAreSumsOfAdvances) {
    const Line line = shaped("Weir", plain);
    float x = 0;
    for (const PlacedGlyph& glyph : line.glyphs) {
        EXPECT_NEAR(glyph.at.x, x, 1e-3);
        x += glyph.advance;
    }
    EXPECT_NEAR(line.advance, x, 1e-3);
    EXPECT_NEAR(line.ascent, 20 * 1901 / 2048.0, 1e-3);
}

TEST_F(TextShape, HebrewIsReordered) {
    // alef bet, 1 2, c: numbers keep their order within the Hebrew words
    EXPECT_THAT(bytes(shaped("\u05D0\u05D1 12", style)), ElementsAre(5, 6, 4, 2, 0));
    const Line mixed = shaped("a \u05D0\u05D1 b", style);
    EXPECT_THAT(bytes(mixed), ElementsAre(0, 1, 4, 2, 6, 7));
    EXPECT_TRUE(mixed.glyphs[2].is_right_to_left);
    EXPECT_FALSE(mixed.glyphs[0].is_right_to_left);
    EXPECT_THAT(bytes(shaped("a \u05D0\u05D1 b", style, Direction::right_to_left)), ElementsAre(7, 6, 4, 2, 1, 0));
    EXPECT_THAT(bytes(shaped("a(b)", style, Direction::right_to_left)), ElementsAre(0, 1, 2, 3));
}

TEST_F(TextShape, ArabicIsJoinedAlsoAcrossSpans) {
    const std::string word = "\u0628\u0628\u0628"; // beh in its final, medial and initial form
    const Line line = shaped(word, style);
    ASSERT_THAT(bytes(line), ElementsAre(4, 2, 0));
    EXPECT_NE(line.glyphs[0].glyph, line.glyphs[1].glyph);
    EXPECT_NE(line.glyphs[1].glyph, line.glyphs[2].glyph);
    TextStyle large = style;
    large.size = 40;
    const std::vector<Span> spans{{2, style}, {2, large}, {2, style}};
    const Line parts = *weir::text::shape(fonts, word, spans);
    ASSERT_EQ(parts.glyphs.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(parts.glyphs[i].glyph, line.glyphs[i].glyph);
        EXPECT_EQ(parts.glyphs[i].span, 2U - i);
        EXPECT_EQ(parts.glyphs[i].size, i == 1 ? 40 : 20);
    }
    TextStyle spaced = style;
    spaced.letter_spacing = 10;
    EXPECT_EQ(shaped(word, spaced).advance, line.advance) << "joined letters are not spaced";
}

TEST_F(TextShape, MissingGlyphsComeFromOtherFonts) {
    style.font = mono;
    const Line line = shaped("a\u05D0b", style);
    ASSERT_EQ(line.fonts.size(), 2U);
    EXPECT_EQ(line.fonts[line.glyphs[0].font].family(), "DejaVu Sans Mono");
    EXPECT_EQ(line.fonts[line.glyphs[1].font].family(), "DejaVu Sans");
    EXPECT_EQ(line.glyphs[2].font, line.glyphs[0].font);
    const Line none = shaped("a\U0010FFFD", style);
    EXPECT_EQ(none.glyphs[1].glyph, weir::text::missing_glyph);
    EXPECT_EQ(none.fonts.size(), 1U);
}

TEST_F(TextShape, EmptyGlyphsComeFromOtherFonts) {
    const auto a = shaped("A", style).glyphs[0].glyph;
    weir::text::Fonts two(weir::text::Fonts::Source::application);
    ASSERT_TRUE(two.add(without_outline(file("DejaVuSans.ttf"), a)));
    style.font.families = {"DejaVu Sans", "DejaVu Sans Mono"};
    EXPECT_EQ(two.find_with(U'A', style.font)->family(), "DejaVu Sans") << "no other font has it";
    ASSERT_TRUE(two.add(file("DejaVuSansMono.ttf")));
    const auto sans_font = *two.find(style.font), other = *two.find_with(U'A', style.font);
    EXPECT_TRUE(sans_font.has(U'A'));
    EXPECT_FALSE(sans_font.draws(U'A'));
    EXPECT_TRUE(sans_font.draws(U' '));
    EXPECT_EQ(other.family(), "DejaVu Sans Mono");
    const auto line = *weir::text::shape(two, "B A", style);
    ASSERT_EQ(line.glyphs.size(), 3U);
    EXPECT_EQ(line.fonts[line.glyphs[0].font], sans_font);
    EXPECT_EQ(line.fonts[line.glyphs[1].font], sans_font);
    EXPECT_EQ(line.fonts[line.glyphs[2].font], other);
}

TEST_F(TextShape, MarksStayWithTheirBase) {
    const Line line = shaped("e\u0301 x\u20DD", style); // an accent, and a circle
    for (const PlacedGlyph& glyph : line.glyphs) {
        EXPECT_EQ(glyph.font, 0U);
    }
}

TEST_F(TextShape, SpacingIsAddedAfterCharactersAndSpaces) {
    TextStyle spaced = plain;
    spaced.letter_spacing = 3;
    EXPECT_NEAR(shaped("abc", spaced).advance, shaped("abc", plain).advance + 9, 1e-3);
    spaced.word_spacing = 5;
    EXPECT_NEAR(shaped("a b\u00A0c", spaced).advance, shaped("a b\u00A0c", plain).advance + 15 + 10, 1e-3);
}

TEST_F(TextShape, InvalidTextDoesNoHarm) {
    const Line replaced = shaped("\xFF", plain), given = shaped("\uFFFD", plain);
    EXPECT_EQ(replaced.glyphs[0].glyph, given.glyphs[0].glyph);
    // truncated, overlong, a surrogate, beyond Unicode
    for (const char* text : {"a\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xF0"}) {
        EXPECT_EQ(shaped(text, plain).glyphs.back().glyph, given.glyphs[0].glyph) << text;
    }
    EXPECT_EQ(shaped("a\n\tb", plain).advance, shaped("a  b", plain).advance);
    EXPECT_TRUE(shaped("", plain).glyphs.empty());
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        std::string text(random() % 60, ' ');
        for (char& c : text) {
            c = static_cast<char>(random());
        }
        const Line line = shaped(text, style);
        for (const PlacedGlyph& glyph : line.glyphs) {
            ASSERT_LT(glyph.byte, text.size());
            ASSERT_LT(glyph.font, line.fonts.size());
        }
    }
}

TEST_F(TextShape, SpansMustCoverTheText) {
    const std::vector<Span> little{{1, style}}, much{{3, style}};
    EXPECT_EQ(weir::text::shape(fonts, "ab", little).error().message, "the spans cover 1 of 2 bytes of the text");
    EXPECT_EQ(weir::text::shape(fonts, "ab", much).error().message, "the spans are longer than the text");
    const std::vector<Span> empty{{0, style}, {2, style}, {0, style}};
    EXPECT_EQ(weir::text::shape(fonts, "ab", empty)->glyphs.size(), 2U);
}

TEST_F(TextShape, ScenesStoreEachOutlineOnce) {
    weir::paths::Scene scene;
    weir::text::SceneText text(scene);
    const auto paint = scene.add_paint({0, 0, 0, 1});
    const auto draws = text.fill(shaped("banana an", plain), {10, 30}, paint);
    EXPECT_EQ(draws.count, 8U) << "the space has no outline";
    EXPECT_EQ(text.outlines(), 3U);
    const std::size_t points = scene.points().size();
    TextStyle large = plain;
    large.size = 300;
    text.fill(shaped("nab", large), {}, paint);
    text.stroke(shaped("ban", plain), {}, paint, {.width = 2});
    EXPECT_EQ(text.outlines(), 3U);
    EXPECT_EQ(scene.points().size(), points) << "sizes and strokes share outlines";
    EXPECT_EQ(scene.strokes().back().half_width, 1.0F / 20) << "in the space of the outline";
    EXPECT_EQ(scene.draws()[draws.first].transform.xx, 20);
    EXPECT_EQ(scene.draws()[draws.first].transform.dx, 10);
}

TEST_F(TextShape, ColorGlyphsAreLayersOrPictures) {
    const auto bytes = file("DejaVuSansMono.ttf");
    const auto mono_font = *weir::text::Font::from_memory(bytes);
    const auto a = shaped("A", {.font = mono}).glyphs[0].glyph;
    for (const bool is_picture : {false, true}) {
        weir::text::Fonts colored(weir::text::Fonts::Source::application);
        ASSERT_TRUE(colored.add(is_picture
                                    ? with_picture(bytes, a, mono_font.glyph_count())
                                    : with_colors(bytes, static_cast<std::uint16_t>(a), {{37, 0}, {38, 0xFFFF}})));
        weir::paths::Scene scene;
        weir::text::SceneText text(scene);
        const auto paint = scene.add_paint({0, 0, 1, 1});
        const auto draws = text.fill(*weir::text::shape(colored, "ABA", {.font = mono}), {}, paint);
        EXPECT_EQ(draws.count, is_picture ? 3U : 5U);
        EXPECT_EQ(scene.paints().size(), 2U) << "shared by both A";
        if (!is_picture) {
            EXPECT_EQ(scene.draws()[0].color[0], 1) << "the color of the layer";
            EXPECT_EQ(scene.draws()[1].color[2], 1) << "the paint of the text";
        }
    }
}

TEST_F(TextShape, VariableFontsFollowTheStyle) {
    const auto bytes = file("DejaVuSans.ttf");
    const auto glyph = shaped("I", style).glyphs[0].glyph;
    weir::text::Fonts variable(weir::text::Fonts::Source::application);
    ASSERT_TRUE(variable.add(with_weights(bytes, glyph, fonts.find(sans)->glyph_count())));
    const auto left = [&](float weight, std::vector<weir::text::Variation> variations = {}) {
        weir::text::FontStyle weighted = sans;
        weighted.weight = weight;
        weighted.variations = std::move(variations);
        const auto font = *variable.find(weighted);
        EXPECT_EQ(font.axes().size(), 1U);
        return font.outline(glyph).bounds().left * 2048;
    };
    const float usual = left(400);
    EXPECT_NEAR(usual, fonts.find(sans)->outline(glyph).bounds().left * 2048, 0.1);
    EXPECT_NEAR(left(900), usual + 100, 0.1);
    EXPECT_NEAR(left(650), usual + 50, 0.1);
    EXPECT_NEAR(left(400, {{"wght", 2000}, {"none", 1}}), usual + 100, 0.1) << "limited to the range of the axis";
}

TEST_F(TextShape, OutlineOfALineIsAtItsPlace) {
    const auto box = weir::text::outline_of(shaped("HH", plain), {100, 50}).bounds();
    EXPECT_NEAR(box.bottom, 50, 1e-3);
    EXPECT_NEAR(box.top, 50 - 20 * 1493 / 2048.0, 1e-3);
    EXPECT_GT(box.left, 100);
    EXPECT_LT(box.right, 100 + shaped("HH", plain).advance);
}

} // namespace text_tests
