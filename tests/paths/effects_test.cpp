// Effects of layers: pictures with known colors, and the device against the CPU.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/effects.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::effects_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathEffects.*"}; // random scenes run on others too
using Color4 = std::array<float, 4>;

constexpr Rect square = {16, 16, 32, 32};
constexpr View view_48 = {.width = 48, .height = 48};

OutlineId add_rect(Scene& scene, const Rect& r) {
    return scene.add_outline(Path().add_rect(r.left, r.top, r.right - r.left, r.bottom - r.top));
}

/// Draws a square in a layer with an effect, and checks that the device draws it too.
std::vector<Color4> drawn(const Effect& effect, const Color& color, const View& view = view_48) {
    Scene scene;
    scene.push_layer({.effect = scene.add_effect(effect)});
    scene.fill(add_rect(scene, square), scene.add_paint(color));
    scene.pop_layer();
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// Checks all pixels of a picture of 48 x 48.
void expect_pixels(const std::vector<Color4>& picture, const std::function<Color4(int, int)>& expected,
                   float tolerance = 1.0F / 255) {
    for (int y = 0; y < 48; ++y) {
        for (int x = 0; x < 48; ++x) {
            const Color4 color = picture[static_cast<std::size_t>(y) * 48 + static_cast<std::size_t>(x)],
                         right = expected(x, y);
            for (std::size_t i = 0; i < 4; ++i) {
                ASSERT_NEAR(color[i], right[i], tolerance) << "component " << i << " at " << x << ", " << y;
            }
        }
    }
}

bool is_in(const Rect& r, int x, int y) {
    return static_cast<float>(x) >= r.left && static_cast<float>(x) < r.right && static_cast<float>(y) >= r.top &&
           static_cast<float>(y) < r.bottom;
}

Effect of(effect::Work work, std::vector<effect::Input> inputs = {}) {
    Effect effect;
    effect.add({std::move(work), std::move(inputs)});
    return effect;
}

TEST(PathEffects, BlurMatchesErrorFunction) {
    for (const float deviation : {0.7F, 1.5F, 2.0F, 3.0F, 4.3F}) {
        const auto picture = drawn(of(effect::Blur{deviation, deviation}), {1, 1, 1, 1});
        const auto part = [&](int at) {
            const float s = deviation * std::sqrt(2.0F), x = static_cast<float>(at) + 0.5F;
            return 0.5F * (std::erf((x - square.left) / s) - std::erf((x - square.right) / s));
        };
        const auto expected = [&](int x, int y) {
            const float alpha = part(x) * part(y);
            return Color4{alpha, alpha, alpha, alpha};
        };
        expect_pixels(picture, expected, 0.04F); // three boxes are not quite a Gaussian
    }
}

TEST(PathEffects, BlurAlongOneAxis) {
    const auto picture = drawn(of(effect::Blur{5, 0}), {1, 0, 0, 1});
    EXPECT_EQ(picture[15 * 48 + 24][3], 0);
    EXPECT_GT(picture[16 * 48 + 12][3], 0.1F);
    EXPECT_GT(picture[16 * 48 + 24][3], 0.8F);
}

TEST(PathEffects, OffsetMovesByWholePixels) {
    const auto picture = drawn(of(effect::Offset{3.4F, -5}), {0, 0.5F, 0, 1});
    expect_pixels(picture, [](int x, int y) {
        return is_in({19, 11, 35, 27}, x, y) ? Color4{0, 0.5F, 0, 1} : Color4{};
    });
}

TEST(PathEffects, RegionsGrowToWholePixels) {
    Effect effect;
    effect.region = {4.5F, 8, 40, 40};
    effect.add({effect::Flood{{1, 0, 0, 1}}, {}, Rect{0, 10.25F, 20.25F, 30}});
    const auto picture = drawn(effect, {0, 1, 0, 1});
    expect_pixels(picture, [](int x, int y) { return is_in({4, 10, 21, 30}, x, y) ? Color4{1, 0, 0, 1} : Color4{}; });
}

TEST(PathEffects, EmptyRegionIsTransparent) {
    Effect effect;
    effect.region = {10, 10, 10, 30};
    effect.add({effect::Flood{{1, 0, 0, 1}}});
    expect_pixels(drawn(effect, {0, 1, 0, 1}), [](int, int) { return Color4{}; });
    Effect step;
    step.add({effect::Flood{{1, 0, 0, 1}}, {}, Rect{30, 30, 20, 40}});
    expect_pixels(drawn(step, {0, 1, 0, 1}), [](int, int) { return Color4{}; });
}

TEST(PathEffects, WithoutStepsIsTheLayer) {
    expect_pixels(drawn({}, {0, 0, 1, 0.5F}), [](int x, int y) {
        return is_in(square, x, y) ? Color4{0, 0, 0.5F, 0.5F} : Color4{};
    });
}

TEST(PathEffects, CompositeOperators) {
    using effect::Operator;
    const Color4 a = {0.5F, 0, 0, 0.5F}, b = {0, 0.6F, 0, 0.6F}; // the square, and a flood of the right half
    for (const Operator kind : {Operator::over, Operator::in, Operator::out, Operator::atop, Operator::exclusive,
                                Operator::lighter, Operator::arithmetic}) {
        Effect effect;
        const effect::Input flood = effect.add({effect::Flood{{0, 1, 0, 0.6F}}, {}, Rect{24, 0, 48, 48}});
        effect.add({effect::Composite{kind, {0.5F, 0.25F, 0.5F, 0}}, {effect::source, flood}});
        const auto expected = [&](int x, int y) {
            const Color4 s = is_in(square, x, y) ? a : Color4{}, d = x >= 24 ? b : Color4{};
            Color4 c;
            for (std::size_t i = 0; i < 4; ++i) {
                const std::array<float, 7> results = {s[i] + d[i] * (1 - s[3]),
                                                      s[i] * d[3],
                                                      s[i] * (1 - d[3]),
                                                      s[i] * d[3] + d[i] * (1 - s[3]),
                                                      s[i] * (1 - d[3]) + d[i] * (1 - s[3]),
                                                      std::min(1.0F, s[i] + d[i]),
                                                      0.5F * s[i] * d[i] + 0.25F * s[i] + 0.5F * d[i]};
                c[i] = results[static_cast<std::size_t>(kind)];
            }
            return c;
        };
        expect_pixels(drawn(effect, {1, 0, 0, 0.5F}), expected);
    }
}

TEST(PathEffects, MergeAndBlend) {
    Effect effect;
    const effect::Input red = effect.add({effect::Flood{{1, 0, 0, 1}}, {}, Rect{0, 0, 24, 48}});
    const effect::Input blend = effect.add({effect::Blend{Blend::multiply}, {effect::source, red}});
    effect.add({effect::Merge{}, {blend, effect::source_alpha}, Rect{0, 0, 48, 24}});
    expect_pixels(drawn(effect, {0.5F, 1, 1, 1}), [](int x, int y) {
        return y >= 24 ? Color4{} : is_in(square, x, y) ? Color4{0, 0, 0, 1} : x < 24 ? Color4{1, 0, 0, 1} : Color4{};
    });
    expect_pixels(drawn(of(effect::Merge{}), {1, 1, 1, 1}), [](int, int) { return Color4{}; });
}

TEST(PathEffects, LinearLight) {
    Effect effect;
    const effect::Input white = effect.add({effect::Flood{{1, 1, 1, 1}}, {}, {}, true});
    effect.add({effect::Composite{effect::Operator::arithmetic, {0, 0.5F, 0.5F, 0}},
                {effect::source, white},
                square,
                true}); // the mean of black and white
    expect_pixels(drawn(effect, {0, 0, 0, 1}), [](int x, int y) {
        return is_in(square, x, y) ? Color4{0.7354F, 0.7354F, 0.7354F, 1} : Color4{};
    });
}

TEST(PathEffects, ColorMatrixAndTransfer) {
    const auto inside = [](const Color4& c) {
        return [c](int x, int y) { return is_in(square, x, y) ? c : Color4{}; };
    };
    expect_pixels(drawn(of(effect::ColorMatrix::luminance_to_alpha()), {1, 0, 0, 1}), inside({0, 0, 0, 0.2125F}));
    expect_pixels(drawn(of(effect::ColorMatrix::saturation(0)), {0, 1, 0, 0.5F}),
                  inside({0.3575F, 0.3575F, 0.3575F, 0.5F}));
    using enum effect::Curve;
    effect::Transfer transfer;
    transfer.red = {table, {1, 0, 1}};
    transfer.green = {discrete, {0, 0.25F, 1}};
    transfer.blue = {gamma, {0.5F, 2, 0.25F}};
    transfer.alpha = {linear, {0.5F, 0}};
    expect_pixels(drawn(of(transfer), {0.75F, 0.5F, 0.5F, 1}), inside({0.25F, 0.125F, 0.1875F, 0.5F}));
}

TEST(PathEffects, Morphology) {
    const auto expected = [](const Rect& r) {
        return [r](int x, int y) { return is_in(r, x, y) ? Color4{1, 1, 0, 1} : Color4{}; };
    };
    expect_pixels(drawn(of(effect::Morphology{true, 3, 0}), {1, 1, 0, 1}), expected({13, 16, 35, 32}));
    expect_pixels(drawn(of(effect::Morphology{false, 2, 4}), {1, 1, 0, 1}), expected({18, 20, 30, 28}));
    expect_pixels(drawn(of(effect::Morphology{false, 0, 0}), {1, 1, 0, 1}), expected({}));
}

TEST(PathEffects, TileRepeatsRegionOfInput) {
    Effect effect;
    const effect::Input corner = effect.add({effect::Offset{}, {}, Rect{12, 12, 20, 18}});
    effect.add({effect::Tile{}, {corner}});
    expect_pixels(drawn(effect, {0, 0, 1, 1}), [](int x, int y) {
        const int u = (x + 4) % 8, v = y % 6; // position in the tile
        return u >= 4 && v >= 4 ? Color4{0, 0, 1, 1} : Color4{};
    });
}

TEST(PathEffects, PaintFillsItsRegion) {
    Scene scene;
    Effect effect;
    effect.region = {8, 8, 40, 40};
    effect.transform = Transform::translation(4, 0);
    const PaintId paint =
        scene.add_paint(LinearGradient{{.stops = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}}}, {0, 0}, {16, 0}});
    effect.add({effect::Paint{paint, Transform::translation(8, 0) * Transform::scaling(2, 2)}});
    scene.push_layer({.effect = scene.add_effect(effect)});
    scene.pop_layer();
    expect_same(scene, view_48);
    expect_pixels(picture_of(scene, view_48), [](int x, int y) {
        const float t = (static_cast<float>(x) + 0.5F - 12) / 32;
        return is_in({12, 8, 44, 40}, x, y) ? Color4{1 - t, 0, t, 1} : Color4{};
    });
}

