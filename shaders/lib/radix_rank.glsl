#ifndef WEIR_RADIX_RANK_GLSL
#define WEIR_RADIX_RANK_GLSL

#include "radix_digit.glsl"
#include "workgroup_scan.glsl"

// A tile of keys in the registers of a workgroup, and the ranks of its keys by one digit. Needs the constants KEYS_PER_INVOCATION, ROWS
// (maximum number of subgroups) and ROUNDS (number of rounds in which the tile is exchanged through workgroup memory).
// WEIR_SHUFFLE_BARRIERS must be defined before any library file is included.

const uint TILE = WORKGROUP * KEYS_PER_INVOCATION;
const uint ROUND_KEYS = (TILE + ROUNDS - 1) / ROUNDS;
#ifndef ROUND_WORDS
#define ROUND_WORDS(keys) keys
#endif
const uint POOL_WORDS = ROUND_WORDS(ROUND_KEYS) > ROWS * RADIX ? ROUND_WORDS(ROUND_KEYS) : ROWS * RADIX;

// Number of neighboring digits per invocation. Digits of RADIX and above do not exist.
const uint DIGITS = (RADIX + WORKGROUP - 1) / WORKGROUP;

uint own_digit(uint i) {
    return weir_invocation() * DIGITS + i;
}

// Returns the place in the tile of this invocation's i-th key. Each subgroup has a contiguous part, striped over its lanes.
uint key_position(uint i) {
    return (gl_SubgroupID * KEYS_PER_INVOCATION + i) * weir_subgroup_size() + weir_lane();
}

uint keys[KEYS_PER_INVOCATION];
uint packed_ranks[(KEYS_PER_INVOCATION + 1) / 2]; // two per word, because registers limit the size of a tile
uint digit_starts[DIGITS];                        // start of each of this invocation's digits in the sorted tile

shared uint pool[POOL_WORDS]; // one row of RADIX counters per subgroup during ranking; otherwise free for the kernel

// The digit of this pass. It is read from workgroup memory wherever it is needed. Otherwise the compiler keeps the digits of all keys in
// registers from one phase to the next.
shared Digit pass_digit;

uint key_rank(uint i) {
    return packed_ranks[i / 2] >> (i % 2 * 16) & 0xFFFF;
}

// Returns the lanes whose digit is that of this lane.
uvec4 match_lanes(uint value) {
    uvec4 matching = WEIR_ONE_WORD ? uvec4(WEIR_ALL_LANES) : subgroupBallot(true);
    [[unroll]] for (uint bit = 0; bit < RADIX_BITS; ++bit) {
        const bool set = (value >> bit & 1) != 0;
        const uvec4 votes = subgroupBallot(set);
        if (WEIR_ONE_WORD) {
            if (set) { // compiles to less machine code than selecting the votes or their complement
                matching.x &= votes.x;
            } else {
                matching.x &= ~votes.x;
            }
        } else {
            matching &= set ? votes : ~votes;
        }
    }
    return matching;
}

bool is_highest(uvec4 lanes) {
    return WEIR_ONE_WORD ? (lanes.x & gl_SubgroupGtMask.x) == 0 : weir_lane() == subgroupBallotFindMSB(lanes);
}

// Ranking takes four steps. The caller must add a barrier between two steps, and set pass_digit before. Collective.
//
// 1. Zero the rows.
void clear_rows() {
    for (uint i = 0; i < ROWS * RADIX; i += WORKGROUP) {
        if (i + weir_invocation() < ROWS * RADIX) {
            pool[i + weir_invocation()] = 0;
        }
    }
}

