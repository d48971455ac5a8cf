#version 460
#extension GL_GOOGLE_include_directive : require

// For each key, how many elements of a sorted array are less, or with UPPER less or equal. One binary search for each key.

layout(push_constant) uniform Push {
    uint max_count; // keys
    uint count_word;
    uint max_sorted;
    uint sorted_word;
};

#include "elementwise.glsl"
#include "search_interface.h"
#include "total_order.glsl"

layout(set = 0, binding = SORTED_COUNT_BINDING) readonly buffer SortedCounts { uint sorted_counts[]; };
layout(set = 0, binding = SORTED_BINDING) readonly buffer Sorted { uint sorted_words[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Places { uint places[]; };

uvec2 sorted_key(uint i) {
    return key_of(WORDS == 2 ? sorted_words[i * WORDS] : 0, sorted_words[i * WORDS + WORDS - 1]);
}

uint place_of(uvec2 key, uint count) {
    uint low = 0, length = count; // the place is from low to low + length
    while (length > 0) {
        const uint before = length / 2;
        const uvec2 other = sorted_key(low + before);
        const bool is_before = UPPER ? !precedes(key, other) : precedes(other, key);
        low += is_before ? before + 1 : 0;
        length = is_before ? length - before - 1 : before;
    }
    return low;
}

void main() {
    const uint count = SORTED_ON_GPU ? min(sorted_counts[sorted_word], max_sorted) : max_sorted;
    const Tile tile = own_tile();
    for (uint row = 0; row < 4; ++row) {
        const uint place = row * WORKGROUP + gl_LocalInvocationIndex, i = tile.first + place;
        if (place < tile.elements) {
            const uvec2 key = key_of(WORDS == 2 ? key_words[i * WORDS] : 0, key_words[i * WORDS + WORDS - 1]);
            places[i] = place_of(key, count);
        }
    }
}
