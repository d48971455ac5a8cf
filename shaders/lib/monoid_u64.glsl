// Part of monoid.glsl: a 64-bit integer as two words, low word first.

#define T_VALUE uvec2
#define T_WORDS 2

T identity() {
    switch (OPERATOR) {
    case OPERATOR_MUL:
        return T(1, 0);
    case OPERATOR_MIN:
    case OPERATOR_AND:
        return T(~0u);
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return T(~0u, 0x7FFFFFFFu);
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return T(0, 0x80000000u);
    }
    return T(0);
}

// Returns a < b. `flip` is the sign bit for signed comparison, otherwise 0.
bool is_less(T a, T b, uint flip) {
    return a.y == b.y ? a.x < b.x : (a.y ^ flip) < (b.y ^ flip);
}

T combine(T a, T b) {
    switch (OPERATOR) {
    case OPERATOR_MUL: {
        uint high, low;
        umulExtended(a.x, b.x, high, low);
        return T(low, high + a.x * b.y + a.y * b.x);
    }
    case OPERATOR_MIN:
        return is_less(b, a, 0) ? b : a;
    case OPERATOR_MAX:
        return is_less(a, b, 0) ? b : a;
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return is_less(b, a, 0x80000000u) ? b : a;
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return is_less(a, b, 0x80000000u) ? b : a;
    case OPERATOR_AND:
        return a & b;
    case OPERATOR_OR:
        return a | b;
    case OPERATOR_XOR:
        return a ^ b;
    }
    uint carry;
    const uint low = uaddCarry(a.x, b.x, carry);
    return T(low, a.y + b.y + carry);
}

void to_words(T value, out uint words[T_WORDS]) {
    words[0] = value.x;
    words[1] = value.y;
}

T from_words(uint words[T_WORDS]) {
    return T(words[0], words[1]);
}

// Converts floats to integers of the same order, and back. Applied on loads and stores.
T reordered(T value) {
    if (OPERATOR == OPERATOR_MIN_FLOAT || OPERATOR == OPERATOR_MAX_FLOAT) {
        const uint sign = uint(int(value.y) >> 31);
        return value ^ T(sign, sign & 0x7FFFFFFFu);
    }
    return value;
}
#define ELEMENT_REORDERED

// Nothing is rounded, so operands may be grouped in any way.
#define MONOID_EXACT

// Subgroup reductions of sums and bitwise operations use the driver's operations on words. Sums of the low words are computed in halves, so
// that no carry is lost. Scans do not use this method: they would take three times as long as by shuffles.
#define REDUCED_BY_WORDS (OPERATOR == OPERATOR_ADD || OPERATOR >= OPERATOR_AND)

T reduce_by_words(T value) {
    switch (OPERATOR) {
    case OPERATOR_AND:
        return subgroupAnd(value);
    case OPERATOR_OR:
        return subgroupOr(value);
    case OPERATOR_XOR:
        return subgroupXor(value);
    }
    const uint low = subgroupAdd(value.x & 0xFFFF);
    const uint middle = subgroupAdd(value.x >> 16) + (low >> 16);
    return T((low & 0xFFFF) | middle << 16, subgroupAdd(value.y) + (middle >> 16));
}
