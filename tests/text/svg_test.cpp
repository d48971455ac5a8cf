// Text of SVG files. Most tests draw one text in two ways that must give the same outlines.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <weir/svg/document.hpp>
#include <weir/text/draw.hpp>

#include "tests/support/folder.hpp"
#include "tests/text/fonts.hpp"
#include "tests/text/made_fonts.hpp"

namespace text_tests {

using weir::paths::Point;
using weir::paths::Rect;
using weir::paths::Scene;

class SvgText : public WithFonts {
protected:
    void SetUp() override {
        WithFonts::SetUp();
        style.font = sans;
        style.size = 20;
    }
    static weir::svg::Drawing read(const std::string& contents) {
        const std::string file = R"(<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200")"
                                 R"( font-family="DejaVu Sans" font-size="20">)" +
                                 contents + "</svg>";
        auto drawing = weir::svg::read(file);
        EXPECT_TRUE(drawing) << drawing.error().message;
        return drawing ? *std::move(drawing) : weir::svg::Drawing{};
    }
    /// All points of all draws, in pixels.
    static std::vector<Point> points(const std::string& contents) {
        const Scene scene = read(contents).scene;
        std::vector<Point> result;
        for (const auto& draw : scene.draws()) {
            const auto next = &draw == &scene.draws().back() ? scene.instances().size() : (&draw)[1].first_instance;
            for (std::uint32_t i = draw.first_segment; i < draw.first_segment + next - draw.first_instance; ++i) {
                const auto& segment = scene.segments()[i];
                for (std::uint32_t p = 0; p <= (segment.flags & 3U); ++p) {
                    result.push_back(draw.transform(scene.points()[segment.first_point + p]));
                }
            }
        }
        return result;
    }
    static void same(const std::string& first, const std::string& second) {
        const auto a = points(first), b = points(second);
        ASSERT_FALSE(a.empty()) << first;
        ASSERT_EQ(a.size(), b.size()) << first;
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_NEAR(a[i].x, b[i].x, 0.01) << first << " point " << i;
            ASSERT_NEAR(a[i].y, b[i].y, 0.01) << first << " point " << i;
        }
    }
    static Rect bounds(const std::string& contents) {
        Rect box{1e9F, 1e9F, -1e9F, -1e9F};
        for (const Point p : points(contents)) {
            box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x),
                   std::max(box.bottom, p.y)};
        }
        return box;
    }
    float advance(std::string_view text) { return weir::text::shape(fonts, text, style)->advance; }
    weir::text::TextStyle style;
};

std::string number(float value) {
    return std::to_string(value);
}

TEST_F(SvgText, GlyphsAreThoseOfTheLibrary) {
    const auto line = weir::text::shape(fonts, "Text AV ffi", style);
    Scene scene;
    const auto outline = scene.add_outline(weir::text::outline_of(*line, {10, 60}));
    scene.fill(outline, scene.add_paint({0, 0, 0, 1}));
    const Rect expected = scene.draws()[0].bounds;
    const auto drawing = read("<text x='10' y='60'>Text AV ffi</text>");
    ASSERT_EQ(drawing.scene.draws().size(), 1U);
    EXPECT_TRUE(drawing.not_drawn.empty());
    const Rect box = drawing.scene.draws()[0].bounds;
    EXPECT_NEAR(box.left, expected.left, 0.01);
    EXPECT_NEAR(box.top, expected.top, 0.01);
    EXPECT_NEAR(box.right, expected.right, 0.01);
    EXPECT_NEAR(box.bottom, expected.bottom, 0.01);
}

TEST_F(SvgText, Anchors) {
    const float width = advance("anchor");
    same("<text x='100' y='50' text-anchor='middle'>anchor</text>",
         "<text x='" + number(100 - width / 2) + "' y='50'>anchor</text>");
    same("<text x='100' y='50' text-anchor='end'>anchor</text>",
         "<text x='" + number(100 - width) + "' y='50'>anchor</text>");
    same("<g text-anchor='end'><text x='100' y='50'>an<tspan>chor</tspan></text></g>",
         "<text x='" + number(100 - width) + "' y='50'>an<tspan>chor</tspan></text>");
    same("<text x='100' y='50' direction='rtl'>\u05D0\u05D1</text>",
         "<text x='100' y='50' text-anchor='end'>\u05D0\u05D1</text>");
}

