#ifndef WEIR_ELEMENTWISE_GLSL
#define WEIR_ELEMENTWISE_GLSL

// Common part of kernels that process each element by itself. A workgroup processes a tile of ROWS elements per invocation. ROWS is 4
// unless the kernel defines OWN_ROWS and a constant ROWS. The workgroup processes the words of the tile row by row, so that its stores are
// coalesced. The kernel must declare its push constants before it includes this file; they begin with max_count and count_word.

#include <weir/dispatch.glsl>

#include "interface.glsl"
#include "elementwise_interface.h"
layout(local_size_x_id = 0) in;

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

#ifndef OWN_ROWS
const uint ROWS = 4;
#endif

const uint TILE = ROWS * WORKGROUP; // elements

struct Tile {
    uint first, elements;
};

// Returns the workgroup's own tile. It is empty beyond the end, where the index of its first element may exceed 32 bits.
Tile own_tile() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint tile = weir_workgroup_index();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    return tile < tiles ? Tile(tile * TILE, min(TILE, count - tile * TILE)) : Tile(0, 0);
}

#endif
