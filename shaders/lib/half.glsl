#ifndef WEIR_HALF_GLSL
#define WEIR_HALF_GLSL

// Conversions between 16-bit and 32-bit floats in integer arithmetic. packHalf2x16 may round in any way, and devices may flush small
// numbers to 0.

// Returns the bits of the float that is equal to a half.
uint float_of_half(uint bits) {
    const uint sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
    if (magnitude >= 0x7C00u) { // infinity or NaN
        return sign | 0x7F800000u | magnitude << 13;
    }
    if (magnitude >= 0x400u) {
        return sign | (magnitude << 13) + (112u << 23);
    }
    if (magnitude == 0) {
        return sign;
    }
    const int top = findMSB(magnitude); // subnormal: magnitude times 2^-24
    return sign | uint(top + 103) << 23 | magnitude << (23 - top) & 0x7FFFFFu;
}

// Returns `number` >> `bits`, rounded to nearest, ties to even.
uint rounded(uint number, uint bits) {
    const uint rest = number & (1u << bits) - 1, middle = 1u << (bits - 1), quotient = number >> bits;
    return quotient + uint(rest > middle || rest == middle && (quotient & 1) != 0);
}

// Returns the bits of the half that is nearest to a float; ties to even.
uint half_of_float(uint bits) {
    const uint sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) { // a NaN stays a NaN, with its highest payload bits
        const uint payload = magnitude >> 13 & 0x3FFu;
        return sign | 0x7C00u | (payload == 0 ? 0x200u : payload);
    }
    if (magnitude >= 0x47800000u) { // 2^16 and above become infinity
        return sign | 0x7C00u;
    }
    if (magnitude >= 0x38800000u) { // 2^-14, the minimum normal half
        return sign | rounded(magnitude - 0x38000000u, 13);
    }
    const uint exponent = magnitude >> 23;
    return exponent < 102 ? sign : sign | rounded(magnitude & 0x7FFFFFu | 0x800000u, 126 - exponent);
}

// Returns the bits of the bfloat16 that is nearest to a float; ties to even. Large numbers round to infinity by the carry.
uint bfloat_of_float(uint bits) {
    const uint upper = bits >> 16;
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) { // a NaN stays a NaN, with its highest payload bits
        return (upper & 0x7Fu) == 0 ? upper | 0x40u : upper;
    }
    return rounded(bits, 16);
}

#endif
