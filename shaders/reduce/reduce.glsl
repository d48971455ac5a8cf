// A reduction, for any monoid (monoid.glsl). Each workgroup reduces its share of the input to one element, a part. The last workgroup to
// finish reduces the parts in order. Therefore no workgroup waits for another, and the result has the same bits in every run.

#include "interface.glsl"
#include "reduce_interface.h"
layout(local_size_x_id = 0) in;

const bool IN_PLACE = false;
#define WEIR_OPERATOR REDUCE_OPERATOR
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include "monoid.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // number of elements; maximum if the count is on the GPU
    uint count_word; // word of the count on the GPU
    uint in_offset;  // in words
    uint in_stride;
    uint initial_words[WEIR_T_WORDS];
#include "last_push.glsl"
};

#include <weir/dispatch.glsl>
#include "segments.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = PARTS_BINDING) buffer Parts { uint part_words[]; }; // word 0: finished workgroups; 0 before and after

#define DONE_WORD part_words[0]
#include "last_workgroup.glsl"

// Returns the reduction of this invocation's share of the input, or of its subgroup's share if the operator does not commute.
WEIR_T reduce_share(uint count) {
    const uint chunks = count / CHUNK + uint(count % CHUNK != 0);
    const uint at_a_time = weir_workgroup_count() * WORKGROUP * CHUNKS;
    const uint turns = chunks / at_a_time + uint(chunks % at_a_time != 0);
    const uint part = weir_workgroup_index() * weir_subgroup_count() + gl_SubgroupID;
#if WEIR_MONOID_COMMUTES
    // The shares of subgroups are interleaved, so that neighboring subgroups load from neighboring addresses.
    const uint step = at_a_time;
    uint first = part * CHUNKS * weir_subgroup_size();
#else
    // Each subgroup has a contiguous part of the input.
    const uint step = CHUNKS * weir_subgroup_size();
    uint first = part * turns * step;
#endif

    WEIR_T sum = weir_identity();
    for (uint turn = 0; turn < turns; ++turn) {
        WEIR_T_VALUE loaded[CHUNKS][CHUNK];
#ifndef CUSTOM_LOAD
        if (WHOLE_VECTORS && first + CHUNKS * weir_subgroup_size() <= count / CHUNK) {
            [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
                load_vectors(first + i * weir_subgroup_size() + weir_lane(), loaded[i]);
            }
        } else
#endif
        {
            [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
                // Clamps to the last chunk: element indices beyond it may exceed 32 bits.
                const uint index = first + i * weir_subgroup_size() + weir_lane();
                load_chunk(min(index, chunks - 1), index < chunks ? count : 0, loaded[i]);
            }
        }
        [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
            WEIR_T folded = fold(loaded[i], 0);
#if !WEIR_MONOID_COMMUTES
            folded = weir_subgroup_reduce(folded);
#endif
            sum = weir_combine(sum, folded);
        }
        first += step;
    }
    return sum;
}

WEIR_T load_part(uint part) {
    uint words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = atomicLoad(part_words[FIRST_PART + part * WEIR_T_WORDS + w], gl_ScopeDevice, gl_StorageSemanticsNone,
                              gl_SemanticsRelaxed);
    }
    return weir_from_words(words);
}

void store_part(uint part, WEIR_T value) {
    uint words[WEIR_T_WORDS];
    weir_to_words(value, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        atomicStore(part_words[FIRST_PART + part * WEIR_T_WORDS + w], words[w], gl_ScopeDevice, gl_StorageSemanticsNone,
                    gl_SemanticsRelaxed);
    }
}

// Returns the reduction of this invocation's run of parts.
WEIR_T reduce_parts(uint parts) {
    const uint run = (parts - 1) / WORKGROUP + 1;
    WEIR_T sum = weir_identity();
    for (uint i = 0; i < run; ++i) {
        const uint part = weir_invocation() * run + i;
        if (part < parts) {
            sum = weir_combine(sum, load_part(part));
        }
    }
    return sum;
}

void main() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint groups = weir_workgroup_count();
    WEIR_T total = reduce_share(count);
#if WEIR_MONOID_COMMUTES
    total = weir_subgroup_reduce(total);
#endif
    total = weir_workgroup_reduce(total);
    if (!ALONE) {
        if (weir_invocation() == 0) {
            store_part(weir_workgroup_index(), total);
        }
        if (!finish(weir_invocation() == 0, groups)) {
            return;
        }
        total = weir_workgroup_reduce(weir_subgroup_reduce(reduce_parts(groups)));
    }
#ifdef CUSTOM_STORE
    if (weir_invocation() == 0) {
        store(total, count);
    }
#else
    if (weir_invocation() == 0) {
        if (INITIAL == INITIAL_ALWAYS || INITIAL == INITIAL_OF_NOTHING && count == 0) {
            total = weir_combine(given_value(true), total);
        }
        uint words[WEIR_T_WORDS];
        words_of(total, words);
        [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
            out_words[w] = words[w];
        }
    }
#endif
}
