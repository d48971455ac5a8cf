#ifndef WEIR_PATHS_STROKE_GLSL
#define WEIR_PATHS_STROKE_GLSL

// The outline of a stroke. Each line of the path, from a to b, has two sides, and at its end a join with the next line
// or a cap. Together they form closed contours. Within the stroke their winding number is at least 1, or at most -1 if
// the transform mirrors. Everything is in the space of the path, or in pixels if the stroke's lengths are, and `precise`: src/stroke.cpp computes the same bits.

#include "parts.glsl"

layout(std430, set = 0, binding = 4) readonly buffer PartsOfInstances {
    uvec4 parts[];
};
layout(std430, set = 0, binding = 5) readonly buffer Strokes {
    Stroke strokes[];
};

vec2 normal_of(vec2 direction) {
    return vec2(-direction.y, direction.x);
}

// Returns the number of lines of an arc, a power of two. `cosine`: of the angle between the directions of its ends.
// `radius`: in pixels.
uint arc_lines(float cosine, float radius) {
    float c = cosine;
    for (uint power = 0; power < 7; ++power) {
        precise const float square = max(0.5 * (1.0 + c), 1e-12);
        c = square * inverse_root(square); // cosine of half the angle
        precise const float sagitta = (1.0 - c) * radius;
        if (sagitta <= tolerance) {
            return 1u << power;
        }
    }
    return 1u << 7;
}

