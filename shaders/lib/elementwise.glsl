#ifndef WEIR_ELEMENTWISE_GLSL
#define WEIR_ELEMENTWISE_GLSL

// What kernels have in common that treat each element for itself. A workgroup has a tile of four elements to an invocation, however
// many words an element has, and goes through its words row by row, so that what is written is together in memory. A kernel's push
// constants begin with max_count and count_word, and are declared before this.

#include "dispatch.glsl"

#include "interface.glsl"
#include "elementwise_interface.h"
layout(local_size_x_id = 0) in;

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

const uint TILE = 4 * WORKGROUP; // elements

// Elements of a tile: from the first on, so many.
struct Tile {
    uint first, elements;
};

// The workgroup's own. There are none past the end, where the place of the first one may not fit 32 bits.
Tile own_tile() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint tile = weir_workgroup_index();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    return tile < tiles ? Tile(tile * TILE, min(TILE, count - tile * TILE)) : Tile(0, 0);
}

#endif