TEST_F(SvgText, Directions) {
    same("<text x='9' y='50' direction='rtl' unicode-bidi='bidi-override' text-anchor='end'>abc</text>",
         "<text x='9' y='50' style='font-kerning: none'>cba</text>");
    same("<text x='9' y='50'>a<tspan direction='rtl' unicode-bidi='embed'>\u05D0 1</tspan>b</text>",
         "<text x='9' y='50'>a1 \u05D0b</text>");
    same("<text x='9' y='50'>\u05D0<tspan direction='ltr' unicode-bidi='isolate'>\u05D1 c</tspan></text>",
         "<text x='9' y='50'>\u05D0\u200E\u05D1 c</text>");
}

TEST_F(SvgText, ListsOfPositions) {
    same("<text x='10 50' y='50 60'>ab</text>", "<text x='10' y='50'>a</text><text x='50' y='60'>b</text>");
    same("<text y='50'><tspan x='10'>a</tspan><tspan x='10' dy='1.5em'>b</tspan></text>",
         "<text x='10' y='50'>a</text><text x='10' y='80'>b</text>");
    same("<text x='10' y='50' dx='0 5' dy='0 -7'>ab</text>",
         "<text x='10' y='50'>a</text><text x='" + number(15 + advance("a")) + "' y='43'>b</text>");
    same("<text x='10 20 30' y='50'>a<tspan display='none'>b</tspan>c</text>",
         "<text x='10' y='50'>a</text><text x='30' y='50'>c</text>");
    same("<text x='50%' y='1in'>a</text>", "<text x='100' y='96'>a</text>");
}

TEST_F(SvgText, Rotation) {
    same("<text x='30 60' y='50' rotate='30'>ab</text>", "<text x='30' y='50' transform='rotate(30 30 50)'>a</text>"
                                                         "<text x='60' y='50' transform='rotate(30 60 50)'>b</text>");
    same("<text x='30 60 90' y='50' rotate='30'>a<tspan rotate='0'>b</tspan>c</text>",
         "<text x='30 60 90' y='50' rotate='30 0 30'>a<tspan>b</tspan>c</text>");
}

TEST_F(SvgText, Spacing) {
    same("<text x='9' y='50' letter-spacing='3'>abc</text>", "<text x='9' y='50' dx='0 3 3'>abc</text>");
    same("<text x='9' y='50' letter-spacing='0.1em'>abc</text>", "<text x='9' y='50' dx='0 2 2'>abc</text>");
    same("<text x='9' y='50' word-spacing='9'>a b</text>", "<text x='9' y='50' dx='0 0 9'>a b</text>");
    same("<text x='9' y='50' textLength='" + number(advance("abc") + 10) + "'>abc</text>",
         "<text x='9' y='50' dx='0 5 5'>abc</text>");
    same("<text x='10' y='50' textLength='" + number(advance("abc") * 2) +
             "' lengthAdjust='spacingAndGlyphs'>abc</text>",
         "<text x='5' y='50' transform='scale(2 1)'>abc</text>");
}

TEST_F(SvgText, WhiteSpace) {
    const std::string expected = "<text x='9' y='50'>a b c</text>";
    same("<text x='9' y='50'>\n  a\n\tb   c\n</text>", expected);
    same("<text x='9' y='50'> a <tspan> b</tspan> <tspan>c </tspan> </text>",
         "<text x='9' y='50'>a <tspan>b</tspan> <tspan>c</tspan></text>");
    same("<text x='9' y='50' xml:space='preserve'>a  b</text>", "<text x='9' y='50'>a&#160;&#160;b</text>");
}

