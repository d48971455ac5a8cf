// Pictures with several samples per pixel.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/effects.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::samples_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathSamples.*"}; // random scenes run on others too

constexpr Coverage both[] = {Coverage::samples_4, Coverage::samples_16};

using Colors = std::vector<std::array<float, 4>>;

/// Returns the maximum difference of a component.
float difference_of(const Colors& a, const Colors& b) {
    float greatest = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        for (int c = 0; c < 4; ++c) {
            greatest = std::max(greatest, std::abs(a[i][c] - b[i][c]));
        }
    }
    return greatest;
}

/// Returns the mean of the samples of each pixel, from larger pictures without anti-aliasing whose pixels are the
/// samples: one picture for each row of samples, moved so that the centers of its pixels are the places of the samples.
Colors supersampled(const Scene& aliased, const View& view) {
    const std::uint32_t n = samples_across(view.coverage);
    const std::array<float, 4> order = n == 4 ? std::array<float, 4>{1, 3, 0, 2} : std::array<float, 4>{1, 0};
    const auto scale = static_cast<float>(n);
    Colors picture(std::size_t{view.width} * view.height);
    for (std::uint32_t row = 0; row < n; ++row) {
        const float x = (order[row] + 0.5F) / scale; // place of the samples, in a pixel of the large picture
        const View large{.transform = Transform::translation(0.5F - x, 0) * Transform::scaling(scale, scale),
                         .width = n * view.width,
                         .height = n * view.height,
                         .tolerance = scale * view.tolerance};
        const Colors samples = picture_of(aliased, large);
        for (std::uint32_t y = row; y < large.height; y += n) {
            for (std::uint32_t at = 0; at < large.width; ++at) {
                for (int c = 0; c < 4; ++c) {
                    picture[y / n * view.width + at / n][c] += samples[y * large.width + at][c] / (scale * scale);
                }
            }
        }
    }
    return picture;
}

/// Draws a scene on the CPU, and checks that the device draws the same picture.
Colors drawn(const Scene& scene, const View& view) {
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// Returns a polygon with corners at multiples of 1/64 pixel. Floats of its points are exact in every picture.
Path polygon(std::mt19937& random) {
    const auto place = [&] { return static_cast<float>(static_cast<int>(random() % 5120) - 640) / 64; };
    Path path;
    for (std::uint32_t corners = random() % 6 + 3; corners != 0; --corners) {
        const float x = place();
        path.line_to({x, place()});
    }
    return path.close();
}

TEST(PathSamples, PixelIsTheMeanOfItsSamples) {
    std::mt19937 random(31);
    const auto one = [&] { return std::uniform_real_distribution<float>(0, 1)(random); };
    for (int i = 0; i < 20 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        Scene scene;
        scene.set_antialias(Antialias::none);
        for (int layer = 0; layer < 3; ++layer) {
            const auto blend = static_cast<Blend>(random() % 16);
            if (layer == 1) {
                scene.push_clip(scene.add_outline(polygon(random)));
            }
            scene.push_layer({.opacity = 0.7F, .blend = blend});
            for (int k = 0; k < 4; ++k) {
                const auto rule = random() % 2 == 0 ? FillRule::nonzero : FillRule::even_odd;
                const Color color = {one(), one(), one(), one()};
                scene.fill(scene.add_outline(polygon(random)), scene.add_paint(color), {}, rule);
            }
            scene.pop_layer();
            if (layer == 1) {
                scene.pop_layer();
            }
        }
        const View view{.width = 61, .height = 35, .coverage = both[i % 2]};
        const Colors picture = picture_of(scene, view), expected = supersampled(scene, view);
        int others = 0; // lines end on whole subpixels at the edges of tiles, which are elsewhere in the moved pictures
        for (std::size_t k = 0; k < picture.size(); ++k) {
            others += difference_of({picture[k]}, {expected[k]}) > 1e-5F ? 1 : 0;
        }
        EXPECT_LE(others, 2);
    }
}

/// Triangles of a fan share all inner edges. Together they cover each pixel exactly once.
TEST(PathSamples, NeighborsLeaveNoSeam) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> inner(20, 76);
    const std::array<Point, 6> rim = {{{0, 0}, {50, 0}, {96, 0}, {96, 96}, {30, 96}, {0, 96}}};
    for (const Coverage coverage : both) {
        const Point hub{inner(random), inner(random)};
        Scene scene;
        for (std::size_t k = 0; k < rim.size(); ++k) {
            Path triangle;
            triangle.move_to(hub).line_to(rim[k]).line_to(rim[(k + 1) % rim.size()]).close();
            scene.fill(scene.add_outline(triangle), scene.add_paint({0, 0, 0, 0.5F}));
        }
        for (const auto& pixel : drawn(scene, {.width = 96, .height = 96, .coverage = coverage})) {
            ASSERT_EQ(pixel[3], 0.5F);
        }
    }
}

