// Shapes of paths.

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>

#include "tests/paths/pictures.hpp"

namespace weir::tests::path_geometry_test {
namespace {

using namespace weir::paths;

std::vector<Point> points_of(const std::array<CornerRadii, 4>& radii) {
    return Path().add_rounded_rect(10, 20, 40, 30, radii).points();
}

TEST(PathGeometry, RoundedRectHasRadiiPerCorner) {
    const Path path = Path().add_rounded_rect(10, 20, 40, 30, {{{5, 10}, {0, 7}, {8, 4}, {2, 2}}});
    const Rect bounds = path.bounds();
    EXPECT_EQ((std::array{bounds.left, bounds.top, bounds.right, bounds.bottom}),
              (std::array{10.0F, 20.0F, 50.0F, 50.0F}));
    for (const Point p : {Point{15, 20}, {50, 20}, {50, 46}, {42, 50}, {12, 50}, {10, 48}, {10, 30}}) {
        EXPECT_EQ(std::count(path.points().begin(), path.points().end(), p) != 0, true) << p.x << ' ' << p.y;
    }
}

/// The factor is the minimum of side / (sum of radii) over all sides: 30 / 60.
TEST(PathGeometry, LargeRadiiAreReducedTogether) {
    EXPECT_EQ(points_of({{{20, 30}, {30, 20}, {4, 4}, {10, 30}}}), points_of({{{10, 15}, {15, 10}, {2, 2}, {5, 15}}}));
    EXPECT_EQ(points_of({{{-1, 5}, {0, 3}, {4, 0}, {}}}), points_of({}));
}

TEST(PathGeometry, EqualRadiiEqualRect) {
    const View view{.width = 64, .height = 64};
    const auto picture = [&](const Path& path) {
        Scene scene;
        scene.fill(scene.add_outline(path), scene.add_paint({1, 0, 0, 1}));
        return picture_of(scene, view);
    };
    const CornerRadii radii{8, 6};
    EXPECT_EQ(picture(Path().add_rounded_rect(5, 6, 50, 40, {radii, radii, radii, radii})),
              picture(Path().add_rect(5, 6, 50, 40, 8, 6)));
    EXPECT_EQ(picture(Path().add_rounded_rect(5, 6, 50, 40, {})), picture(Path().add_rect(5, 6, 50, 40)));
}

} // namespace
} // namespace weir::tests::path_geometry_test
