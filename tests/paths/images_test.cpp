// Image paints: pictures with known colors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"

namespace weir::tests::images_test {
namespace {

using namespace weir::paths;
using Color4 = std::array<float, 4>;

std::vector<std::uint32_t> random_pixels(std::uint32_t count, std::uint32_t alpha) {
    std::mt19937 random(3);
    std::vector<std::uint32_t> pixels(count);
    std::generate(pixels.begin(), pixels.end(), [&] { return (random() & 0xFFFFFF) | alpha << 24; });
    return pixels;
}

/// Fills a picture of `size` x `size` pixels with a paint, and checks that the device draws it too.
std::vector<Color4> drawn(Scene& scene, const ImagePaint& paint, std::uint32_t size) {
    const auto length = static_cast<float>(size);
    scene.fill(scene.add_outline(Path().add_rect(0, 0, length, length)), scene.add_paint(paint));
    const View view{.width = size, .height = size};
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// Returns the expected color of an image pixel that is not premultiplied.
Color4 color_of(std::uint32_t pixel) {
    const float alpha = static_cast<float>(pixel >> 24) / 255;
    const auto component = [&](int c) { return static_cast<float>(pixel >> 8 * c & 0xFF) / 255 * alpha; };
    return {component(0), component(1), component(2), alpha};
}

void expect_near(const Color4& color, const Color4& expected, float tolerance = 0.5F / 255 + 1e-5F) {
    for (int c = 0; c < 4; ++c) {
        EXPECT_NEAR(color[c], expected[c], tolerance) << "component " << c;
    }
}

/// Index of a pixel that the behavior outside of an image selects.
std::uint32_t inside(Spread spread, std::int32_t i, std::int32_t size) {
    switch (spread) {
    case Spread::pad: return static_cast<std::uint32_t>(std::clamp(i, 0, size - 1));
    case Spread::repeat: return static_cast<std::uint32_t>(((i % size) + size) % size);
    case Spread::reflect: break;
    }
    const std::int32_t at = ((i % (2 * size)) + 2 * size) % (2 * size);
    return static_cast<std::uint32_t>(at < size ? at : 2 * size - 1 - at);
}

TEST(PathImages, NearestAtIntegerScaleRepeatsPixels) {
    for (const std::uint32_t alpha : {255U, 77U}) {
        Scene scene;
        const auto pixels = random_pixels(8 * 8, alpha);
        const BitmapId bitmap = scene.add_bitmap({8, 8, pixels});
        const auto picture =
            drawn(scene, {.bitmap = bitmap, .filter = Filter::nearest, .transform = Transform::scaling(3, 3)}, 24);
        for (std::uint32_t y = 0; y < 24; ++y) {
            for (std::uint32_t x = 0; x < 24; ++x) {
                expect_near(picture[y * 24 + x], color_of(pixels[y / 3 * 8 + x / 3]));
            }
        }
    }
}

TEST(PathImages, SpreadsOfBothAxes) {
    const auto pixels = random_pixels(5 * 3, 255);
    for (const Spread across : {Spread::pad, Spread::reflect, Spread::repeat}) {
        for (const Spread down : {Spread::pad, Spread::reflect, Spread::repeat}) {
            for (const Filter filter : {Filter::nearest, Filter::linear}) { // equal at pixel centers
                SCOPED_TRACE(static_cast<int>(across) * 10 + static_cast<int>(down));
                Scene scene;
                const BitmapId bitmap = scene.add_bitmap({5, 3, pixels});
                const auto picture = drawn(scene,
                                           {.bitmap = bitmap,
                                            .filter = filter,
                                            .across = across,
                                            .down = down,
                                            .transform = Transform::translation(13, 15)},
                                           32);
                for (std::int32_t y = 0; y < 32; ++y) {
                    for (std::int32_t x = 0; x < 32; ++x) {
                        const std::uint32_t pixel = pixels[inside(down, y - 15, 3) * 5 + inside(across, x - 13, 5)];
                        expect_near(picture[y * 32 + x], color_of(pixel), 0.002F);
                    }
                }
            }
        }
    }
}

TEST(PathImages, LinearInterpolatesBetweenPixelCenters) {
    Scene scene;
    const std::vector<std::uint32_t> pixels = {0xFF000000, 0xFF0000FF, 0xFF000000, 0xFF0000FF};
    const BitmapId bitmap = scene.add_bitmap({2, 2, pixels});
    const auto picture = drawn(scene, {.bitmap = bitmap, .transform = Transform::scaling(16, 16)}, 32);
    for (std::uint32_t x = 0; x < 32; ++x) {
        const float red = std::clamp((static_cast<float>(x) + 0.5F - 8) / 16, 0.0F, 1.0F);
        expect_near(picture[9 * 32 + x], {red, 0, 0, 1}, 1e-4F);
    }
}

/// The filter of Mitchell and Netravali, with parameters of 1/3.
float cubic_weight(float distance) {
    const float x = std::abs(distance);
    return x < 1   ? (7 * x * x * x - 12 * x * x + 16 / 3.0F) / 6
           : x < 2 ? (-7 / 3.0F * x * x * x + 12 * x * x - 20 * x + 32 / 3.0F) / 6
                   : 0;
}

TEST(PathImages, CubicWeighsFourByFourPixels) {
    const auto pixels = random_pixels(5 * 3, 150);
    for (const Spread spread : {Spread::pad, Spread::reflect, Spread::repeat}) {
        SCOPED_TRACE(static_cast<int>(spread));
        Scene scene;
        const BitmapId bitmap = scene.add_bitmap({5, 3, pixels});
        const auto picture = drawn(scene,
                                   {.bitmap = bitmap,
                                    .filter = Filter::cubic,
                                    .across = spread,
                                    .down = spread,
                                    .transform = Transform::translation(9, 5) * Transform::scaling(4, 3)},
                                   32);
        for (std::uint32_t i = 0; i < 32 * 32; ++i) {
            const std::uint32_t column = i % 32, row = i / 32;
            const float x = (static_cast<float>(column) + 0.5F - 9) / 4;
            const float y = (static_cast<float>(row) + 0.5F - 5) / 3;
            const auto left = static_cast<std::int32_t>(std::floor(x - 0.5F)) - 1;
            const auto top = static_cast<std::int32_t>(std::floor(y - 0.5F)) - 1;
            Color4 expected = {};
            for (std::int32_t k = 0; k < 16; ++k) {
                const std::int32_t u = left + k % 4, v = top + k / 4;
                const float weight =
                    cubic_weight(x - 0.5F - static_cast<float>(u)) * cubic_weight(y - 0.5F - static_cast<float>(v));
                const Color4 pixel = color_of(pixels[inside(spread, v, 3) * 5 + inside(spread, u, 5)]);
                for (int c = 0; c < 4; ++c) {
                    expected[c] += weight * pixel[c];
                }
            }
            for (int c = 0; c < 3; ++c) {
                expected[c] = std::clamp(expected[c], 0.0F, expected[3]);
            }
            expect_near(picture[i], expected, 0.003F);
        }
    }
}

TEST(PathImages, CubicKeepsPixelsAtTheirSizeAndReducesAsLinear) {
    for (const float scale : {1.0F, 0.2F}) {
        std::vector<std::vector<Color4>> pictures;
        for (const Filter filter : {Filter::linear, Filter::cubic}) {
            Scene scene;
            const auto pixels = random_pixels(32 * 32, 255);
            pictures.push_back(drawn(scene,
                                     {.bitmap = scene.add_bitmap({32, 32, pixels}),
                                      .filter = filter,
                                      .transform = Transform::scaling(scale, scale)},
                                     8));
        }
        EXPECT_EQ(pictures[0], pictures[1]);
    }
}

/// A reduced image keeps its mean, whatever its size. One sample per pixel would show moire.
TEST(PathImages, ReducedImageHasMeanColor) {
    for (const std::uint32_t size : {100U, 255U, 513U}) {
        SCOPED_TRACE(size);
        std::vector<std::uint32_t> pixels(size * size);
        for (std::uint32_t i = 0; i < size * size; ++i) { // stripes of one pixel in three
            pixels[i] = i % size % 3 == 0 ? 0xFFFFFFFFU : 0xFF000000U;
        }
        Scene scene;
        const BitmapId bitmap = scene.add_bitmap({size, size, pixels});
        const float scale = 8 / static_cast<float>(size);
        const auto picture = drawn(scene, {.bitmap = bitmap, .transform = Transform::scaling(scale, scale)}, 8);
        for (const Color4& color : picture) {
            EXPECT_NEAR(color[0], 1 / 3.0F, size == 100 ? 0.06F : 0.02F);
            EXPECT_NEAR(color[3], 1, 1e-4F);
        }
    }
}

/// Half the size: each pixel is the mean of 2 x 2.
TEST(PathImages, HalfSizeIsMeanOfFour) {
    Scene scene;
    const auto pixels = random_pixels(32 * 32, 255);
    const BitmapId bitmap = scene.add_bitmap({32, 32, pixels});
    const auto picture = drawn(scene, {.bitmap = bitmap, .transform = Transform::scaling(0.5F, 0.5F)}, 16);
    for (std::uint32_t y = 0; y < 16; ++y) {
        for (std::uint32_t x = 0; x < 16; ++x) {
            Color4 mean = {};
            for (const std::uint32_t i : {0U, 1U, 32U, 33U}) {
                const Color4 one = color_of(pixels[2 * y * 32 + 2 * x + i]);
                for (int c = 0; c < 4; ++c) {
                    mean[c] += one[c] / 4;
                }
            }
            expect_near(picture[y * 16 + x], mean, 0.002F);
        }
    }
}

/// An image that is reduced along one axis only stays sharp along the other.
TEST(PathImages, ReductionOfOneAxisKeepsTheOther) {
    std::vector<std::uint32_t> pixels(16 * 128);
    for (std::uint32_t i = 0; i < 16 * 128; ++i) {
        pixels[i] = i % 2 == 0 ? 0xFFFFFFFFU : 0xFF000000U;
    }
    Scene scene;
    const BitmapId bitmap = scene.add_bitmap({16, 128, pixels});
    const auto picture = drawn(scene, {.bitmap = bitmap, .transform = Transform::scaling(1, 0.125F)}, 16);
    for (std::uint32_t i = 0; i < 16 * 16; ++i) {
        EXPECT_NEAR(picture[i][0], i % 2 == 0 ? 1 : 0, 0.002F) << i;
    }
}

TEST(PathImages, OpacityAndColorsBehindImage) {
    Scene scene;
    scene.fill(scene.add_outline(Path().add_rect(0, 0, 16, 16)), scene.add_paint({1, 0, 0, 1}));
    const std::vector<std::uint32_t> blue = {0xFFFF0000};
    const auto picture = drawn(scene, {.bitmap = scene.add_bitmap({1, 1, blue}), .opacity = 0.25F}, 16);
    expect_near(picture[37], {0.75F, 0, 0.25F, 1}, 1e-4F);
}

TEST(PathImages, TransparentPixelsDoNotDarkenNeighbors) {
    Scene scene;
    const std::vector<std::uint32_t> pixels = {0xFFFFFFFF, 0x00000000};
    const auto picture =
        drawn(scene, {.bitmap = scene.add_bitmap({2, 1, pixels}), .transform = Transform::scaling(8, 16)}, 16);
    for (const Color4& color : picture) { // premultiplied white
        EXPECT_NEAR(color[0], color[3], 1e-5F);
    }
}

TEST(PathImages, PremultipliedPixelsAreKept) {
    Scene scene;
    const std::vector<std::uint32_t> pixels = {0x80204060};
    const auto picture =
        drawn(scene, {.bitmap = scene.add_bitmap({1, 1, pixels, true}), .transform = Transform::scaling(16, 16)}, 16);
    expect_near(picture[0], {0x60 / 255.0F, 0x40 / 255.0F, 0x20 / 255.0F, 0x80 / 255.0F}, 1e-5F);
}

TEST(PathImages, CopiesOfSceneShareBitmaps) {
    Scene scene;
    const std::vector<std::uint32_t> red(64, 0xFF0000FF), blue(64, 0xFFFF0000);
    const BitmapId bitmap = scene.add_bitmap({8, 8, red});
    Scene copy = scene;
    EXPECT_EQ(copy.texels().data(), scene.texels().data());
    const std::size_t size = scene.texels().size();
    const BitmapId other = copy.add_bitmap({8, 8, blue}); // the original does not change
    EXPECT_EQ(scene.texels().size(), size);
    expect_near(drawn(copy, {.bitmap = other}, 8)[0], {0, 0, 1, 1});
    expect_near(drawn(scene, {.bitmap = bitmap}, 8)[0], {1, 0, 0, 1});
}

TEST(PathImages, InvalidImagesPaintNothing) {
    const std::vector<std::uint32_t> pixels(8, 0xFFFFFFFF);
    for (const Bitmap& wrong : {Bitmap{2, 3, pixels}, Bitmap{0, 0, {}}, Bitmap{max_bitmap_size + 1, 1, pixels}}) {
        Scene scene;
        scene.fill(scene.add_outline(Path().add_rect(0, 0, 16, 16)), scene.add_paint({1, 0, 0, 1}));
        expect_near(drawn(scene, {.bitmap = scene.add_bitmap(wrong)}, 16)[0], {1, 0, 0, 1});
    }
    Scene scene; // a transform without an inverse
    scene.fill(scene.add_outline(Path().add_rect(0, 0, 16, 16)), scene.add_paint({1, 0, 0, 1}));
    const BitmapId bitmap = scene.add_bitmap({2, 4, pixels});
    expect_near(drawn(scene, {.bitmap = bitmap, .transform = Transform::scaling(0, 1)}, 16)[0], {1, 0, 0, 1});
}

} // namespace
} // namespace weir::tests::images_test
