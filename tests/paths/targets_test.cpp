// Formats and encodings of pictures.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/strips.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::targets_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathTargets.*"}; // random scenes run on others too
using Color4 = std::array<float, 4>;

/// Returns a random scene that has layers and effects if the variety has them.
Scene scene_of(const Variety& variety) {
    std::mt19937 random(4);
    while (true) {
        Scene scene = RandomScene(random, 50, variety).scene();
        if ((scene.layers().size() > 2) == variety.layers && scene.effects().empty() != variety.effects) {
            return scene;
        }
    }
}

/// Draws a scene into a picture of a target. Returns its texels.
std::vector<std::uint32_t> texels_of(const Scene& scene, const View& view, Target target) {
    const Context& gpu = test_context();
    Graph graph(gpu);
    const SceneBuffers imports = import_scene(graph, scene);
    const HostData data = graph.host_data("view", sizeof(ViewData));
    Sizes sizes = sizes_of(cpu_strips(scene, view));
    sizes.effects = effect_tiles(scene.effects(), view);
    const StripBuffers strips = add_strips(graph, imports, view, data, sizes);
    const ImageId picture =
        graph.transient_image("picture", {.format = format_of(target), .extent = {view.width, view.height, 1}});
    add_fine(graph, imports, strips, view, data, picture, target);
    const std::uint32_t words = format_of(target) == VK_FORMAT_R8G8B8A8_UNORM ? 1 : 2;
    const auto texels = graph.transient_buffer<std::uint32_t>("texels", view.width * view.height * words);
    graph.add_copy("read", picture, texels);
    graph.export_buffer(texels);
    Program program = ok(compile(gpu, graph));
    const std::vector<Buffer> buffers = bind_contents(program, contents_of(imports, scene));
    ok(program.set(data, data_of(view, imports)));
    ok(program.run());
    return ok(gpu.download<std::uint32_t>(program.view(texels), view.width * view.height * words));
}

/// Converts a half-precision float.
float half(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto mantissa = static_cast<float>(bits & 1023);
    const float value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
}

float linear(float srgb) {
    return srgb > 0.04045F ? std::pow((srgb + 0.055F) / 1.055F, 2.4F) : srgb / 12.92F;
}

/// Returns the color that a target stores for a premultiplied color.
Color4 stored(const Color4& color, Target target) {
    switch (target) {
    case Target::bgra8: return {color[2], color[1], color[0], color[3]};
    case Target::linear_rgba16f: {
        const float alpha = color[3];
        const auto light = [&](float component) { return alpha == 0 ? 0 : linear(component / alpha) * alpha; };
        return {light(color[0]), light(color[1]), light(color[2]), alpha};
    }
    default: return color;
    }
}

TEST(PathTargets, StoreThePictureOfTheCpu) {
    struct Case {
        Variety variety;
        Target target;
        Coverage coverage = Coverage::area;
    };
    View view{.width = 50, .height = 30, .background = {0.5F, 0.7F, 0.1F, 0.25F}};
    for (const auto& [variety, target, coverage] :
         {Case{{}, Target::bgra8}, Case{{}, Target::linear_rgba16f},
          Case{{}, Target::linear_rgba16f, Coverage::samples_4}, Case{{.gradients = true}, Target::rgba16f},
          Case{{.gradients = true, .layers = true}, Target::rgba16f},
          Case{{.layers = true, .effects = true}, Target::rgba16f}}) {
        SCOPED_TRACE(static_cast<int>(target));
        view.coverage = coverage;
        const Scene scene = scene_of(variety);
        const auto expected = picture_of(scene, view);
        const auto texels = texels_of(scene, view, target);
        for (std::uint32_t i = 0; i < view.width * view.height; ++i) {
            const Color4 color = stored(expected[i], target);
            for (std::uint32_t c = 0; c < 4; ++c) {
                if (format_of(target) == VK_FORMAT_R8G8B8A8_UNORM) {
                    ASSERT_NEAR(static_cast<float>(texels[i] >> 8 * c & 0xFF) / 255, color[c], 1.5 / 255) << i;
                } else {
                    ASSERT_NEAR(half(texels[2 * i + c / 2] >> 16 * (c % 2) & 0xFFFF), color[c], 4e-3) << i;
                }
            }
        }
    }
}

} // namespace
} // namespace weir::tests::targets_test