/// Returns the unit vector of a vector.
std::array<float, 3> unit(const std::array<float, 3>& v) {
    const float length = std::hypot(v[0], v[1], v[2]);
    return {v[0] / length, v[1] / length, v[2] / length};
}

float dot(const std::array<float, 3>& a, const std::array<float, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TEST(PathEffects, DiffuseLightingOfEdges) {
    Effect effect;
    effect.region = {16, 16, 48, 48}; // begins at the edges of the square
    effect.add({effect::DiffuseLighting{effect::DistantLight{0.5F, 1}, {1, 0.5F, 0, 1}, 2, 0.8F}});
    const auto picture = drawn(effect, {1, 1, 1, 1});
    const std::array<float, 3> light = {std::cos(0.5F) * std::cos(1.0F), std::sin(0.5F) * std::cos(1.0F),
                                        std::sin(1.0F)};
    const auto expect = [&](int x, int y, float normal_x, float normal_y) {
        const float k = 0.8F * dot(unit({normal_x, normal_y, 1}), light);
        const Color4 right = {k, k / 2, 0, 1};
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(picture[static_cast<std::size_t>(y * 48 + x)][i], right[i], 1.0F / 255) << x << ", " << y;
        }
    };
    expect(16, 16, 0, 0); // kernels at the edges see no transparent pixels
    expect(16, 20, 0, 0);
    expect(20, 20, 0, 0);
    expect(31, 20, 2, 0);
    expect(32, 20, 2, 0);
    expect(20, 31, 0, 2);
    expect(31, 31, 2 * 0.75F, 2 * 0.75F);
    expect(31, 16, 2, 0);
    expect(32, 32, 2 * 0.25F, 2 * 0.25F);
    expect(40, 40, 0, 0);
    EXPECT_EQ(picture[0][3], 0);
}

