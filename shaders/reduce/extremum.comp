#version 460
#extension GL_GOOGLE_include_directive : require

// Finds the minimum or maximum number and its first position: a reduction of pairs (key, index) to the first one in lexicographic order.

#define CUSTOM_MONOID
#define CUSTOM_LOAD
#define CUSTOM_STORE
#define MONOID_COMMUTES 1
#define MONOID_EXACT
#define T T_VALUE
#define T_WORDS (NUMBER_WORDS + 1)
#if NUMBER_WORDS == 1
#define T_VALUE uvec2
#else
#define T_VALUE uvec3
#endif

T identity() {
    return T(~0u);
}

T combine(T a, T b) {
    bool b_first = false;
    for (uint w = T_WORDS; w-- > 0;) {
        b_first = b[w] < a[w] || b[w] == a[w] && b_first;
    }
    return b_first ? b : a;
}

void to_words(T value, out uint words[T_WORDS]) {
    for (uint w = 0; w < T_WORDS; ++w) {
        words[w] = value[w];
    }
}

T from_words(uint words[T_WORDS]) {
    T value;
    for (uint w = 0; w < T_WORDS; ++w) {
        value[w] = words[w];
    }
    return value;
}

T load(uint i);
void store(T first, uint count);

#include "reduce.glsl"
#include "extremum_interface.h"
#include "total_order.glsl"

layout(set = 0, binding = POSITION_BINDING) writeonly buffer Position { uint position_word[]; };

T load(uint i) {
    const uint at = in_offset + i * in_stride;
    const uvec2 key = key_of(in_words[at], in_words[at + NUMBER_WORDS - 1]) ^ (GREATEST ? ~0u : 0);
    T item;
    item[0] = key.y;
#if NUMBER_WORDS == 2
    item[1] = key.x;
#endif
    item[NUMBER_WORDS] = i;
    return item;
}

void store(T first, uint count) {
    const uint position = first[NUMBER_WORDS];
    position_word[0] = position;
    for (uint w = 0; w < NUMBER_WORDS && count != 0; ++w) {
        out_words[w] = in_words[in_offset + position * in_stride + w];
    }
}
