#ifndef WEIR_COMPARISON_GLSL
#define WEIR_COMPARISON_GLSL

// Comparisons of numbers of ITEM_WORDS words (weir::Comparison). Needs the constants ITEM_WORDS and NUMBERS (NUMBERS_*).

#include "total_order.glsl"

// A number of one or two words as two words that compare in the same order. Zeros of both signs are equal.
struct Sortable {
    uint high, low;
    bool is_nan;
};

Sortable sortable(uint low, uint high) {
    Sortable number = Sortable(high, low, false);
    if (ITEM_WORDS == 1) {
        number = Sortable(low, 0, false);
    }
    if (NUMBERS == NUMBERS_SIGNED) {
        number.high ^= 0x80000000u;
    } else if (NUMBERS == NUMBERS_REAL) {
        const uint magnitude = number.high & 0x7FFFFFFFu;
        const uint infinity = ITEM_WORDS == 1 ? 0x7F800000u : 0x7FF00000u;
        number.is_nan = magnitude > infinity || magnitude == infinity && number.low != 0;
        if (magnitude == 0 && number.low == 0) {
            number.high = 0;
        }
        if (number.high >> 31 != 0) {
            number.high = ~number.high;
            number.low = ~number.low;
        } else {
            number.high |= 0x80000000u;
        }
    }
    return number;
}

bool compares(uint comparison, Sortable a, Sortable b) {
    const bool is_equal = a.high == b.high && a.low == b.low;
    const bool is_less = a.high < b.high || a.high == b.high && a.low < b.low;
    bool result = false;
    switch (comparison) {
    case 0:
        result = is_equal;
        break;
    case 1:
        result = !is_equal;
        break;
    case 2:
        result = is_less;
        break;
    case 3:
        result = is_less || is_equal;
        break;
    case 4:
        result = !(is_less || is_equal);
        break;
    case 5:
        result = !is_less;
        break;
    }
    return a.is_nan || b.is_nan ? comparison == 1 : result;
}

#endif
