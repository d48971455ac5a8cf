#ifndef WEIR_PACKED_KEYS_GLSL
#define WEIR_PACKED_KEYS_GLSL

// Keys of 8 or 16 bits, packed into words from the lowest bits on, and unsigned words of the same order. Needs the constants KEY_BITS, and
// NUMBERS of total_order.glsl.

#include "total_order.glsl"

const uint KEYS_PER_WORD = 32 / KEY_BITS;
const uint UNUSED_BITS = 32 - KEY_BITS;

// Where in its word the key at `at` begins.
uint shift_of(uint at) {
    return at % KEYS_PER_WORD * KEY_BITS;
}

// The bits of the key at `at`, of which `word` is the word.
uint unpack_bits(uint word, uint at) {
    return bitfieldExtract(word, int(shift_of(at)), int(KEY_BITS));
}

// A key's bits as an unsigned word of the same order, and back.
uint order_bits(uint bits) {
    return key_of(0, bits << UNUSED_BITS).y >> UNUSED_BITS;
}

uint restore_bits(uint key) {
    return number_of(uvec2(0, key << UNUSED_BITS)).y >> UNUSED_BITS;
}

#endif
