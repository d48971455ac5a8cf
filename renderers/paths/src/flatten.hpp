#pragma once

#include <cstdint>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

// Segments in pixels: computes the number of lines of a segment and their ends. Computes the same bits as
// shaders/curve.glsl and shaders/line.glsl, which explain the steps.

namespace weir::paths {

/// A curve of degree 1 to 3, with degree + 1 points.
struct Curve {
    std::uint32_t degree = 1;
    Point p[4];
};

float reciprocal(float x);
float inverse_root(float x);

Transform transform_of(const View& view, const DrawRecord& draw);
Point transformed(const Transform& m, Point p);
Curve transformed(const Transform& m, Curve curve);
const SegmentRecord& segment_of(const Scene& scene, const DrawRecord& draw, std::uint32_t instance);
Curve outline_curve(const Scene& scene, const SegmentRecord& segment);

inline constexpr float shortest_square = 1e-30F;
float scale_of(const Transform& m);
/// Converts a transform to samples to one to pixels.
Transform to_pixels(const SampleView& view, Transform m);
/// Returns the transform from the space of a draw's stroke to samples.
Transform stroke_transform(const Scene& scene, const SampleView& view, const DrawRecord& draw);
float reach_of(const StrokeRecord& stroke, float scale);
bool is_seen(const View& view, const Curve& curve, float margin);
bool is_left(const Curve& curve, float margin);
std::uint32_t lines_of(const View& view, const Curve& curve);
bool is_drawn(const View& view, const DrawRecord& draw, const Transform& m, float margin);
Point point_at(const Curve& curve, std::uint32_t k, std::uint32_t n);
Point scaled_sum(Point a, float factor, Point b);
float dot_of(Point a, Point b);
float cross_of(Point a, Point b);
Point normalized(Point v);
Point direction_of(const Curve& curve, Point a, Point b, bool is_end);
LineRecord line_of(const View& view, Point a, Point b);

/// A cut and its tile.
struct Cut {
    std::int32_t row = 0, column = 0;
    CutRecord record;
};

/// Appends the cuts of a line, in the order of their ranks in shaders/line.glsl.
void add_cuts(const View& view, const LineRecord& line, std::vector<Cut>& cuts);

} // namespace weir::paths
