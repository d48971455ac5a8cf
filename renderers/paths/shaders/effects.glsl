#ifndef WEIR_PATHS_EFFECTS_GLSL
#define WEIR_PATHS_EFFECTS_GLSL

// Effects of layers: records, which must match <weir/paths/effect_records.hpp>, and their places in pixels, which
// place.comp computes. Pictures are rectangles of whole tiles, with 16 bits per component.

#include "records.glsl"

struct Effect {
    Transform transform;
    float left, top, right, bottom;
    uint layer;
    uint first_draw, end_draw;
    uint depth;
    uint pictures;
    uint result;
};

struct Op {
    uint kind;
    uint effect;
    uint inputs[2];
    uint to; // output
    uint mode;
    uint first_value;
    uint pass;
    uint rank;
    float x, y;
    uint unused;
    float region[4], from[4];
};
const uint op_draw = 0, op_blur = 1, op_copy = 2, op_offset = 3, op_flood = 4, op_blend = 5, op_composite = 6,
           op_matrix = 7, op_transfer = 8, op_morphology = 9, op_tile = 10, op_paint = 11,
           op_lighting = 12, op_turbulence = 13, op_displace = 14, op_convolve = 15;

// The pictures of an effect.
struct PlacedEffect {
    ivec4 bounds; // left, top, right, bottom: edges of tiles
    uint first;   // first pixel of picture 0
    uint area;    // pixels of a picture
    uint result;  // first pixel of the result
    uint unused;
};

// An operation. They are sorted by pass.
struct PlacedOp {
    ivec4 bounds; // pixels that are not transparent
    ivec4 from;
    vec2 lengths;
    uint op;
    uint effect;
    uint first_group; // first workgroup of the pass
    int across;       // distance of the pixels next to one another, in samples
    uint unused[2];
};

// Returns the index of a pixel in a picture.
uint pixel_index(PlacedEffect effect, ivec2 at) {
    return uint(at.y - effect.bounds.y) * uint(effect.bounds.z - effect.bounds.x) + uint(at.x - effect.bounds.x);
}

bool is_inside(ivec4 bounds, ivec2 at) {
    return all(greaterThanEqual(at, bounds.xy)) && all(lessThan(at, bounds.zw));
}

uvec2 packed(vec4 color) {
    return uvec2(packUnorm2x16(color.rg), packUnorm2x16(color.ba));
}
vec4 unpacked(uvec2 texel) {
    return vec4(unpackUnorm2x16(texel.x), unpackUnorm2x16(texel.y));
}

#endif
