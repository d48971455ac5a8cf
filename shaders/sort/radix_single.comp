#version 460
#extension GL_GOOGLE_include_directive : require

// A radix sort by one workgroup that holds all keys in registers.

#include "interface.glsl"
#include "radix_tile_interface.h"
#include "radix_single_interface.h"
#ifdef NARROW_KEYS
#include "packed_storage.glsl"
#endif
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS

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

const bool PLACES_WANTED = VALUE_WORDS > 0; // values are loaded from these places at the end

#include "radix_tile.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) writeonly buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };

uvec2 load_key(uint at) {
#ifdef NARROW_KEYS
    return uvec2(order_bits(load_bits(at)), 0);
#else
    return KEY_WORDS == 1 ? uvec2(in_keys[at], 0) : uvec2(in_keys[2 * at], in_keys[2 * at + 1]);
#endif
}

void store_key(uint at, uvec2 key) {
#ifdef NARROW_KEYS
    store_bits(at, restore_bits(key.x));
#else
    for (uint word = 0; word < KEY_WORDS; ++word) {
        out_keys[at * KEY_WORDS + word] = key[word];
    }
#endif
}

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        places[i] = at;
        if (at < count) {
            hold_key(i, load_key(at));
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
        if (WRITES_KEYS) {
            store_key(at, held_key(i));
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
