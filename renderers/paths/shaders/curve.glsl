#ifndef WEIR_PATHS_CURVE_GLSL
#define WEIR_PATHS_CURVE_GLSL

// Segments in pixels: computes the number of lines of a segment and their ends. All operations are `precise`:
// src/flatten.cpp computes the same bits.

#include "frame.glsl"
#include "numbers.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Instances {
    uint instances[];
};
layout(std430, set = 0, binding = 1) readonly buffer Draws {
    Draw draws[];
};
layout(std430, set = 0, binding = 2) readonly buffer Segments {
    Segment segments[];
};
layout(std430, set = 0, binding = 3) readonly buffer Points {
    vec2 points[];
};

const float farthest = 2097152.0;  // pixels from the origin; points beyond are clamped
const float most_lines = 8192.0;   // maximum per segment

// A line, a quadratic or a cubic curve, with 2, 3 or 4 points in pixels.
struct Curve {
    uint degree;
    vec2 p0, p1, p2, p3;
};

float bounded(float x) {
    return x > -farthest ? (x < farthest ? x : farthest) : -farthest;
}

vec2 transformed(Transform m, vec2 p) {
    precise const float x = (m.xx * p.x + m.xy * p.y) + m.dx;
    precise const float y = (m.yx * p.x + m.yy * p.y) + m.dy;
    return vec2(bounded(x), bounded(y));
}

Transform transform_of(Draw draw) {
    return composed(view, draw.transform);
}

// Returns true if the draw covers pixels by their centers. Samples always are.
bool is_aliased(Draw draw) {
    return across != 1 || (draw.flags & draw_is_aliased) != 0;
}

Segment segment_of(Draw draw, uint instance) {
    return segments[draw.first_segment + (instance - draw.first_instance)];
}

// Returns the curve of a segment in the space of the outline. Missing points repeat the end.
Curve outline_curve(Segment segment) {
    Curve curve;
    curve.degree = segment.flags & 3;
    curve.p0 = points[segment.first_point];
    curve.p1 = points[segment.first_point + 1];
    curve.p2 = curve.degree > 1 ? points[segment.first_point + 2] : curve.p1;
    curve.p3 = curve.degree > 2 ? points[segment.first_point + 3] : curve.p2;
    return curve;
}

Curve transformed(Transform m, Curve curve) {
    return Curve(curve.degree, transformed(m, curve.p0), transformed(m, curve.p1), transformed(m, curve.p2),
                 transformed(m, curve.p3));
}

const float shortest_square = 1e-30;

// Returns the larger factor by which the transform scales an axis.
float scale_of(Transform m) {
    precise const float x = m.xx * m.xx + m.yx * m.yx, y = m.xy * m.xy + m.yy * m.yy;
    precise const float square = clamp(max(x, y), shortest_square, 1e30);
    precise const float scale = square * inverse_root(square);
    return scale;
}

// Converts a transform to samples to one to pixels of the picture.
Transform to_pixels(Transform m) {
    const float size = across == 4 ? 0.25 : across == 2 ? 0.5 : 1.0;
    return Transform(m.xx * size, m.yx * size, m.xy * size, m.yy * size, m.dx * size, m.dy * size);
}

// Returns the transform from the space of a stroke's lengths to samples.
Transform stroke_transform(Draw draw, Stroke stroke) {
    if (stroke.is_non_scaling != 0) {
        return Transform(float(across), 0.0, 0.0, float(across), 0.0, 0.0);
    }
    return transform_of(draw);
}

// Returns the maximum distance of a stroke from its path, in pixels.
float reach_of(Stroke stroke, float scale) {
    // A transform scales any vector by at most 1.42 times as much as the axes.
    float factor = 1.5;
    if (stroke.join == join_miter || stroke.join == join_miter_clip) { // a clipped corner is not far beyond the limit
        factor = max(stroke.miter_limit + (stroke.join == join_miter ? 0.0 : 1.0), 1.5);
    }
    precise const float reach = ((1.5 * factor) * stroke.half_width) * scale;
    return reach;
}

// Returns the squared length of the second difference.
float bend(vec2 a, vec2 b, vec2 c) {
    precise const float x = (a.x - 2.0 * b.x) + c.x;
    precise const float y = (a.y - 2.0 * b.y) + c.y;
    precise const float square = x * x + y * y;
    return square;
}

// Returns true if a curve, in pixels, can change the picture. Its shape extends `margin` pixels beyond the curve.
bool is_seen(Curve curve, float margin) {
    precise const vec2 low = min(min(curve.p0, curve.p1), min(curve.p2, curve.p3)) - margin;
    precise const vec2 high = max(max(curve.p0, curve.p1), max(curve.p2, curve.p3)) + margin;
    return low.x < float(scissor[2]) && low.y < float(scissor[3]) && high.y > float(scissor[1]);
}

