// Part of monoid.glsl: a 64-bit integer as two words, low word first.

#define WEIR_T_VALUE uvec2
#define WEIR_T_WORDS 2

WEIR_T weir_identity() {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL:
        return WEIR_T(1, 0);
    case WEIR_OPERATOR_MIN:
    case WEIR_OPERATOR_AND:
        return WEIR_T(~0u);
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return WEIR_T(~0u, 0x7FFFFFFFu);
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return WEIR_T(0, 0x80000000u);
    }
    return WEIR_T(0);
}

// Returns a < b. `flip` is the sign bit for signed comparison, otherwise 0.
bool weir_is_less(WEIR_T a, WEIR_T b, uint flip) {
    return a.y == b.y ? a.x < b.x : (a.y ^ flip) < (b.y ^ flip);
}

WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL: {
        uint high, low;
        umulExtended(a.x, b.x, high, low);
        return WEIR_T(low, high + a.x * b.y + a.y * b.x);
    }
    case WEIR_OPERATOR_MIN:
        return weir_is_less(b, a, 0) ? b : a;
    case WEIR_OPERATOR_MAX:
        return weir_is_less(a, b, 0) ? b : a;
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return weir_is_less(b, a, 0x80000000u) ? b : a;
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return weir_is_less(a, b, 0x80000000u) ? b : a;
    case WEIR_OPERATOR_AND:
        return a & b;
    case WEIR_OPERATOR_OR:
        return a | b;
    case WEIR_OPERATOR_XOR:
        return a ^ b;
    }
    uint carry;
    const uint low = uaddCarry(a.x, b.x, carry);
    return WEIR_T(low, a.y + b.y + carry);
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    words[0] = value.x;
    words[1] = value.y;
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    return WEIR_T(words[0], words[1]);
}

// Converts floats to integers of the same order, and back. Applied on loads and stores.
WEIR_T weir_reordered(WEIR_T value) {
    if (WEIR_OPERATOR == WEIR_OPERATOR_MIN_FLOAT || WEIR_OPERATOR == WEIR_OPERATOR_MAX_FLOAT) {
        const uint sign = uint(int(value.y) >> 31);
        return value ^ WEIR_T(sign, sign & 0x7FFFFFFFu);
    }
    return value;
}
#define WEIR_ELEMENT_REORDERED

// Nothing is rounded, so operands may be grouped in any way.
#define WEIR_MONOID_EXACT

// Subgroup reductions of sums and bitwise operations use the driver's operations on words. Sums of the low words are computed in halves, so
// that no carry is lost. Scans do not use this method: they would take three times as long as by shuffles.
#define WEIR_REDUCED_BY_WORDS (WEIR_OPERATOR == WEIR_OPERATOR_ADD || WEIR_OPERATOR >= WEIR_OPERATOR_AND)

WEIR_T weir_reduce_by_words(WEIR_T value) {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_AND:
        return subgroupAnd(value);
    case WEIR_OPERATOR_OR:
        return subgroupOr(value);
    case WEIR_OPERATOR_XOR:
        return subgroupXor(value);
    }
    const uint low = subgroupAdd(value.x & 0xFFFF);
    const uint middle = subgroupAdd(value.x >> 16) + (low >> 16);
    return WEIR_T((low & 0xFFFF) | middle << 16, subgroupAdd(value.y) + (middle >> 16));
}
