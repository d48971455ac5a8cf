#ifndef WEIR_RADIX_DIGIT_GLSL
#define WEIR_RADIX_DIGIT_GLSL

#include "interface.glsl"
#include "radix_digit_interface.h"

const uint RADIX = 1u << RADIX_BITS;

// A digit of a key: the bits of `mask` from `shift` on. Those of `flip` are inverted, so that digits sort as unsigned numbers: the sign of
// signed numbers, and all bits for descending order.
struct Digit {
    uint shift;
    uint mask;
    uint flip;
};

// `bits` bits of a word from `shift` on. `flip`: of the whole word.
Digit make_digit(uint shift, uint bits, uint flip) {
    const uint mask = (1u << bits) - 1;
    return Digit(shift, mask, flip >> shift & mask);
}

uint digit_of(uint key, Digit digit) {
    return (key >> digit.shift & digit.mask) ^ digit.flip;
}

// The digit of a pass. After `low_passes` passes the digits of the high word begin, so that no digit spans two words.
Digit digit_of_pass(uint pass, uint low_passes, uint first_bit, uint end_bit, uvec2 flips) {
    const bool low = pass < low_passes;
    const uint first = low ? first_bit : max(first_bit, 32) - 32;
    const uint end = low ? min(end_bit, 32) : end_bit - 32;
    const uint shift = first + (low ? pass : pass - low_passes) * RADIX_BITS;
    return make_digit(shift, min(RADIX_BITS, end - shift), low ? flips.x : flips.y);
}

// The bits of a float as a signed integer of the same place in the IEEE 754 total order, and back.
uint float_order(uint key) {
    return key ^ uint(int(key) >> 31) >> 1;
}

// The same for a double, low word first.
uvec2 double_order(uvec2 key) {
    const uint sign = uint(int(key.y) >> 31);
    return key ^ uvec2(sign, sign >> 1);
}

#endif
