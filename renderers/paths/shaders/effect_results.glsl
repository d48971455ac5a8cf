#ifndef WEIR_PATHS_EFFECT_RESULTS_GLSL
#define WEIR_PATHS_EFFECT_RESULTS_GLSL

// The results of effects, as `fine` draws them.

#include "effects.glsl"

layout(std430, set = 0, binding = 11) readonly buffer Effects {
    PlacedEffect effects[];
};
layout(std430, set = 0, binding = 12) buffer Pictures {
    uvec2 effect_pixels[];
};

// Returns true if the axes remain parallel to the edges of pixels.
bool is_parallel(Transform m) {
    return (m.yx == 0.0 && m.xy == 0.0) || (m.xx == 0.0 && m.yy == 0.0);
}

vec4 result_color(uint index, ivec2 pixel) {
    const PlacedEffect effect = effects[index];
    return is_inside(effect.bounds, pixel) ? unpacked(effect_pixels[effect.result + pixel_index(effect, pixel)])
                                           : vec4(0.0);
}

#endif
