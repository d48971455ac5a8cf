#version 460
#extension GL_GOOGLE_include_directive : require

// One pass of a radix sort: moves keys, and values if there are any, to the order of one digit, stably, in a single sweep.
// Each tile counts its digits, learns by look-back where they go, ranks its keys, and writes them in digit order.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint KEYS_PER_INVOCATION = 16;
layout(constant_id = 3) const uint ROUNDS = 1; // in which a tile is exchanged: fewer take more workgroup memory
layout(constant_id = 4) const uint ROWS = 16;  // subgroups at most
layout(constant_id = 5) const uint KEY_WORDS = 1;
layout(constant_id = 6) const bool FLOAT_KEYS = false;
layout(constant_id = 7) const bool KEYS_WANTED = true; // when they are sorted
layout(constant_id = 8) const uint VALUE_WORDS = 0;
layout(constant_id = 9) const bool INDICES = false; // the values are where the keys were
layout(constant_id = 10) const bool COUNT_ON_GPU = false;
layout(local_size_x_id = 0) in;

#define COLUMNS 256
#define SPINS_CONSTANT 11
#define PAYLOAD_BITS 30
#define TILE_STATE_BINDING 7
#define INSTRUMENT_BINDING 10
#include "instrument.glsl"

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint shift;
    uint bits;
    uint flip;
    uint digit_word; // of a key
    uint pass;
    uint clears_next; // 1: another pass follows
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
};

#include "dispatch.glsl"
#include "look_back.glsl"
#include "radix_rank.glsl"
#include "radix_route.glsl"

layout(set = 0, binding = 0) readonly buffer SourceKeys { uint source_keys[]; };
layout(set = 0, binding = 0) readonly buffer SourcePairs { uvec2 source_pairs[]; }; // of words
layout(set = 0, binding = 1) buffer BetweenKeys { uint between_keys[]; };
layout(set = 0, binding = 1) buffer BetweenPairs { uvec2 between_pairs[]; };
layout(set = 0, binding = 2) buffer TargetKeys { uint target_keys[]; };
layout(set = 0, binding = 2) buffer TargetPairs { uvec2 target_pairs[]; };
layout(set = 0, binding = 3) readonly buffer SourceValues { uint source_values[]; };
layout(set = 0, binding = 4) buffer BetweenValues { uint between_values[]; };
layout(set = 0, binding = 5) buffer TargetValues { uint target_values[]; };
layout(set = 0, binding = 6) readonly buffer Plan {
    uint routes[MAX_PASSES];
    uint starts[];
};
layout(set = 0, binding = 8) writeonly buffer NextTileStates { uint next_tile_states[]; };
layout(set = 0, binding = 9) readonly buffer Counts { uint counts[]; };

uint element_count() {
    return COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
}

shared uint digit_targets[RADIX]; // where a digit's keys go, less where they start in the sorted tile
shared uint late_counts[RADIX];   // digits of a tile that is late

shared uint pass_route;           // as radix_route.glsl has it

// A word of a key. Within the sort keys are as signed numbers are; so those of the source may have to be made.
uint source_key(uint at, uint word) {
    if (KEY_WORDS == 1) {
        return FLOAT_KEYS ? float_order(source_keys[at]) : source_keys[at];
    }
    return FLOAT_KEYS ? double_order(source_pairs[at])[word] : source_keys[2 * at + word];
}
uint between_key(uint at, uint word) {
    return between_keys[KEY_WORDS * at + word];
}
uint target_key(uint at, uint word) {
    return target_keys[KEY_WORDS * at + word];
}

uint source_value(uint at, uint word) {
    return INDICES ? at : source_values[VALUE_WORDS * at + word];
}
uint between_value(uint at, uint word) {
    return between_values[VALUE_WORDS * at + word];
}
uint target_value(uint at, uint word) {
    return target_values[VALUE_WORDS * at + word];
}

void write_between_key(uint at, uint key) {
    between_keys[at] = key;
}
void write_target_key(uint at, uint key) {
    const bool last = (pass_route & ROUTE_LAST) != 0;
    if (KEYS_WANTED || !last) {
        target_keys[at] = FLOAT_KEYS && last ? float_order(key) : key;
    }
}
void write_between_pair(uint at, uvec2 key) {
    between_pairs[at] = key;
}
void write_target_pair(uint at, uvec2 key) {
    const bool last = (pass_route & ROUTE_LAST) != 0;
    if (KEYS_WANTED || !last) {
        target_pairs[at] = FLOAT_KEYS && last ? double_order(key) : key;
    }
}
void write_between_value(uint at, uint word, uint value) {
    between_values[VALUE_WORDS * at + word] = value;
}
void write_target_value(uint at, uint word, uint value) {
    target_values[VALUE_WORDS * at + word] = value;
}

// Does a loop with the function for the buffer that the pass reads. The choice is around the loop, so that all its loads are under way
// at once.
#define READ(LOOP, from_source, from_between, from_target)                                                                       \
    if ((pass_route & ROUTE_FROM) == FROM_SOURCE) {                                                                              \
        LOOP(from_source)                                                                                                        \
    } else if ((pass_route & ROUTE_FROM) == FROM_BETWEEN) {                                                                      \
        LOOP(from_between)                                                                                                       \
    } else {                                                                                                                     \
        LOOP(from_target)                                                                                                        \
    }

// Likewise for the buffer that it writes.
#define WRITE(LOOP, to_between, to_target)                                                                                       \
    if ((pass_route & ROUTE_TARGET) == 0) {                                                                                      \
        LOOP(to_between)                                                                                                         \
    } else {                                                                                                                     \
        LOOP(to_target)                                                                                                          \
    }

