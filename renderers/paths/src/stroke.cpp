#include "stroke.hpp"

#include <algorithm>
#include <cmath>

namespace weir::paths {

namespace {

constexpr std::uint32_t pattern = 1U << 16;
constexpr auto join_miter = static_cast<std::uint32_t>(Join::miter),
               join_round = static_cast<std::uint32_t>(Join::round),
               join_miter_clip = static_cast<std::uint32_t>(Join::miter_clip);
constexpr auto cap_butt = static_cast<std::uint32_t>(Cap::butt), cap_round = static_cast<std::uint32_t>(Cap::round),
               cap_square = static_cast<std::uint32_t>(Cap::square);

Point negated(Point v) {
    return {-v.x, -v.y};
}

Point normal_of(Point direction) {
    return {-direction.y, direction.x};
}

std::uint32_t arc_lines(const View& view, float cosine, float radius) {
    float c = cosine;
    for (std::uint32_t power = 0; power < 7; ++power) {
        const float square = std::max(0.5F * (1.0F + c), 1e-12F);
        c = square * inverse_root(square);
        if ((1.0F - c) * radius <= view.tolerance) {
            return 1U << power;
        }
    }
    return 1U << 7;
}

Point arc_direction(Point from, Point to, std::uint32_t q, std::uint32_t k) {
    Point low = from, high = to;
    if (q == 0) {
        return low;
    }
    if (q == k) {
        return high;
    }
    for (std::uint32_t begin = 0, size = k;;) {
        size /= 2;
        const Point middle = normalized(scaled_sum(low, 1, high));
        if (q == begin + size) {
            return middle;
        }
        if (q < begin + size) {
            high = middle;
        } else {
            low = middle;
            begin += size;
        }
    }
}

Point wide_arc_direction(Point from, Point middle, Point to, std::uint32_t q, std::uint32_t k) {
    return q <= k / 2 ? arc_direction(from, middle, q, k / 2) : arc_direction(middle, to, q - k / 2, k / 2);
}

std::uint32_t cap_lines(const View& view, std::uint32_t cap, float radius) {
    return cap == cap_butt ? 1 : cap == cap_square ? 3 : 2 * arc_lines(view, 0, radius);
}

Point cap_point(std::uint32_t cap, float w, Point center, Point direction, std::uint32_t q, std::uint32_t lines) {
    const Point normal = normal_of(direction);
    if (cap == cap_round) {
        return scaled_sum(center, w, wide_arc_direction(normal, direction, negated(normal), q, lines));
    }
    const bool is_square = cap == cap_square;
    const Point side = scaled_sum(center, q < 2 && (is_square || q == 0) ? w : -w, normal);
    return is_square && (q == 1 || q == 2) ? scaled_sum(side, w, direction) : side;
}

JoinShape join_of(const View& view, const StrokeRecord& stroke, Point corner, Point from, Point to, float lengths,
                  bool is_in_curve, float radius) {
    const float cosine = dot_of(from, to), sine = std::abs(cross_of(from, to));
    const float one_and_cosine = 1.0F + cosine;
    JoinShape join{corner, from, to, is_in_curve || stroke.join == join_round, 1, 1};
    if (join.is_round) {
        join.outer = arc_lines(view, cosine, radius);
    } else if (stroke.join == join_miter || stroke.join == join_miter_clip) {
        const bool is_within = (0.5F * one_and_cosine) * (stroke.miter_limit * stroke.miter_limit) >= 1;
        join.outer = is_within ? 2 : stroke.join == join_miter ? 1 : 3;
    }
    join.inner = lengths * one_and_cosine >= stroke.half_width * sine ? 1 : 2;
    return join;
}

Point join_point(const StrokeRecord& stroke, const JoinShape& join, float sign, std::uint32_t q) {
    const Point n0 = normal_of(join.from), n1 = normal_of(join.to);
    const float w = sign * stroke.half_width;
    const bool is_inner = (cross_of(join.from, join.to) > 0) == (sign > 0);
    const std::uint32_t lines = is_inner ? join.inner : join.outer;
    if (q == 0) {
        return scaled_sum(join.corner, w, n0);
    }
    if (q == lines) {
        return scaled_sum(join.corner, w, n1);
    }
    if (is_inner) {
        return join.corner;
    }
    const float cosine = dot_of(join.from, join.to);
    const Point sum = scaled_sum(n0, 1, n1);
    if (!join.is_round && lines == 2) {
        return scaled_sum(join.corner, w * reciprocal(1.0F + cosine), sum);
    }
    const Point turn = scaled_sum(join.from, -1, join.to);
    const Point middle = normalized(cosine > 0 ? sum : Point{sign * turn.x, sign * turn.y});
    if (!join.is_round) {
        const float sine = std::max(sign * dot_of(join.from, middle), 1e-4F);
        const float rest = std::max(stroke.miter_limit, 1.0F) - dot_of(n0, middle);
        const float more = (stroke.half_width * std::max(rest, 0.0F)) * reciprocal(sine);
        return q == 1 ? scaled_sum(scaled_sum(join.corner, w, n0), more, join.from)
                      : scaled_sum(scaled_sum(join.corner, w, n1), -more, join.to);
    }
    return scaled_sum(join.corner, w, wide_arc_direction(n0, middle, n1, q, lines));
}

float radius_of(const View& view, const StrokeRecord& stroke, const Transform& m, Point a, Point b) {
    const Point begin = transformed(m, a), end = transformed(m, b);
    const Curve line{1, {begin, end, end, end}};
    const float scale = scale_of(m), reach = reach_of(stroke, scale);
    return !is_seen(view, line, reach) ? -1.0F : is_left(line, reach) ? 0.0F : stroke.half_width * scale;
}

Curve stroked_curve(const Scene& scene, const SampleView& view, const DrawRecord& draw, std::uint32_t instance) {
    const Curve curve = outline_curve(scene, segment_of(scene, draw, instance));
    const bool is_in_pixels = scene.strokes()[draw.stroke - 1].is_non_scaling != 0;
    return is_in_pixels ? transformed(to_pixels(view, transform_of(view, draw)), curve) : curve;
}

Point vector_near(const Curve& curve, const Parts& made, Part part) {
    if (part.end == 1 && (made.turns & turns_at_start) != 0) {
        part = {1, 2};
    } else if (part.first + 1 == made.n && (made.turns & turns_at_end) != 0) {
        part = {made.n - 2, made.n - 1};
    }
    return scaled_sum(point_of(curve, made, part.end), -1, point_of(curve, made, part.first));
}

} // namespace

Center center_of(const Scene& scene, const SampleView& view, const DrawRecord& draw, std::span<const Parts> parts,
                 std::uint32_t instance, std::uint32_t rank) {
    const StrokeRecord& stroke = scene.strokes()[draw.stroke - 1];
    const SegmentRecord& segment = segment_of(scene, draw, instance);
    const Curve curve = stroked_curve(scene, view, draw, instance);
    const Parts& made = parts[instance];
    const Part part = part_of(made, rank);
    Center center;
    center.a = point_of(curve, made, part.first);
    center.b = point_of(curve, made, part.end);
    center.radius = radius_of(view, stroke, stroke_transform(scene, view, draw), center.a, center.b);
    center.direction = direction_of(curve, center.a, center.b, part.first != 0);
    center.has_start_cap = part.first == 0 && (segment.flags & segment_begins) != 0;
    center.has_end_cap = part.end == made.n && (segment.flags & segment_ends) != 0;
    if (center.has_end_cap) {
        return center;
    }
    const bool is_in_curve = part.end != made.n;
    const std::uint32_t next_instance = is_in_curve ? instance : draw.first_instance + segment.next;
    const std::uint32_t next_rank = is_in_curve ? rank + 1 : 0, next_first = is_in_curve ? part.end : 0;
    const Parts& next_made = parts[next_instance];
    if (next_rank == next_made.count) {
        return center;
    }
    const Part next_part = part_of(next_made, next_rank);
    if (next_part.first != next_first) {
        return center;
    }
    const Curve next = stroked_curve(scene, view, draw, next_instance);
    const Point begin = point_of(next, next_made, next_part.first), end = point_of(next, next_made, next_part.end);
    const Point direction = direction_of(next, begin, end, next_part.first != 0);
    const float lengths = std::min(dot_of(vector_near(curve, made, part), center.direction),
                                   dot_of(vector_near(next, next_made, next_part), direction));
    center.has_join = true;
    center.join = join_of(view, stroke, center.b, center.direction, direction, lengths, is_in_curve, center.radius);
    return center;
}

namespace {

/// A visible part of a line: all of it, or a dash.
struct Piece {
    Point a, b;
    bool has_start_cap = false, has_end_cap = false, has_join = false;
};

void add_piece(const View& view, const StrokeRecord& stroke, const Center& center, const Piece& piece,
               std::vector<OutlineLine>& lines) {
    const Point normal = normal_of(center.direction);
    const float w = stroke.half_width;
    lines.push_back({scaled_sum(piece.a, w, normal), scaled_sum(piece.b, w, normal)});
    lines.push_back({scaled_sum(piece.b, -w, normal), scaled_sum(piece.a, -w, normal)});
    const auto add_cap = [&](std::uint32_t cap, Point middle, Point direction) {
        const std::uint32_t count = cap_lines(view, cap, center.radius);
        for (std::uint32_t q = 0; q < count; ++q) {
            lines.push_back(
                {cap_point(cap, w, middle, direction, q, count), cap_point(cap, w, middle, direction, q + 1, count)});
        }
    };
    if (piece.has_start_cap) {
        add_cap(stroke.start_cap, piece.a, negated(center.direction));
    }
    if (piece.has_end_cap) {
        add_cap(stroke.end_cap, piece.b, center.direction);
    } else if (piece.has_join) {
        const JoinShape& join = center.join;
        const float inner_side = cross_of(join.from, join.to) > 0 ? 1.0F : -1.0F;
        for (const bool is_outer : {true, false}) {
            const float sign = is_outer ? -inner_side : inner_side;
            for (std::uint32_t q = 0; q < (is_outer ? join.outer : join.inner); ++q) {
                const Point a = join_point(stroke, join, sign, q), b = join_point(stroke, join, sign, q + 1);
                lines.push_back(sign > 0 ? OutlineLine{a, b} : OutlineLine{b, a});
            }
        }
    }
}

} // namespace

StrokeRecord with_visible_dashes(const StrokeRecord& stroke, const DrawRecord& draw, const Transform& m) {
    StrokeRecord visible = stroke;
    const Rect& bounds = draw.bounds;
    const bool is_in_pixels = stroke.is_non_scaling != 0;
    const float scale = scale_of(m);
    const float size = ((bounds.right - bounds.left) + (bounds.bottom - bounds.top)) * (is_in_pixels ? scale : 1.0F);
    const float extent = size * static_cast<float>(stroke.dashes);
    const float most = 1048576.0F * (is_in_pixels ? 1.0F : scale); // units per length
    for (int i = 0; i < 150 && (visible.dash_scale > most || visible.dash_scale * extent > 549755813888.0F); ++i) {
        visible.dash_scale *= 0.5F;
        visible.dash_offset /= 2;
    }
    return visible;
}

DashLength length_of(const StrokeRecord& stroke, const Center& center) {
    const Point v = scaled_sum(center.b, -1, center.a);
    const float square = dot_of(v, v);
    const float units = square > shortest_square ? (square * inverse_root(square)) * stroke.dash_scale : 0.0F;
    const float patterns = std::min(units * (1.0F / 65536), 8388608.0F);
    const float rest = (patterns - std::floor(patterns)) * 65536.0F + 0.5F;
    const auto whole = static_cast<std::uint32_t>(patterns), left = static_cast<std::uint32_t>(rest);
    const std::uint32_t all = whole + left / pattern;
    return {all, std::max(left % pattern, all == 0 ? 1U : 0U)};
}

namespace {

struct Range {
    float first = 0, end = 1;
};

Range clipped_range(const Range& range, float a, float b, float low, float high) {
    const float d = b - a;
    if (!(std::abs(d) > 1.0F && std::abs(d) < 1e30F)) {
        return range;
    }
    const float factor = reciprocal(d), s = (low - a) * factor, t = (high - a) * factor;
    return {std::max(range.first, std::min(s, t) - 1e-6F), std::min(range.end, std::max(s, t) + 1e-6F)};
}

Range visible_range(const View& view, const StrokeRecord& stroke, const Center& center, const Transform& m) {
    const float reach = reach_of(stroke, scale_of(m)) + 2.0F;
    const auto x = [&](Point p) { return (m.xx * p.x + m.xy * p.y) + m.dx; };
    const auto y = [&](Point p) { return (m.yx * p.x + m.yy * p.y) + m.dy; };
    const float right = static_cast<float>(view.width) + reach, bottom = static_cast<float>(view.height) + reach;
    return clipped_range(clipped_range({}, x(center.a), x(center.b), -reach, right), y(center.a), y(center.b), -reach,
                         bottom);
}

/// The dashes of a line. See shaders/stroke.glsl.
class Dashes {
public:
    Dashes(const Scene& scene, const StrokeRecord& stroke, const Center& center, const DashedLine& line)
        : ends_(scene.dashes().data() + stroke.first_dash), count_(stroke.dashes / 2), center_(center), line_(line),
          start_((stroke.dash_offset + line.start) % pattern) {
        const DashLength size = length_of(stroke, center);
        end_ = {size.patterns + (start_ + size.units) / pattern, (start_ + size.units) % pattern};
        patterns_ = static_cast<float>(size.patterns) + static_cast<float>(size.units) * (1.0F / 65536);
    }

