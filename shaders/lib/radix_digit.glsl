#ifndef WEIR_RADIX_DIGIT_GLSL
#define WEIR_RADIX_DIGIT_GLSL

#include "interface.glsl"
#include "radix_digit_interface.h"

const uint RADIX = 1u << RADIX_BITS;

// A digit of a key: the bits of `mask`, from bit `shift` on. The bits of `flip` are inverted, so that digits sort as unsigned numbers.
// These are the sign bit of signed numbers, and all bits for descending order.
struct Digit {
    uint shift;
    uint mask;
    uint flip;
};

// Returns the digit of `bits` bits from `shift` on. `flip` applies to the whole word.
Digit make_digit(uint shift, uint bits, uint flip) {
    const uint mask = (1u << bits) - 1;
    return Digit(shift, mask, flip >> shift & mask);
}

uint digit_of(uint key, Digit digit) {
    return (key >> digit.shift & digit.mask) ^ digit.flip;
}

// Returns the digit of a pass. Digits of the high word start after `low_passes` passes, so that no digit spans two words.
Digit digit_of_pass(uint pass, uint low_passes, uint first_bit, uint end_bit, uvec2 flips) {
    const bool low = pass < low_passes;
    const uint first = low ? first_bit : max(first_bit, 32) - 32;
    const uint end = low ? min(end_bit, 32) : end_bit - 32;
    const uint shift = first + (low ? pass : pass - low_passes) * RADIX_BITS;
    return make_digit(shift, min(RADIX_BITS, end - shift), low ? flips.x : flips.y);
}

// Converts the bits of a float to a signed integer of the same order (IEEE 754 total order), and back.
uint float_order(uint key) {
    return key ^ uint(int(key) >> 31) >> 1;
}

// Converts a double, low word first, to a signed integer of the same order, and back.
uvec2 double_order(uvec2 key) {
    const uint sign = uint(int(key.y) >> 31);
    return key ^ uvec2(sign, sign >> 1);
}

#endif
