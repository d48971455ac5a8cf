// Part of monoid.glsl: a double, added or multiplied.

#define WEIR_T_VALUE double
#define WEIR_T_WORDS 2

WEIR_T weir_identity() {
    // The identity of sums is minus zero, because adding zero would change -0 to 0.
    return WEIR_OPERATOR == WEIR_OPERATOR_MUL ? 1.0lf : packDouble2x32(uvec2(0, 0x80000000u));
}

precise WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    return WEIR_OPERATOR == WEIR_OPERATOR_MUL ? a * b : a + b;
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    const uvec2 parts = unpackDouble2x32(value);
    words[0] = parts.x;
    words[1] = parts.y;
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    return packDouble2x32(uvec2(words[0], words[1]));
}
