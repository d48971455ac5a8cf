#ifndef WEIR_PATHS_EFFECT_NEIGHBORS_GLSL
#define WEIR_PATHS_EFFECT_NEIGHBORS_GLSL

// Operations that read other pixels: displacement, and convolution by a matrix.

// Values: transform to the scene (6), scale. mode: component for x, and 4 times that for y.
vec4 displaced(Op op, ivec2 at) {
    const uint v = op.first_value;
    const Transform m = transform_at(v);
    const uvec4 map = components(texel(op.inputs[1], at));
    const vec2 by = values[v + 6] * (vec2(map[op.mode & 3], map[op.mode >> 2]) / 65535.0 - 0.5);
    const vec2 p = clamp(vec2(at) + vec2(m.xx * by.x + m.xy * by.y, m.yx * by.x + m.yy * by.y), -32768.0, 32767.0);
    const ivec2 first = ivec2(floor(p));
    const vec2 part = p - floor(p);
    const uint a = op.inputs[0];
    const vec4 above = mix(unpacked(texel(a, first)), unpacked(texel(a, first + ivec2(1, 0))), part.x);
    const vec4 below = mix(unpacked(texel(a, first + ivec2(0, 1))), unpacked(texel(a, first + ivec2(1, 1))), part.x);
    return mix(above, below, part.y);
}

const uint edge_duplicate = 0, edge_wrap = 1;

// Values: columns, rows, target (2), factor, bias, matrix, which is already turned by 180 degrees. mode: the edge mode,
// and 4 if alpha is preserved. Returns a premultiplied color.
vec4 convolved(Op op, ivec2 at) {
    const uint v = op.first_value, edge = op.mode & 3;
    const int across = places[place].across;
    const ivec2 size = ivec2(values[v], values[v + 1]), origin = at - across * ivec2(values[v + 2], values[v + 3]);
    const ivec4 bounds = places[place].from;
    const bool keeps_alpha = op.mode > 3;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
            ivec2 p = origin + across * ivec2(x, y);
            if (edge == edge_duplicate) {
                p = clamp(p, bounds.xy, bounds.zw - 1);
            } else if (edge == edge_wrap) {
                p = ivec2(within(p.x, bounds.x, bounds.z), within(p.y, bounds.y, bounds.w));
            }
            const uvec2 t = is_inside(bounds, p) ? texel(op.inputs[0], p) : uvec2(0);
            const vec4 color = keeps_alpha ? vec4(components(t)) / 65535.0 : unpacked(t);
            sum += values[v + 6 + uint(y * size.x + x)] * color;
        }
    }
    const float own = unpacked(texel(op.inputs[0], at)).a;
    const float alpha = keeps_alpha ? own : clamp(sum.a * values[v + 4] + values[v + 5], 0.0, 1.0);
    const vec3 color = sum.rgb * values[v + 4] + values[v + 5] * alpha;
    return vec4(keeps_alpha ? clamp(color, vec3(0.0), vec3(1.0)) * alpha : clamp(color, vec3(0.0), vec3(alpha)), alpha);
}

#endif
