#version 460
#extension GL_GOOGLE_include_directive : require

// One pass of a radix sort: moves keys, and values if there are any, to the order of one digit, stably, in a single sweep.
// Each tile counts its digits, learns by look-back where they go, ranks its keys, and writes them in digit order.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint KEYS_PER_INVOCATION = 16;
layout(constant_id = 3) const uint ROUNDS = 1; // in which a tile is exchanged: fewer take more workgroup memory
layout(constant_id = 4) const uint ROWS = 16;  // subgroups at most
layout(constant_id = 5) const bool HAS_VALUES = false;
layout(constant_id = 6) const bool LAST_PASS = false;
layout(constant_id = 7) const bool COUNT_ON_GPU = false;
layout(local_size_x_id = 0) in;

#define COLUMNS 256
#define PAYLOAD_BITS 30
#define TILE_STATE_BINDING 5
#define INSTRUMENT_BINDING 8
#include "instrument.glsl"

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint shift;
    uint bits;
    uint flip;
    uint pass;
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
};

#include "dispatch.glsl"
#include "look_back.glsl"
#include "radix_rank.glsl"

layout(set = 0, binding = 0) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = 1) writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = 2) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = 3) writeonly buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = 4) readonly buffer Starts { uint starts[]; };
layout(set = 0, binding = 6) writeonly buffer NextTileStates { uint next_tile_states[]; };
layout(set = 0, binding = 7) readonly buffer Counts { uint counts[]; };

uint element_count() {
    return COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
}

shared uint tile_counts[RADIX];
shared uint digit_targets[RADIX]; // where a digit's keys go, less where they start in the sorted tile

void clear_tile_counts() {
    for (uint i = 0; i < RADIX; i += WORKGROUP) {
        if (i + invocation() < RADIX) {
            tile_counts[i + invocation()] = 0;
        }
    }
}

// Adds to tile_counts, which are zero, the digits of the tile.
void count_digit(uint key, Digit digit) {
    atomicAdd(tile_counts[digit_of(key, digit)], 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
}

// What a tile tells of a digit: how many of its keys have it. The first tile also tells where the digit starts.
uint tile_value(uint tile, uint digit) {
    return tile_counts[digit] + (tile == 0 ? starts[pass * RADIX + digit] : 0);
}

uint fallback_tile;

void reduce_tile(uint tile) {
    const uint count = element_count();
    const Digit digit = Digit(shift, bits, flip);
    fallback_tile = tile;
    clear_tile_counts();
    barrier();
    for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = tile * TILE + key_position(i);
        if (at < count) {
            count_digit(in_keys[at], digit);
        }
    }
    barrier();
}

T reduced_value(uint column) {
    return tile_value(fallback_tile, column);
}

void main() {
    if (invocation() == 0) {
        stalled_tile = 0;
    }
    clear_tile_counts();
    const uint count = element_count();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    uint epoch;
    const uint tile = take_tile(weir_workgroup_count(), tiles, epoch);
    if (tile >= tiles) {
        return;
    }
    const Digit digit = Digit(shift, bits, flip);
    const uint tile_keys = min(TILE, count - tile * TILE);

    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        keys[i] = key_position(i) < tile_keys ? in_keys[tile * TILE + key_position(i)] : padding_key(digit);
    }
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        if (key_position(i) < tile_keys) {
            count_digit(keys[i], digit);
        }
    }
    barrier();
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            walks[i].aggregate = tile_value(tile, walk_column(i));
            if (tile > 0) {
                post(tile, walk_column(i), epoch, TILE_AGGREGATE, walks[i].aggregate);
            }
            if (!LAST_PASS) {
                next_tile_states[FIRST_ENTRY + tile_entry(tile, walk_column(i))] = 0;
            }
        }
    }
    if (!LAST_PASS && tile == 0 && invocation() == 0) {
        next_tile_states[0] = 0;
    }
    look_back(tile, epoch);

    rank_keys(digit);
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            const uint base = tile == 0 ? starts[pass * RADIX + walk_column(i)] : walks[i].prefix;
            digit_targets[walk_column(i)] = base - digit_starts[i];
        }
    }
    for (uint round = 0; round < ROUNDS; ++round) {
        const uint first = round * ROUND_KEYS;
        const uint end = min(first + ROUND_KEYS, tile_keys);
        barrier();
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (ranks[i] >= first && ranks[i] < end) {
                pool[ranks[i] - first] = keys[i];
            }
        }
        barrier();
        uint targets[(ROUND_KEYS + WORKGROUP - 1) / WORKGROUP];
        [[unroll]] for (uint i = 0; i < targets.length(); ++i) {
            const uint at = first + i * WORKGROUP + invocation();
            if (at < end) {
                const uint key = pool[at - first];
                targets[i] = digit_targets[digit_of(key, digit)] + at;
                out_keys[targets[i]] = key;
            }
        }
        if (!HAS_VALUES) {
            continue;
        }
        barrier();
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (ranks[i] >= first && ranks[i] < end) {
                pool[ranks[i] - first] = in_values[tile * TILE + key_position(i)];
            }
        }
        barrier();
        [[unroll]] for (uint i = 0; i < targets.length(); ++i) {
            const uint at = first + i * WORKGROUP + invocation();
            if (at < end) {
                out_values[targets[i]] = pool[at - first];
            }
        }
    }
}
