#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/paths/on_device.hpp"

// Precision of strokes: edges of wide strokes, and dashes of long lines.

namespace weir::tests {

namespace {

using namespace weir::paths;

Scene stroked(const Path& path, const Stroke& stroke) {
    Scene scene;
    scene.stroke(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}), stroke);
    return scene;
}

/// Returns the maximum difference of a component of two pictures.
float distance(const std::vector<std::array<float, 4>>& a, const std::vector<std::array<float, 4>>& b) {
    float greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        greatest = std::max(greatest, std::abs(a[i][3] - b[i][3]));
    }
    return greatest;
}

} // namespace

/// The edges of a stroke are far from its path, so that a small error of a direction would show.
TEST(PathStrokes, EdgesAreWithinTolerance) {
    const std::pair<const char*, Path> paths[] = {
        {"small circle", Path().add_ellipse({50, 50}, 1.5F, 1.5F)},
        {"hook at the end", Path().move_to({10, 75}).cubic_to({55, 30}, {70, 76}, {68.5F, 75.5F})},
        {"hook at the start", Path().move_to({50, 50}).cubic_to({50, 49.9F}, {50, 49.9F}, {90, 50})},
        {"smooth join", Path().move_to({20, 60}).quad_to({48, 60}, {50, 58}).quad_to({52, 56}, {80, 56})},
        {"short loop", Path().move_to({50, 50}).cubic_to({50.2F, 49.8F}, {49.8F, 49.8F}, {50, 50.1F})},
    };
    for (const auto& [name, path] : paths) {
        SCOPED_TRACE(name);
        const Scene scene = stroked(path, {.width = 40, .join = Join::miter});
        const View view{.width = 100, .height = 100};
        View fine = view;
        fine.tolerance = 1e-3F;
        // Errors of the path, of arcs and of directions add up.
        EXPECT_LE(distance(picture_of(scene, view), picture_of(scene, fine)), 0.5F);
        expect_same(scene, view);
    }
}

/// The contours at a smooth join must not overlap at the inner edge, where their coverage would add up.
TEST(PathStrokes, SmoothJoinsDoNotFold) {
    const Path path = Path()
                          .move_to({43.64F, 20})
                          .arc_to({.rx = 5, .ry = 5, .is_large = true, .is_sweep = true}, {47.25F, 28.46F})
                          .line_to({11.75F, 28.46F});
    const Scene scene = stroked(path, {.width = 3, .cap = Cap::round});
    const View view{.transform = Transform::scaling(4, 4), .width = 256, .height = 160};
    View fine = view;
    fine.tolerance = 1e-3F;
    EXPECT_LE(distance(picture_of(scene, view), picture_of(scene, fine)), 0.2F);
    expect_same(scene, view);
}

TEST(PathStrokes, DashesOfLongLinesAreInPlace) {
    const Stroke dashed{.width = 20, .dashes = {10, 5}};
    const auto line = [&](float from, float to) {
        return stroked(Path().move_to({from, 20}).line_to({to, 20}), dashed);
    };
    const View view{.width = 100, .height = 40};
    const Scene scene = line(-450000, 450000), part = line(-150, 150); // 60,000 patterns; 10 of them
    EXPECT_LE(distance(picture_of(scene, view), picture_of(part, view)), 0.25F);
    EXPECT_LE(cpu_strips(scene, view).lines.size(), 100U); // hidden dashes are left out
    expect_same(scene, view);
    const View zoomed{.transform = Transform::scaling(9, 9), .width = 100, .height = 40};
    expect_same(stroked(Path().move_to({2, 0}).cubic_to({90000, 5}, {-90000, 5}, {8, 8}),
                        {.width = 1, .cap = Cap::round, .dashes = {0, 0.3F, 0.1F, 0.2F}}),
                zoomed);
}

/// Returns true if a dash covers a distance from the start of a path.
bool is_in_dash(std::vector<float> lengths, float distance) {
    if (lengths.size() % 2 != 0) {
        lengths.insert(lengths.end(), lengths.begin(), lengths.end());
    }
    float sum = 0;
    for (float& length : lengths) {
        length = std::max(length, 0.0F);
        sum += length;
    }
    distance -= sum * std::floor(distance / sum);
    std::size_t i = 0;
    for (; distance >= lengths[i]; ++i) {
        distance -= lengths[i];
    }
    return i % 2 == 0;
}

/// Odd numbers of lengths, negative lengths, offsets, and subpaths, which start the pattern again.
TEST(PathStrokes, DashesFollowThePattern) {
    const View view{.width = 120, .height = 20};
    const Path path = Path().move_to({4, 10}).line_to({30, 10}).line_to({60, 10}).move_to({64, 10}).line_to({120, 10});
    for (const std::vector<float>& dashes : {std::vector<float>{12, 8}, {12, 8, 4}, {10, -5, 6, 4}}) {
        for (const float offset : {0.0F, 7.0F, -5.0F, 1000.0F}) {
            SCOPED_TRACE(std::to_string(dashes.size()) + " lengths, offset " + std::to_string(offset));
            const auto picture =
                picture_of(stroked(path, {.width = 10, .dashes = dashes, .dash_offset = offset}), view);
            for (std::uint32_t x = 0; x < view.width; ++x) {
                const float from = x < 60 ? 4 : 64, at = static_cast<float>(x) + 0.5F - from;
                const bool is_covered = at > 0 && (x < 60 || x > 63) && is_in_dash(dashes, at + offset);
                EXPECT_NEAR(picture[10 * view.width + x][3], is_covered ? 1 : 0, 0.02F) << x;
            }
        }
    }
}

TEST(PathStrokes, DashesBelowAPixelKeepTheirMean) {
    const View view{.width = 40, .height = 40};
    const Scene scene = stroked(Path().move_to({0, 20}).line_to({40, 20}), // 133,333 patterns
                                {.width = 20, .dashes = {2e-4F, 1e-4F}, .dash_offset = 1e-4F});
    EXPECT_NEAR(picture_of(scene, view)[20 * 40 + 20][3], 2.0F / 3, 0.03F);
    expect_same(scene, view);
}

} // namespace weir::tests
