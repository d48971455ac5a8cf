#ifndef WEIR_RADIX_RANK_GLSL
#define WEIR_RADIX_RANK_GLSL

#include "radix_digit.glsl"
#include "workgroup_scan.glsl"

// A tile of keys that the workgroup holds in registers, and the ranks of the keys in it by one digit. Needs the constants
// KEYS_PER_INVOCATION, ROWS (subgroups at most) and ROUNDS (in which the tile is exchanged through workgroup memory).

const uint TILE = WORKGROUP * KEYS_PER_INVOCATION;
const uint ROUND_KEYS = (TILE + ROUNDS - 1) / ROUNDS;
const uint POOL_WORDS = ROUND_KEYS > ROWS * RADIX ? ROUND_KEYS : ROWS * RADIX;

// Each invocation speaks for DIGITS neighbouring digits, as far as they reach.
const uint DIGITS = (RADIX + WORKGROUP - 1) / WORKGROUP;

uint own_digit(uint i) {
    return invocation() * DIGITS + i;
}

// Each subgroup has a contiguous part of the tile, and its lanes take turns in it.
uint key_position(uint i) {
    return (gl_SubgroupID * KEYS_PER_INVOCATION + i) * subgroup_size() + lane();
}

uint keys[KEYS_PER_INVOCATION];
uint ranks[KEYS_PER_INVOCATION];
uint digit_starts[DIGITS]; // where this invocation's digits start in the sorted tile

shared uint pool[POOL_WORDS]; // a row of RADIX counters for each subgroup; at other times, whatever the kernel wants

// The lanes whose digit is the same as this lane's.
uvec4 match_lanes(uint value) {
    uvec4 matching = subgroupBallot(true);
    [[unroll]] for (uint bit = 0; bit < RADIX_BITS; ++bit) {
        const bool set = (value >> bit & 1) != 0;
        const uvec4 votes = subgroupBallot(set);
        matching &= set ? votes : ~votes;
    }
    return matching;
}

// Collective. Sets ranks[i] to the place of keys[i] in the tile sorted by `digit`, stably, and digit_starts. `pool` is free
// before, and after the caller's next barrier.
void rank_keys(Digit digit) {
    for (uint i = 0; i < ROWS * RADIX; i += WORKGROUP) {
        if (i + invocation() < ROWS * RADIX) {
            pool[i + invocation()] = 0;
        }
    }
    barrier();
    const uint row = gl_SubgroupID * RADIX;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint value = digit_of(keys[i], digit);
        const uvec4 matching = match_lanes(value);
        const uint leader = subgroupBallotFindMSB(matching);
        uint before = 0;
        if (lane() == leader) {
            before = pool[row + value];
            pool[row + value] = before + subgroupBallotBitCount(matching);
        }
        subgroupBarrier(); // the next key's leader may be another lane
        ranks[i] = subgroupShuffle(before, leader) + subgroupBallotExclusiveBitCount(matching);
    }
    barrier();
    // Totals of this invocation's digits over all rows, then where each digit starts, then where each row starts in it.
    uint sum = 0;
    for (uint i = 0; i < DIGITS; ++i) {
        digit_starts[i] = sum;
        if (own_digit(i) < RADIX) {
            for (uint j = 0; j < subgroup_count(); ++j) {
                sum += pool[j * RADIX + own_digit(i)];
            }
        }
    }
    uint subgroup_sum;
    const uint before_lane = subgroup_exclusive_scan(sum, subgroup_sum);
    workgroup_exclusive_scan(subgroup_sum);
    barrier();
    const uint before = subgroup_values[gl_SubgroupID] + before_lane;
    for (uint i = 0; i < DIGITS; ++i) {
        digit_starts[i] += before;
        if (own_digit(i) < RADIX) {
            uint start = digit_starts[i];
            for (uint j = 0; j < subgroup_count(); ++j) {
                const uint count = pool[j * RADIX + own_digit(i)];
                pool[j * RADIX + own_digit(i)] = start;
                start += count;
            }
        }
    }
    barrier();
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        ranks[i] += pool[row + digit_of(keys[i], digit)];
    }
}

#endif
