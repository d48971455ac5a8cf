#ifndef WEIR_RADIX_TILE_GLSL
#define WEIR_RADIX_TILE_GLSL

#include "radix_rank.glsl"

// A radix sort of a tile in the registers of a workgroup. Needs, besides what radix_rank.glsl does, the constants KEY_WORDS, FLOAT_KEYS and
// PLACES_WANTED (places move along with the keys), and the push constants first_bit, end_bit, flip_low, flip_high, passes and low_passes
// (passes by digits of a key's low word).

// Moves items[i] to the place key_rank(i). Collective; `pool` is free before, and after the caller's next barrier.
#define EXCHANGE(items)                                                                                                          \
    [[unroll]] for (uint round = 0; round < ROUNDS; ++round) {                                                                   \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                              \
            if (key_rank(i) / ROUND_KEYS == round) {                                                                             \
                pool[key_rank(i) % ROUND_KEYS] = items[i];                                                                       \
            }                                                                                                                    \
        }                                                                                                                        \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                              \
            if (key_position(i) / ROUND_KEYS == round) {                                                                         \
                moved[i] = pool[key_position(i) % ROUND_KEYS];                                                                   \
            }                                                                                                                    \
        }                                                                                                                        \
    }                                                                                                                            \
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {                                                                  \
        items[i] = moved[i];                                                                                                     \
    }

uint other_words[KEY_WORDS == 2 ? KEYS_PER_INVOCATION : 1]; // of keys of two words: the word without the digit
uint places[KEYS_PER_INVOCATION]; // where the keys were; in the upper half a number of the kernel, by which keys may be sorted in the end
uint moved[KEYS_PER_INVOCATION];

const uint PLACE_MASK = 0xFFFF;

// A key in memory as a signed integer of the same order, and back. A key of a single word is the first one.
uvec2 reorder_key(uvec2 key) {
    if (!FLOAT_KEYS) {
        return key;
    }
    return KEY_WORDS == 1 ? uvec2(float_order(key.x), 0) : double_order(key);
}

// Sets this invocation's i-th key, given as it is in memory.
void hold_key(uint i, uvec2 key) {
    key = reorder_key(key);
    keys[i] = key.x;
    if (KEY_WORDS == 2) {
        other_words[i] = key.y;
    }
}

// Sets the i-th key to padding: it has the greatest digits, and stays at the end.
void hold_padding(uint i) {
    keys[i] = ~flip_low;
    if (KEY_WORDS == 2) {
        other_words[i] = ~flip_high;
    }
}

uvec2 held_key(uint i) {
    return reorder_key(uvec2(keys[i], KEY_WORDS == 2 ? other_words[i] : 0));
}

void swap_words() {
    [[unroll]] for (uint i = 0; i < other_words.length(); ++i) {
        const uint word = keys[i];
        keys[i] = other_words[i];
        other_words[i] = word;
    }
}

void swap_places() {
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint word = keys[i];
        keys[i] = places[i];
        places[i] = word;
    }
}

// Sorts the keys stably, padding included. `by_number`: and then by the upper half of the places. Collective.
void sort_tile(bool by_number) {
    const uint key_passes = passes;
    for (uint pass = 0; pass < key_passes + uint(by_number); ++pass) {
        if (KEY_WORDS == 2 && (pass == low_passes || pass == key_passes) && low_passes < key_passes) {
            swap_words(); // and back
        }
        if (pass == key_passes) {
            swap_places();
        }
        if (invocation() == 0) {
            pass_digit = pass < key_passes ? digit_of_pass(pass, low_passes, first_bit, end_bit, uvec2(flip_low, flip_high))
                                           : make_digit(16, RADIX_BITS, 0);
        }
        clear_rows();
        barrier();
        count_rows();
        barrier();
        start_rows();
        barrier();
        rank_keys();
        EXCHANGE(keys)
        if (KEY_WORDS == 2) {
            EXCHANGE(other_words)
        }
        if (PLACES_WANTED) {
            EXCHANGE(places)
        }
        barrier();
    }
    if (by_number) {
        swap_places();
    } else if (KEY_WORDS == 2 && low_passes < passes) {
        swap_words();
    }
}

#endif
