// Counts the elements that satisfy a condition, or finds the first one. Reduces ones to their sum, or indices to their minimum.

#define CUSTOM_LOAD
#define CUSTOM_STORE
uint load(uint i);
void store(uint found, uint count);

#include "reduce.glsl"
#include "find_interface.h"

#include "predicate.glsl"

#ifndef CUSTOM_PREDICATE
uvec2 loaded_key(uint i) {
    const uvec2 number = loaded_number(i);
    return key_of(ITEM_WORDS == 2 ? number.x : 0, number.y) ^ (DESCENDING ? ~0u : 0);
}
#endif

bool is_found(uint i) {
#ifndef CUSTOM_PREDICATE
    if (OUT_OF_ORDER) {
        return i != 0 && precedes(loaded_key(i), loaded_key(i - 1));
    }
#endif
    return holds(i);
}

uint load(uint i) {
    const bool found = is_found(i);
    return REDUCE_OPERATOR == WEIR_OPERATOR_ADD ? uint(found) : found ? i : ~0u;
}

void store(uint found, uint count) {
    if (REDUCE_OPERATOR == WEIR_OPERATOR_MIN) {
        found = WHETHER_NONE ? uint(found >= count) : min(found, count);
    }
    out_words[0] = found;
}
