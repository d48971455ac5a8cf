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
#define SPINS_CONSTANT 8
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

shared uint digit_targets[RADIX]; // where a digit's keys go, less where they start in the sorted tile
shared uint late_counts[RADIX];   // digits of a tile that is late

// What a tile tells of a digit: how many of its keys have it. The first tile also tells where the digit starts.
uint tile_value(uint tile, uint digit, uint count) {
    return count + (tile == 0 ? starts[pass * RADIX + digit] : 0);
}

uint late_tile;

void reduce_tile(uint tile) {
    const uint count = element_count();
    const Digit digit = pass_digit;
    late_tile = tile;
    for (uint i = 0; i < RADIX; i += WORKGROUP) {
        if (i + invocation() < RADIX) {
            late_counts[i + invocation()] = 0;
        }
    }
    barrier();
    for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = tile * TILE + key_position(i);
        if (at < count) {
            atomicAdd(late_counts[digit_of(in_keys[at], digit)], 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                      gl_SemanticsRelaxed);
        }
    }
    barrier();
}

T reduced_value(uint column) {
    return tile_value(late_tile, column, late_counts[column]);
}

void main() {
    if (invocation() == 0) {
        stalled_tile = 0;
        pass_digit = Digit(shift, bits, flip);
    }
    clear_rows();
    const uint count = element_count();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    if (invocation() == 0) {
        taken_ticket = draw_ticket();
    }
    barrier();
    const uint tile = taken_ticket;
    const uint epoch = 0;
    if (tile >= tiles) {
        return;
    }
    const uint tile_keys = min(TILE, count - tile * TILE);
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        keys[i] = key_position(i) < tile_keys ? in_keys[tile * TILE + key_position(i)] : padding_key(pass_digit);
    }

    // Count and post as early as possible: others wait for it.
    count_rows(tile_keys);
    barrier();
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            begin_walk(i, tile, epoch, tile_value(tile, walk_column(i), count_digit(i)));
            if (!LAST_PASS) {
                next_tile_states[tile_entry(tile, walk_column(i))] = 0;
            }
        }
    }
    if (!LAST_PASS && tile == 0 && invocation() == 0) {
        next_tile_states[0] = 0;
    }
    look_back(tile, epoch);

    start_rows();
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            const uint base = tile == 0 ? starts[pass * RADIX + walk_column(i)] : walks[i].prefix;
            digit_targets[walk_column(i)] = base - digit_starts[i];
        }
    }
    barrier();
    rank_keys();
    for (uint round = 0; round < ROUNDS; ++round) {
        const uint first = round * ROUND_KEYS;
        const uint end = min(first + ROUND_KEYS, tile_keys);
        barrier();
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (key_rank(i) >= first && key_rank(i) < end) {
                pool[key_rank(i) - first] = keys[i];
            }
        }
        barrier();
        const Digit digit = pass_digit;
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
            if (key_rank(i) >= first && key_rank(i) < end) {
                pool[key_rank(i) - first] = in_values[tile * TILE + key_position(i)];
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
