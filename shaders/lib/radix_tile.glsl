#ifndef WEIR_RADIX_TILE_GLSL
#define WEIR_RADIX_TILE_GLSL

#include "radix_rank.glsl"

// A radix sort of a tile in the registers of a workgroup. Needs the constants of radix_rank.glsl, KEY_WORDS, FLOAT_KEYS, PLACES_WANTED
// (places move along with the keys) and RANKS, and the push constants first_bit, end_bit, flip_low, flip_high, passes and low_passes
// (number of passes over the low word of a key).
//
// RANKS_CHECKED ranks by atomics, which takes less time than ballots. It is for devices that are likely to serve the atomics of a subgroup
// in lane order. At the end the order is checked, and a tile in wrong order is sorted again by ballots. Without places RANKS_CHECKED must
// be used only for sorts by all bits, because the check cannot distinguish equal keys. If such keys have a single digit, their order does
// not matter, and RANKS_ANY omits the check.

// Moves items[i] to the place key_rank(i). `pool` must be free before, and is free again after the caller's next barrier. Collective.
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

uint other_words[KEY_WORDS == 2 ? KEYS_PER_INVOCATION : 1]; // for keys of two words: the word without the current digit
uint places[KEYS_PER_INVOCATION]; // lower half: original places of the keys; upper half: a kernel-defined number to sort by last
uint moved[KEYS_PER_INVOCATION];

const uint PLACE_MASK = 0xFFFF;

// Converts a key in memory to a signed integer of the same order, and back. A key of one word is in x.
uvec2 reorder_key(uvec2 key) {
    if (!FLOAT_KEYS) {
        return key;
    }
    return KEY_WORDS == 1 ? uvec2(float_order(key.x), 0) : double_order(key);
}

// Sets this invocation's i-th key from its value in memory.
void hold_key(uint i, uvec2 key) {
    key = reorder_key(key);
    keys[i] = key.x;
    if (KEY_WORDS == 2) {
        other_words[i] = key.y;
    }
}

// Sets the i-th key to padding, which has the maximum digits and stays at the end. With RANKS_ANY it may change places with keys that have
// the same digit. This is harmless, because the digit is the whole key.
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

shared uint misplaced; // 1 if items were found out of order
shared uvec3 first_items[ROWS]; // first item of each subgroup

// Simulates, for tests, a device that serves the lanes of each subgroup in reverse.
void mirror_lanes() {
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint other = weir_subgroup_size() - 1 - weir_lane();
        keys[i] = subgroupShuffle(keys[i], other);
        if (KEY_WORDS == 2) {
            other_words[i] = subgroupShuffle(other_words[i], other);
        }
        if (PLACES_WANTED) {
            places[i] = subgroupShuffle(places[i], other);
        }
    }
}

// Sorts by one digit of `keys`. With `by_atomics` the sort is stable only if the device serves atomics in lane order. Collective.
void sort_by_digit(Digit digit, bool by_atomics) {
    by_atomics = RANKS != RANKS_VOTED && by_atomics; // lets compilers remove the unused path
    if (RANKS == RANKS_MIRRORED && by_atomics) {
        mirror_lanes();
    }
    if (weir_invocation() == 0) {
        pass_digit = digit;
    }
    clear_rows();
    barrier();
    if (by_atomics) {
        count_and_rank_rows(TILE);
    } else {
        count_rows();
    }
    barrier();
    start_rows();
    barrier();
    if (by_atomics) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            place_key(i, digit);
        }
    } else {
        rank_keys();
    }
    EXCHANGE(keys)
    if (KEY_WORDS == 2) {
        EXCHANGE(other_words)
    }
    if (PLACES_WANTED) {
        EXCHANGE(places)
    }
    barrier();
}

const uint PLACE_PASSES = 2; // 8 bits each

