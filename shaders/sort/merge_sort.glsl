#ifndef WEIR_MERGE_SORT_GLSL
#define WEIR_MERGE_SORT_GLSL

#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require

// A merge sort by a comparator. Tiles are sorted in workgroup memory. Then runs of sorted tiles are merged in pairs, along their merge
// paths (Green, McColl and Bader, "GPU Merge Path"), until one run is left. Each merge is one dispatch, or two: if there are many tiles, a
// separate dispatch finds the places where they begin on the merge path. If the count is on the GPU, fewer merges may be needed than are
// dispatched. The first ones then do nothing, and tiles are written to where the first needed merge reads.
//
// A comparator may fail to be a strict weak order, such as `<` of floats with NaNs. The parts of runs that it finds may then not fit
// together. All reads nevertheless stay inside the runs, and the comparator receives only keys of the input.
//
// Needs the macro KEY_WORDS and the application's bool before(uint a[KEY_WORDS], uint b[KEY_WORDS]).

#include "interface.glsl"
#include "merge_sort_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint passes; // number of merges
    uint pass;   // index of this merge
#include "last_push.glsl"
};

#include "agree.glsl"
#include "buffer_barrier.glsl"
#include <weir/dispatch.glsl>
#include <weir/weir_merge_path.glsl>

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

const uint TILE = WORKGROUP * ITEMS;

bool before(uint a[KEY_WORDS], uint b[KEY_WORDS]);

uint key_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

uint tiles_of(uint count) {
    return count / TILE + uint(count % TILE != 0);
}

// Returns the number of merges that `tiles` tiles need.
uint needed_merges(uint tiles) {
    return tiles <= 1 ? 0 : findMSB(tiles - 1) + 1;
}

// Returns the number of merges that are not needed.
uint needless_merges(uint tiles) {
    return passes - needed_merges(tiles);
}

// Two adjacent runs of sorted keys: [begin, middle) and [middle, end).
struct Runs {
    uint begin, middle, end;
};

// Returns the two runs that a merge combines around a tile. `merge` is its index among the needed merges.
Runs runs_around(uint tile, uint merge, uint count) {
    const uint run = TILE << merge, begin = (tile >> (merge + 1) << (merge + 1)) * TILE;
    return Runs(begin, min(begin + run, count), min(begin + 2 * run, count));
}

#endif
