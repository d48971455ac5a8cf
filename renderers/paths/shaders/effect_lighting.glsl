#ifndef WEIR_PATHS_EFFECT_LIGHTING_GLSL
#define WEIR_PATHS_EFFECT_LIGHTING_GLSL

// Light that a surface reflects. Its height is the alpha of a picture. Values of the operation, in the space of the
// effect: transform to the scene (6), color (3), height where alpha is 1, factor, kind of the light, position or
// direction (3), target (3), exponent and cosine of the cone, exponent of specular reflection.

const uint light_distant = 0, light_spot = 2;

int height(uint picture, ivec2 at) {
    return int(texel(picture, at).y >> 16);
}

// Returns the mean slope along an axis, with pixels of the rows next to the pixel. At an edge of the picture it is
// that of the pixels that exist. The kernels of SVG are twice this slope. The length of `axis` is the distance of
// neighbors.
float slope(uint picture, ivec2 at, ivec2 axis, ivec4 bounds) {
    const ivec2 low = max(at - axis, bounds.xy), high = min(at + axis, bounds.zw - 1);
    int sum = 0, weights = 0;
    for (int i = -1; i <= 1; ++i) {
        const ivec2 row = i * axis.yx;
        if (is_inside(bounds, at + row)) {
            const int weight = i == 0 ? 2 : 1;
            sum += weight * (height(picture, high + row) - height(picture, low + row));
            weights += weight;
        }
    }
    const int distance = high.x - low.x + high.y - low.y;
    return distance == 0 ? 0.0 : float(sum) / (65535.0 * float(weights * distance));
}

vec3 unit(vec3 v) {
    const float square = dot(v, v);
    return square > 1e-20 ? v / sqrt(square) : vec3(0.0);
}

// Returns the vector of three values in pixels. z is scaled by `scale`.
vec3 vector_at(Transform m, uint v, float scale) {
    const vec2 p = vec2(values[v], values[v + 1]);
    return vec3(m.xx * p.x + m.xy * p.y, m.yx * p.x + m.yy * p.y, values[v + 2] * scale);
}

vec4 lit(Op op, ivec2 at) {
    const uint v = op.first_value;
    const Transform m = transform_at(v);
    const float scale = sqrt((m.xx * m.xx + m.yx * m.yx + m.xy * m.xy + m.yy * m.yy) / 2.0);
    const float surface = values[v + 9] * scale;
    const ivec4 bounds = places[place].from;
    const uint picture = op.inputs[0];
    const int across = places[place].across;
    const vec3 normal = unit(vec3(-2.0 * surface * slope(picture, at, ivec2(across, 0), bounds),
                                  -2.0 * surface * slope(picture, at, ivec2(0, across), bounds), 1.0));

    const uint kind = uint(values[v + 11]);
    const vec3 source = vector_at(m, v + 12, scale);
    const vec3 origin = vec3(vec2(at) + 0.5 - vec2(m.dx, m.dy), surface * float(height(picture, at)) / 65535.0);
    const vec3 light = unit(kind == light_distant ? source : source - origin);
    float power = values[v + 10];
    if (kind == light_spot) {
        const float along = dot(-light, unit(vector_at(m, v + 15, scale) - source));
        const float cone = values[v + 19], width = min(0.016, max((1.0 - cone) / 2.0, 1e-4)); // width of a smooth edge
        const float edge = clamp((along - cone) / width, 0.0, 1.0);
        power *= along > 0.0 ? pow(along, values[v + 18]) * edge : 0.0;
    }
    if (op.mode == 0) {
        power *= max(dot(normal, light), 0.0);
    } else {
        const float shine = dot(normal, unit(light + vec3(0.0, 0.0, 1.0)));
        power *= shine > 0.0 ? pow(shine, values[v + 20]) : 0.0;
    }
    const vec3 color = clamp(power * vec3(values[v + 6], values[v + 7], values[v + 8]), vec3(0.0), vec3(1.0));
    return vec4(color, op.mode == 0 ? 1.0 : max(color.r, max(color.g, color.b)));
}

#endif
