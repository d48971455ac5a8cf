#version 460
#extension GL_GOOGLE_include_directive : require

// A whole radix sort by one workgroup that holds all keys in registers.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint KEYS_PER_INVOCATION = 16;
layout(constant_id = 3) const uint ROUNDS = 1;
layout(constant_id = 4) const uint ROWS = 16;
layout(constant_id = 5) const uint KEY_WORDS = 1;
layout(constant_id = 6) const bool FLOAT_KEYS = false;
layout(constant_id = 7) const bool KEYS_WANTED = true;
layout(constant_id = 8) const uint VALUE_WORDS = 0;
layout(constant_id = 9) const bool INDICES = false; // the values are where the keys were
layout(constant_id = 10) const bool COUNT_ON_GPU = false;
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip_low;
    uint flip_high;
    uint passes;
    uint low_passes; // of them, by digits of a key's low word
};

#include "radix_rank.glsl"

layout(set = 0, binding = 0) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = 1) writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = 2) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = 3) writeonly buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = 4) readonly buffer Counts { uint counts[]; };

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

uint other_words[KEY_WORDS == 2 ? KEYS_PER_INVOCATION : 1]; // of the keys: those without the digit

void swap_words() {
    [[unroll]] for (uint i = 0; i < other_words.length(); ++i) {
        const uint word = keys[i];
        keys[i] = other_words[i];
        other_words[i] = word;
    }
}

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    uint places[KEYS_PER_INVOCATION]; // where the keys were; their values are fetched from there in the end
    uint moved[KEYS_PER_INVOCATION];
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        places[i] = at;
        if (KEY_WORDS == 1) {
            keys[i] = at >= count ? ~flip_low : FLOAT_KEYS ? float_order(in_keys[at]) : in_keys[at];
        } else {
            uvec2 key = ~uvec2(flip_low, flip_high);
            if (at < count) {
                key = uvec2(in_keys[2 * at], in_keys[2 * at + 1]);
                key = FLOAT_KEYS ? double_order(key) : key;
            }
            keys[i] = key.x;
            other_words[i] = key.y;
        }
    }
    for (uint pass = 0; pass < passes; ++pass) {
        if (KEY_WORDS == 2 && pass == low_passes) {
            swap_words();
        }
        if (invocation() == 0) {
            pass_digit = digit_of_pass(pass, low_passes, first_bit, end_bit, uvec2(flip_low, flip_high));
        }
        clear_rows();
        barrier();
        count_rows(TILE); // padding is moved like any key, and stays at the end
        barrier();
        start_rows();
        barrier();
        rank_keys();
        EXCHANGE(keys)
        if (KEY_WORDS == 2) {
            EXCHANGE(other_words)
        }
        if (VALUE_WORDS > 0) {
            EXCHANGE(places)
        }
        barrier();
    }
    if (KEY_WORDS == 2 && passes > low_passes) {
        swap_words();
    }
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        if (at >= count) {
            continue;
        }
        if (KEYS_WANTED && KEY_WORDS == 1) {
            out_keys[at] = FLOAT_KEYS ? float_order(keys[i]) : keys[i];
        } else if (KEYS_WANTED) {
            const uvec2 key = uvec2(keys[i], other_words[i]);
            out_keys[2 * at] = FLOAT_KEYS ? double_order(key).x : key.x;
            out_keys[2 * at + 1] = FLOAT_KEYS ? double_order(key).y : key.y;
        }
        if (INDICES) {
            out_values[at] = places[i];
        } else {
            for (uint word = 0; word < VALUE_WORDS; ++word) {
                out_values[at * VALUE_WORDS + word] = in_values[places[i] * VALUE_WORDS + word];
            }
        }
    }
}
