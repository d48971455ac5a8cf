#ifndef WEIR_TOTAL_ORDER_GLSL
#define WEIR_TOTAL_ORDER_GLSL

// Conversions between numbers and unsigned keys of the same order. Floats are in IEEE 754 total order: negative NaNs are first, positive
// NaNs last. Needs the constant NUMBERS (NUMBERS_*).

#include "interface.glsl"
#include "total_order_interface.h"

// Returns the key of a number of two words. A number of one word is passed as `top`, with any constant as `low`.
uvec2 key_of(uint low, uint top) {
    if (NUMBERS == NUMBERS_UNSIGNED) {
        return uvec2(low, top);
    }
    const uint sign = NUMBERS == NUMBERS_REAL ? uint(int(top) >> 31) : 0;
    return uvec2(low ^ sign, top ^ (sign | 0x80000000u));
}

// Returns the words of the number with this key, low word first.
uvec2 number_of(uvec2 key) {
    if (NUMBERS == NUMBERS_UNSIGNED) {
        return key;
    }
    const uint sign = NUMBERS == NUMBERS_REAL ? ~uint(int(key.y) >> 31) : 0;
    return uvec2(key.x ^ sign, key.y ^ (sign | 0x80000000u));
}

bool precedes(uvec2 a, uvec2 b) {
    return a.y < b.y || a.y == b.y && a.x < b.x;
}

#endif
