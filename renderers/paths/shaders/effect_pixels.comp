// Computes operations of effects that treat each pixel alone. An invocation computes a pixel.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(constant_id = 7) const uint features = 0; // scene_...

#include "effect_pass.glsl"
#include "blend.glsl"
#include "paint.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 1) readonly buffer Values {
    float values[];
};

const uint to_linear = 1, to_srgb = 2, to_alpha = 3; // modes of op_copy
const uint operator_over = 0, operator_in = 1, operator_out = 2, operator_atop = 3, operator_exclusive = 4,
           operator_lighter = 5;
const uint curve_table = 1, curve_discrete = 2, curve_linear = 3, curve_gamma = 4;

uint place;
PlacedEffect effect;

uvec2 texel(uint picture, ivec2 at) {
    return is_inside(effect.bounds, at) ? pixels[effect.first + picture * effect.area + pixel_index(effect, at)]
                                        : uvec2(0);
}

vec4 clamped(vec4 c) {
    c.a = clamp(c.a, 0.0, 1.0);
    return vec4(clamp(c.rgb, vec3(0.0), vec3(c.a)), c.a);
}

// Returns a color that is not premultiplied. Integers, since a function may jump at a value that is often exact.
uvec4 components(uvec2 t) {
    const uint alpha = t.y >> 16;
    if (alpha == 0) {
        return uvec4(0);
    }
    const uvec3 c = uvec3(t.x & 0xFFFFu, t.x >> 16, t.y & 0xFFFFu);
    return uvec4(min((c * 65535u + alpha / 2) / alpha, uvec3(65535u)), alpha);
}

vec4 premultiplied(vec4 c) {
    c = clamp(c, vec4(0.0), vec4(1.0));
    return vec4(c.rgb * c.a, c.a);
}

uvec2 copied(uint conversion, uvec2 t) {
    if (conversion == to_alpha) {
        return uvec2(0, t.y & 0xFFFF0000u);
    }
    if (conversion != to_linear && conversion != to_srgb) {
        return t;
    }
    const vec4 c = vec4(components(t)) / 65535.0;
    const vec3 linear = mix(c.rgb / 12.92, pow((c.rgb + 0.055) / 1.055, vec3(2.4)), greaterThan(c.rgb, vec3(0.04045)));
    const vec3 srgb =
        mix(c.rgb * 12.92, 1.055 * pow(c.rgb, vec3(1.0 / 2.4)) - 0.055, greaterThan(c.rgb, vec3(0.0031308)));
    return packed(premultiplied(vec4(conversion == to_linear ? linear : srgb, c.a)));
}

vec4 composite(uint kind, vec4 a, vec4 b, uint k) {
    switch (kind) {
    case operator_over:
        return a + b * (1.0 - a.a);
    case operator_in:
        return a * b.a;
    case operator_out:
        return a * (1.0 - b.a);
    case operator_atop:
        return a * b.a + b * (1.0 - a.a);
    case operator_exclusive:
        return a * (1.0 - b.a) + b * (1.0 - a.a);
    case operator_lighter:
        return a + b;
    }
    return values[k] * a * b + values[k + 1] * a + values[k + 2] * b + values[k + 3];
}

vec4 multiplied(uint matrix, vec4 c) {
    vec4 result;
    for (uint row = 0; row < 4; ++row) {
        const uint at = matrix + row * 5;
        result[row] = values[at + 4] + dot(vec4(values[at], values[at + 1], values[at + 2], values[at + 3]), c);
    }
    return result;
}

// `first`: of n values of a function.
float transferred(uint kind, uint first, uint n, uint integer) {
    const float c = float(integer) / 65535.0;
    switch (kind) {
    case curve_table: {
        const uint i = min(integer * (n - 1) / 65535u, max(n, 2u) - 2);
        const float part = c * float(n - 1) - float(i), low = values[first + i];
        return low + part * (values[first + min(i + 1, n - 1)] - low);
    }
    case curve_discrete:
        return values[first + min(integer * n / 65535u, n - 1)];
    case curve_linear:
        return values[first] * c + values[first + 1];
    case curve_gamma:
        return values[first] * pow(c, values[first + 1]) + values[first + 2];
    }
    return c;
}

vec4 transferred(uint first, uvec4 c) {
    vec4 result;
    for (uint i = 0; i < 4; ++i) {
        const uint header = first + 3 * i;
        result[i] = transferred(uint(values[header]), first + uint(values[header + 2]), uint(values[header + 1]), c[i]);
    }
    return result;
}

