#version 460
#extension GL_GOOGLE_include_directive : require

// Finds the minimum or maximum number and its first position: a reduction of pairs (key, index) to the first one in lexicographic order.

#define WEIR_CUSTOM_MONOID
#define CUSTOM_LOAD
#define CUSTOM_STORE
#define WEIR_MONOID_COMMUTES 1
#define WEIR_MONOID_EXACT
#define WEIR_T WEIR_T_VALUE
#define WEIR_T_WORDS (NUMBER_WORDS + 1)
#if NUMBER_WORDS == 1
#define WEIR_T_VALUE uvec2
#else
#define WEIR_T_VALUE uvec3
#endif

WEIR_T weir_identity() {
    return WEIR_T(~0u);
}

WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    bool b_first = false;
    for (uint w = WEIR_T_WORDS; w-- > 0;) {
        b_first = b[w] < a[w] || b[w] == a[w] && b_first;
    }
    return b_first ? b : a;
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = value[w];
    }
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    WEIR_T value;
    for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        value[w] = words[w];
    }
    return value;
}

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
