#pragma once

#include <cstdint>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

// Segments on screen: how many lines a segment becomes, and where these end. The same bits as shaders/curve.glsl and
// shaders/line.glsl; see there for why.

namespace weir::paths {

/// 1, 2 or 3: how many points follow the first one.
struct Curve {
    std::uint32_t degree = 1;
    Point p[4];
};

Curve curve_of(const Scene& scene, const View& view, std::uint32_t instance);
std::uint32_t lines_of(const View& view, const Curve& curve);
Point point_at(const Curve& curve, std::uint32_t k, std::uint32_t n);
LineRecord line_of(const View& view, Point a, Point b);

/// A cut and its place.
struct Cut {
    std::int32_t row = 0, column = 0;
    CutRecord record;
};

std::uint32_t cuts_of(const View& view, const LineRecord& line);
Cut cut_of(const View& view, const LineRecord& line, std::uint32_t rank);

} // namespace weir::paths
