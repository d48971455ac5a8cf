#include "parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weir::paths {

namespace {

constexpr std::uint32_t few_lines = 8;
enum : std::uint32_t { half_is_kept, half_is_dropped, half_is_left };

std::uint32_t lines_left(std::uint32_t halves) {
    return static_cast<std::uint32_t>(std::popcount(halves & 0xAAAAAAAAU));
}

Point between(Point a, Point b, float t) {
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

Point blossom(const Curve& curve, float u, float v, float w) {
    const Point* p = curve.p;
    const Point a = between(p[0], p[1], u), b = between(p[1], p[2], u), ab = between(a, b, v);
    if (curve.degree == 2) {
        return ab;
    }
    return between(ab, between(b, between(p[2], p[3], u), v), w);
}

std::uint32_t long_lines(const Parts& parts) {
    return parts.n - static_cast<std::uint32_t>(std::popcount(parts.turns));
}

std::uint32_t end_of(const Parts& parts, std::uint32_t k) {
    return std::min(k - std::min(k, parts.turns & turns_at_start), long_lines(parts));
}

std::uint32_t visibility(const View& view, const Curve& curve, const Parts& parts, std::uint32_t first,
                         std::uint32_t end, float margin) {
    const float scale = reciprocal(static_cast<float>(long_lines(parts)));
    const float t = static_cast<float>(end_of(parts, first)) * scale;
    const float u = static_cast<float>(end_of(parts, end)) * scale;
    Curve part{.degree = curve.degree, .p = {point_of(curve, parts, first), blossom(curve, t, u, t)}};
    part.p[2] = curve.degree == 2 ? part.p[1] : blossom(curve, t, u, u);
    part.p[3] = point_of(curve, parts, end);
    const float safe = margin + 1.0F;
    return !is_seen(view, part, safe) ? half_is_dropped : is_left(part, safe) ? half_is_left : half_is_kept;
}

Parts parts_of(const View& view, const Curve& curve, Parts parts, float margin) {
    const std::uint32_t n = parts.n;
    std::uint32_t first = 0, end = n;
    for (std::uint32_t bit = 0; end - first > few_lines; bit += 2) {
        const std::uint32_t middle = (first + end) / 2, half_is = visibility(view, curve, parts, first, middle, margin);
        parts.before |= half_is << bit;
        (half_is == half_is_kept ? end : first) = middle;
    }
    const std::uint32_t first_kept = first;
    end = n;
    for (std::uint32_t bit = 0; end - first > few_lines; bit += 2) {
        const std::uint32_t middle = (first + end) / 2, half_is = visibility(view, curve, parts, middle, end, margin);
        parts.behind |= half_is << bit;
        (half_is == half_is_kept ? first : end) = middle;
    }
    parts.count = lines_left(parts.before) + end - first_kept + lines_left(parts.behind);
    return parts;
}

Parts whole(std::uint32_t n) {
    return {.n = n, .count = n};
}

bool is_turn(const View& view, Point from, Point to, float radius) {
    return dot_of(from, to) < 0 || std::abs(cross_of(from, to)) * radius > view.tolerance;
}

Parts stroke_lines(const View& view, const Curve& curve, float radius) {
    Parts parts = whole(lines_of(view, curve));
    if (curve.degree == 1 || !(radius > view.tolerance)) {
        return parts;
    }
    const Point* p = curve.p;
    const Point a = scaled_sum(p[1], -1, p[0]), b = scaled_sum(p[2], -1, p[1]), c = scaled_sum(p[3], -1, p[2]);
    if (std::min({dot_of(a, b), dot_of(b, c), dot_of(a, c)}) < -shortest_square) {
        parts.n = std::max(parts.n, few_lines);
    }
    const std::uint32_t n = parts.n;
    if (is_turn(view, direction_of(curve, p[0], p[0], false), direction_of(curve, p[0], point_at(curve, 1, n), false),
                radius)) {
        parts.turns |= turns_at_start;
    }
    if (is_turn(view, direction_of(curve, point_at(curve, n - 1, n), p[3], true), direction_of(curve, p[3], p[3], true),
                radius)) {
        parts.turns |= turns_at_end;
    }
    parts.n += static_cast<std::uint32_t>(std::popcount(parts.turns));
    parts.count = parts.n;
    return parts;
}

} // namespace

Parts parts_of(const Scene& scene, const SampleView& view, std::uint32_t instance) {
    const DrawRecord& draw = scene.draws()[scene.instances()[instance]];
    if ((draw.flags & draw_is_hidden) != 0) {
        return {};
    }
    const SegmentRecord& segment = segment_of(scene, draw, instance);
    const Transform m = transform_of(view, draw);
    const StrokeRecord* stroke = draw.stroke != 0 ? &scene.strokes()[draw.stroke - 1] : nullptr;
    const float scale = stroke != nullptr ? scale_of(stroke_transform(scene, view, draw)) : 0;
    const float margin = stroke != nullptr ? reach_of(*stroke, scale) : 0;
    const float radius = stroke != nullptr ? stroke->half_width * scale : 0;
    if ((stroke != nullptr && (segment.flags & segment_only_fills) != 0) || !is_drawn(view, draw, m, margin)) {
        return {};
    }
    const Curve curve = transformed(m, outline_curve(scene, segment));
    if (stroke != nullptr && stroke->dashes != 0) {
        return stroke_lines(view, curve, radius);
    }
    if (!is_seen(view, curve, margin)) {
        return {};
    }
    return is_left(curve, margin) ? whole(1) : parts_of(view, curve, stroke_lines(view, curve, radius), margin);
}

Point point_of(const Curve& curve, const Parts& parts, std::uint32_t k) {
    return point_at(curve, end_of(parts, k), long_lines(parts));
}

Part part_of(const Parts& parts, std::uint32_t rank) {
    std::uint32_t first = 0, end = parts.n, halves = parts.before;
    for (; end - first > few_lines; halves >>= 2) {
        const std::uint32_t middle = (first + end) / 2, half_is = halves & 3;
        if (half_is == half_is_kept) {
            end = middle;
            continue;
        }
        if (half_is == half_is_left && rank-- == 0) {
            return {first, middle};
        }
        first = middle;
    }
    const std::uint32_t left_behind = lines_left(parts.behind);
    const std::uint32_t single = parts.count - lines_left(parts.before) - left_behind;
    if (rank < single) {
        return {first + rank, first + rank + 1};
    }
    std::uint32_t outer = left_behind - 1 - (rank - single);
    end = parts.n;
    for (halves = parts.behind; end - first > few_lines; halves >>= 2) {
        const std::uint32_t middle = (first + end) / 2, half_is = halves & 3;
        if (half_is == half_is_kept) {
            first = middle;
            continue;
        }
        if (half_is == half_is_left && outer-- == 0) {
            return {middle, end};
        }
        end = middle;
    }
    return {};
}

} // namespace weir::paths
