// Reduction of any monoid (monoid.glsl): each workgroup reduces its share of the input to one element. A second pass, of a single
// workgroup, reduces those.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint CHUNKS = 4; // that an invocation loads at a time; see chunks.glsl
layout(constant_id = 3) const bool COUNT_ON_GPU = false;
layout(constant_id = 4) const uint REDUCE_OPERATOR = 0;
layout(constant_id = 5) const uint INITIAL = 0;
layout(constant_id = 6) const bool WHOLE_VECTORS = true;
layout(constant_id = 7) const bool SHUFFLE_BARRIERS = false; // see subgroup.glsl
layout(constant_id = 8) const uint PARTS = 0; // not 0: the input is so many elements that stand for all
layout(local_size_x_id = 0) in;

const bool IN_PLACE = false;
#define OPERATOR REDUCE_OPERATOR
#define BARRIER_BEFORE_SHUFFLES SHUFFLE_BARRIERS
#include "monoid.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // elements; all of them unless the count is on the GPU
    uint count_word; // where the count is then
    uint in_offset;  // in words
    uint in_stride;
    uint initial_words[T_WORDS];
};

#include "dispatch.glsl"
#include "segments.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = 2) readonly buffer Counts { uint count_words[]; };

void main() {
    const uint all = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint count = PARTS > 0 ? PARTS : all;
    // Each subgroup has a contiguous part of the input, of so many chunks for each lane.
    const uint chunks = count / CHUNK + uint(count % CHUNK != 0);
    const uint at_a_time = weir_workgroup_count() * WORKGROUP * CHUNKS;
    const uint turns = chunks / at_a_time + uint(chunks % at_a_time != 0);
    const uint part = weir_workgroup_index() * subgroup_count() + gl_SubgroupID;
    uint first = part * turns * CHUNKS * subgroup_size();

    T sum = identity();
    for (uint turn = 0; turn < turns; ++turn) {
        T_VALUE loaded[CHUNKS][CHUNK];
#ifndef CUSTOM_LOAD
        if (WHOLE_VECTORS && first + CHUNKS * subgroup_size() <= count / CHUNK) {
            [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
                load_vectors(first + i * subgroup_size() + lane(), loaded[i]);
            }
        } else
#endif
        {
            [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
                // Not past the last chunk: the places of elements there may not fit 32 bits.
                const uint index = first + i * subgroup_size() + lane();
                load_chunk(min(index, chunks - 1), index < chunks ? count : 0, loaded[i]);
            }
        }
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            T folded = fold(loaded[i], 0);
#if !MONOID_COMMUTES
            folded = subgroup_reduce(folded);
#endif
            sum = combine(sum, folded);
        }
        first += CHUNKS * subgroup_size();
    }
#if MONOID_COMMUTES
    sum = subgroup_reduce(sum);
#endif
    T total = workgroup_reduce(sum);
    if (invocation() == 0) {
        if (INITIAL == 1 || INITIAL == 2 && all == 0) {
            total = combine(given_value(true), total);
        }
        uint words[T_WORDS];
        words_of(total, words);
        [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
            out_words[weir_workgroup_index() * T_WORDS + w] = words[w];
        }
    }
}
