// Counts the elements that satisfy a condition, or finds the first one: a reduction of ones to their sum, or of indices to the least.

#define CUSTOM_LOAD
#define CUSTOM_STORE
uint load(uint i);
void store(uint found, uint count);

#include "reduce.glsl"
#include "find_interface.h"

#ifdef CUSTOM_PREDICATE

bool predicate(uint item[ITEM_WORDS], uint i);

bool holds(uint i) {
    uint words[ITEM_WORDS];
    for (uint w = 0; w < ITEM_WORDS; ++w) {
        words[w] = in_words[in_offset + i * in_stride + w];
    }
    return predicate(words, i);
}

#else

#include "comparison.glsl"

// The low and the high word of a number.
uvec2 loaded(uint i) {
    const uint at = in_offset + i * in_stride;
    return uvec2(in_words[at], in_words[at + ITEM_WORDS - 1]);
}

uvec2 loaded_key(uint i) {
    const uvec2 number = loaded(i);
    return key_of(ITEM_WORDS == 2 ? number.x : 0, number.y) ^ (DESCENDING ? ~0u : 0);
}

bool holds(uint i) {
    if (OUT_OF_ORDER) {
        return i != 0 && precedes(loaded_key(i), loaded_key(i - 1));
    }
    const uvec2 number = loaded(i);
    return compares(COMPARISON, sortable(number.x, number.y), sortable(threshold_low, threshold_high));
}

#endif

uint load(uint i) {
    const bool is_found = holds(i);
    return REDUCE_OPERATOR == OPERATOR_ADD ? uint(is_found) : is_found ? i : ~0u;
}

void store(uint found, uint count) {
    if (REDUCE_OPERATOR == OPERATOR_MIN) {
        found = WHETHER_NONE ? uint(found >= count) : min(found, count);
    }
    out_words[0] = found;
}