// Sorts by all digits, then by the upper half of the places if `by_number`. If `restores`, sorts by the lower half first. Collective.
void sort_by_digits(bool by_number, bool restores, bool by_atomics) {
    const uint key_end = PLACE_PASSES + passes;
    for (uint pass = restores ? 0 : PLACE_PASSES; pass < key_end + uint(by_number); ++pass) {
        if (KEY_WORDS == 2 && (pass == PLACE_PASSES + low_passes || pass == key_end) && low_passes < passes) {
            swap_words(); // and back
        }
        if (pass == 0 || restores && pass == PLACE_PASSES || pass == key_end) {
            swap_places(); // and back
        }
        sort_by_digit(pass < PLACE_PASSES ? make_digit(pass * RADIX_BITS, RADIX_BITS, 0)
                      : pass < key_end    ? digit_of_pass(pass - PLACE_PASSES, low_passes, first_bit, end_bit, uvec2(flip_low, flip_high))
                                          : make_digit(16, RADIX_BITS, 0),
                      by_atomics);
    }
    if (by_number) {
        swap_places();
    } else if (KEY_WORDS == 2 && low_passes < passes) {
        swap_words();
    }
}

// Returns a mask of the bits [first, end) of a word.
uint bits_between(uint first, uint end) {
    return first < end ? ~0u >> 32 - (end - first) << first : 0;
}

// Returns the sort key of an item: low word, high word, place.
uvec3 sorted_item(uint i) {
    uvec3 item = uvec3(0);
    item.x = (keys[i] ^ flip_low) & bits_between(min(first_bit, 32), min(end_bit, 32));
    if (KEY_WORDS == 2) {
        item.y = (other_words[i] ^ flip_high) & bits_between(max(first_bit, 32) - 32, max(end_bit, 32) - 32);
    }
    if (PLACES_WANTED) {
        item.z = places[i];
    }
    return item;
}

// Returns true if a sorted item may precede the next one.
bool are_in_order(uvec3 item, uvec3 next) {
    const uint number = item.z >> 16, next_number = next.z >> 16;
    return number != next_number ? number < next_number
           : item.y != next.y    ? item.y < next.y
           : item.x != next.x    ? item.x < next.x
                                 : item.z < next.z || !PLACES_WANTED;
}

// Returns true if all items are in order. Collective.
bool is_sorted() {
    if (weir_invocation() == 0) {
        misplaced = 0;
    }
    if (weir_lane() == 0) {
        first_items[gl_SubgroupID] = sorted_item(0);
    }
    barrier();
    bool in_order = true;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const bool last_row = i + 1 == KEYS_PER_INVOCATION;
        const bool last_subgroup = gl_SubgroupID + 1 == weir_subgroup_count();
        const uvec3 item = sorted_item(i);
        // The first lane passes on the item that follows the one of the last lane.
        uvec3 passed = item;
        if (weir_lane() == 0) {
            passed = last_row ? first_items[last_subgroup ? gl_SubgroupID : gl_SubgroupID + 1] : sorted_item(min(i + 1, KEYS_PER_INVOCATION - 1));
        }
        const uint next_lane = (weir_lane() + 1) % weir_subgroup_size();
        weir_await_lanes();
        uvec3 next = uvec3(subgroupShuffle(passed.x, next_lane), 0, 0);
        if (KEY_WORDS == 2) {
            next.y = subgroupShuffle(passed.y, next_lane);
        }
        if (PLACES_WANTED) {
            next.z = subgroupShuffle(passed.z, next_lane);
        }
        const bool is_last = last_row && last_subgroup && next_lane == 0;
        in_order = in_order && (is_last || are_in_order(item, next));
    }
    if (!in_order) {
        atomicOr(misplaced, 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
    barrier();
    return misplaced == 0;
}

// Sorts the keys stably, padding included, and then by the upper half of the places if `by_number`. Collective.
void sort_tile(bool by_number) {
    bool by_atomics = RANKS != RANKS_VOTED, restores = false;
    for (;;) {
        sort_by_digits(by_number, restores, by_atomics);
        if (RANKS == RANKS_VOTED || RANKS == RANKS_ANY || !by_atomics || is_sorted()) {
            return;
        }
        by_atomics = false;
        restores = PLACES_WANTED;
    }
}

#endif