// 2. Count the keys in the rows of their subgroups: all keys, or the first `tile_keys`. The keys behind those must be padding. Their ranks
// are then greater than all others, but not distinct.
void count_value(uint value) {
    atomicAdd(pool[gl_SubgroupID * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void count_key(uint i, Digit digit) {
    count_value(digit_of(keys[i], digit));
}

void count_rows() {
    const Digit digit = pass_digit;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        count_key(i, digit);
    }
}

void count_rows(uint tile_keys) {
    const Digit digit = pass_digit;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        if (key_position(i) < tile_keys) {
            count_key(i, digit);
        }
    }
}

// Alternative to step 2: count the first `tile_keys` keys, and rank each among the keys of its row and digit, in the order in which the
// device serves atomics. Step 3 is the same. The remaining keys get places beyond the tile.
//
// Atomics of a subgroup on one counter are served one after the other. If many keys have the same digit, `common_digit`, the lanes with
// this digit are therefore ranked by a ballot.
uint common_digit = RADIX; // RADIX: no common digit
uint common_count = 0;     // keys of this row with the common digit

void set_rank(uint i, uint rank) {
    packed_ranks[i / 2] = i % 2 == 0 ? rank : packed_ranks[i / 2] | rank << 16;
}

uint count_and_rank_value(uint value) {
    return atomicAdd(pool[gl_SubgroupID * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

// Returns the rank of a key. `counts`: the key is one of the tile. If it is false, the result is beyond the tile.
uint count_and_rank_common_value(uint value, bool counts) {
    const bool is_common = counts && value == common_digit;
    weir_await_lanes(); // lanes diverge below
    const uvec4 lanes = subgroupBallot(is_common);
    uint rank = TILE;
    if (is_common) {
        rank = common_count + weir_count_lanes_before(lanes);
    } else if (counts) {
        rank = count_and_rank_value(value);
    }
    common_count += weir_count_lanes(lanes);
    return rank;
}

void count_and_rank_rows(uint tile_keys) {
    const Digit digit = pass_digit;
    if (tile_keys == TILE && common_digit == RADIX) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            set_rank(i, count_and_rank_value(digit_of(keys[i], digit)));
        }
        return;
    }
    if (tile_keys == TILE) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            set_rank(i, count_and_rank_common_value(digit_of(keys[i], digit), true));
        }
    } else {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            set_rank(i, count_and_rank_common_value(digit_of(keys[i], digit), key_position(i) < tile_keys));
        }
    }
    if (weir_lane() == 0 && common_digit != RADIX) {
        pool[gl_SubgroupID * RADIX + common_digit] = common_count;
    }
}

// Returns the number of keys of the tile with the i-th of this invocation's digits. Call it between steps 2 and 3.
uint count_digit(uint i) {
    uint count = 0;
    if (own_digit(i) < RADIX) {
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            count += pool[row * RADIX + own_digit(i)];
        }
    }
    return count;
}

// 3. Replace the counts by the start of each row's keys of each digit in the sorted tile. Sets digit_starts.
void start_rows() {
    uint sum = 0;
    for (uint i = 0; i < DIGITS; ++i) {
        digit_starts[i] = sum;
        sum += count_digit(i);
    }
    uint subgroup_sum;
    const uint before_lane = weir_subgroup_exclusive_scan(sum, subgroup_sum);
    weir_workgroup_reduce(subgroup_sum);
    const uint before_subgroup = weir_preceding_subgroups();
    for (uint i = 0; i < DIGITS; ++i) {
        digit_starts[i] += before_subgroup + before_lane;
        if (own_digit(i) < RADIX) {
            uint start = digit_starts[i];
            [[unroll]] for (uint row = 0; row < ROWS; ++row) {
                const uint count = pool[row * RADIX + own_digit(i)];
                pool[row * RADIX + own_digit(i)] = start;
                start += count;
            }
        }
    }
}

// 4. Rank the keys one after the other. key_rank(i) becomes the place of keys[i] in the tile sorted stably by pass_digit.
uint rank_value(uint value) {
    const uint counter = gl_SubgroupID * RADIX + value;
    const uvec4 matching = match_lanes(value);
    const uint rank = pool[counter] + weir_count_lanes_before(matching);
    // The barriers let all lanes read before the highest matching lane writes, and let it write before the next key is ranked.
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    if (is_highest(matching)) {
        pool[counter] = rank + 1;
    }
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    return rank;
}

void rank_key(uint i, Digit digit) {
    set_rank(i, rank_value(digit_of(keys[i], digit)));
}

void rank_keys() {
    const Digit digit = pass_digit;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        rank_key(i, digit);
    }
}

// Alternative to step 4 after count_and_rank_rows: converts the rank to a place in the tile.
void place_key(uint i, Digit digit) {
    packed_ranks[i / 2] += pool[gl_SubgroupID * RADIX + digit_of(keys[i], digit)] << i % 2 * 16;
}

#endif