// Returns true if only winding numbers matter: the curve is left of the picture, so that only the heights of its ends
// count.
bool is_left(Curve curve, float margin) {
    precise const float right = max(max(curve.p0.x, curve.p1.x), max(curve.p2.x, curve.p3.x)) + margin;
    return right <= 0.0;
}

// Returns true if a draw can change the picture.
bool is_drawn(Draw draw, Transform m, float margin) {
    const vec2 from = vec2(draw.left, draw.top), to = vec2(draw.right, draw.bottom);
    const Curve corners = transformed(m, Curve(3, from, vec2(to.x, from.y), to, vec2(from.x, to.y)));
    return is_seen(corners, margin) && !is_left(corners, margin);
}

// Returns the number of lines of a curve in pixels.
uint lines_of(Curve curve) {
    if (curve.degree == 1) {
        return 1;
    }
    // Wang's formula: n^2 >= degree (degree - 1) / 8 * the maximum second difference / tolerance.
    precise float fourth_power = bend(curve.p0, curve.p1, curve.p2);
    precise float factor = 0.25 * reciprocal(tolerance);
    if (curve.degree == 3) {
        fourth_power = max(fourth_power, bend(curve.p1, curve.p2, curve.p3));
        factor = 3.0 * factor;
    }
    fourth_power = (fourth_power * factor) * factor;
    if (!(fourth_power > 1.0)) {
        return 1;
    }
    precise const float square = fourth_power * inverse_root(fourth_power);
    precise const float n = square * inverse_root(square);
    return uint(ceil(min(n, most_lines)));
}

// Returns the end of line `k` of n, which is the start of line k + 1.
vec2 point_at(Curve curve, uint k, uint n) {
    if (k == 0) {
        return curve.p0;
    }
    if (k == n) {
        return curve.p3; // also the end of curves of a lower degree
    }
    precise const float t = float(k) * reciprocal(float(n));
    precise const float s = 1.0 - t;
    precise vec2 p;
    if (curve.degree == 2) {
        precise const float a = s * s, b = 2.0 * (s * t), c = t * t;
        p.x = (a * curve.p0.x + b * curve.p1.x) + c * curve.p2.x;
        p.y = (a * curve.p0.y + b * curve.p1.y) + c * curve.p2.y;
    } else {
        precise const float ss = s * s, tt = t * t;
        precise const float a = ss * s, b = 3.0 * (ss * t), c = 3.0 * (s * tt), d = tt * t;
        p.x = ((a * curve.p0.x + b * curve.p1.x) + c * curve.p2.x) + d * curve.p3.x;
        p.y = ((a * curve.p0.y + b * curve.p1.y) + c * curve.p2.y) + d * curve.p3.y;
    }
    return p;
}

vec2 scaled_sum(vec2 a, float factor, vec2 b) { // a + factor * b
    precise const float x = a.x + factor * b.x, y = a.y + factor * b.y;
    return vec2(x, y);
}

float dot_of(vec2 a, vec2 b) {
    precise const float sum = a.x * b.x + a.y * b.y;
    return sum;
}

float cross_of(vec2 a, vec2 b) {
    precise const float difference = a.x * b.y - a.y * b.x;
    return difference;
}

// Normalizes a vector, which must not be too short.
vec2 normalized(vec2 v) {
    precise const float factor = inverse_root(dot_of(v, v));
    precise const float x = v.x * factor, y = v.y * factor;
    return vec2(x, y);
}

// Returns the direction of a line of a curve. For a line without length, returns the direction of the curve at its
// start or its end; for a dot, an arbitrary direction.
vec2 direction_of(Curve curve, vec2 a, vec2 b, bool is_end) {
    const vec2 from = is_end ? curve.p3 : curve.p0;
    const vec2 candidates[4] = {scaled_sum(b, -1.0, a), scaled_sum(is_end ? curve.p2 : curve.p1, -1.0, from),
                                scaled_sum(is_end ? curve.p1 : curve.p2, -1.0, from),
                                scaled_sum(is_end ? curve.p0 : curve.p3, -1.0, from)};
    for (int i = 0; i < 4; ++i) {
        if (dot_of(candidates[i], candidates[i]) > shortest_square) {
            return normalized(i != 0 && is_end ? -candidates[i] : candidates[i]);
        }
    }
    return vec2(1.0, 0.0);
}

#endif