#define LOAD_KEYS(key)                                                                                                           \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        keys[i] = key_position(i) < tile_keys ? key(tile * TILE + key_position(i), digit_word) : padding_key(pass_digit);       \
    }

#define HOLD_WORDS(item)                                                                                                         \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        held_words[i] = key_position(i) < tile_keys ? item(tile * TILE + key_position(i), word) : 0;                             \
    }

// The loops of a round, on the tile's keys that are sorted to places from `first` to `end`.
#define POOL(item)                                                                                                               \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        if (key_rank(i) >= first && key_rank(i) < end) {                                                                         \
            pool[key_rank(i) - first] = item(tile * TILE + key_position(i), word);                                               \
        }                                                                                                                        \
    }
#define POOL_HELD                                                                                                                \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        if (key_rank(i) >= first && key_rank(i) < end) {                                                                         \
            pool[key_rank(i) - first] = held_words[i];                                                                           \
        }                                                                                                                        \
    }
#define WRITE_KEYS(write)                                                                                                        \
    [[unroll]] for (uint i = 0; i < ROUND_ITEMS; ++i) {                                                                          \
        const uint at = first + i * WORKGROUP + invocation();                                                                    \
        if (at < end) {                                                                                                          \
            const uint key = pool[at - first];                                                                                   \
            targets[i] = digit_targets[digit_of(key, digit)] + at;                                                               \
            write(targets[i], key);                                                                                              \
        }                                                                                                                        \
    }
#define KEEP_WORD(target, key) digit_words[i] = key
#define WRITE_PAIRS(write)                                                                                                       \
    [[unroll]] for (uint i = 0; i < ROUND_ITEMS; ++i) {                                                                          \
        const uint at = first + i * WORKGROUP + invocation();                                                                    \
        if (at < end) {                                                                                                          \
            const uint other = pool[at - first];                                                                                 \
            write(targets[i], digit_word == 0 ? uvec2(digit_words[i], other) : uvec2(other, digit_words[i]));                    \
        }                                                                                                                        \
    }
#define WRITE_VALUES(write)                                                                                                      \
    [[unroll]] for (uint i = 0; i < ROUND_ITEMS; ++i) {                                                                          \
        const uint at = first + i * WORKGROUP + invocation();                                                                    \
        if (at < end) {                                                                                                          \
            write(targets[i], word, pool[at - first]);                                                                           \
        }                                                                                                                        \
    }
const bool HOLDS_WORDS = KEY_WORDS == 2 || VALUE_WORDS == 1;
const uint ROUND_ITEMS = (ROUND_KEYS + WORKGROUP - 1) / WORKGROUP;

// What a tile tells of a digit: how many of its keys have it. The first tile also tells where the digit starts.
uint tile_value(uint tile, uint digit, uint count) {
    return count + (tile == 0 ? starts[pass * RADIX + digit] : 0);
}

uint late_tile;
#define LATE_KEY(key_of) key = key_of(at, digit_word);

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
            uint key;
            READ(LATE_KEY, source_key, between_key, target_key)
            atomicAdd(late_counts[digit_of(key, digit)], 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
        }
    }
    barrier();
}

T reduced_value(uint column) {
    return tile_value(late_tile, column, late_counts[column]);
}

// The next pass finds its tile states clean, whether or not this one moves keys.
void clear_next_states(uint tile) {
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            next_tile_states[tile_entry(tile, walk_column(i))] = 0;
        }
    }
    if (tile == 0 && invocation() == 0) {
        next_tile_states[0] = 0;
    }
}

void main() {
    if (invocation() == 0) {
        stalled_tile = 0;
        pass_digit = Digit(shift, bits, flip);
        pass_route = routes[pass];
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
    if (pass_route == ROUTE_SKIPPED) {
        if (clears_next != 0) {
            clear_next_states(tile);
        }
        return;
    }
    const uint tile_keys = min(TILE, count - tile * TILE);
    READ(LOAD_KEYS, source_key, between_key, target_key)
    // What goes with a key, if it is a word, is loaded with it: when it is needed, loading takes more registers than holding.
    uint held_words[HOLDS_WORDS ? KEYS_PER_INVOCATION : 1];
    if (KEY_WORDS == 2) {
        const uint word = 1 - digit_word;
        READ(HOLD_WORDS, source_key, between_key, target_key)
    } else if (VALUE_WORDS == 1) {
        const uint word = 0;
        READ(HOLD_WORDS, source_value, between_value, target_value)
    }

    // Count and post as early as possible: others wait for it.
    count_rows(tile_keys);
    barrier();
    for (uint i = 0; i < WALKS; ++i) {
        if (walks_column(i)) {
            begin_walk(i, tile, epoch, tile_value(tile, walk_column(i), count_digit(i)));
        }
    }
    if (clears_next != 0) {
        clear_next_states(tile);
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
        uint targets[ROUND_ITEMS];
        if (KEY_WORDS == 1) {
            WRITE(WRITE_KEYS, write_between_key, write_target_key)
        } else {
            uint digit_words[ROUND_ITEMS];
            WRITE_KEYS(KEEP_WORD)
            barrier();
            POOL_HELD
            barrier();
            WRITE(WRITE_PAIRS, write_between_pair, write_target_pair)
        }
        for (uint word = 0; word < VALUE_WORDS; ++word) {
            barrier();
            if (KEY_WORDS == 1 && VALUE_WORDS == 1) {
                POOL_HELD
            } else {
                READ(POOL, source_value, between_value, target_value)
            }
            barrier();
            WRITE(WRITE_VALUES, write_between_value, write_target_value)
        }
    }
}
