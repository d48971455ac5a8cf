// A list of buttons that change color under the pointer. Each frame draws only the rectangle that has changed.
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include <weir/paths/bounds.hpp>
#include <weir/paths/cpu.hpp>
#include <weir/paths/hit.hpp>

namespace paths = weir::paths;

/// Returns a button with a mark, encoded once and placed often.
paths::Scene button() {
    paths::Scene scene;
    const paths::CornerRadii round{10, 10}, none;
    scene.fill(scene.add_outline(paths::Path().add_rounded_rect(0, 0, 120, 28, {round, round, none, none})),
               scene.add_paint({0.2F, 0.3F, 0.5F, 1}));
    scene.stroke(scene.add_outline(paths::Path().move_to({12, 14}).line_to({17, 19}).line_to({26, 9})),
                 scene.add_paint({1, 1, 1, 1}), {.width = 3});
    return scene;
}

int main() {
    // [build]
    const paths::Scene part = button();
    paths::Scene scene;
    std::vector<std::uint32_t> buttons; // first draws
    for (int i = 0; i < 6; ++i) {
        buttons.push_back(scene.append(part, paths::Transform::translation(10, 10 + 34 * static_cast<float>(i))));
    }
    const paths::PaintId normal = scene.add_paint({0.2F, 0.3F, 0.5F, 1}), hover = scene.add_paint({0.3F, 0.6F, 1, 1});
    // [/build]
    paths::View view{.width = 140, .height = 220, .background = {1, 1, 1, 1}};

    // [hover]
    paths::HitTester tester(scene, view);
    std::optional<std::uint32_t> under_pointer;
    const auto move_pointer = [&](paths::Point pixel) -> paths::PixelRect { // returns the pixels to draw again
        const auto hit = tester.hit(pixel);
        std::optional<std::uint32_t> now;
        for (const std::uint32_t first : buttons) {
            now = hit && *hit >= first && *hit < first + part.draws().size() ? first : now;
        }
        paths::PixelRect changed;
        if (now != under_pointer) {
            for (const auto& [draw, paint] : {std::pair(under_pointer, normal), std::pair(now, hover)}) {
                if (draw) {
                    scene.recolor(*draw, paint);
                    changed = changed.united(paths::bounds_of(scene, view, *draw));
                }
            }
            under_pointer = now;
        }
        return changed;
    };
    // [/hover]

    std::size_t frames = 0, pixels = 0;
    for (int y = 0; y < 220; y += 5) { // the pointer moves down
        view.scissor = move_pointer({60, static_cast<float>(y)});
        if (!view.scissor.empty()) { // with a FrameRenderer: update(scene), then record(commands, view, picture)
            const auto picture = paths::cpu_fine(scene, view, paths::cpu_strips(scene, view));
            ++frames;
            pixels += std::size_t{view.scissor.right - view.scissor.left} * (view.scissor.bottom - view.scissor.top);
        }
    }
    std::printf("%zu frames draw %zu of %zu pixels\n", frames, pixels, frames * view.width * view.height);
}
