// A button of a user interface: a label that fits its text, drawn on the GPU with weir::text and weir::paths.
#include <cmath>
#include <cstdio>

#include <weir/paths/renderer.hpp>
#include <weir/text/draw.hpp>

namespace paths = weir::paths;
namespace text = weir::text;

int main() {
    // [shape]
    text::Fonts fonts; // finds the fonts of the system
    const text::TextStyle style{.font = {.families = {"DejaVu Sans", "sans-serif"}, .weight = 700}, .size = 24};
    const text::Line label = weir::check(text::shape(fonts, "Save \u2014 \u05E9\u05DE\u05D5\u05E8", style));
    // [/shape]

    // [draw]
    paths::Scene scene;
    const float padding = 12, width = label.advance + 2 * padding, height = label.ascent + label.descent + 2 * padding;
    const auto button = scene.add_outline(paths::Path().add_rect(0, 0, width, height, 8, 8));
    scene.fill(button, scene.add_paint({0.1F, 0.35F, 0.8F, 1}));
    text::SceneText glyphs(scene);
    glyphs.fill(label, {padding, padding + label.ascent}, scene.add_paint({1, 1, 1, 1}));
    // [/draw]

    auto gpu = weir::check(weir::Context::create());
    auto renderer = weir::check(paths::Renderer::create(gpu, scene));
    const auto whole = [](float length) { return static_cast<std::uint32_t>(std::ceil(length)); };
    weir::check(renderer.draw({.width = whole(width), .height = whole(height)}));
    std::size_t white = 0;
    for (const std::uint32_t pixel : weir::check(renderer.download())) {
        white += pixel == 0xFFFFFFFF ? 1 : 0;
    }
    std::printf("%zu glyphs, %s\n", label.glyphs.size(), white > 100 ? "white" : "nothing");
}
