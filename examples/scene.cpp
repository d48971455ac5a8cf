// Draws vector graphics on the GPU with weir::paths, which is installed with Weir's samples.
#include <array>
#include <cstdint>
#include <cstdio>

#include <weir/paths/effects.hpp>
#include <weir/paths/renderer.hpp>

namespace paths = weir::paths;

int main() {
    // [scene]
    paths::Scene scene;
    const auto sky = scene.add_paint(
        paths::LinearGradient{{.stops = {{0, {0.1F, 0.3F, 0.8F, 1}}, {1, {0.8F, 0.9F, 1, 1}}}}, {0, 0}, {0, 64}});
    scene.fill(scene.add_outline(paths::Path().add_rect(0, 0, 96, 64)), sky);
    const auto ring = scene.add_outline(paths::Path().add_ellipse({48, 32}, 20, 20));
    scene.push_layer({.opacity = 0.5F});
    scene.fill(ring, scene.add_paint({1, 0.8F, 0, 1}));
    scene.stroke(ring, scene.add_paint({0.4F, 0, 0, 1}), {.width = 4, .cap = paths::Cap::round, .dashes = {0, 8}});
    scene.pop_layer();
    // [/scene]

    // [image]
    const std::array<std::uint32_t, 4> squares = {0xFFFFFFFF, 0xFF404040, 0xFF404040, 0xFFFFFFFF};
    const auto floor = scene.add_paint({.bitmap = scene.add_bitmap({2, 2, squares}),
                                        .filter = paths::Filter::nearest,
                                        .across = paths::Spread::repeat,
                                        .down = paths::Spread::repeat,
                                        .transform = paths::Transform::scaling(4, 4)});
    scene.fill(scene.add_outline(paths::Path().add_rect(0, 56, 96, 8)), floor);
    // [/image]

    // [effect]
    paths::Effect shadow;
    shadow.region = {20, 34, 76, 60};
    shadow.add_drop_shadow(paths::effect::source, {1.5F, 1.5F}, {1, 2}, {0, 0, 0, 0.7F});
    scene.push_layer({.effect = scene.add_effect(shadow)});
    scene.fill(scene.add_outline(paths::Path().add_rect(28, 40, 40, 12, 4, 4)), scene.add_paint({1, 1, 1, 1}));
    scene.pop_layer();
    // [/effect]

    // [draw]
    auto gpu = weir::check(weir::Context::create());
    auto renderer = weir::check(paths::Renderer::create(gpu, scene));
    const auto zoom = paths::Transform::scaling(2, 2);
    const auto drawn = weir::check(renderer.draw({.transform = zoom, .width = 192, .height = 128}));
    const auto pixels = weir::check(renderer.download()); // red, green, blue, alpha
    // [/draw]
    std::printf("%02x\n", drawn.needed.strips > 0 ? pixels[64 * 192 + 96] >> 24 : 0);
}
