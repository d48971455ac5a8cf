#ifndef WEIR_PATHS_PAINT_GLSL
#define WEIR_PATHS_PAINT_GLSL

// The color of a gradient or an image at a pixel. Positions in gradients are `precise`, because a stop may be a sharp edge:
// src/paint.cpp computes the same bits. The including kernel must define `features`.

#include "numbers.glsl"
#include "records.glsl"

layout(std430, set = 0, binding = 6) readonly buffer Paints {
    Paint paints[];
};

struct Stop {
    float color[4];
    float offset;
};

layout(std430, set = 0, binding = 7) readonly buffer Stops {
    Stop stops[];
};

const uint paint_is_radial = 2, paint_is_image = 3, paint_is_sweep = 4, paint_is_blurred_rect = 6;

#include "blurred_rect.glsl"
#include "sampling.glsl"

layout(constant_id = 6) const bool has_images = false;

vec2 mapped(Transform m, vec2 p) {
    precise const float x = (m.xx * p.x + m.xy * p.y) + m.dx, y = (m.yx * p.x + m.yy * p.y) + m.dy;
    return vec2(x, y);
}

// Returns the point that the transform maps to p.
vec2 unmapped(Transform m, vec2 p) {
    precise const float factor = reciprocal(m.xx * m.yy - m.xy * m.yx);
    precise const float x = p.x - m.dx, y = p.y - m.dy;
    precise const float u = (m.yy * x - m.xy * y) * factor, v = (m.xx * y - m.yx * x) * factor;
    return vec2(u, v);
}

// Computes the position of p between the focal circle, 0, and the outer circle, 1. Returns false if no circle of the
// gradient passes through p.
bool radial_position(Paint paint, vec2 p, out float position) {
    precise const float qx = p.x - paint.focus_x, qy = p.y - paint.focus_y;
    const float growth = paint.growth;
    precise const float a = (paint.focus_x * paint.focus_x + paint.focus_y * paint.focus_y) - growth * growth;
    precise const float b = (qx * paint.focus_x + qy * paint.focus_y) - paint.focal_radius * growth;
    precise const float c = (qx * qx + qy * qy) - paint.focal_radius * paint.focal_radius;
    precise const float touching = 1e-4 * (growth * growth); // allows for rounded coordinates
    const bool is_nested = a < -touching; // one circle contains the other: each point is on a circle
    precise float t = 0.0;
    if (abs(a) <= touching) { // one circle touches the other from inside
        if (abs(b) < 1e-12) {
            position = 0.0;
            return false;
        }
        t = (-0.5 * c) * reciprocal(b);
    } else {
        precise const float square = b * b - a * c;
        if (square < 0.0 && !is_nested) {
            position = 0.0;
            return false;
        }
        precise const float root = square > 1e-30 ? square * inverse_root(square) : 0.0, factor = reciprocal(a);
        precise const float first = (-b - root) * factor, second = (-b + root) * factor;
        t = max(first, second);
        precise const float radius = paint.focal_radius + t * growth;
        if (radius < 0.0) {
            t = min(first, second);
        }
    }
    precise const float radius = paint.focal_radius + t * growth;
    position = t;
    return is_nested || radius >= 0.0;
}

// Returns the angle of p in turns, from the x axis: 0 to 1. The error of the polynomial is below 1e-7.
float turns_of(vec2 p) {
    const vec2 size = abs(p);
    const float high = max(size.x, size.y);
    if (!(high > 1e-30)) {
        return 0.0;
    }
    precise const float slope = min(size.x, size.y) * reciprocal(high), square = slope * slope;
    precise float sum = 0.00121727333;
    sum = sum * square - 0.0057869423;
    sum = sum * square + 0.0132299859;
    sum = sum * square - 0.0214029404;
    sum = sum * square + 0.0316273344;
    sum = sum * square - 0.0530394639;
    sum = sum * square + 0.15915482;
    precise float turns = slope * sum; // in the first eighth
    turns = size.y > size.x ? 0.25 - turns : turns;
    turns = p.x < 0.0 ? 0.5 - turns : turns;
    turns = p.y < 0.0 ? 1.0 - turns : turns;
    return turns;
}

float with_spread(uint spread, float t) {
    if (spread == spread_pad) {
        return clamp(t, -1.0, 2.0); // beyond all stops
    }
    precise const float whole = t - floor(t);
    if (spread == spread_reflect) {
        precise const float pairs = t - 2.0 * floor(0.5 * t); // 0 to 2
        precise const float back = 2.0 - pairs;
        return pairs > 1.0 ? back : pairs;
    }
    return whole;
}

vec4 stop_color(uint stop) {
    return vec4(stops[stop].color[0], stops[stop].color[1], stops[stop].color[2], stops[stop].color[3]);
}

vec4 gradient_color(Paint paint, float t) {
    uint next = 0; // first stop after t
    while (next < paint.stops && stops[paint.first_stop + next].offset <= t) {
        ++next;
    }
    vec4 color;
    if (next == 0 || next == paint.stops) {
        color = stop_color(paint.first_stop + (next == 0 ? 0 : next - 1));
    } else {
        const uint stop = paint.first_stop + next;
        const float low = stops[stop - 1].offset, high = stops[stop].offset;
        color = mix(stop_color(stop - 1), stop_color(stop), (t - low) / (high - low));
    }
    return (paint.spread & gradient_is_premultiplied) != 0 ? color : vec4(color.rgb * color.a, color.a);
}

// Returns the color of paint `index` at a pixel. `transform`: of the draw, to pixels.
vec4 color_at(uint index, Transform transform, vec2 pixel) {
    const Paint paint = paints[index];
    const bool is_blurred_rect = (features & scene_has_blurred_rects) != 0 && paint.kind == paint_is_blurred_rect;
    if (paint.stops == 0 && !is_blurred_rect) {
        return vec4(0.0);
    }
    const vec2 p = mapped(paint.transform, unmapped(transform, pixel));
    if (is_blurred_rect) {
        const float inside = blurred_rect(p, vec2(paint.focus_x, paint.focus_y), paint.focal_radius);
        const vec4 color = vec4(paint.color[0], paint.color[1], paint.color[2], paint.color[3]);
        return color * ((paint.spread & blurred_rect_is_inverted) != 0 ? 1.0 - inside : inside);
    }
    if (has_images && paint.kind == paint_is_image) {
        return image_color(paint, transform, p);
    }
    float t = p.x;
    if (paint.kind == paint_is_radial && !radial_position(paint, p, t)) {
        return vec4(0.0);
    }
    if ((features & scene_has_sweeps) != 0 && paint.kind == paint_is_sweep) {
        precise const float turned = (turns_of(p) - paint.focus_x) * paint.focus_y;
        t = turned;
    }
    return gradient_color(paint, with_spread(paint.spread & spread_mask, t));
}

#endif