// Returns the direction at q / k of an arc of at most 90 degrees; k must be a power of two.
vec2 arc_direction(vec2 from, vec2 to, uint q, uint k) {
    vec2 low = from, high = to;
    if (q == 0) {
        return low;
    }
    if (q == k) {
        return high;
    }
    uint begin = 0, size = k;
    for (;;) {
        size /= 2;
        const vec2 middle = normalized(scaled_sum(low, 1.0, high));
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

// Returns the direction at q / k of an arc of up to 180 degrees, given its middle.
vec2 wide_arc_direction(vec2 from, vec2 middle, vec2 to, uint q, uint k) {
    return q <= k / 2 ? arc_direction(from, middle, q, k / 2) : arc_direction(middle, to, q - k / 2, k / 2);
}

uint cap_lines(uint cap, float radius) {
    return cap == cap_butt ? 1 : cap == cap_square ? 3 : 2 * arc_lines(0.0, radius);
}

// Returns point q of a cap of half width w at `center`, from its + normal to its - normal.
vec2 cap_point(uint cap, float w, vec2 center, vec2 direction, uint q, uint lines) {
    const vec2 normal = normal_of(direction);
    if (cap == cap_round) {
        return scaled_sum(center, w, wide_arc_direction(normal, direction, -normal, q, lines));
    }
    const vec2 side = scaled_sum(center, q < 2 && (cap == cap_square || q == 0) ? w : -w, normal);
    return cap == cap_square && (q == 1 || q == 2) ? scaled_sum(side, w, direction) : side;
}

// A join at `corner` between lines in two directions.
struct Join {
    vec2 corner, from, to; // from, to: directions of both lines
    bool is_round;
    uint outer, inner; // numbers of lines of both sides
};

// `lengths`: the smaller length of both lines. A join within a curve is round, so that the curve's lines do not show.
Join join_of(Stroke stroke, vec2 corner, vec2 from, vec2 to, float lengths, bool is_in_curve, float radius) {
    const float cosine = dot_of(from, to), sine = abs(cross_of(from, to));
    precise const float one_and_cosine = 1.0 + cosine;
    Join join = Join(corner, from, to, is_in_curve || stroke.join == join_round, 1, 1);
    if (join.is_round) {
        join.outer = arc_lines(cosine, radius);
    } else if (stroke.join == join_miter) {
        precise const float limit = (0.5 * one_and_cosine) * (stroke.miter_limit * stroke.miter_limit);
        join.outer = limit >= 1.0 ? 2 : 1;
    } else if (stroke.join == join_miter_clip) {
        precise const float limit = (0.5 * one_and_cosine) * (stroke.miter_limit * stroke.miter_limit);
        join.outer = limit >= 1.0 ? 2 : 3;
    }
    // On the inner side, a straight line stays within the stroke only if both lines are long enough.
    precise const float reach = stroke.half_width * sine, room = lengths * one_and_cosine;
    join.inner = room >= reach ? 1 : 2;
    return join;
}

// Returns point q of the side of a join at `sign` times the normal, from the first line to the second.
vec2 join_point(Stroke stroke, Join join, float sign, uint q) {
    const vec2 n0 = normal_of(join.from), n1 = normal_of(join.to);
    const float w = sign * stroke.half_width;
    const bool is_inner = (cross_of(join.from, join.to) > 0.0) == (sign > 0.0);
    const uint lines = is_inner ? join.inner : join.outer;
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
    const vec2 sum = scaled_sum(n0, 1.0, n1);
    if (!join.is_round && lines == 2) {
        precise const float factor = w * reciprocal(1.0 + cosine);
        return scaled_sum(join.corner, factor, sum);
    }
    // Near a reversal, the sum of the normals has no direction. The difference of the directions replaces it.
    const vec2 turn = scaled_sum(join.from, -1.0, join.to);
    const vec2 middle = normalized(cosine > 0.0 ? sum : sign * turn);
    if (!join.is_round) { // a clipped miter: both edges are extended until they are at the limit along `middle`
        const float sine = max(sign * dot_of(join.from, middle), 1e-4);
        precise const float rest = max(stroke.miter_limit, 1.0) - dot_of(n0, middle);
        precise const float more = (stroke.half_width * max(rest, 0.0)) * reciprocal(sine);
        return q == 1 ? scaled_sum(scaled_sum(join.corner, w, n0), more, join.from)
                      : scaled_sum(scaled_sum(join.corner, w, n1), -more, join.to);
    }
    return scaled_sum(join.corner, w, wide_arc_direction(n0, middle, n1, q, lines));
}

// A line of the stroked path.
struct Center {
    vec2 a, b, direction;
    bool has_start_cap, has_end_cap;
    bool has_join;
    Join join; // valid if has_join
    // Radius of arcs, in pixels. 0 left of the picture, where an arc becomes one line, because only its ends matter.
    // Negative if nothing is visible, so that nothing is generated.
    float radius;
};

float radius_of(Stroke stroke, Transform m, vec2 a, vec2 b) {
    const vec2 begin = transformed(m, a), end = transformed(m, b);
    const Curve line = Curve(1, begin, end, end, end);
    const float scale = scale_of(m), reach = reach_of(stroke, scale);
    precise const float radius = stroke.half_width * scale;
    return !is_seen(line, reach) ? -1.0 : is_left(line, reach) ? 0.0 : radius;
}

// Returns the curve of a segment in the space of the stroke's lengths.
Curve stroked_curve(Draw draw, Stroke stroke, Segment segment) {
    const Curve curve = outline_curve(segment);
    if (stroke.is_non_scaling != 0) {
        return transformed(to_pixels(transform_of(draw)), curve);
    }
    return curve;
}

// Returns the vector of a line. For a line without length at an end, returns that of the line next to it, because
// joins there must not fold.
vec2 vector_near(Curve curve, Parts made, Part part) {
    if (part.end == 1 && (made.turns & turns_at_start) != 0) {
        part = Part(1, 2);
    } else if (part.first + 1 == made.n && (made.turns & turns_at_end) != 0) {
        part = Part(made.n - 2, made.n - 1);
    }
    return scaled_sum(point_of(curve, made, part.end), -1.0, point_of(curve, made, part.first));
}

// Returns line `rank` of an instance.
Center center_of(Draw draw, Stroke stroke, uint instance, uint rank) {
    const Segment segment = segment_of(draw, instance);
    const Curve curve = stroked_curve(draw, stroke, segment);
    const Parts made = unpacked(parts[instance]);
    const Part part = part_of(made, rank);
    Center center;
    center.a = point_of(curve, made, part.first);
    center.b = point_of(curve, made, part.end);
    center.radius = radius_of(stroke, stroke_transform(draw, stroke), center.a, center.b);
    center.direction = direction_of(curve, center.a, center.b, part.first != 0);
    center.has_start_cap = part.first == 0 && (segment.flags & segment_begins) != 0;
    center.has_end_cap = part.end == made.n && (segment.flags & segment_ends) != 0;
    center.has_join = false;
    if (center.has_end_cap) {
        return center;
    }
    const bool is_in_curve = part.end != made.n;
    Curve next = curve;
    Parts next_made = made;
    uint next_rank = rank + 1, next_first = part.end;
    if (!is_in_curve) {
        const uint next_instance = draw.first_instance + segment.next;
        next = stroked_curve(draw, stroke, segment_of(draw, next_instance));
        next_made = unpacked(parts[next_instance]);
        next_rank = next_first = 0;
    }
    if (next_rank == next_made.count) { // the next line is not visible, so neither is the join
        return center;
    }
    const Part next_part = part_of(next_made, next_rank);
    if (next_part.first != next_first) { // the next line is not visible, so neither is the join
        return center;
    }
    const vec2 begin = point_of(next, next_made, next_part.first), end = point_of(next, next_made, next_part.end);
    const vec2 direction = direction_of(next, begin, end, next_part.first != 0);
    const vec2 this_line = vector_near(curve, made, part), next_line = vector_near(next, next_made, next_part);
    precise const float lengths = min(dot_of(this_line, center.direction), dot_of(next_line, direction));
    center.has_join = true;
    center.join = join_of(stroke, center.b, center.direction, direction, lengths, is_in_curve, center.radius);
    return center;
}

// A visible part of a line: all of it, or a dash.
struct Piece {
    vec2 a, b;
    bool has_start_cap, has_end_cap, has_join;
};

uint piece_lines(Stroke stroke, Center center, Piece piece) {
    if (center.radius < 0.0) {
        return 0;
    }
    return 2 + (piece.has_start_cap ? cap_lines(stroke.start_cap, center.radius) : 0) +
           (piece.has_end_cap ? cap_lines(stroke.end_cap, center.radius)
            : piece.has_join  ? center.join.outer + center.join.inner
                              : 0);
}

// Returns line `part` of the outline of a piece: x and y of both ends.
vec4 piece_line(Stroke stroke, Center center, Piece piece, uint part) {
    const vec2 normal = normal_of(center.direction);
    const float w = stroke.half_width;
    if (part < 2) {
        const float side = part == 0 ? w : -w;
        const vec4 line = vec4(scaled_sum(piece.a, side, normal), scaled_sum(piece.b, side, normal));
        return part == 0 ? line : line.zwxy;
    }
    uint q = part - 2;
    const uint start_lines = piece.has_start_cap ? cap_lines(stroke.start_cap, center.radius) : 0;
    const bool is_start = q < start_lines;
    q -= is_start ? 0 : start_lines;
    if (is_start || piece.has_end_cap) {
        const uint cap = is_start ? stroke.start_cap : stroke.end_cap, lines = cap_lines(cap, center.radius);
        const vec2 end = is_start ? piece.a : piece.b, direction = is_start ? -center.direction : center.direction;
        return vec4(cap_point(cap, w, end, direction, q, lines), cap_point(cap, w, end, direction, q + 1, lines));
    }
    const bool is_outer = q < center.join.outer;
    q -= is_outer ? 0 : center.join.outer;
    const float inner_side = cross_of(center.join.from, center.join.to) > 0.0 ? 1.0 : -1.0;
    const float sign = is_outer ? -inner_side : inner_side;
    const vec4 line = vec4(join_point(stroke, center.join, sign, q), join_point(stroke, center.join, sign, q + 1));
    return sign > 0.0 ? line : line.zwxy;
}

Piece whole_of(Center center) {
    return Piece(center.a, center.b, center.has_start_cap, center.has_end_cap, center.has_join);
}

#if DASHES
// Dashes are intervals of the length of a subpath. Unit: 1 / 2^16 of the length of the pattern. `start` of a line is
// the length before it, without whole patterns.

layout(std430, set = 0, binding = 14) readonly buffer Dashes {
    uint dashes[]; // ends of dashes and gaps
};
layout(std430, set = 0, binding = 15) readonly buffer Starts {
    uint starts[]; // length before each line, in its subpath, modulo 2^32
};

const uint pattern = 1u << 16;

// Returns a stroke whose pattern is drawn in a larger size if the picture does not show it or floats cannot place it:
// below 1/16 pixel, or if the path may have more than 2^22 dashes. The part that is covered stays the same.
Stroke with_visible_dashes(Stroke stroke, Draw draw) {
    const bool is_in_pixels = stroke.is_non_scaling != 0;
    const float scale = scale_of(to_pixels(transform_of(draw)));
    precise const float size = ((draw.right - draw.left) + (draw.bottom - draw.top)) * (is_in_pixels ? scale : 1.0);
    precise const float extent = size * float(stroke.dashes);
    precise const float most = 1048576.0 * (is_in_pixels ? 1.0 : scale); // units per length
    for (uint i = 0; i < 150; ++i) {
        precise const float units = stroke.dash_scale * extent;
        if (!(stroke.dash_scale > most || units > 549755813888.0)) {
            break;
        }
        stroke.dash_scale *= 0.5;
        stroke.dash_offset /= 2;
    }
    return stroke;
}

// A length in whole patterns and units.
struct DashLength {
    uint patterns, units;
};

// Returns the length of a line; at least one unit, so that no line is skipped.
DashLength length_of(Stroke stroke, Center center) {
    const vec2 v = scaled_sum(center.b, -1.0, center.a);
    const float square = dot_of(v, v);
    precise const float units = square > shortest_square ? (square * inverse_root(square)) * stroke.dash_scale : 0.0;
    precise const float patterns = min(units * (1.0 / 65536.0), 8388608.0);
    precise const float rest = (patterns - floor(patterns)) * 65536.0 + 0.5;
    const uint whole = uint(patterns), left = uint(rest);
    return DashLength(whole + left / pattern, max(left % pattern, whole + left / pattern == 0 ? 1 : 0));
}

// Returns the pattern, the start and the end of dash m of the repeated pattern.
uvec3 dash_of(Stroke stroke, uint m) {
    const uint count = stroke.dashes / 2, d = m % count;
    const uint begin = d == 0 ? 0 : dashes[stroke.first_dash + 2 * d - 1];
    return uvec3(m / count, begin, dashes[stroke.first_dash + 2 * d]);
}

bool is_before(uint pattern_a, uint a, uint pattern_b, uint b) {
    return pattern_a < pattern_b || (pattern_a == pattern_b && a < b);
}

// Restricts a range of fractions of a line to those between two coordinates.
vec2 clipped_range(vec2 range, float a, float b, float low, float high) {
    precise const float d = b - a;
    if (!(abs(d) > 1.0 && abs(d) < 1e30)) {
        return range;
    }
    precise const float factor = reciprocal(d), s = (low - a) * factor, t = (high - a) * factor;
    precise const vec2 part = vec2(min(s, t) - 1e-6, max(s, t) + 1e-6); // margin for rounding
    return vec2(max(range.x, part.x), min(range.y, part.y));
}

// Returns the range of a line that may be visible, in fractions of its length. It is empty if x > y.
vec2 visible_range(Stroke stroke, Center center, Transform m) {
    precise const float reach = reach_of(stroke, scale_of(m)) + 2.0;
    precise const float ax = (m.xx * center.a.x + m.xy * center.a.y) + m.dx;
    precise const float ay = (m.yx * center.a.x + m.yy * center.a.y) + m.dy;
    precise const float bx = (m.xx * center.b.x + m.xy * center.b.y) + m.dx;
    precise const float by = (m.yx * center.b.x + m.yy * center.b.y) + m.dy;
    precise const float right = float(width) + reach, bottom = float(height) + reach;
    return clipped_range(clipped_range(vec2(0.0, 1.0), ax, bx, -reach, right), ay, by, -reach, bottom);
}

struct DashedLine {
    uint start, end_pattern, end; // end: in units of its pattern
    float patterns;               // length
    // The dashes that overlap the line. Only the first, the last and those in the visible range are drawn.
    uint first_dash, last_dash, first_visible, dashes;
    bool is_first, is_last; // first or last line of the subpath
};

DashedLine dashed_line(Draw draw, Stroke stroke, Center center, uint instance, uint line, uint rank) {
    const uint flags = segment_of(draw, instance).flags, count = stroke.dashes / 2;
    DashedLine dashed;
    dashed.is_first = rank == 0 && (flags & segment_first) != 0;
    dashed.is_last = rank + 1 == parts[instance].w && (flags & segment_last) != 0;
    dashed.start = (stroke.dash_offset + starts[line]) % pattern;
    const DashLength size = length_of(stroke, center);
    dashed.end_pattern = size.patterns + (dashed.start + size.units) / pattern;
    dashed.end = (dashed.start + size.units) % pattern;
    precise const float patterns = float(size.patterns) + float(size.units) * (1.0 / 65536.0);
    dashed.patterns = patterns;
    // A dash without length overlaps at its position.
    uint first = 0;
    uvec3 dash = dash_of(stroke, first);
    while (dash.x == 0 && (dash.z < dashed.start || (dash.z == dashed.start && dash.y != dashed.start))) {
        dash = dash_of(stroke, ++first);
    }
    uint past = max(first, dashed.end_pattern * count); // skips whole patterns, because there may be many
    dash = dash_of(stroke, past);
    while (is_before(dash.x, dash.y, dashed.end_pattern, dashed.end)) {
        dash = dash_of(stroke, ++past);
    }
    dashed.first_dash = first;
    dashed.last_dash = past - 1;
    const vec2 range = visible_range(stroke, center, stroke_transform(draw, stroke));
    precise const float offset = float(dashed.start) * (1.0 / 65536.0);
    precise const float low = offset + range.x * patterns - 1.0, high = offset + range.y * patterns + 2.0;
    dashed.first_visible = max(first + 1, uint(max(low, 0.0)) * count);
    const uint past_visible = min(max(past, 1) - 1, uint(max(high, 0.0)) * count);
    dashed.dashes = past == first ? 0
                                  : (past - first > 1 ? 2 : 1) +
                                        (past_visible > dashed.first_visible ? past_visible - dashed.first_visible : 0);
    return dashed;
}

vec2 along(Center center, DashedLine line, uint at_pattern, uint at) {
    precise const float patterns = float(at_pattern) + float(int(at) - int(line.start)) * (1.0 / 65536.0);
    precise const float t = patterns * reciprocal(line.patterns);
    precise const vec2 p = center.a + t * (center.b - center.a);
    return p;
}

Piece dash_piece(Stroke stroke, Center center, DashedLine line, uint i) {
    const uvec3 dash = dash_of(stroke, i == 0                 ? line.first_dash
                                       : i + 1 == line.dashes ? line.last_dash
                                                              : line.first_visible + (i - 1));
    const bool begins_before = is_before(dash.x, dash.y, 0, line.start);
    const bool ends_behind = is_before(line.end_pattern, line.end, dash.x, dash.z);
    Piece piece;
    piece.a = begins_before || (dash.x == 0 && dash.y == line.start) ? center.a : along(center, line, dash.x, dash.y);
    piece.b = ends_behind || (dash.x == line.end_pattern && dash.z == line.end) ? center.b
              : along(center, line, dash.x, dash.z);
    piece.has_start_cap = !begins_before || line.is_first;
    piece.has_end_cap = !ends_behind || line.is_last;
    piece.has_join = !piece.has_end_cap && center.has_join;
    return piece;
}

const uint too_many = ~0u; // more lines than any buffer can hold

uint outline_lines(Stroke stroke, Center center, DashedLine line) {
    if (line.dashes == 0 || center.radius < 0.0) {
        return 0;
    }
    uint lines = piece_lines(stroke, center, dash_piece(stroke, center, line, 0));
    if (line.dashes > 1) { // all except the first and the last have two caps
        const uint usual =
            2 + cap_lines(stroke.start_cap, center.radius) + cap_lines(stroke.end_cap, center.radius);
        if (line.dashes > too_many / usual) {
            return too_many;
        }
        lines += (line.dashes - 2) * usual +
                 piece_lines(stroke, center, dash_piece(stroke, center, line, line.dashes - 1));
    }
    return lines;
}

vec4 outline_line(Stroke stroke, Center center, DashedLine line, uint part) {
    Piece piece = dash_piece(stroke, center, line, 0);
    const uint first = piece_lines(stroke, center, piece);
    if (part >= first) {
        part -= first;
        const uint usual =
            2 + cap_lines(stroke.start_cap, center.radius) + cap_lines(stroke.end_cap, center.radius);
        const uint i = min(part / usual, line.dashes - 2);
        part -= i * usual;
        piece = dash_piece(stroke, center, line, i + 1);
    }
    return piece_line(stroke, center, piece, part);
}
#endif

#endif
