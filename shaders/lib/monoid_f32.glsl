// Part of monoid.glsl: one to four floats, added or multiplied component by component.

#define T_WORDS COMPONENTS
#if COMPONENTS == 1
#define T_VALUE float
#define COMPONENT(value, i) value
#elif COMPONENTS == 2
#define T_VALUE vec2
#elif COMPONENTS == 3
#define T_VALUE vec3
#else
#define T_VALUE vec4
#endif
#ifndef COMPONENT
#define COMPONENT(value, i) value[i]
#endif

T identity() {
    // The identity of sums is minus zero, because adding zero would change -0 to 0.
    return OPERATOR == OPERATOR_MUL ? T(1.0) : T(uintBitsToFloat(0x80000000u));
}

precise T combine(T a, T b) {
    return OPERATOR == OPERATOR_MUL ? a * b : a + b;
}

void to_words(T value, out uint words[T_WORDS]) {
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = floatBitsToUint(COMPONENT(value, i));
    }
}

T from_words(uint words[T_WORDS]) {
    T value;
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        COMPONENT(value, i) = uintBitsToFloat(words[i]);
    }
    return value;
}
