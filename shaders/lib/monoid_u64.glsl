// A 64-bit integer as two words, the lower one first. Part of monoid.glsl.

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

// Whether a < b; `flip` is the sign bit for signed comparison, else 0.
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

// Between memory and registers: floats become the integers that sort like them. Its own inverse.
T reordered(T value) {
    if (OPERATOR == OPERATOR_MIN_FLOAT || OPERATOR == OPERATOR_MAX_FLOAT) {
        const uint sign = uint(int(value.y) >> 31);
        return value ^ T(sign, sign & 0x7FFFFFFFu);
    }
    return value;
}
#define ELEMENT_REORDERED

// No rounding: operands may be grouped in any way.
#define MONOID_EXACT

// Reduced over a subgroup, sums and bitwise operations are made of the driver's on words. Of the lower words they take the halves, so
// that no carry is lost. (Scans made so are slower than by shuffles: three for one.)
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
