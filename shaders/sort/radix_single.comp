#version 460
#extension GL_GOOGLE_include_directive : require

// A whole radix sort by one workgroup that holds all keys in registers.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint KEYS_PER_INVOCATION = 16;
layout(constant_id = 3) const uint ROUNDS = 1;
layout(constant_id = 4) const uint ROWS = 16;
layout(constant_id = 5) const bool HAS_VALUES = false;
layout(constant_id = 6) const bool COUNT_ON_GPU = false;
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip;
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

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    uint values[KEYS_PER_INVOCATION];
    uint moved[KEYS_PER_INVOCATION];
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        keys[i] = at < count ? in_keys[at] : ~flip;
        values[i] = HAS_VALUES && at < count ? in_values[at] : 0;
    }
    for (uint shift = first_bit; shift < end_bit; shift += RADIX_BITS) {
        if (invocation() == 0) {
            pass_digit = Digit(shift, min(RADIX_BITS, end_bit - shift), flip);
        }
        clear_rows();
        barrier();
        count_rows(TILE); // padding is moved like any key, and stays at the end
        barrier();
        start_rows();
        barrier();
        rank_keys();
        EXCHANGE(keys)
        if (HAS_VALUES) {
            EXCHANGE(values)
        }
        barrier();
    }
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        if (at < count) {
            out_keys[at] = keys[i];
            if (HAS_VALUES) {
                out_values[at] = values[i];
            }
        }
    }
}