TEST_F(SvgText, Baselines) {
    const auto metrics = fonts.find(sans)->metrics();
    const auto at = [&](float shift) { return "<text x='9' y='" + number(50 + shift) + "'>Ag</text>"; };
    same("<text x='9' y='50' dominant-baseline='hanging'>Ag</text>", at(metrics.ascent * 16));
    same("<text x='9' y='50' dominant-baseline='middle'>Ag</text>", at(metrics.x_height * 10));
    same("<text x='9' y='50' dominant-baseline='central'>Ag</text>", at((metrics.ascent - metrics.descent) * 10));
    same("<g dominant-baseline='text-after-edge'><text x='9' y='50'>Ag</text></g>", at(-metrics.descent * 20));
    same("<text x='9' y='50'><tspan baseline-shift='5'>Ag</tspan></text>", at(-5));
    same("<text x='9' y='50'><tspan baseline-shift='super'><tspan baseline-shift='10%'>Ag</tspan></tspan></text>",
         at(-metrics.superscript_offset * 20 - 2));
    same("<text x='9' y='50'><tspan alignment-baseline='mathematical'>Ag</tspan></text>", at(metrics.ascent * 10));
}

TEST_F(SvgText, FontProperties) {
    const std::string expected =
        "<text x='9' y='50' font-family='DejaVu Serif' font-weight='700' font-size='30'>Ag</text>";
    same("<text x='9' y='50' style='font: bold 30px/40px &quot;DejaVu Serif&quot;, serif'>Ag</text>", expected);
    same("<text x='9' y='50' style='font: 700 1.5em DejaVu Serif'>Ag</text>", expected);
    same("<style>text { font: bold 15px / 2 'No Such Font', 'DejaVu Serif'; font-size: 30px }</style>"
         "<text x='9' y='50'>Ag</text>",
         expected);
    same("<g font-weight='bold' font-family=' DejaVu Serif , serif'><text x='9' y='50' font-size='30'>Ag</text></g>",
         expected);
    same("<text x='9' y='50' style='font: nonsense'>Ag</text>", "<text x='9' y='50'>Ag</text>");
    same("<text x='9' y='50' style='font-kerning: none'>AV</text>",
         "<text x='9' y='50' style='font-feature-settings: &quot;kern&quot; 0'>AV</text>");
}

TEST_F(SvgText, TextOnAStraightPathIsAsWithout) {
    same("<path id='p' d='M10 50h180' fill='none'/><text><textPath href='#p'>along a path</textPath></text>",
         "<path d='M10 50h180' fill='none'/><text x='10' y='50'>along a path</text>");
    same("<path id='p' d='M0 50h100h100' fill='none'/>"
         "<text text-anchor='middle'><textPath href='#p' startOffset='50%' dy='-5'>Ag</textPath></text>",
         "<path d='M0 50h100h100' fill='none'/><text text-anchor='middle' x='100' y='45'>Ag</text>");
    same("<path id='p' d='M50 10v180' fill='none'/><text><textPath href='#p' startOffset='20'>A</textPath></text>",
         "<path d='M50 10v180' fill='none'/><text transform='translate(50 30) rotate(90)'>A</text>");
    // glyphs beyond the end are not drawn
    same("<path id='p' d='M10 50h" + number(advance("al")) +
             "' fill='none'/><text><textPath href='#p'>along</textPath></text>",
         "<path d='M10 50h" + number(advance("al")) + "' fill='none'/><text x='10' y='50'>al</text>");
}

TEST_F(SvgText, OtherElements) {
    same("<text id='t'>x</text><text x='9' y='50'><tref href='#t'/></text>",
         "<text>x</text><text x='9' y='50'>x</text>");
    same("<defs><text id='t' y='5'>x</text></defs><use href='#t' x='9' y='45'/>", "<text x='9' y='50'>x</text>");
    same("<text x='9' y='50'>a<a>b</a><title>no</title></text>", "<text x='9' y='50'>a<tspan>b</tspan></text>");
    same("<switch><text x='9' y='50' systemLanguage='xx'>no</text><text x='9' y='50'>b</text></switch>",
         "<text x='9' y='50'>b</text>");
}

