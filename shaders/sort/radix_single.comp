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
    uint low_passes;
};

const bool PLACES_WANTED = VALUE_WORDS > 0; // from there the values are fetched in the end

#include "radix_tile.glsl"

layout(set = 0, binding = 0) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = 1) writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = 2) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = 3) writeonly buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = 4) readonly buffer Counts { uint counts[]; };

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        places[i] = at;
        if (at < count) {
            hold_key(i, KEY_WORDS == 1 ? uvec2(in_keys[at], 0) : uvec2(in_keys[2 * at], in_keys[2 * at + 1]));
        } else {
            hold_padding(i);
        }
    }
    sort_tile(false);
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        if (at >= count) {
            continue;
        }
        if (KEYS_WANTED) {
            const uvec2 key = held_key(i);
            for (uint word = 0; word < KEY_WORDS; ++word) {
                out_keys[at * KEY_WORDS + word] = key[word];
            }
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
