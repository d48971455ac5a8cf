#version 460
#extension GL_GOOGLE_include_directive : require

// Counts the digits of all keys for all passes of a radix sort, determines the passes that are skipped, and prepares the first pass: writes
// the start of each digit and clears the tile states.

#include "interface.glsl"
#include "radix_histogram_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip_low;
    uint flip_high;
    uint group_keys;    // keys per workgroup
    uint tile_keys;     // keys per tile of the passes
    uint first_skipped; // first of the passes that may be skipped
    uint skipped_end;
};

#include <weir/dispatch.glsl>
#include "radix_counters.glsl"
#include "radix_plan_interface.h"
#include "tile_state_interface.h"
#include "packed_keys.glsl"
#include "buffer_barrier.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer KeyVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; }; // finished workgroups, then counters; all 0 between runs
layout(set = 0, binding = PLAN_BINDING) writeonly buffer Plan {
    uint pass_keys[MAX_PASSES];
    uint common_digits[MAX_PASSES];
    uint starts[];
};
layout(set = 0, binding = TILE_STATE_BINDING) writeonly buffer TileStates { uint tile_states[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };

const uint VECTORS = 4; // vectors loaded at a time

uint take_total(uint counter) {
    return atomicExchange(totals[FIRST_TOTAL + counter], 0, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void store_start(uint counter, uint start) {
    starts[counter] = start;
}

void count_vector(uvec4 vector) {
    if (KEY_BITS < 32) {
        [[unroll]] for (uint word = 0; word < 4; ++word) {
            [[unroll]] for (uint i = 0; i < KEYS_PER_WORD; ++i) {
                count_key(uvec2(order_bits(unpack_bits(vector[word], i)), 0));
            }
        }
    } else if (KEY_WORDS == 1) {
        count_key(uvec2(vector.x, 0));
        count_key(uvec2(vector.y, 0));
        count_key(uvec2(vector.z, 0));
        count_key(uvec2(vector.w, 0));
    } else {
        count_key(vector.xy);
        count_key(vector.zw);
    }
}

void write_pass_keys(uint keys) {
    bool with_last = false; // the previous pass is the first of two that are skipped
    for (uint pass = 0; pass < PASSES; ++pass) {
        const bool sorts = (sorting_passes >> pass & 1) != 0;
        const bool next_sorts = (sorting_passes >> pass & 2) != 0;
        const bool begins = !with_last && !sorts && !next_sorts && pass >= first_skipped && pass + 1 < skipped_end;
        pass_keys[pass] = with_last || begins ? 0 : keys;
        with_last = begins;
    }
}

// Prepares the passes. Called by the last workgroup to finish.
void finish(uint keys) {
    start_digits(keys);
    if (weir_invocation() == 0) {
        atomicStore(totals[0], 0u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        for (uint pass = 0; pass < PASSES; ++pass) {
            common_digits[pass] = common_digit_of(pass);
        }
        write_pass_keys(keys);
    }
}

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    const uint group = weir_workgroup_index();
    const uint groups = weir_workgroup_count();

    const uint tiles = count / tile_keys + uint(count % tile_keys != 0);
    for (uint i = group * WORKGROUP; i < WEIR_FIRST_ENTRY + tiles * RADIX; i += groups * WORKGROUP) {
        if (i + weir_invocation() < WEIR_FIRST_ENTRY + tiles * RADIX) {
            tile_states[i + weir_invocation()] = 0;
        }
    }
    clear_counters();
    const uint vector_keys = 4 * KEYS_PER_WORD / KEY_WORDS;
    const uint first = min(group, count / group_keys + 1) * group_keys; // avoids overflow for workgroups beyond the end
    const uint end = first < count ? first + min(group_keys, count - first) : first;
    const uint whole = first + (end - first) / vector_keys * vector_keys;
    for (uint i = first / vector_keys; i < whole / vector_keys; i += VECTORS * WORKGROUP) {
        uvec4 vectors[VECTORS];
        [[unroll]] for (uint j = 0; j < VECTORS; ++j) {
            const uint at = i + j * WORKGROUP + weir_invocation();
            if (at < whole / vector_keys) {
                vectors[j] = in_vectors[at];
            }
        }
        [[unroll]] for (uint j = 0; j < VECTORS; ++j) {
            if (i + j * WORKGROUP + weir_invocation() < whole / vector_keys) {
                count_vector(vectors[j]);
            }
        }
    }
    if (whole + weir_invocation() < end) {
        const uint key = whole + weir_invocation(), at = key / KEYS_PER_WORD * KEY_WORDS;
        count_key(KEY_BITS < 32 ? uvec2(order_bits(unpack_bits(in_keys[at], key)), 0)
                                : uvec2(in_keys[at], in_keys[at + KEY_WORDS - 1]));
    }
    barrier();
    for (uint i = 0; i < COUNTERS; i += WORKGROUP) {
        const uint counter = i + weir_invocation(), sum = sum_copies(counter);
        if (sum > 0) {
            atomicAdd(totals[FIRST_TOTAL + counter], sum, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }

    // Makes the additions of a workgroup visible to the workgroup that sees it finished.
    device_buffer_barrier();
    if (weir_invocation() == 0) {
        last_group = atomicAdd(totals[0], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) == groups - 1;
    }
    device_buffer_barrier();
    if (last_group) {
        finish(count);
    }
}
