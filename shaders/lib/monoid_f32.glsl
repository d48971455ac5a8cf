// Part of monoid.glsl: one to four floats, added or multiplied component by component.

#define WEIR_T_WORDS WEIR_COMPONENTS
#if WEIR_COMPONENTS == 1
#define WEIR_T_VALUE float
#define WEIR_COMPONENT(value, i) value
#elif WEIR_COMPONENTS == 2
#define WEIR_T_VALUE vec2
#elif WEIR_COMPONENTS == 3
#define WEIR_T_VALUE vec3
#else
#define WEIR_T_VALUE vec4
#endif
#ifndef WEIR_COMPONENT
#define WEIR_COMPONENT(value, i) value[i]
#endif

WEIR_T weir_identity() {
    // The identity of sums is minus zero, because adding zero would change -0 to 0.
    return WEIR_OPERATOR == WEIR_OPERATOR_MUL ? WEIR_T(1.0) : WEIR_T(uintBitsToFloat(0x80000000u));
}

precise WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    return WEIR_OPERATOR == WEIR_OPERATOR_MUL ? a * b : a + b;
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        words[i] = floatBitsToUint(WEIR_COMPONENT(value, i));
    }
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    WEIR_T value;
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        WEIR_COMPONENT(value, i) = uintBitsToFloat(words[i]);
    }
    return value;
}
