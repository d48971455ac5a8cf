// Part of monoid.glsl: a double, added or multiplied.

#define T_VALUE double
#define T_WORDS 2

T identity() {
    // The identity of sums is minus zero, because adding zero would change -0 to 0.
    return OPERATOR == OPERATOR_MUL ? 1.0lf : packDouble2x32(uvec2(0, 0x80000000u));
}

precise T combine(T a, T b) {
    return OPERATOR == OPERATOR_MUL ? a * b : a + b;
}

void to_words(T value, out uint words[T_WORDS]) {
    const uvec2 parts = unpackDouble2x32(value);
    words[0] = parts.x;
    words[1] = parts.y;
}

T from_words(uint words[T_WORDS]) {
    return packDouble2x32(uvec2(words[0], words[1]));
}
