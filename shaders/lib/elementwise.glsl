#ifndef WEIR_ELEMENTWISE_GLSL
#define WEIR_ELEMENTWISE_GLSL

// What kernels have in common that process each element by itself. A workgroup has a tile of ROWS elements for each invocation: four, unless
// the kernel defines OWN_ROWS and has a constant of that name. It goes through the tile's words row by row, so that its stores are coalesced.
// The kernel declares its push constants before it includes this; they begin with max_count and count_word.

#include "dispatch.glsl"

#include "interface.glsl"
#include "elementwise_interface.h"
layout(local_size_x_id = 0) in;

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

#ifndef OWN_ROWS
const uint ROWS = 4;
#endif

const uint TILE = ROWS * WORKGROUP; // elements

// The elements of a tile.
struct Tile {
    uint first, elements;
};

// The workgroup's own tile: empty past the end, where the place of its first element may not fit 32 bits.
Tile own_tile() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint tile = weir_workgroup_index();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    return tile < tiles ? Tile(tile * TILE, min(TILE, count - tile * TILE)) : Tile(0, 0);
}

#endif
