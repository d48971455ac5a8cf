#ifndef WEIR_PATHS_NUMBERS_GLSL
#define WEIR_PATHS_NUMBERS_GLSL

// Arithmetic with identical bits on every device. Additions, subtractions and multiplications of floats are rounded
// alike everywhere if they are `precise`. Divisions and roots are not, so they are computed from these.

// Returns 1 / x for a normal number, with an error of a few units in the last place.
float reciprocal(float x) {
    const float a = abs(x);
    precise float y = uintBitsToFloat(0x7EF311C3u - floatBitsToUint(a));
    y = y * (2.0 - a * y);
    y = y * (2.0 - a * y);
    y = y * (2.0 - a * y);
    return x < 0.0 ? -y : y;
}

// Returns 1 / sqrt(x) for a normal positive number, with an error of a few units in the last place.
float inverse_root(float x) {
    precise const float h = 0.5 * x;
    precise float y = uintBitsToFloat(0x5F3759DFu - (floatBitsToUint(x) >> 1));
    y = y * (1.5 - (h * y) * y);
    y = y * (1.5 - (h * y) * y);
    y = y * (1.5 - (h * y) * y);
    y = y * (1.5 - (h * y) * y);
    return y;
}

// Returns floor(a * b / c) for a <= c and a * b < 2^52. Remainders correct the float estimates, so the rounding of a
// device does not matter.
int multiply_divide(int a, int b, int c) {
    const int estimate = int(float(a) * float(b) / float(c));
    const int rest = a * b - estimate * c; // modulo 2^32
    const int more = int(floor(float(rest) / float(c)));
    const int last = rest - more * c;
    return estimate + more + (last < 0 ? -1 : last >= c ? 1 : 0);
}

#endif
