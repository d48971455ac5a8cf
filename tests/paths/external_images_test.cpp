// Paints with images of the application.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/frames.hpp>
#include <weir/paths/renderer.hpp>

#include "engine/shader/shader_cache.hpp"
#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/device.hpp"
#include "tests/support/frame_application.hpp"
#include "tests/support/own_image.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::external_images_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathExternalImages.*"}; // random scenes run on others too
const View view{.width = 40, .height = 24};

/// Returns an image that shaders sample, in the layout of `access`, with the bytes of its texels.
OwnImage filled(VkFormat format, std::uint32_t width, std::uint32_t height, std::span<const std::byte> texels,
                Access access = Access::fragment_shader_read) {
    const Context& gpu = test_context();
    const ImageInfo info{.format = format, .extent = {width, height, 1}};
    OwnImage image(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, info);
    Graph graph(gpu);
    const auto bytes = graph.import_buffer<std::uint32_t>("texels", static_cast<std::uint32_t>(texels.size() / 4));
    const ImageId id = graph.import_image("image", info, Access::none);
    graph.add_copy("fill", bytes, id);
    graph.export_image(id, access);
    Program program = ok(compile(gpu, graph));
    const Buffer buffer = ok(gpu.create_buffer(texels.size()));
    ok(gpu.upload(buffer, texels));
    ok(program.bind(bytes, buffer));
    ok(program.bind(id, image.view()));
    ok(program.run());
    return image;
}

std::vector<std::uint32_t> random_pixels(std::uint32_t count) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> pixels(count);
    std::generate(pixels.begin(), pixels.end(), [&] { return static_cast<std::uint32_t>(random()); });
    return pixels;
}

/// Returns a scene whose picture is an external image, with its pixels for the CPU.
Scene scene_of(const ExternalImage& image, std::span<const std::uint32_t> pixels, float scale = 1) {
    Scene scene;
    const BitmapId bitmap = scene.add_external_image(image);
    scene.fill(scene.add_outline(Path().add_rect(0, 0, 40, 24)),
               scene.add_paint({.bitmap = bitmap, .transform = Transform::scaling(scale, scale)}));
    scene.set_external_pixels(0, {image.width, image.height, pixels, image.is_premultiplied});
    return scene;
}

/// Draws an image by a renderer. Returns the maximum difference from the picture of the CPU, in 1/255.
double difference_of(const Scene& scene, const OwnImage& image) {
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    const std::array images{BoundExternal{image.view()}};
    ok(renderer.draw(view, images));
    return difference(ok(renderer.download()), picture_of(scene, view));
}

TEST(PathExternalImages, AlphaIsMultipliedOrIgnored) {
    std::vector<std::uint32_t> pixels = random_pixels(40 * 24);
    for (const ExternalImage image : {ExternalImage{40, 24}, ExternalImage{40, 24, true},
                                      ExternalImage{40, 24, false, true}, ExternalImage{40, 24, true, true}}) {
        if (image.is_premultiplied) {
            for (std::uint32_t& pixel : pixels) {
                pixel = pixel >> 24 << 24 | (pixel & 0x7F7F7F) * (pixel >> 31);
            }
        }
        const OwnImage bound = filled(VK_FORMAT_R8G8B8A8_UNORM, 40, 24, std::as_bytes(std::span(pixels)));
        EXPECT_LE(difference_of(scene_of(image, pixels), bound), 0.51) << image.is_opaque << image.is_premultiplied;
    }
}

TEST(PathExternalImages, MipmapsAreThoseOfTheCpu) {
    for (const auto& [width, height] : {std::pair(301U, 97U), {1U, 200U}, {128U, 128U}}) {
        const std::vector<std::uint32_t> pixels = random_pixels(width * height);
        const OwnImage bound = filled(VK_FORMAT_R8G8B8A8_UNORM, width, height, std::as_bytes(std::span(pixels)));
        for (const float scale : {0.2F, 0.08F, 0.03F}) {
            EXPECT_LE(difference_of(scene_of({width, height}, pixels, scale), bound), 0.6) << width << ' ' << scale;
        }
    }
}

TEST(PathExternalImages, FormatsAreConverted) {
    const std::vector<std::uint32_t> pixels = random_pixels(40 * 24);
    std::vector<std::uint32_t> swapped(pixels);
    for (std::uint32_t& pixel : swapped) {
        pixel = (pixel & 0xFF00FF00) | (pixel & 0xFF) << 16 | (pixel >> 16 & 0xFF);
    }
    const auto bytes = std::as_bytes(std::span(swapped));
    EXPECT_LE(difference_of(scene_of({40, 24}, pixels), filled(VK_FORMAT_B8G8R8A8_UNORM, 40, 24, bytes)), 0.51);
    const ExternalImage linear{.width = 40, .height = 24, .is_linear = true};
    EXPECT_LE(difference_of(scene_of(linear, pixels), filled(VK_FORMAT_B8G8R8A8_SRGB, 40, 24, bytes)), 1.01);
}