    /// Calls `add` with the pieces that are drawn.
    template <class Add>
    void for_each(const Range& visible, const Add& add) const {
        std::uint32_t first = 0;
        for (Dash dash = dash_of(first);
             dash.pattern == 0 && (dash.end < start_ || (dash.end == start_ && dash.begin != start_));) {
            dash = dash_of(++first);
        }
        std::uint32_t past = std::max(first, end_.patterns * count_);
        for (Dash dash = dash_of(past); is_before(dash.pattern, dash.begin, end_.patterns, end_.units);) {
            dash = dash_of(++past);
        }
        const float offset = static_cast<float>(start_) * (1.0F / 65536);
        const float low = offset + visible.first * patterns_ - 1.0F, high = offset + visible.end * patterns_ + 2.0F;
        const std::uint32_t first_visible =
            std::max(first + 1, static_cast<std::uint32_t>(std::max(low, 0.0F)) * count_);
        const std::uint32_t past_visible =
            std::min(std::max(past, 1U) - 1, static_cast<std::uint32_t>(std::max(high, 0.0F)) * count_);
        if (past == first) {
            return;
        }
        add(piece(first));
        for (std::uint32_t m = first_visible; m < past_visible; ++m) {
            add(piece(m));
        }
        if (past - first > 1) {
            add(piece(past - 1));
        }
    }

private:
    struct Dash {
        std::uint32_t pattern = 0, begin = 0, end = 0;
    };
    [[nodiscard]] Dash dash_of(std::uint32_t m) const {
        const std::uint32_t d = m % count_;
        return {m / count_, d == 0 ? 0 : ends_[2 * d - 1], ends_[2 * d]};
    }
    [[nodiscard]] static bool is_before(std::uint32_t pattern_a, std::uint32_t a, std::uint32_t pattern_b,
                                        std::uint32_t b) {
        return pattern_a < pattern_b || (pattern_a == pattern_b && a < b);
    }
    [[nodiscard]] Point along(std::uint32_t at_pattern, std::uint32_t at) const {
        const auto units = static_cast<float>(static_cast<std::int32_t>(at) - static_cast<std::int32_t>(start_));
        const float t = (static_cast<float>(at_pattern) + units * (1.0F / 65536)) * reciprocal(patterns_);
        return scaled_sum(center_.a, t, scaled_sum(center_.b, -1, center_.a));
    }
    [[nodiscard]] Piece piece(std::uint32_t m) const {
        const Dash dash = dash_of(m);
        const bool begins_before = is_before(dash.pattern, dash.begin, 0, start_);
        const bool ends_behind = is_before(end_.patterns, end_.units, dash.pattern, dash.end);
        const bool has_end_cap = !ends_behind || line_.is_last;
        return {
            begins_before || (dash.pattern == 0 && dash.begin == start_) ? center_.a : along(dash.pattern, dash.begin),
            ends_behind || (dash.pattern == end_.patterns && dash.end == end_.units) ? center_.b
                                                                                     : along(dash.pattern, dash.end),
            !begins_before || line_.is_first, has_end_cap, !has_end_cap && center_.has_join};
    }

    const std::uint32_t* ends_;
    std::uint32_t count_;
    const Center& center_;
    const DashedLine& line_;
    std::uint32_t start_;
    DashLength end_;
    float patterns_ = 0;
};

} // namespace

void add_outline(const Scene& scene, const View& view, const StrokeRecord& stroke, const Transform& m,
                 const Center& center, const DashedLine* dashed, std::vector<OutlineLine>& lines) {
    if (center.radius < 0) {
        return;
    }
    if (dashed == nullptr) {
        add_piece(view, stroke, center, {center.a, center.b, center.has_start_cap, center.has_end_cap, center.has_join},
                  lines);
        return;
    }
    Dashes(scene, stroke, center, *dashed).for_each(visible_range(view, stroke, center, m), [&](const Piece& piece) {
        add_piece(view, stroke, center, piece, lines);
    });
}

} // namespace weir::paths