TEST_F(SvgText, LinesAreBelowAndAboveGlyphs) {
    const auto drawing = read("<text x='9' y='50' text-decoration='underline' fill='#ff0000'>"
                              "<tspan fill='#00ff00' text-decoration='line-through'>Ag</tspan></text>");
    ASSERT_EQ(drawing.scene.draws().size(), 3U);
    const auto& draws = drawing.scene.draws();
    EXPECT_EQ(draws[0].color[0], 1) << "the underline has the color of the element that declares it";
    EXPECT_GT(draws[0].bounds.top + draws[0].bounds.bottom, 100);
    EXPECT_NEAR(draws[0].bounds.right - draws[0].bounds.left, advance("Ag"), 0.01);
    EXPECT_EQ(draws[1].color[1], 1);
    EXPECT_LT(draws[2].bounds.bottom, 50);
    EXPECT_EQ(draws[2].color[1], 1);
}

TEST_F(SvgText, GradientsReferToTheCellsOfTheWholeText) {
    const auto drawing = read("<linearGradient id='g'><stop/><stop offset='1' stop-color='red'/></linearGradient>"
                              "<text x='10' y='50'>A<tspan fill='url(#g)'>B</tspan></text>");
    const auto& paint = drawing.scene.paints().back();
    EXPECT_NEAR(paint.transform(Point{10, 50}).x, 0, 1e-4);
    EXPECT_NEAR(paint.transform(Point{10 + advance("AB"), 50}).x, 1, 1e-4);
}

TEST_F(SvgText, ClipsAndMasks) {
    const auto clip = read("<clipPath id='c'><text x='9' y='50'>Ag</text></clipPath>"
                           "<rect width='99' height='99' clip-path='url(#c)'/>");
    ASSERT_EQ(clip.scene.draws().size(), 2U);
    EXPECT_LT(clip.scene.draws()[0].bounds.right, 60);
    same("<mask id='c'><rect width='200' height='200' fill='white'/></mask><text x='9' y='50' mask='url(#c)'>Ag</text>",
         "<mask id='c' maskUnits='userSpaceOnUse' x='" + number(9 - 0.1F * advance("Ag")) + "' y='" +
             number(50 - fonts.find(sans)->metrics().ascent * 20 -
                    0.1F * 20 * (fonts.find(sans)->metrics().ascent + fonts.find(sans)->metrics().descent)) +
             "' width='" + number(1.2F * advance("Ag")) + "' height='" +
             number(1.2F * 20 * (fonts.find(sans)->metrics().ascent + fonts.find(sans)->metrics().descent)) +
             "'><rect width='200' height='200' fill='white'/></mask><text x='9' y='50' mask='url(#c)'>Ag</text>");
}

/// A data URL.
std::string url_of(const std::vector<std::uint8_t>& bytes) {
    std::string url = "data:font/ttf,";
    for (const std::uint8_t byte : bytes) {
        constexpr const char* digits = "0123456789ABCDEF";
        url += {'%', digits[byte / 16], digits[byte % 16]};
    }
    return url;
}

/// A style sheet with a @font-face.
std::string font_face(const std::string& descriptors) {
    return "<style>@font-face { font-family: 'Web Font'; " + descriptors + " }</style>";
}

TEST_F(SvgText, FontFacesAreTakenFromDataUrls) {
    const std::string serif = url_of(file("DejaVuSerif.ttf")),
                      used = "<text x='9' y='50' font-family='Web Font'>Ag</text>";
    const std::string expected = "<text x='9' y='50' font-family='DejaVu Serif'>Ag</text>";
    same(font_face("src: url(" + serif + ")") + used, expected);
    same(font_face("src: url(none.ttf) format('truetype'), url('" + serif + "') format('truetype')") + used, expected);
    same(font_face("src: url(data:,nonsense), local('DejaVu Serif')") + used, expected);
    same(font_face("src: url(" + serif + "); font-weight: bold") + font_face("src: local(DejaVuSansMono)") + used,
         "<text x='9' y='50' font-family='DejaVu Sans Mono'>Ag</text>");
    same(font_face("src: url(" + serif + "); unicode-range: U+40-4F") +
             "<text x='9' y='50' font-family='Web Font, DejaVu Sans Mono'>Ag</text>",
         "<text x='9' y='50'><tspan font-family='DejaVu Serif'>A</tspan><tspan font-family='DejaVu Sans "
         "Mono'>g</tspan></text>");
}