TEST(PathEffects, LightsOfASpot) {
    constexpr effect::SpotLight spot{24, 24, 20, 24, 24, 0, 3, 0.5F};
    Effect effect;
    effect.region = {8, 8, 40, 40};
    effect.transform = Transform::translation(-4, 0) * Transform::scaling(1.25F, 1.25F); // the light is at 26, 30, 25
    effect.add({effect::Flood{{1, 1, 1, 1}}});
    effect.add({effect::SpecularLighting{spot, {1, 1, 0.5F, 1}, 4, 0.9F, 8}, {{0}}});
    const auto picture = drawn(effect, {0, 0, 0, 1});
    const auto at = [&](float x, float y) {
        const float height = 4 * 1.25F;
        const std::array<float, 3> light = unit({26 - x, 30 - y, 25 - height});
        const float along = light[2], shine = unit({light[0], light[1], light[2] + 1})[2];
        const float k = along < std::cos(0.5F) ? 0 : 0.9F * along * along * along * std::pow(shine, 8.0F);
        return Color4{k, k, k / 2, k};
    };
    for (const auto& [x, y] : {std::pair{26, 30}, {30, 30}, {26, 26}, {29, 35}, {10, 30}, {26, 45}}) {
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(picture[static_cast<std::size_t>(y * 48 + x)][i],
                        at(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F)[i], 1.0F / 255)
                << x << ", " << y;
        }
    }
}

