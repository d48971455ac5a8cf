#version 460
#extension GL_GOOGLE_include_directive : require

// Counts the digits of all keys for every pass of a radix sort at once, and prepares the first pass: its starting positions,
// and clean tile states.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint PASSES = 4;
layout(constant_id = 3) const uint COPIES = 1; // of the counters in workgroup memory, to keep subgroups out of each other's way
layout(constant_id = 4) const bool COUNT_ON_GPU = false;
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip;
    uint group_keys; // keys per workgroup
    uint tile_keys;  // keys per tile of the passes
};

#include "dispatch.glsl"
#include "radix_digit.glsl"
#include "workgroup_scan.glsl"

layout(set = 0, binding = 0) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = 0) readonly buffer KeyVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = 1) buffer Totals { uint totals[]; }; // groups done, then counters; all zero between runs
layout(set = 0, binding = 2) writeonly buffer Starts { uint starts[]; };
layout(set = 0, binding = 3) writeonly buffer TileStates { uint tile_states[]; };
layout(set = 0, binding = 4) readonly buffer Counts { uint counts[]; };

const uint COUNTERS = PASSES * RADIX;
const uint FIRST_ENTRY = 32; // as in tile_state.glsl
const uint FIRST_TOTAL = 32; // the count of groups has a cache line of its own

shared uint counters[COPIES * COUNTERS];
shared bool last_group;

void count_key(uint key) {
    const uint copy = gl_SubgroupID % COPIES * COUNTERS;
    [[unroll]] for (uint pass = 0; pass < PASSES; ++pass) {
        const uint shift = first_bit + pass * RADIX_BITS;
        const uint value = digit_of(key, Digit(shift, min(RADIX_BITS, end_bit - shift), flip));
        atomicAdd(counters[copy + pass * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
    }
}

// The last workgroup to finish turns totals into the first position of each digit, and leaves the totals at zero.
void finish() {
    for (uint pass = 0; pass < PASSES; ++pass) {
        uint carry = 0;
        for (uint first = 0; first < RADIX; first += WORKGROUP) {
            const uint value = first + invocation();
            const uint total_at = FIRST_TOTAL + pass * RADIX + value;
            uint count = 0;
            if (value < RADIX) {
                count = atomicExchange(totals[total_at], 0, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
            }
            uint subgroup_sum;
            const uint before_lane = subgroup_exclusive_scan(count, subgroup_sum);
            const uint total = workgroup_reduce(subgroup_sum);
            const uint before_subgroup = preceding_subgroups();
            if (value < RADIX) {
                starts[pass * RADIX + value] = carry + before_subgroup + before_lane;
            }
            carry += total;
            barrier();
        }
    }
    if (invocation() == 0) {
        totals[0] = 0;
    }
}

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    const uint group = weir_workgroup_index();
    const uint groups = weir_workgroup_count();

    const uint tiles = count / tile_keys + uint(count % tile_keys != 0);
    for (uint i = group * WORKGROUP; i < FIRST_ENTRY + tiles * RADIX; i += groups * WORKGROUP) {
        if (i + invocation() < FIRST_ENTRY + tiles * RADIX) {
            tile_states[i + invocation()] = 0;
        }
    }
    for (uint i = 0; i < COPIES * COUNTERS; i += WORKGROUP) {
        if (i + invocation() < COPIES * COUNTERS) {
            counters[i + invocation()] = 0;
        }
    }
    barrier();
    const uint first = min(group, count / group_keys + 1) * group_keys; // without overflow for groups past the end
    const uint end = first < count ? first + min(group_keys, count - first) : first;
    const uint whole = first + (end - first) / 4 * 4;
    for (uint i = first / 4; i < whole / 4; i += WORKGROUP) {
        if (i + invocation() < whole / 4) {
            const uvec4 four = in_vectors[i + invocation()];
            count_key(four.x);
            count_key(four.y);
            count_key(four.z);
            count_key(four.w);
        }
    }
    if (whole + invocation() < end) {
        count_key(in_keys[whole + invocation()]);
    }
    barrier();
    for (uint i = 0; i < COUNTERS; i += WORKGROUP) {
        const uint counter = i + invocation();
        uint sum = 0;
        for (uint copy = 0; copy < COPIES; ++copy) {
            sum += counter < COUNTERS ? counters[copy * COUNTERS + counter] : 0;
        }
        if (sum > 0) {
            atomicAdd(totals[FIRST_TOTAL + counter], sum, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
    }

    // What a workgroup has added is visible to whoever sees that it is done.
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    if (invocation() == 0) {
        last_group = atomicAdd(totals[0], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) == groups - 1;
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    if (last_group) {
        finish();
    }
}