TEST_F(SvgText, FontFacesThatCannotBeReadAreReported) {
    const std::string used = "<text font-family='Web Font'>a</text>";
    for (const char* source : {"src: url(http://localhost/a.ttf)", "src: url(a.ttf)", "src: local('no such font')",
                               "src: url(data:,nonsense)", "", "src: url(", "src: local()"}) {
        const auto reported = read(font_face(source) + used).not_drawn;
        ASSERT_EQ(reported.size(), 1U) << source;
        EXPECT_EQ(reported[0].what, "@font-face");
    }
    EXPECT_TRUE(read(font_face("src: url(a.ttf)") + "<rect width='9' height='9'/>").not_drawn.empty()) << "not used";
}

TEST_F(SvgText, FontFacesAreTakenFromFilesInTheFolder) {
    const weir::tests::TemporaryFolder folder;
    const auto bytes = file("DejaVuSerif.ttf");
    std::filesystem::create_directory(folder.path() / "inner");
    folder.write("font.ttf", std::string(bytes.begin(), bytes.end()));
    const auto reported = [&](const char* link, const std::string& in) {
        const std::string document = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>" +
                                     font_face("src: url(" + std::string(link) + ")") +
                                     "<text font-family='Web Font'>a</text></svg>";
        return weir::svg::read(document, {.folder = folder.path() / in})->not_drawn.size();
    };
    EXPECT_EQ(reported("font.ttf", ""), 0U);
    EXPECT_EQ(reported("./inner/../font.ttf", ""), 0U);
    EXPECT_EQ(reported("../font.ttf", "inner"), 1U) << "outside of the folder";
}

#if !defined(_WIN32)

/// A folder with fonts. As long as it exists, fontconfig finds only these.
class OnlyFonts {
public:
    OnlyFonts() {
        folder_.write("fonts.conf", "<fontconfig><dir>" + folder_.name() + "</dir></fontconfig>");
        setenv("FONTCONFIG_FILE", folder_.name("fonts.conf").c_str(), 1);
    }
    ~OnlyFonts() { unsetenv("FONTCONFIG_FILE"); }
    OnlyFonts(const OnlyFonts&) = delete;
    OnlyFonts& operator=(const OnlyFonts&) = delete;

    void add(const std::vector<std::uint8_t>& bytes) const {
        folder_.write("font.ttf", std::string(bytes.begin(), bytes.end()));
    }

private:
    weir::tests::TemporaryFolder folder_;
};

TEST_F(SvgText, ColorGlyphsHaveTheirOwnColors) {
    const auto bytes = file("DejaVuSans.ttf");
    const auto a = weir::text::shape(fonts, "A", style)->glyphs[0].glyph;
    for (const bool is_picture : {false, true}) {
        const OnlyFonts only;
        const auto colored = is_picture ? with_picture(bytes, a, fonts.find(sans)->glyph_count())
                                        : with_colors(bytes, static_cast<std::uint16_t>(a), {{37, 0}, {38, 0xFFFF}});
        only.add(colored);
        const Scene scene = read("<text x='9' y='50' fill='#0000ff' fill-opacity='0.5'>AB</text>").scene;
        const auto& draws = scene.draws();
        ASSERT_EQ(draws.size(), is_picture ? 2U : 3U) << "B, then the picture or the layers of A";
        EXPECT_EQ(draws[0].color[2], 0.5F);
        ASSERT_EQ(scene.layers().size(), 2U) << "A has a layer with the opacity";
        EXPECT_EQ(scene.layers()[1].opacity, 0.5F);
        if (is_picture) {
            const Point corner = draws[1].transform(Point{0, 2}); // at (0.5, 0.5) em
            EXPECT_NEAR(corner.x, 19, 0.01);
            EXPECT_NEAR(corner.y, 60, 0.01);
        } else {
            EXPECT_EQ(draws[1].color[0], 1) << "the color of the layer";
            EXPECT_EQ(draws[2].color[2], 1) << "the color of the text";
        }
    }
}

