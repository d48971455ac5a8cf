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
#include "radix_digit.glsl"
#include "radix_plan_interface.h"
#include "tile_state_interface.h"
#include "workgroup_scan.glsl"
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

const uint COUNTERS = PASSES * RADIX;
const uint VECTORS = 4;      // vectors loaded at a time
const uint COMMON_PART = 16; // a digit that more than 1 in 16 keys have slows down atomics

shared uint counters[COPIES * COUNTERS];
shared bool last_group;
shared uint most_common[PASSES]; // count of the most common digit, with the digit in its lowest bits; 0: no common digit
shared uint sorting_passes; // one bit per pass whose digit differs between keys

void count_key(uvec2 key) {
    const uint copy = gl_SubgroupID % COPIES * COUNTERS;
    if (FLOAT_KEYS) {
        key = KEY_WORDS == 1 ? uvec2(float_order(key.x), 0) : double_order(key);
    }
    [[unroll]] for (uint pass = 0; pass < PASSES; ++pass) {
        const Digit digit = digit_of_pass(pass, LOW_PASSES, first_bit, end_bit, uvec2(flip_low, flip_high));
        const uint value = digit_of(pass < LOW_PASSES ? key.x : key.y, digit);
        atomicAdd(counters[copy + pass * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
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

// Turns the totals into the start of each digit, and resets them to 0. Called by the last workgroup to finish.
void finish(uint keys) {
    if (weir_invocation() == 0) {
        sorting_passes = (1u << PASSES) - 1;
    }
    if (weir_invocation() < PASSES) {
        most_common[weir_invocation()] = 0;
    }
    barrier();
    for (uint pass = 0; pass < PASSES; ++pass) {
        uint carry = 0;
        for (uint first = 0; first < RADIX; first += WORKGROUP) {
            const uint value = first + weir_invocation();
            const uint total_at = FIRST_TOTAL + pass * RADIX + value;
            uint count = 0;
            if (value < RADIX) {
                count = atomicExchange(totals[total_at], 0, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            }
            uint subgroup_sum;
            const uint before_lane = weir_subgroup_exclusive_scan(count, subgroup_sum);
            const uint total = weir_workgroup_reduce(subgroup_sum);
            const uint before_subgroup = weir_preceding_subgroups();
            if (value < RADIX) {
                starts[pass * RADIX + value] = carry + before_subgroup + before_lane;
            }
            if (count > keys / COMMON_PART) {
                atomicMax(most_common[pass], (count & ~(RADIX - 1)) + RADIX | value, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                          gl_SemanticsRelaxed);
            }
            if (count == keys) {
                sorting_passes &= ~(1u << pass); // at most one invocation writes, unless there are no keys
            }
            carry += total;
            barrier();
        }
    }
    if (weir_invocation() == 0) {
        atomicStore(totals[0], 0u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        for (uint pass = 0; pass < PASSES; ++pass) {
            common_digits[pass] = most_common[pass] == 0 ? RADIX : most_common[pass] & RADIX - 1;
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
    for (uint i = 0; i < COPIES * COUNTERS; i += WORKGROUP) {
        if (i + weir_invocation() < COPIES * COUNTERS) {
            counters[i + weir_invocation()] = 0;
        }
    }
    barrier();
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
        const uint counter = i + weir_invocation();
        uint sum = 0;
        for (uint copy = 0; copy < COPIES; ++copy) {
            sum += counter < COUNTERS ? counters[copy * COUNTERS + counter] : 0;
        }
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