TEST(PathEffects, TurbulenceOfTheSpecification) {
    // Values of the reference code of SVG, in double precision.
    const std::vector<std::tuple<int, int, Color4>> noise = {{1, 2, {0.193F, 0.1239F, 0.1869F, 0.339F}},
                                                             {20, 13, {0.2568F, 0.255F, 0.2277F, 0.5049F}},
                                                             {37, 46, {0.1128F, 0.1494F, 0.1619F, 0.33F}},
                                                             {47, 5, {0.2865F, 0.2653F, 0.3343F, 0.4769F}}};
    const std::vector<std::tuple<int, int, Color4>> absolute = {{1, 2, {0.0621F, 0.0867F, 0.0329F, 0.3219F}},
                                                                {37, 46, {0.1254F, 0.0321F, 0.0754F, 0.3399F}},
                                                                {47, 5, {0.1519F, 0.1509F, 0.14F, 0.3484F}}};
    for (const bool is_noise : {false, true}) {
        const auto picture = drawn(of(effect::Turbulence{0.05F, 0.08F, 3, 7, is_noise}), {0, 0, 0, 1});
        for (const auto& [x, y, color] : is_noise ? noise : absolute) {
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_NEAR(picture[static_cast<std::size_t>(y * 48 + x)][i], color[i], 1.0F / 255) << x << ", " << y;
            }
        }
    }
}