/// By area, parts of a path with opposite windings cancel each other in a pixel, and equal ones add up.
TEST(PathSamples, PartsOfAPathInAPixel) {
    Path opposite, equal;
    opposite.add_rect(10, 0, 0.5F, 4).add_rect(11, 0, -0.5F, 4); // two halves of a pixel
    equal.add_rect(10, 0, 0.5F, 4).add_rect(10.25F, 0, 0.25F, 4);
    const auto alpha_of = [](const Path& path, Coverage coverage) {
        Scene scene;
        scene.fill(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}));
        return drawn(scene, {.width = 16, .height = 4, .coverage = coverage})[10][3];
    };
    EXPECT_EQ(alpha_of(opposite, Coverage::area), 0);
    EXPECT_EQ(alpha_of(equal, Coverage::area), 0.75F);
    for (const Coverage coverage : both) {
        EXPECT_EQ(alpha_of(opposite, coverage), 1);
        EXPECT_EQ(alpha_of(equal, coverage), 0.5F);
    }
}

TEST(PathSamples, VerticalEdgeHasALevelPerSample) {
    for (const Coverage coverage : both) {
        const std::uint32_t across = samples_across(coverage), samples = across * across;
        for (std::uint32_t i = 0; i <= samples; ++i) {
            const float part = static_cast<float>(i) / static_cast<float>(samples);
            Scene scene;
            scene.fill(scene.add_outline(Path().add_rect(0, 0, 5 + part, 4)), scene.add_paint({0, 0, 0, 1}));
            EXPECT_EQ(picture_of(scene, {.width = 8, .height = 4, .coverage = coverage})[5][3], part) << i;
        }
    }
}

/// Returns hairlines, dashes, and layers whose effects have lengths in pixels, with edges on whole pixels.
Scene lengths_in_pixels() {
    Scene scene;
    const PaintId paint = scene.add_paint({0.2F, 0.4F, 0.6F, 1});
    scene.stroke(scene.add_outline(Path().move_to({2, 1.25F}).line_to({20, 1.25F})), paint,
                 {.width = 1, .dashes = {4, 2}, .is_non_scaling = true});
    const auto add = [&](effect::Work work, float x) {
        Effect effect;
        effect.add({std::move(work), {}});
        scene.push_layer({.effect = scene.add_effect(effect)});
        scene.fill(scene.add_outline(Path().add_rect(x, 6, 4, 6)), paint);
        scene.pop_layer();
    };
    add(effect::Convolution{.values = {0, 1, 2, 1, 0, 1, -1, 3, 0}, .divisor = 6, .target_y = 2}, 5);
    add(effect::DiffuseLighting{.light = effect::DistantLight{1, 0.7F}, .surface_scale = 2}, 14);
    add(effect::Morphology{.is_dilation = true, .x = 0.5F, .y = 1}, 22);
    add(effect::Offset{3, -1}, 28);
    return scene;
}

TEST(PathSamples, LengthsInPixelsAreThoseOfThePicture) {
    const Scene scene = lengths_in_pixels();
    View view{.transform = Transform::scaling(2, 2), .width = 80, .height = 40};
    const Colors by_area = picture_of(scene, view);
    view.coverage = Coverage::samples_16;
    EXPECT_LE(difference_of(drawn(scene, view), by_area), 2.0F / 255);
}

TEST(PathSamples, BlurWithMarginAndScissor) {
    Effect effect;
    effect.add({effect::Blur{4, 4}, {}});
    Scene scene;
    scene.push_layer({.opacity = 0.8F, .effect = scene.add_effect(effect)});
    scene.fill(scene.add_outline(Path().add_ellipse({-5, 10}, 14, 9)), scene.add_paint({1, 0, 0, 1}));
    scene.pop_layer();
    View view{.width = 37, .height = 29, .coverage = Coverage::samples_16};
    view.margin = effect_margin(scene, view);
    EXPECT_EQ(view.margin, 16U);
    const Colors all = drawn(scene, view);
    EXPECT_GT(all[10 * 37][0], 0.5F);
    View by_area = view;
    by_area.coverage = Coverage::area;
    EXPECT_LE(difference_of(all, picture_of(scene, by_area)), 0.05F); // boxes of other whole sizes
    view.scissor = {5, 7, 30, 23};
    expect_same(scene, view);
}

TEST(PathSamples, RendererCompilesAgain) {
    Scene scene;
    scene.fill(scene.add_outline(Path().add_ellipse({20, 15}, 13, 9)), scene.add_paint({1, 0, 0, 0.5F}));
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    View view{.width = 41, .height = 31};
    for (const Coverage coverage :
         {Coverage::area, Coverage::samples_16, Coverage::samples_4, Coverage::area, Coverage::samples_4}) {
        view.coverage = coverage;
        EXPECT_LE(ok(renderer.draw(view)).tries, 2U);
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    }
}

TEST(PathSamples, TooManySamplesAreAnError) {
    Renderer renderer = ok(Renderer::create(test_context(), {}));
    View view{.width = 5000, .height = 4, .coverage = Coverage::samples_16};
    EXPECT_THAT(renderer.draw(view).error().message,
                testing::HasSubstr("5000 x 4 pixels with 16 samples each; width and height of 1 to 4096"));
    view.width = 4000;
    view.margin = 64;
    EXPECT_THAT(renderer.draw(view).error().message,
                testing::HasSubstr("at most 4096 pixels wide and high, with 16 samples each"));
}

} // namespace
} // namespace weir::tests::samples_test