TEST_F(SvgText, SvgGlyphsAreDrawnByTheReader) {
    const auto a = weir::text::shape(fonts, "A", style)->glyphs[0].glyph;
    const std::string element = "<g id='glyph" + std::to_string(a) + "'>";
    // Its text would need the glyph again, also in an image.
    const std::string image =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Ctext "
        "font-family='DejaVu Sans'%3EA%3C/text%3E%3C/svg%3E";
    const std::string document = "<svg xmlns='http://www.w3.org/2000/svg'><style>.w { fill: #ffffff }</style>"
                                 "<defs><rect id='r' y='-2048' width='1024' height='2048'/></defs>"
                                 "<rect width='9' height='9'/>" +
                                 element +
                                 "<use href='#r' fill='context-fill'/><use href='#r' fill='currentColor'/>"
                                 "<text font-family='DejaVu Sans'>A</text><image href=\"" +
                                 image + "\"/><use href='#r' class='w'/></g></svg>";
    const OnlyFonts only;
    only.add(with_svg(file("DejaVuSans.ttf"), a, document));
    const auto drawing = read("<text x='9' y='50' fill='#0000ff'>A</text>");
    EXPECT_TRUE(drawing.not_drawn.empty());
    const auto& draws = drawing.scene.draws();
    ASSERT_EQ(draws.size(), 4U) << "without the other element and the text; the third one clips the image";
    const std::array<float, 4> blue{0, 0, 1, 1}, white{1, 1, 1, 1};
    EXPECT_EQ(draws[0].color, blue);
    EXPECT_EQ(draws[1].color, blue);
    EXPECT_EQ(draws[3].color, white);
    const Point corner = draws[0].transform(Point{1024, -2048});
    EXPECT_NEAR(corner.x, 19, 0.01);
    EXPECT_NEAR(corner.y, 30, 0.01);
    only.add(with_svg(file("DejaVuSans.ttf"), a, "nonsense"));
    const auto damaged = read("<text x='9' y='50'>A</text>");
    EXPECT_EQ(damaged.scene.draws().size(), 1U) << "the outline";
    ASSERT_EQ(damaged.not_drawn.size(), 1U);
    EXPECT_EQ(damaged.not_drawn[0].what, "parts of color glyphs");
}

#endif

TEST_F(SvgText, VerticalTextGoesDown) {
    const Rect box = bounds("<text x='100' y='20' writing-mode='tb'>Down</text>");
    EXPECT_GT(box.bottom - box.top, 2 * (box.right - box.left));
    EXPECT_GT(box.top, 20);
    EXPECT_LT(box.left, 100);
    EXPECT_GT(box.right, 100);
}

TEST_F(SvgText, NonsenseDoesNoHarm) {
    for (const char* text :
         {"<text/>", "<text> </text>", "<text x='' y='a' dx='1e99' rotate='x'>a</text>",
          "<text x='1e38' dx='1e38'>ab</text>", "<text><textPath href='#none'>a</textPath></text>",
          "<path id='p'/><text><textPath href='#p'>a</textPath></text>", "<text id='t'><tref href='#t'/></text>",
          "<text font-size='0'>a</text>", "<text font-size='-5'>a</text>", "<text font-size='1e30'>a</text>",
          "<text textLength='0' lengthAdjust='spacingAndGlyphs'>a</text>", "<text textLength='-1'>a</text>",
          "<text letter-spacing='-1e9'>abc</text>", "<text font-weight='1e9'>a</text>",
          "<text style='font: 1px'>a</text>", "<text style='font-family: \"'>a</text>",
          "<text font-family=',,'>a</text>", "<text style='font-feature-settings: \"a\", \"liga\" -1'>a</text>",
          "<text xml:lang='x'>a</text>"}) {
        read(text);
    }
}

} // namespace text_tests