TEST(PathEffects, StitchedTurbulenceRepeats) {
    Effect effect;
    effect.region = {0, 0, 24, 24};
    effect.add({effect::Turbulence{0.13F, 0.09F, 2, 3, true, true}});
    effect.region = {0, 0, 48, 48};
    effect.steps[0].region = Rect{0, 0, 24, 24};
    effect.add({effect::Tile{}, {{0}}});
    const auto picture = drawn(effect, {0, 0, 0, 1});
    float greatest = 0; // difference of adjacent pixels
    for (std::size_t y = 0; y < 48; ++y) {
        for (std::size_t x = 1; x < 48; ++x) {
            greatest = std::max(greatest, std::abs(picture[y * 48 + x][3] - picture[y * 48 + x - 1][3]));
        }
    }
    EXPECT_GT(greatest, 0.01F);
    EXPECT_LT(greatest, 0.2F);
}

TEST(PathEffects, DisplacementByComponents) {
    Effect effect;
    const effect::Input map = effect.add({effect::Flood{{1, 0.25F, 0, 0.5F}}});
    effect.add({effect::Displacement{16, effect::Channel::red, effect::Channel::green}, {effect::source, map}});
    expect_pixels(drawn(effect, {1, 1, 0, 1}), [](int x, int y) { // reads 8 to the right, 4 above
        return is_in({8, 20, 24, 36}, x, y) ? Color4{1, 1, 0, 1} : Color4{};
    });
}

TEST(PathEffects, ConvolutionByMatrix) {
    effect::Convolution matrix{2, 1, {0.5F, 0.25F}};
    matrix.target_x = 0;
    matrix.target_y = 0;
    Effect effect;
    effect.region = {16, 8, 40, 40}; // begins at the left edge of the square
    const auto expect = [&](effect::Edge edge, bool keeps_alpha, const std::function<float(int)>& alpha) {
        matrix.edge = edge;
        matrix.keeps_alpha = keeps_alpha;
        effect.steps = {};
        effect.add({matrix});
        expect_pixels(drawn(effect, {1, 1, 1, 1}), [&](int x, int y) {
            const float a = is_in({16, 16, 40, 32}, x, y) ? alpha(x) : 0;
            return Color4{a, a, a, keeps_alpha && a > 0 ? 1 : a};
        });
    };
    // The right half is transparent. 0.25 is the factor of the pixel itself, 0.5 that of the pixel on its right.
    expect(effect::Edge::none, false, [](int x) { return x < 31 ? 0.75F : x == 31 ? 0.25F : 0; });
    expect(effect::Edge::wrap, false, [](int x) { return x < 31 ? 0.75F : x == 31 ? 0.25F : x == 39 ? 0.5F : 0; });
    expect(effect::Edge::none, true, [](int x) { return x < 31 ? 0.75F : x == 31 ? 0.25F : 0; });
    effect.region = {16, 8, 32, 40};
    expect(effect::Edge::duplicate, false, [](int x) { return x < 32 ? 0.75F : 0; });
}

TEST(PathEffects, LengthsFollowTheView) {
    const View view{.transform = Transform{0, 2, -2, 0, 80, -32}, .width = 48, .height = 48}; // a quarter turn
    const auto picture = drawn(of(effect::Offset{4, 1}), {1, 1, 1, 1}, view);
    expect_pixels(picture, [](int x, int y) { return is_in({14, 8, 46, 40}, x, y) ? Color4{1, 1, 1, 1} : Color4{}; });
    const auto blurred = drawn(of(effect::Blur{0, 4}), {1, 1, 1, 1}, view);
    EXPECT_EQ(blurred[33 * 48 + 30][3], 0); // sharp along the axis that x becomes
    EXPECT_GT(blurred[31 * 48 + 30][3], 0.9F);
    EXPECT_GT(blurred[20 * 48 + 14][3], 0.3F);
}

