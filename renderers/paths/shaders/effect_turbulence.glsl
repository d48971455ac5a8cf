#ifndef WEIR_PATHS_EFFECT_TURBULENCE_GLSL
#define WEIR_PATHS_EFFECT_TURBULENCE_GLSL

// Perlin noise as SVG specifies it. Values of the operation: transform to the scene (6), frequency (2), octaves,
// cells of a tile (2; 0: no tiles), first cells after the tile (2), permutation (256), gradients of the components (2 x 256
// each).

int wrapped(int i, int end, int size) {
    return size > 0 && i >= end ? i - size : i;
}

uint permuted(uint v, int i) {
    return uint(values[v + 13 + uint(i & 255)]);
}

// Adds the noise of one octave at p, which is in cells. `tile`: cells of a tile, and first cells after it.
vec4 noise(uint v, vec2 p, ivec4 tile) {
    const ivec2 cell = ivec2(floor(p)) + 4096;
    const vec2 r = p - floor(p), s = r * r * (3.0 - 2.0 * r);
    const int left = wrapped(cell.x, tile.z, tile.x), right = wrapped(cell.x + 1, tile.z, tile.x);
    const int top = wrapped(cell.y, tile.w, tile.y), bottom = wrapped(cell.y + 1, tile.w, tile.y);
    const int i = int(permuted(v, left)), j = int(permuted(v, right));
    const uvec4 corners =
        uvec4(permuted(v, i + top), permuted(v, j + top), permuted(v, i + bottom), permuted(v, j + bottom));
    vec4 result;
    for (uint component = 0; component < 4; ++component) {
        const uvec4 at = v + 269 + 512 * component + 2 * corners;
        const float a = r.x * values[at.x] + r.y * values[at.x + 1];
        const float b = (r.x - 1.0) * values[at.y] + r.y * values[at.y + 1];
        const float c = r.x * values[at.z] + (r.y - 1.0) * values[at.z + 1];
        const float d = (r.x - 1.0) * values[at.w] + (r.y - 1.0) * values[at.w + 1];
        const float above = a + s.x * (b - a), below = c + s.x * (d - c);
        result[component] = above + s.y * (below - above);
    }
    return result;
}

vec4 turbulence(Op op, ivec2 at) {
    const uint v = op.first_value;
    vec2 p = unmapped(transform_at(v), vec2(at)) * vec2(values[v + 6], values[v + 7]);
    ivec4 tile = ivec4(values[v + 9], values[v + 10], values[v + 11], values[v + 12]);
    vec4 sum = vec4(0.0);
    float part = 1.0;
    for (uint octaves = uint(values[v + 8]); octaves != 0; --octaves) {
        const vec4 one = noise(v, clamp(p, vec2(-1e9), vec2(1e9)), tile);
        sum += part * (op.mode == 0 ? abs(one) : one);
        part *= 0.5;
        p *= 2.0;
        tile = ivec4(2 * tile.xy, 2 * tile.zw - 4096);
    }
    return op.mode == 0 ? sum : (sum + 1.0) / 2.0;
}

#endif
