#include "flatten.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weir::paths {

namespace {

constexpr float farthest = 2097152.0F;
constexpr float most_lines = 8192.0F;

float bounded(float x) {
    return x > -farthest ? (x < farthest ? x : farthest) : -farthest;
}

Transform composed(const Transform& a, const Transform& b) {
    return {a.xx * b.xx + a.xy * b.yx, a.yx * b.xx + a.yy * b.yx,          a.xx * b.xy + a.xy * b.yy,
            a.yx * b.xy + a.yy * b.yy, (a.xx * b.dx + a.xy * b.dy) + a.dx, (a.yx * b.dx + a.yy * b.dy) + a.dy};
}

float bend(Point a, Point b, Point c) {
    const float x = (a.x - 2.0F * b.x) + c.x;
    const float y = (a.y - 2.0F * b.y) + c.y;
    return x * x + y * y;
}

std::int32_t to_units(float pixels) {
    return static_cast<std::int32_t>(std::floor(pixels * 256.0F + 0.5F));
}

float x_at(Point a, Point b, float y) {
    const float rise = y - a.y, run = b.x - a.x, height_of_line = b.y - a.y;
    const float x = a.x + (rise * run) * reciprocal(height_of_line);
    const float low = std::min(a.x, b.x), high = std::max(a.x, b.x);
    return x >= low ? (x <= high ? x : high) : low;
}

Point clipped(Point a, Point b, float bottom) {
    if (a.y < 0) {
        return {x_at(a, b, 0), 0};
    }
    return a.y > bottom ? Point{x_at(a, b, bottom), bottom} : a;
}

LineRecord downwards(const LineRecord& line) {
    return line.y0 <= line.y1 ? line : LineRecord{line.x1, line.y1, line.x0, line.y0};
}

std::int32_t column_of(const View& view, std::int32_t x) {
    return std::clamp(x >> 12, -1, static_cast<std::int32_t>(view.columns()));
}

std::int32_t multiply_divide(std::int64_t a, std::int64_t b, std::int64_t c) {
    return static_cast<std::int32_t>(a * b / c);
}

std::int32_t x_of(const LineRecord& line, std::int32_t y) {
    if (y == line.y0) {
        return line.x0;
    }
    const std::int32_t moved = multiply_divide(y - line.y0, std::abs(line.x1 - line.x0), line.y1 - line.y0);
    return line.x1 < line.x0 ? line.x0 - moved : line.x0 + moved;
}

std::int32_t y_of(const LineRecord& line, std::int32_t x) {
    return line.y0 + multiply_divide(std::abs(x - line.x0), line.y1 - line.y0, std::abs(line.x1 - line.x0));
}

} // namespace

float reciprocal(float x) {
    const float a = std::abs(x);
    auto y = std::bit_cast<float>(0x7EF311C3U - std::bit_cast<std::uint32_t>(a));
    for (int i = 0; i < 3; ++i) {
        y = y * (2.0F - a * y);
    }
    return x < 0 ? -y : y;
}

float inverse_root(float x) {
    const float h = 0.5F * x;
    auto y = std::bit_cast<float>(0x5F3759DFU - (std::bit_cast<std::uint32_t>(x) >> 1));
    for (int i = 0; i < 4; ++i) {
        y = y * (1.5F - (h * y) * y);
    }
    return y;
}

Point transformed(const Transform& m, Point p) {
    return {bounded((m.xx * p.x + m.xy * p.y) + m.dx), bounded((m.yx * p.x + m.yy * p.y) + m.dy)};
}

Transform transform_of(const View& view, const DrawRecord& draw) {
    return composed(view.transform, draw.transform);
}

Curve transformed(const Transform& m, Curve curve) {
    for (Point& p : curve.p) {
        p = transformed(m, p);
    }
    return curve;
}

const SegmentRecord& segment_of(const Scene& scene, const DrawRecord& draw, std::uint32_t instance) {
    return scene.segments()[draw.first_segment + (instance - draw.first_instance)];
}

