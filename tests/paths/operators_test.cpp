// Porter-Duff operators of layers: pictures with known colors.

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::operators_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathOperators.*"}; // random scenes run on others too
using Color4 = std::array<float, 4>;

constexpr Color source{0, 1, 0, 0.5F}, destination{1, 0, 0, 0.75F};
constexpr std::uint32_t width = 64, height = 8;

/// Draws the destination over columns 0 to 31, then a layer with the source over columns 16 to 47, in a layer.
std::vector<Color4> drawn(const Layer& layer, bool is_clipped) {
    Scene scene;
    const auto box = [&](float left, float right) {
        return scene.add_outline(Path().add_rect(left, 0, right - left, height));
    };
    scene.push_layer();
    scene.fill(box(0, 32), scene.add_paint(destination));
    if (is_clipped) {
        scene.push_clip(box(8, 40), {}, FillRule::nonzero, layer);
    } else {
        scene.push_layer(layer);
    }
    scene.fill(box(16, 48), scene.add_paint(source));
    scene.pop_layer();
    scene.pop_layer();
    const View view{.width = width, .height = height};
    expect_same(scene, view);
    return picture_of(scene, view);
}

/// Returns the result of an operator as its definition says: the factors of source and destination.
Color4 expected(Composite composite, const Color& s, const Color& d) {
    const std::array<std::array<float, 2>, 13> factors = {{{1, 1 - s.alpha},
                                                           {1 - d.alpha, 1},
                                                           {0, 0},
                                                           {1, 0},
                                                           {0, 1},
                                                           {d.alpha, 0},
                                                           {0, s.alpha},
                                                           {1 - d.alpha, 0},
                                                           {0, 1 - s.alpha},
                                                           {d.alpha, 1 - s.alpha},
                                                           {1 - d.alpha, s.alpha},
                                                           {1 - d.alpha, 1 - s.alpha},
                                                           {1, 1}}};
    const auto [fs, fd] = factors[static_cast<std::size_t>(composite)];
    return {d.red * d.alpha * fd, s.green * s.alpha * fs, 0, std::min(1.0F, s.alpha * fs + d.alpha * fd)};
}

/// Operators act in all tiles of the enclosing layer, or of the clip.
TEST(PathOperators, PorterDuff) {
    for (std::uint32_t i = 0; i < 13; ++i) {
        for (const bool is_clipped : {false, true}) {
            SCOPED_TRACE(testing::Message() << i << (is_clipped ? ", clipped" : ""));
            const auto picture = drawn({.composite = static_cast<Composite>(i)}, is_clipped);
            for (std::uint32_t x = 0; x < width; ++x) {
                const Color d = x < 32 ? destination : Color{0, 0, 0, 0};
                const Color s = x >= 16 && x < 48 ? source : Color{0, 0, 0, 0};
                const bool is_outside = is_clipped && (x < 8 || x >= 40);
                const Color4 color = expected(is_outside ? Composite::dest : static_cast<Composite>(i), s, d);
                for (int c = 0; c < 4; ++c) {
                    ASSERT_NEAR(picture[5 * width + x][c], color[c], 1e-5F) << x << ' ' << c;
                }
            }
        }
    }
}

/// A mask limits an operator where it is not opaque: the result is mixed with the destination.
TEST(PathOperators, MaskMixesResultWithDestination) {
    Scene scene;
    const OutlineId all = scene.add_outline(Path().add_rect(0, 0, width, height));
    scene.fill(all, scene.add_paint({1, 0, 0, 1}));
    scene.begin_mask(Mask::alpha);
    scene.fill(all, scene.add_paint({1, 1, 1, 0.25F}));
    scene.end_mask();
    scene.push_layer({.composite = Composite::clear});
    scene.pop_layer();
    const View view{.width = width, .height = height};
    expect_same(scene, view);
    for (const Color4& pixel : picture_of(scene, view)) {
        ASSERT_NEAR(pixel[0], 0.75F, 1e-5F);
        ASSERT_NEAR(pixel[3], 0.75F, 1e-5F);
    }
}

} // namespace
} // namespace weir::tests::operators_test
