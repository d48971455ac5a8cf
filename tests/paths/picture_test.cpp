// The image of a path renderer in a program of the application.

#include <gtest/gtest.h>
#include <weir/paths/renderer.hpp>

#include "tests/paths/pictures.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::picture_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathPicture.*"};

/// Samples an image in a graph of the application. Returns its pixels as words.
std::vector<std::uint32_t> sampled_pixels(const Picture& picture) {
    Graph graph(test_context());
    const auto out = graph.transient_buffer<std::uint32_t>("out", picture.width * picture.height);
    const ImageId image = graph.import_image(
        "picture", {.format = picture.format, .extent = {picture.width, picture.height, 1}}, Access::any);
    Pass pass;
    pass.name = "fetch";
    pass.shader =
        ShaderSource::glsl("#version 460\n"
                           "#extension GL_EXT_samplerless_texture_functions : require\n"
                           "layout(local_size_x = 8, local_size_y = 8) in;\n"
                           "layout(binding = 0) uniform texture2D image;\n"
                           "layout(binding = 1) buffer Out { uint words[]; };\n"
                           "void main() {\n"
                           "    const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(image, 0);\n"
                           "    if (all(lessThan(at, size)))\n"
                           "        words[at.y * size.x + at.x] = packUnorm4x8(texelFetch(image, at, 0));\n"
                           "}\n",
                           "fetch");
    pass.bindings = {sampled(image), write(out)};
    pass.dispatch = Dispatch::groups((picture.width + 7) / 8, (picture.height + 7) / 8);
    graph.add_pass(std::move(pass));
    graph.export_buffer(out);
    graph.export_image(image, Access::any);
    Program program = ok(compile(test_context(), graph));
    ok(program.bind(image, {picture.image, picture.view}));
    ok(program.run());
    return ok(test_context().download<std::uint32_t>(program.view(out), std::size_t{picture.width} * picture.height));
}

TEST(PathPicture, ImageOfRendererCanBeSampled) {
    Scene scene;
    scene.fill(scene.add_outline(Path().add_ellipse({20, 15}, 18, 12)), scene.add_paint({0.2F, 0.5F, 1, 0.7F}));
    Renderer renderer = ok(Renderer::create(test_context(), scene));
    EXPECT_EQ(layout_of(Access::any), VK_IMAGE_LAYOUT_GENERAL);
    for (const std::uint32_t width : {40U, 33U}) {
        const View view{.width = width, .height = 30};
        ok(renderer.draw(view));
        const Picture picture = renderer.picture();
        EXPECT_EQ(picture.width, width);
        EXPECT_EQ(picture.layout, VK_IMAGE_LAYOUT_GENERAL);
        EXPECT_LE(difference(sampled_pixels(picture), picture_of(scene, view)), 1);
        ok(renderer.draw(view));
        EXPECT_LE(difference(ok(renderer.download()), picture_of(scene, view)), 1);
    }
}

} // namespace
} // namespace weir::tests::picture_test