Curve outline_curve(const Scene& scene, const SegmentRecord& segment) {
    Curve curve;
    curve.degree = segment.flags & 3;
    for (std::uint32_t i = 0; i < 4; ++i) {
        curve.p[i] = i <= curve.degree ? scene.points()[segment.first_point + i] : curve.p[i - 1];
    }
    return curve;
}

float scale_of(const Transform& m) {
    const float x = m.xx * m.xx + m.yx * m.yx, y = m.xy * m.xy + m.yy * m.yy;
    const float square = std::clamp(std::max(x, y), shortest_square, 1e30F);
    return square * inverse_root(square);
}

Transform to_pixels(const SampleView& view, Transform m) {
    const float size = 1 / static_cast<float>(view.across);
    return {m.xx * size, m.yx * size, m.xy * size, m.yy * size, m.dx * size, m.dy * size};
}

Transform stroke_transform(const Scene& scene, const SampleView& view, const DrawRecord& draw) {
    const auto across = static_cast<float>(view.across);
    return scene.strokes()[draw.stroke - 1].is_non_scaling != 0 ? Transform::scaling(across, across)
                                                                : transform_of(view, draw);
}

float reach_of(const StrokeRecord& stroke, float scale) {
    const bool is_miter = stroke.join == static_cast<std::uint32_t>(Join::miter);
    const bool has_limit = is_miter || stroke.join == static_cast<std::uint32_t>(Join::miter_clip);
    const float factor = has_limit ? std::max(stroke.miter_limit + (is_miter ? 0.0F : 1.0F), 1.5F) : 1.5F;
    return ((1.5F * factor) * stroke.half_width) * scale;
}

bool is_seen(const View& view, const Curve& curve, float margin) {
    const float left = std::min({curve.p[0].x, curve.p[1].x, curve.p[2].x, curve.p[3].x});
    const auto [top, bottom] = std::minmax({curve.p[0].y, curve.p[1].y, curve.p[2].y, curve.p[3].y});
    const PixelRect seen = view.visible();
    return left - margin < static_cast<float>(seen.right) && top - margin < static_cast<float>(seen.bottom) &&
           bottom + margin > static_cast<float>(seen.top);
}

bool is_left(const Curve& curve, float margin) {
    return std::max({curve.p[0].x, curve.p[1].x, curve.p[2].x, curve.p[3].x}) + margin <= 0;
}

bool is_drawn(const View& view, const DrawRecord& draw, const Transform& m, float margin) {
    const auto [left, top, right, bottom] = draw.bounds;
    const Curve corners = transformed(m, {3, {{left, top}, {right, top}, {right, bottom}, {left, bottom}}});
    return is_seen(view, corners, margin) && !is_left(corners, margin);
}

std::uint32_t lines_of(const View& view, const Curve& curve) {
    if (curve.degree == 1) {
        return 1;
    }
    float fourth_power = bend(curve.p[0], curve.p[1], curve.p[2]);
    float factor = 0.25F * reciprocal(view.tolerance);
    if (curve.degree == 3) {
        fourth_power = std::max(fourth_power, bend(curve.p[1], curve.p[2], curve.p[3]));
        factor = 3.0F * factor;
    }
    fourth_power = (fourth_power * factor) * factor;
    if (!(fourth_power > 1)) {
        return 1;
    }
    const float square = fourth_power * inverse_root(fourth_power);
    const float n = square * inverse_root(square);
    return static_cast<std::uint32_t>(std::ceil(std::min(n, most_lines)));
}

