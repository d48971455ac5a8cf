// The public functions of weir::svg. tests/scripts/svg.sh tests the pictures.
#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/svg/document.hpp>
#include <weir/svg/values.hpp>

namespace weir::tests {
namespace {

using testing::HasSubstr;

Result<svg::Drawing> drawing_of(const std::string& contents, const svg::ReadOptions& options = {}) {
    return svg::read("<svg xmlns='http://www.w3.org/2000/svg' width='1in' height='16'>" + contents + "</svg>", options);
}

TEST(SvgRead, SizeIsInPixels) {
    const auto drawing = drawing_of("<rect width='1' height='1'/><rect width='2' height='2'/>");
    ASSERT_TRUE(drawing);
    EXPECT_EQ(drawing->width, 96);
    EXPECT_EQ(drawing->height, 16);
    EXPECT_EQ(drawing->scene.draws().size(), 2U);
    EXPECT_TRUE(drawing->not_drawn.empty());
}

TEST(SvgRead, ListsEachKindOfContentThatIsNotDrawnOnce) {
    const auto drawing =
        drawing_of("<foreignObject/><g style='x: min(1px, 2px)'/><foreignObject/><image href='a.png'/>");
    ASSERT_TRUE(drawing);
    ASSERT_EQ(drawing->not_drawn.size(), 3U);
    EXPECT_EQ(drawing->not_drawn[0].what, "foreignObject");
    EXPECT_EQ(drawing->not_drawn[0].count, 2U);
    EXPECT_EQ(drawing->not_drawn[1].what, "image");
    EXPECT_EQ(drawing->not_drawn[2].what, "min()");
}

TEST(SvgRead, OneElementInAColor) {
    const std::string document = "<svg xmlns='http://www.w3.org/2000/svg' color='inherit'><rect width='1' height='1'/>"
                                 "<g transform='scale(2)' stroke='none'><rect id='a' x='1' width='3' height='4' "
                                 "fill='currentColor' transform='translate(4)'/></g></svg>";
    const auto drawing = svg::read(document, {.element = "a", .color = {0, 1, 0, 1}});
    ASSERT_TRUE(drawing) << drawing.error().message;
    const auto& draws = drawing->scene.draws();
    ASSERT_EQ(draws.size(), 1U) << "a document without a size";
    EXPECT_EQ(draws[0].color, (std::array<float, 4>{0, 1, 0, 1}));
    EXPECT_EQ(draws[0].transform({1, 0}).x, 5) << "without the transforms of its parents";
    const auto moved =
        svg::read("<svg xmlns='http://www.w3.org/2000/svg' viewBox='2 5 9 9'><path id='a' d='M0 0h9v9'/></svg>",
                  {.element = "a"});
    ASSERT_TRUE(moved && moved->scene.draws().size() == 1);
    EXPECT_EQ(moved->scene.draws()[0].transform({0, 0}), (paths::Point{-2, -5})) << "from the origin of viewBox";
    const auto missing = svg::read(document, {.name = "a.svg", .element = "b"});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "a.svg: it has no element with the id 'b'");
}

TEST(SvgRead, ErrorsBeginWithTheName) {
    const auto open = drawing_of("\n<g>", {.name = "a.svg"});
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().code, ErrorCode::io);
    EXPECT_THAT(open.error().message, HasSubstr("a.svg: line 2"));
    const auto empty = svg::read("");
    ASSERT_FALSE(empty);
    EXPECT_THAT(empty.error().message, HasSubstr("SVG: "));
}

TEST(SvgRead, ReadsNoFilesWithoutFolder) {
    const auto drawing = drawing_of("<image href='" + std::string(__FILE__) + "'/><image href='read_test.cpp'/>");
    ASSERT_TRUE(drawing);
    ASSERT_EQ(drawing->not_drawn.size(), 1U);
    EXPECT_EQ(drawing->not_drawn[0].count, 2U);
}

TEST(SvgValues, PathDataEndsAtTheFirstMistake) {
    const auto parsed = [](std::string_view text) {
        std::size_t end = 99;
        (void)svg::read_path_data(text, &end);
        return end;
    };
    EXPECT_EQ(parsed(""), 0U);
    EXPECT_EQ(parsed("M 1 2 L 3 4 z "), 14U);
    EXPECT_EQ(parsed("M 1 2 3 4 5"), 10U);
    EXPECT_EQ(parsed("M1 2 C 3 4 5 6 7"), 5U);
    EXPECT_EQ(parsed("M1 2L3 4X"), 8U);
    EXPECT_EQ(parsed("L 1 2"), 0U);
    const paths::Path path = svg::read_path_data("m1 2 3 4");
    ASSERT_EQ(path.points().size(), 2U);
    EXPECT_EQ(path.points()[1], (paths::Point{4, 6}));
}

TEST(SvgValues, ColorsAreOfTheWholeText) {
    const auto color = svg::read_color("rgb(255 0 0 / 20%)");
    ASSERT_TRUE(color);
    EXPECT_EQ(color->red, 1);
    EXPECT_FLOAT_EQ(color->alpha, 0.2F);
    EXPECT_TRUE(svg::read_color(" LightGoldenrodYellow "));
    EXPECT_FALSE(svg::read_color("red blue"));
    EXPECT_FALSE(svg::read_color("nocolor"));
    EXPECT_FALSE(svg::read_color(""));
}

TEST(SvgValues, ColorsOfOtherSpacesAreConvertedToSrgb) {
    const auto expect = [](std::string_view text, const paths::Color& wanted) {
        SCOPED_TRACE(text);
        const auto color = svg::read_color(text);
        ASSERT_TRUE(color);
        for (int c = 0; c < 4; ++c) {
            EXPECT_NEAR((&color->red)[c], (&wanted.red)[c], 0.002F);
        }
    };
    const paths::Color red{1, 0, 0, 1};
    expect("lab(54.29 80.8 69.89)", red);
    expect("lab(100% 0% 0%)", {1, 1, 1, 1});
    expect("lab(50% 60 40)", {0.8379F, 0.2366F, 0.2173F, 1});
    expect("lch(54.29 106.84 40.86deg / 50%)", {1, 0, 0, 0.5F});
    expect("oklab(0.628 0.2249 0.1258)", red);
    expect("oklch(62.796% 0.25768 29.234)", red);
    expect("oklch(100% none none)", {1, 1, 1, 1});
    expect("hwb(120 0% 50%)", {0, 0.5F, 0, 1});
    expect("hwb(0.5turn 60% 60%)", {0.5F, 0.5F, 0.5F, 1});
    expect("color(srgb 25% 0.5 1 / 0.1)", {0.25F, 0.5F, 1, 0.1F});
    expect("color(srgb-linear 0.2158605 0 1)", {0.502F, 0, 1, 1});
    expect("color(display-p3 0.9175 0.2003 0.1386)", red);
    EXPECT_FALSE(svg::read_color("color(no-space 1 1 1)"));
    EXPECT_FALSE(svg::read_color("lab(1 2)"));
}

TEST(SvgValues, TransformsAreMultipliedFromTheLeft) {
    const auto transform = svg::read_transform("translate(10 20) scale(2)");
    ASSERT_TRUE(transform);
    EXPECT_EQ((*transform)({1, 1}), (paths::Point{12, 22}));
    EXPECT_FALSE(svg::read_transform("translate(1"));
}

} // namespace
} // namespace weir::tests
