#ifndef WEIR_MERGE_SORT_GLSL
#define WEIR_MERGE_SORT_GLSL

#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require

// A merge sort by a comparator: tiles are sorted in workgroup memory, then runs of sorted tiles are merged in pairs, along their merge paths
// (Green, McColl and Bader, "GPU Merge Path"), until one run is left. Each of these merges is a dispatch. Where the count is on the GPU, fewer
// of them may be needed than there are: the first ones do nothing, and tiles are written where the first of the others reads.
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

#include "buffer_barrier.glsl"
#include "dispatch.glsl"
#include "weir_merge_path.glsl"

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

const uint TILE = WORKGROUP * ITEMS;

shared uint tile_words[TILE * KEY_WORDS]; // the tile's keys, as they were loaded
shared uint order[TILE];                  // the places of the keys among those, in order as far as they are sorted

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

bool comes_before(uint a, uint b) {
    uint a_key[KEY_WORDS], b_key[KEY_WORDS];
    for (uint w = 0; w < KEY_WORDS; ++w) {
        a_key[w] = tile_words[a * KEY_WORDS + w];
        b_key[w] = tile_words[b * KEY_WORDS + w];
    }
    return before(a_key, b_key);
}

// Two runs of sorted keys in the tile, the second one right behind the first: from `begin`, `middle` and to `end`.
struct Runs {
    uint begin, middle, end;
};

Runs merged_runs;
bool are_ordered; // else the keys are in place

uint first_place(uint i) {
    return are_ordered ? order[merged_runs.begin + i] : merged_runs.begin + i;
}

uint second_place(uint i) {
    return are_ordered ? order[merged_runs.middle + i] : merged_runs.middle + i;
}

WEIR_MERGE_PATH(places, uint, first_place, second_place, comes_before)

// The places of ITEMS keys of the merged runs, from `diagonal` on. Those past the end are any.
void merge_runs(Runs runs, uint diagonal, bool ordered, out uint merged[ITEMS]) {
    merged_runs = runs;
    are_ordered = ordered;
    const uint low = places_split(diagonal, runs.middle - runs.begin, runs.end - runs.middle);
    uint first = runs.begin + low, second = runs.middle + diagonal - low;
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        const uint a = ordered ? order[min(first, TILE - 1)] : first, b = ordered ? order[min(second, TILE - 1)] : second;
        const bool takes_second = second < runs.end && (first >= runs.middle || comes_before(b, a));
        merged[i] = takes_second ? b : a;
        first += uint(!takes_second);
        second += uint(takes_second);
    }
}

// Collective, as are those below. Puts the places of this invocation's keys in order.
void put_order(uint own, uint size, uint merged[ITEMS]) {
    barrier();
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        if (own + i < size) {
            order[own + i] = merged[i];
        }
    }
    barrier();
}

#endif
