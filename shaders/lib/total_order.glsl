#ifndef WEIR_TOTAL_ORDER_GLSL
#define WEIR_TOTAL_ORDER_GLSL

// Numbers as keys without sign that sort like them: integers as they are, floats by IEEE 754's total order, in which the negative NaNs
// come first and the positive ones last. NUMBERS is a constant of the kernel's.

#include "interface.glsl"
#include "total_order_interface.h"

// Of a number of two words; one that has a single word is the top one, over any constant.
uvec2 key_of(uint low, uint top) {
    if (NUMBERS == NUMBERS_UNSIGNED) {
        return uvec2(low, top);
    }
    const uint sign = NUMBERS == NUMBERS_REAL ? uint(int(top) >> 31) : 0;
    return uvec2(low ^ sign, top ^ (sign | 0x80000000u));
}

// The words of the number, low one first, that has such a key.
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