uvec2 extreme(Op op, ivec2 at) {
    const ivec2 axis = (op.mode & 1) == 0 ? ivec2(1, 0) : ivec2(0, 1);
    const bool is_dilation = op.mode > 1;
    const vec2 radii = places[place].lengths;
    const int radius = int(min(((op.mode & 1) == 0 ? radii.x : radii.y) + 0.5, 16384.0));
    const int i = int(dot(vec2(at), vec2(axis)));
    const int least = int(dot(vec2(effect.bounds.xy), vec2(axis))), most = int(dot(vec2(effect.bounds.zw), vec2(axis)));
    if (!is_dilation && (i - radius < least || i + radius >= most)) {
        return uvec2(0); // transparent outside
    }
    const uvec2 own = texel(op.inputs[0], at);
    uvec4 best = uvec4(own & 0xFFFFu, own >> 16);
    for (int k = max(least, i - radius); k <= min(most - 1, i + radius); ++k) {
        const uvec2 t = texel(op.inputs[0], at + (k - i) * axis);
        const uvec4 other = uvec4(t & 0xFFFFu, t >> 16);
        best = is_dilation ? max(best, other) : min(best, other);
    }
    return best.xy | best.zw << 16;
}

int within(int i, int first, int end) {
    const int size = end - first;
    return i >= first ? first + (i - first) % size : end - 1 - (first - 1 - i) % size;
}

// Returns the transform of an operation to pixels.
Transform transform_at(uint v) {
    return composed(
        view, Transform(values[v], values[v + 1], values[v + 2], values[v + 3], values[v + 4], values[v + 5]));
}

#include "effect_lighting.glsl"
#include "effect_neighbors.glsl"
#include "effect_turbulence.glsl"

uvec2 result_at(Op op, ivec2 at) {
    const uvec2 first = texel(op.inputs[0], at);
    const uint v = op.first_value;
    switch (op.kind) {
    case op_copy:
        return copied(op.mode, first);
    case op_offset:
        return texel(op.inputs[0], at - ivec2(clamp(places[place].lengths, vec2(-16384.0), vec2(16384.0))));
    case op_flood:
        return packed(vec4(values[v], values[v + 1], values[v + 2], values[v + 3]));
    case op_blend:
        return packed(clamped(composited(op.mode, unpacked(texel(op.inputs[1], at)), unpacked(first), 1.0)));
    case op_composite:
        return packed(clamped(composite(op.mode, unpacked(first), unpacked(texel(op.inputs[1], at)), v)));
    case op_matrix:
        return packed(premultiplied(multiplied(v, vec4(components(first)) / 65535.0)));
    case op_transfer:
        return packed(premultiplied(transferred(v, components(first))));
    case op_morphology:
        return extreme(op, at);
    case op_tile: {
        const ivec4 tile = places[place].from;
        return any(greaterThanEqual(tile.xy, tile.zw))
                   ? uvec2(0)
                   : texel(op.inputs[0], ivec2(within(at.x, tile.x, tile.z), within(at.y, tile.y, tile.w)));
    }
    case op_paint: {
        const uint paint = op.mode;
        const vec4 color = vec4(paints[paint].color[0], paints[paint].color[1], paints[paint].color[2],
                                paints[paint].color[3]);
        return packed(paints[paint].kind == 0 ? color : color_at(paint, transform_at(v), vec2(at) + 0.5));
    }
    case op_lighting:
        return packed(lit(op, at));
    case op_turbulence:
        return packed(premultiplied(turbulence(op, at)));
    case op_displace:
        return packed(displaced(op, at));
    case op_convolve:
        return packed(convolved(op, at));
    }
    return uvec2(0);
}

void main() {
    const uint group = weir_workgroup_index();
    if (group >= groups[pass].w) {
        return;
    }
    place = place_of_group(group);
    const Op op = ops[places[place].op];
    effect = effects[op.effect];
    const uint index = (group - places[place].first_group) * 64 + gl_LocalInvocationIndex;
    const uint width = uint(effect.bounds.z - effect.bounds.x);
    const ivec2 at = effect.bounds.xy + ivec2(index % width, index / width);
    pixels[effect.first + op.to * effect.area + index] =
        is_inside(places[place].bounds, at) ? result_at(op, at) : uvec2(0);
}
