#version 460
#extension GL_GOOGLE_include_directive : require

// Finds the minimum or maximum number and its first position: a reduction of pairs (key, index) to the first one in lexicographic order.

#include "extremum_monoid.glsl"
#define CUSTOM_LOAD
#define CUSTOM_STORE

WEIR_T load(uint i);
void store(WEIR_T first, uint count);

#include "reduce.glsl"
#include "extremum_interface.h"
#include "total_order.glsl"

layout(set = 0, binding = POSITION_BINDING) writeonly buffer Position { uint position_word[]; };

WEIR_T load(uint i) {
    const uint at = in_offset + i * in_stride;
    const uvec2 key = key_of(in_words[at], in_words[at + NUMBER_WORDS - 1]) ^ (GREATEST ? ~0u : 0);
    WEIR_T item;
    item[0] = key.y;
#if NUMBER_WORDS == 2
    item[1] = key.x;
#endif
    item[NUMBER_WORDS] = i;
    return item;
}

void store(WEIR_T first, uint count) {
    const uint position = first[NUMBER_WORDS];
    position_word[0] = position;
    for (uint w = 0; w < NUMBER_WORDS && count != 0; ++w) {
        out_words[w] = in_words[in_offset + position * in_stride + w];
    }
}
