#ifndef WEIR_PACKED_KEYS_GLSL
#define WEIR_PACKED_KEYS_GLSL

// Keys of 8 or 16 bits, packed into words from the lowest bits on, and conversions to unsigned words of the same order. Needs the constants
// KEY_BITS and, for total_order.glsl, NUMBERS.

#include "total_order.glsl"

const uint KEYS_PER_WORD = 32 / KEY_BITS;
const uint UNUSED_BITS = 32 - KEY_BITS;

// Returns the first bit of key `at` in its word.
uint shift_of(uint at) {
    return at % KEYS_PER_WORD * KEY_BITS;
}

// Returns the bits of key `at`, which is in `word`.
uint unpack_bits(uint word, uint at) {
    return bitfieldExtract(word, int(shift_of(at)), int(KEY_BITS));
}

// Converts a key's bits to an unsigned word of the same order, and back.
uint order_bits(uint bits) {
    return key_of(0, bits << UNUSED_BITS).y >> UNUSED_BITS;
}

uint restore_bits(uint key) {
    return number_of(uvec2(0, key << UNUSED_BITS)).y >> UNUSED_BITS;
}

#endif
