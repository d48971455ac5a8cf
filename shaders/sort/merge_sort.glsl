#ifndef WEIR_MERGE_SORT_GLSL
#define WEIR_MERGE_SORT_GLSL

#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require

// A merge sort by a comparator: tiles are sorted in workgroup memory, then runs of sorted tiles are merged in pairs, along their merge
// paths (Green, McColl and Bader, "GPU Merge Path"), until one run is left. Each of these merges is a dispatch, or two: many tiles find the
// places where they begin on the merge path in one of their own. Where the count is on the GPU, fewer merges may be needed than there are:
// the first ones do nothing, and tiles are written where the first of the others reads.
//
// A comparator may be no strict weak order, such as `<` of floats with NaNs. Then the parts of runs that it finds need not fit each other.
// What is read is inside the runs all the same, and a comparator gets keys of the input only.
//
// Needs the macro KEY_WORDS and the application's bool before(uint a[KEY_WORDS], uint b[KEY_WORDS]).

#include "interface.glsl"
#include "merge_sort_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint passes; // how many merges there are
    uint pass;   // the number of this one
#include "last_push.glsl"
};

#include "agree.glsl"
#include "buffer_barrier.glsl"
#include "dispatch.glsl"
#include "weir_merge_path.glsl"

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

const uint TILE = WORKGROUP * ITEMS;

bool before(uint a[KEY_WORDS], uint b[KEY_WORDS]);

uint key_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

uint tiles_of(uint count) {
    return count / TILE + uint(count % TILE != 0);
}

// How many of the merges so many tiles need.
uint needed_merges(uint tiles) {
    return tiles <= 1 ? 0 : findMSB(tiles - 1) + 1;
}

// How many of the merges are not needed.
uint needless_merges(uint tiles) {
    return passes - needed_merges(tiles);
}

// Two runs of sorted keys, the second one right behind the first: from `begin`, `middle` and to `end`.
struct Runs {
    uint begin, middle, end;
};

// Those that a merge makes one of, around a tile. `merge` is its number among those that are needed.
Runs runs_around(uint tile, uint merge, uint count) {
    const uint run = TILE << merge, begin = (tile >> (merge + 1) << (merge + 1)) * TILE;
    return Runs(begin, min(begin + run, count), min(begin + 2 * run, count));
}

#endif