/// Returns nested layers with effects, clips, masks, opacity and a blend mode, partly outside of the picture.
Scene nested() {
    Scene scene;
    const PaintId red = scene.add_paint({0.9F, 0.2F, 0.1F, 1}), blue = scene.add_paint({0.1F, 0.3F, 0.9F, 0.7F});
    scene.fill(add_rect(scene, {0, 0, 90, 30}), scene.add_paint({0.9F, 0.9F, 0.5F, 1}));
    Effect shadow;
    shadow.region = {-20, -10, 70, 50};
    shadow.add_drop_shadow(effect::source, {3, 2}, {4, 4}, {0, 0, 0, 0.8F}, {}, true);
    const EffectId cast = scene.add_effect(shadow), soft = scene.add_effect(of(effect::Blur{2.5F, 1}));
    const ClipId clip = scene.add_clip(scene.add_outline(Path().add_ellipse({40, 30}, 38, 28)));
    scene.begin_mask(Mask::luminance);
    scene.push_layer({.effect = soft});
    scene.fill(add_rect(scene, {5, 5, 60, 45}), scene.add_paint({1, 1, 1, 1}));
    scene.pop_layer();
    scene.end_mask();
    scene.push_layer({.opacity = 0.9F, .blend = Blend::multiply, .effect = cast});
    scene.fill(add_rect(scene, {-6, -4, 30, 24}), red);
    scene.push_clip(clip, {.opacity = 0.8F, .effect = soft});
    scene.fill(add_rect(scene, {10, 10, 64, 40}), blue);
    scene.push_layer({.opacity = 0.5F});
    scene.fill(add_rect(scene, {20, 20, 90, 90}), red);
    scene.pop_layer();
    scene.pop_layer();
    scene.fill(add_rect(scene, {50, 5, 56, 60}), blue);
    scene.pop_layer();
    scene.push_layer({.effect = cast});
    scene.fill(add_rect(scene, {2, 44, 30, 52}), blue);
    scene.pop_layer();
    return scene;
}

TEST(PathEffects, NestedWithClipsMasksAndOpacity) {
    const Scene scene = nested();
    EXPECT_EQ(scene.effects().size(), 4U);
    for (const float zoom : {1.0F, 0.3F, 3.0F}) {
        expect_same(scene, {.transform = Transform::scaling(zoom, zoom) * Transform::rotation(zoom / 10),
                            .width = 77,
                            .height = 61,
                            .background = {1, 1, 1, 1}});
    }
}

/// With a margin, effects see the content around the picture: it is a part of a larger one.
TEST(PathEffects, MarginShowsContentOutside) {
    Effect effect;
    effect.region = {-200, -200, 300, 300};
    const auto blurred = effect.add({.work = effect::Blur{4, 6}, .inputs = {effect::source}});
    const auto moved = effect.add({.work = effect::Offset{-7, 3}, .inputs = {blurred}});
    effect.add({.work = effect::Morphology{true, 2, 1}, .inputs = {moved}});
    Scene scene;
    scene.push_layer({.effect = scene.add_effect(effect)});
    scene.fill(scene.add_outline(Path().add_rect(-30, -20, 50, 40)), scene.add_paint({1, 0, 0, 1}));
    scene.fill(scene.add_outline(Path().add_rect(69, 30, 40, 40)), scene.add_paint({0, 0, 1, 1}));
    scene.pop_layer();
    View view{.width = 65, .height = 35};
    view.margin = effect_margin(scene, view);
    EXPECT_EQ(view.margin, 32U);
    expect_same(scene, view);
    const auto picture = picture_of(scene, view);
    const View large{.transform = Transform::translation(64, 64), .width = 193, .height = 163};
    const auto whole = picture_of(scene, large);
    for (std::uint32_t y = 0; y < view.height; ++y) {
        for (std::uint32_t x = 0; x < view.width; ++x) {
            ASSERT_EQ(picture[y * view.width + x], whole[(y + 64) * large.width + x + 64]) << x << ' ' << y;
        }
    }
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture), 1);
    view.margin = 0; // compiles again
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    EXPECT_NE(picture_of(scene, view), picture);
    view.margin = 8;
    EXPECT_EQ(renderer.draw(view).error().code, ErrorCode::invalid_argument);
}

} // namespace
} // namespace weir::tests::effects_test