Point point_at(const Curve& curve, std::uint32_t k, std::uint32_t n) {
    const Point* p = curve.p;
    if (k == 0) {
        return p[0];
    }
    if (k == n) {
        return p[3];
    }
    const float t = static_cast<float>(k) * reciprocal(static_cast<float>(n));
    const float s = 1.0F - t;
    if (curve.degree == 2) {
        const float a = s * s, b = 2.0F * (s * t), c = t * t;
        return {(a * p[0].x + b * p[1].x) + c * p[2].x, (a * p[0].y + b * p[1].y) + c * p[2].y};
    }
    const float ss = s * s, tt = t * t;
    const float a = ss * s, b = 3.0F * (ss * t), c = 3.0F * (s * tt), d = tt * t;
    return {((a * p[0].x + b * p[1].x) + c * p[2].x) + d * p[3].x,
            ((a * p[0].y + b * p[1].y) + c * p[2].y) + d * p[3].y};
}

Point scaled_sum(Point a, float factor, Point b) {
    return {a.x + factor * b.x, a.y + factor * b.y};
}

float dot_of(Point a, Point b) {
    return a.x * b.x + a.y * b.y;
}

float cross_of(Point a, Point b) {
    return a.x * b.y - a.y * b.x;
}

Point normalized(Point v) {
    const float factor = inverse_root(dot_of(v, v));
    return {v.x * factor, v.y * factor};
}

Point direction_of(const Curve& curve, Point a, Point b, bool is_end) {
    if (const Point line = scaled_sum(b, -1, a); dot_of(line, line) > shortest_square) {
        return normalized(line);
    }
    for (std::uint32_t i = 1; i < 4; ++i) {
        const Point v = is_end ? scaled_sum(curve.p[3 - i], -1, curve.p[3]) : scaled_sum(curve.p[i], -1, curve.p[0]);
        if (dot_of(v, v) > shortest_square) {
            return normalized(is_end ? Point{-v.x, -v.y} : v);
        }
    }
    return {1, 0};
}

LineRecord line_of(const View& view, Point a, Point b) {
    const PixelRect seen = view.visible();
    if (std::max(a.y, b.y) <= static_cast<float>(seen.top) || std::min(a.y, b.y) >= static_cast<float>(seen.bottom) ||
        std::min(a.x, b.x) >= static_cast<float>(seen.right)) {
        return {};
    }
    const auto height = static_cast<float>(view.height);
    const Point from = clipped(a, b, height), to = clipped(b, a, height);
    return {to_units(from.x), to_units(from.y), to_units(to.x), to_units(to.y)};
}

void add_cuts(const View& view, const LineRecord& any_line, std::vector<Cut>& cuts) {
    const LineRecord line = downwards(any_line);
    const auto columns = static_cast<std::int32_t>(view.columns());
    if (line.y0 == line.y1 || std::min(column_of(view, line.x0), column_of(view, line.x1)) == columns) {
        return;
    }
    const std::uint32_t upwards = any_line.y0 > any_line.y1 ? 1U << 31 : 0;
    std::int32_t y0 = line.y0, x0 = line.x0;
    while (y0 < line.y1) {
        const std::int32_t row = y0 >> 10, y1 = std::min(line.y1, (row + 1) << 10), x1 = x_of(line, y1);
        const std::int32_t c0 = column_of(view, x0), c1 = column_of(view, x1), step = c1 < c0 ? -1 : 1;
        std::int32_t top_x = x0, top_y = y0;
        for (std::int32_t column = c0;; column += step) {
            const std::int32_t left = column * 4096, leaving = step < 0 ? left : left + 4096;
            const std::int32_t bottom_x = column == c1 ? x1 : leaving;
            const std::int32_t bottom_y = column == c1 ? y1 : std::clamp(y_of(line, leaving), y0, y1);
            const bool is_on_screen = column >= 0 && column < columns;
            const auto packed = [&](std::int32_t x, std::int32_t y) {
                return (is_on_screen ? static_cast<std::uint32_t>(x - left) : 0) |
                       static_cast<std::uint32_t>(y - row * 1024) << 13;
            };
            cuts.push_back({row, column, {packed(top_x, top_y) | upwards, packed(bottom_x, bottom_y)}});
            if (column == c1) {
                break;
            }
            top_x = bottom_x;
            top_y = bottom_y;
        }
        y0 = y1;
        x0 = x1;
    }
}

} // namespace weir::paths
