#ifndef WEIR_PATHS_EFFECT_LAYERS_GLSL
#define WEIR_PATHS_EFFECT_LAYERS_GLSL

// Finds the tiles of a workgroup of `fine` in the layers of a pass of effects, and stores their pixels.

#include <weir/dispatch.glsl>

#include "effect_results.glsl"

layout(std430, set = 0, binding = 13) readonly buffer LayerEffects {
    Effect layer_effects[];
};
layout(std430, set = 0, binding = 14) readonly buffer Places {
    PlacedOp places[];
};
layout(std430, set = 0, binding = 15) readonly buffer Groups {
    uvec4 groups[];
};

#include "group_place.glsl"

ivec4 in_picture;      // pixels that are not transparent
PlacedEffect placed; // the effect

// Selects the invocation's tile and draws. Returns false if there is no such tile.
bool begin_layer() {
    const uint group = weir_workgroup_index();
    if (group >= groups[pass].w) {
        return false;
    }
    const PlacedOp op = places[place_of_group(group)];
    in_picture = op.bounds;
    placed = effects[op.effect];
    const uint tiles = invocations / tile_invocations, index = group - op.first_group;
    const uvec4 bounds = uvec4(placed.bounds) / uvec4(tile_width, tile_height, tile_width, tile_height);
    const uint across = (bounds.z - bounds.x + tiles - 1) / tiles; // workgroups
    column = bounds.x + index % across * tiles + place / tile_invocations;
    row = bounds.y + index / across;
    at = uvec2(column, row) * uvec2(tile_width, tile_height) + corner;
    const Effect effect = layer_effects[op.effect];
    root_layer = open_layer = effect.layer;
    own_kind = effect.depth << draw_effect_shift;
    first_draw = effect.first_draw;
    end_draw = effect.end_draw;
    return column < bounds.z;
}

// Stores a pixel of the layer in the first picture of the effect.
void store(ivec2 pixel, vec4 color) {
    effect_pixels[placed.first + pixel_index(placed, pixel)] = is_inside(in_picture, pixel) ? packed(color) : uvec2(0);
}

#endif
