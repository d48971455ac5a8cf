#ifndef WEIR_HALF_GLSL
#define WEIR_HALF_GLSL

// Floats of 16 and of 32 bits, by integers: packHalf2x16 may round in any way, and devices may flush small numbers to 0.

// The bits of the float that is equal to a half.
uint float_of_half(uint bits) {
    const uint sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
    if (magnitude >= 0x7C00u) { // infinite, or no number
        return sign | 0x7F800000u | magnitude << 13;
    }
    if (magnitude >= 0x400u) {
        return sign | (magnitude << 13) + (112u << 23);
    }
    if (magnitude == 0) {
        return sign;
    }
    const int top = findMSB(magnitude); // magnitude times 2^-24
    return sign | uint(top + 103) << 23 | magnitude << (23 - top) & 0x7FFFFFu;
}

// `number` without its lowest bits, rounded to the nearest, and to an even one of two that are as near.
uint rounded(uint number, uint bits) {
    const uint rest = number & (1u << bits) - 1, middle = 1u << (bits - 1), quotient = number >> bits;
    return quotient + uint(rest > middle || rest == middle && (quotient & 1) != 0);
}

// The bits of the half that is nearest to a float, and even where two are as near.
uint half_of_float(uint bits) {
    const uint sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) { // no number: it stays none, with its highest bits
        const uint payload = magnitude >> 13 & 0x3FFu;
        return sign | 0x7C00u | (payload == 0 ? 0x200u : payload);
    }
    if (magnitude >= 0x47800000u) { // 2^16 and more
        return sign | 0x7C00u;
    }
    if (magnitude >= 0x38800000u) { // 2^-14, the least half with all its bits
        return sign | rounded(magnitude - 0x38000000u, 13);
    }
    const uint exponent = magnitude >> 23;
    return exponent < 102 ? sign : sign | rounded(magnitude & 0x7FFFFFu | 0x800000u, 126 - exponent);
}

#endif
