#version 460
#extension GL_GOOGLE_include_directive : require

// Single-pass scan with decoupled look-back and fallback.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint VECTORS = 4; // of four elements, per invocation
layout(constant_id = 3) const bool EXCLUSIVE = false;
layout(constant_id = 4) const bool COUNT_ON_GPU = false;
layout(constant_id = 5) const uint MAX_SPINS = 64;
layout(local_size_x_id = 0) in;

#define COLUMNS 1
#define TILE_STATE_BINDING 2
#define INSTRUMENT_BINDING 4
#include "instrument.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // elements; all of them unless the count is on the GPU
    uint count_word; // where the count is then
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
};

#include "dispatch.glsl"
#include "look_back.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = 0) readonly buffer Input { T in_items[]; };
layout(set = 0, binding = 0) readonly buffer InputVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = 1) writeonly buffer Output { T out_items[]; };
layout(set = 0, binding = 1) writeonly buffer OutputVectors { uvec4 out_vectors[]; };
layout(set = 0, binding = 3) readonly buffer Counts { uint counts[]; };

const uint TILE_VECTORS = WORKGROUP * VECTORS;
const uint TILE = TILE_VECTORS * 4;

uint element_count() {
    return COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
}

// The i-th vector of this invocation: each subgroup has a contiguous part of the tile, and its lanes take turns in it.
uint vector_index(uint tile, uint i) {
    return tile * TILE_VECTORS + gl_SubgroupID * subgroup_size() * VECTORS + i * subgroup_size() + lane();
}

uvec4 load_vector(uint index, bool whole, uint count) {
    if (whole) {
        return in_vectors[index];
    }
    uvec4 items;
    [[unroll]] for (uint c = 0; c < 4; ++c) {
        items[c] = index * 4 + c < count ? in_items[index * 4 + c] : identity();
    }
    return items;
}

T fold(uvec4 items) {
    return combine(combine(items.x, items.y), combine(items.z, items.w));
}

T reduced;

void reduce_tile(uint tile) {
    const uint count = element_count();
    const bool whole = tile < count / TILE;
    T sum = identity();
    for (uint i = 0; i < VECTORS; ++i) {
        sum = combine(sum, fold(load_vector(vector_index(tile, i), whole, count)));
    }
    workgroup_exclusive_scan(subgroup_reduce(sum), reduced);
    barrier();
}

T reduced_value(uint column) {
    return reduced;
}

shared T tile_prefix;

void main() {
    if (invocation() == 0) {
        stalled_tile = 0;
    }
    const uint count = element_count();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    uint epoch;
    const uint tile = take_tile(weir_workgroup_count(), tiles, epoch);
    if (tile >= tiles) {
        return;
    }

    const bool whole = tile < count / TILE;
    uvec4 items[VECTORS];
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) {
        items[i] = load_vector(vector_index(tile, i), whole, count);
    }

    // Reduce and post as early as possible: others wait for it. An invocation's vectors are apart, and folded first.
    T sum = identity();
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) {
        sum = combine(sum, fold(items[i]));
    }
    const T before_subgroup = workgroup_exclusive_scan(subgroup_reduce(sum), walks[0].aggregate);
    if (tile > 0 && invocation() == 0) {
        post(tile, 0, epoch, TILE_AGGREGATE, walks[0].aggregate);
    }

    T starts[VECTORS]; // what precedes each vector within the subgroup's part
    T carry = identity();
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) {
        T total;
        starts[i] = combine(carry, subgroup_exclusive_scan(fold(items[i]), total));
        carry = combine(carry, total);
    }

    look_back(tile, epoch);
    if (invocation() == 0) {
        tile_prefix = walks[0].prefix;
    }
    barrier();
    const T before = combine(tile_prefix, before_subgroup);

    [[unroll]] for (uint i = 0; i < VECTORS; ++i) {
        T running = combine(before, starts[i]);
        uvec4 result;
        [[unroll]] for (uint c = 0; c < 4; ++c) {
            const T next = combine(running, items[i][c]);
            result[c] = EXCLUSIVE ? running : next;
            running = next;
        }
        const uint index = vector_index(tile, i);
        if (whole) {
            out_vectors[index] = result;
        } else {
            [[unroll]] for (uint c = 0; c < 4; ++c) {
                if (index * 4 + c < count) {
                    out_items[index * 4 + c] = result[c];
                }
            }
        }
    }
}
