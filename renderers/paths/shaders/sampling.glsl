#ifndef WEIR_PATHS_SAMPLING_GLSL
#define WEIR_PATHS_SAMPLING_GLSL

// The color of an image at a pixel. Positions are `precise`, because the nearest pixel changes at sharp edges:
// src/sampling.cpp computes the same bits.

#include "numbers.glsl"
#include "records.glsl"

layout(std430, set = 0, binding = 9) readonly buffer Texels {
    uint texels[]; // premultiplied
};

layout(std430, set = 0, binding = 10) readonly buffer ImageTexels {
    uint image_texels[]; // texels of external images, premultiplied
};

const uint image_is_linear = 16, image_is_cubic = 64, image_is_external = 128;

// An image, or one of its mipmaps.
struct Level {
    uint first; // texel
    ivec2 size;
};

// Returns the linear part of a transform, applied to v.
vec2 turned(Transform m, vec2 v) {
    precise const float x = m.xx * v.x + m.xy * v.y, y = m.yx * v.x + m.yy * v.y;
    return vec2(x, y);
}

float length_of(vec2 v) {
    precise const float square = v.x * v.x + v.y * v.y;
    precise const float root = square * inverse_root(square);
    return square > 1e-30 ? root : 0.0;
}

// Moves a position into the image, 0 to size, or next to it. The comparisons are false for NaN.
float within(uint spread, float x, float size) {
    if (spread == spread_pad) {
        return x > -1.0 ? min(x, size + 1.0) : -1.0;
    }
    const float period = spread == spread_reflect ? 2.0 * size : size;
    precise const float cycles = floor(x * reciprocal(period));
    precise const float rest = x - period * cycles, back = period - rest;
    const float folded = spread == spread_reflect && rest > size ? back : rest;
    return folded > 0.0 ? min(folded, size) : 0.0;
}

int index_of(uint spread, int i, int size) {
    if (spread == spread_reflect) {
        i = i < 0 ? -1 - i : i >= size ? 2 * size - 1 - i : i;
    } else if (spread != spread_pad) {
        i = i < 0 ? i + size : i >= size ? i - size : i;
    }
    return clamp(i, 0, size - 1);
}

vec4 texel_at(uint spread, Level level, ivec2 i) {
    const int x = index_of(spread & 3, i.x, level.size.x), y = index_of(spread >> 2 & 3, i.y, level.size.y);
    const uint index = level.first + uint(y) * uint(level.size.x) + uint(x);
    const bool is_external = (features & scene_has_external_images) != 0 && (spread & image_is_external) != 0;
    return unpackUnorm4x8(is_external ? image_texels[index] : texels[index]);
}

vec2 within_level(uint spread, Level level, vec2 p) {
    return vec2(within(spread & 3, p.x, float(level.size.x)), within(spread >> 2 & 3, p.y, float(level.size.y)));
}

vec4 interpolated(uint spread, Level level, vec2 p) {
    precise const vec2 q = within_level(spread, level, p) - 0.5;
    const vec2 corner = floor(q), part = q - corner;
    const ivec2 i = ivec2(corner);
    const vec4 upper = mix(texel_at(spread, level, i), texel_at(spread, level, i + ivec2(1, 0)), part.x);
    const vec4 lower = mix(texel_at(spread, level, i + ivec2(0, 1)), texel_at(spread, level, i + ivec2(1, 1)), part.x);
    return mix(upper, lower, part.y);
}

// Returns the weights of four pixels at a position between the second and the third one, by the filter of Mitchell and
// Netravali.
vec4 cubic_weights(float t) {
    const vec2 u = vec2(t, 1.0 - t), square = u * u;
    const vec2 inner = square * (u * 21.0 - 36.0) * (1.0 / 18.0) + 8.0 / 9.0;
    const vec2 outer = square * (u * 7.0 - 6.0) * (1.0 / 18.0);
    return vec4(outer.y, inner.x, inner.y, outer.x);
}

vec4 cubic(uint spread, Level level, vec2 p) {
    precise const vec2 q = within_level(spread, level, p) - 0.5;
    const vec2 corner = floor(q);
    const vec4 across = cubic_weights(q.x - corner.x), down = cubic_weights(q.y - corner.y);
    vec4 color = vec4(0.0);
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            color += across[x] * down[y] * texel_at(spread, level, ivec2(corner) + ivec2(x, y) - 1);
        }
    }
    const float alpha = clamp(color.a, 0.0, 1.0); // the weights may be negative
    return vec4(clamp(color.rgb, vec3(0.0), vec3(alpha)), alpha);
}

// Returns the number of samples along a distance in the image, 1 to 8: one per 1.5 pixels.
int samples_of(float distance) {
    precise const float samples = ceil(min(distance, 12.0) * (2.0 / 3.0));
    return distance > 1.5 ? int(samples) : 1;
}

// Returns the color of an image at a position in it. `m` maps the draw to pixels.
vec4 image_color(Paint paint, Transform m, vec2 p) {
    Level level = Level(paint.first_stop, ivec2(paint.stops & 0xFFFFu, paint.stops >> 16));
    const float opacity = paint.color[3];
    if ((paint.spread & image_is_linear) == 0) {
        return texel_at(paint.spread, level, ivec2(floor(within_level(paint.spread, level, p)))) * opacity;
    }
    // Sides of a pixel's footprint in the image.
    precise const float factor = reciprocal(m.xx * m.yy - m.xy * m.yx);
    precise const vec2 side = vec2(m.yy, -m.yx) * factor, other_side = vec2(-m.xy, m.xx) * factor;
    precise vec2 right = turned(paint.transform, side), down = turned(paint.transform, other_side);
    precise float width = length_of(right), height = length_of(down);
    if ((paint.spread & image_is_cubic) != 0 && min(width, height) < 0.999 && max(width, height) < 1.5) {
        return cubic(paint.spread, level, p) * opacity;
    }
    const vec2 size = vec2(level.size);
    while ((min(width, height) > 3.0 || max(width, height) > 12.0) && level.size != ivec2(1)) {
        level.first += uint(level.size.x) * uint(level.size.y);
        level.size = max(level.size / 2, ivec2(1));
        width *= 0.5;
        height *= 0.5;
    }
    if (vec2(level.size) != size) {
        precise const vec2 scale = vec2(level.size) * vec2(reciprocal(size.x), reciprocal(size.y));
        p *= scale;
        right *= scale;
        down *= scale;
    }
    const ivec2 samples = ivec2(samples_of(width), samples_of(height));
    vec4 sum = vec4(0.0);
    for (int y = 0; y < samples.y; ++y) {
        for (int x = 0; x < samples.x; ++x) {
            const vec2 part = (vec2(x, y) + 0.5) / vec2(samples) - 0.5;
            sum += interpolated(paint.spread, level, p + right * part.x + down * part.y);
        }
    }
    return sum * (opacity / float(samples.x * samples.y));
}

#endif