/// Linear light in half floats, premultiplied, with values that are out of range.
TEST(PathExternalImages, FloatsAreEncodedAndClamped) {
    constexpr std::uint32_t zero = 0, quarter = 0x3400, half = 0x3800, one = 0x3C00, two = 0x4000, minus_one = 0xBC00;
    const std::array<std::uint32_t, 6> texels = {half | quarter << 16, zero | one << 16,      quarter | zero << 16,
                                                 zero | half << 16,    two | minus_one << 16, one | one << 16};
    const auto encoded = [](float linear) {
        return static_cast<std::uint32_t>(std::lround(255 * (1.055F * std::pow(linear, 1 / 2.4F) - 0.055F)));
    };
    const std::array<std::uint32_t, 3> pixels = {0xFF000000 | encoded(0.5F) | encoded(0.25F) << 8,
                                                 0x80000000 | encoded(0.5F), 0xFFFF00FF};
    const OwnImage bound = filled(VK_FORMAT_R16G16B16A16_SFLOAT, 3, 1, std::as_bytes(std::span(texels)));
    ExternalImage image{.width = 3, .height = 1, .is_linear = true};
    Scene scene = scene_of(image, pixels, 8);
    image.is_premultiplied = true;
    Scene premultiplied = scene_of(image, {});
    EXPECT_TRUE(premultiplied.external_texels().empty()); // no pixels of this size
    premultiplied = scene_of(image, pixels, 8);
    premultiplied.set_external_pixels(0, {3, 1, pixels}); // not premultiplied
    EXPECT_LE(difference_of(premultiplied, bound), 1.01);
    EXPECT_GT(difference_of(scene, bound), 10);
}

TEST(PathExternalImages, FramesBindOtherImages) {
    const std::vector<std::uint32_t> red(16, 0xFF0000FF), blue(16, 0xFFFF0000);
    Scene scene = scene_of({4, 4}, red, 10);
    const OwnImage first = filled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, std::as_bytes(std::span(red)));
    const OwnImage second = filled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, std::as_bytes(std::span(blue)));
    const OwnImage third =
        filled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, std::as_bytes(std::span(blue)), Access::transfer_write);
    FrameApplication application(2, {view.width, view.height});
    FrameRenderer renderer = ok(FrameRenderer::create(
        test_context(), scene,
        {.frames_in_flight = 2, .arrives = Access::transfer_read, .leaves = Access::transfer_read}));
    std::array images{BoundExternal{first.view()}};
    ok(renderer.settle(view, application.picture(), images));
    const Program* program = &renderer.program();
    for (int frame = 0; frame < 6; ++frame) {
        images[0] = frame < 4 ? BoundExternal{(frame % 2 == 0 ? first : second).view()}
                              : BoundExternal{third.view(), Access::transfer_write};
        application.draw(
            [&](VkCommandBuffer commands) { return renderer.record(commands, view, application.picture(), images); });
        EXPECT_EQ(program == &renderer.program(), frame < 4); // the program depends on accesses alone
    }
    const auto pictures = application.pictures();
    for (std::size_t frame = 0; frame < pictures.size(); ++frame) {
        scene.set_external_pixels(0, {4, 4, frame % 2 == 0 && frame < 4 ? red : blue});
        EXPECT_LE(difference(pictures[frame], picture_of(scene, view)), 0.51) << frame;
    }
}

TEST(PathExternalImages, ImagesAreBoundInOrder) {
    const std::vector<std::uint32_t> red(16, 0xFF0000FF), blue(16, 0xFFFF0000);
    Scene scene = scene_of({4, 4}, red, 10);
    scene.append(scene_of({4, 4}, blue, 10), Transform::translation(20, 0));
    const OwnImage first = filled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, std::as_bytes(std::span(red)));
    const OwnImage second =
        filled(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, std::as_bytes(std::span(blue)), Access::transfer_write);
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    std::array images{BoundExternal{first.view()}, BoundExternal{second.view(), Access::transfer_write}};
    for (int i = 0; i < 2; ++i) {
        ok(renderer.draw(view, images));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 0.51);
        std::swap(images[0], images[1]); // with their accesses
        scene.set_external_pixels(0, {4, 4, blue});
        scene.set_external_pixels(1, {4, 4, red});
    }
}

TEST(PathExternalImages, NumberOfImagesIsChecked) {
    const std::vector<std::uint32_t> red(16, 0xFF0000FF);
    Scene scene = scene_of({4, 4}, red);
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    const auto drawn = renderer.draw(view);
    ASSERT_FALSE(drawn);
    EXPECT_EQ(drawn.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(drawn.error().message, testing::HasSubstr("the scene has 1 external images and 0 are given"));
    ok(renderer.update(Scene()));
    ok(renderer.draw(view));
    EXPECT_EQ(scene.add_external_image({0, 1}).index, 1U); // an empty bitmap
    EXPECT_EQ(scene.external_images().size(), 1U);
}

TEST(PathExternalImages, AppendedScenesKeepTheirImages) {
    const std::vector<std::uint32_t> red(16, 0xFF0000FF), blue(16, 0xFFFF0000);
    const Scene part = scene_of({4, 4}, blue, 3);
    Scene scene;
    EXPECT_EQ(scene.append(part), 0U);
    scene.append(scene_of({4, 4}, red, 2), Transform::translation(20, 0));
    scene.append(part, Transform::translation(0, 12));
    EXPECT_EQ(scene.external_images().size(), 3U);
    expect_same(scene, view);
    const auto picture = picture_of(scene, view);
    EXPECT_EQ(picture[0][2], 1);
    EXPECT_EQ(picture[30][0], 1);
}

} // namespace
} // namespace weir::tests::external_images_test
