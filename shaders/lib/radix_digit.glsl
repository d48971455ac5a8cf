#ifndef WEIR_RADIX_DIGIT_GLSL
#define WEIR_RADIX_DIGIT_GLSL

const uint RADIX_BITS = 8;
const uint RADIX = 1u << RADIX_BITS;

// A digit: `bits` bits of the key from `shift` on. `flip` inverts keys for descending order.
struct Digit {
    uint shift;
    uint bits;
    uint flip;
};

uint digit_of(uint key, Digit digit) {
    return bitfieldExtract(key ^ digit.flip, int(digit.shift), int(digit.bits));
}

// A key that no digit of a real key exceeds: what fills up the last tile.
uint padding_key(Digit digit) {
    return ~digit.flip;
}

#endif
