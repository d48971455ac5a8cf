// The monoid of extremum.comp and of scans with EXTREMA: the first minimum or maximum number with its index, or both, as a custom monoid of
// monoid.glsl. A pair is the words of a key, the highest first, then the index. The minimum in lexicographic order is the result. The key of
// a maximum is inverted. The identity has the index ~0, which no element has.
//
// NUMBER_WORDS is 1 or 2. With BOTH_EXTREMA a value is two pairs: the minimum, then the maximum.

#extension GL_EXT_control_flow_attributes : require

#define WEIR_CUSTOM_MONOID
#define WEIR_MONOID_COMMUTES 1
#define WEIR_MONOID_EXACT

#if NUMBER_WORDS == 1
#define PAIR uvec2
#else
#define PAIR uvec3
#endif

PAIR first_pair(PAIR a, PAIR b) {
    bool b_first = false;
    for (uint w = NUMBER_WORDS + 1; w-- > 0;) {
        b_first = b[w] < a[w] || b[w] == a[w] && b_first;
    }
    return b_first ? b : a;
}

#ifdef BOTH_EXTREMA

const uint PAIRS = 2;
struct Extrema {
    PAIR pairs[PAIRS];
};
#define WEIR_T_VALUE Extrema
#define WEIR_T_WORDS (2 * NUMBER_WORDS + 2)
#define PAIR_OF(value, i) value.pairs[i]

Extrema weir_identity() {
    return Extrema(PAIR[PAIRS](PAIR(~0u), PAIR(~0u)));
}

Extrema weir_combine(Extrema a, Extrema b) {
    return Extrema(PAIR[PAIRS](first_pair(a.pairs[0], b.pairs[0]), first_pair(a.pairs[1], b.pairs[1])));
}

#else

const uint PAIRS = 1;
#define WEIR_T_VALUE PAIR
#define WEIR_T_WORDS (NUMBER_WORDS + 1)
#define PAIR_OF(value, i) value

PAIR weir_identity() {
    return PAIR(~0u);
}

PAIR weir_combine(PAIR a, PAIR b) {
    return first_pair(a, b);
}

#endif

#define WEIR_T WEIR_T_VALUE

void weir_to_words(WEIR_T_VALUE value, out uint words[WEIR_T_WORDS]) {
    [[unroll]] for (uint i = 0; i < PAIRS; ++i) {
        [[unroll]] for (uint w = 0; w <= NUMBER_WORDS; ++w) {
            words[i * (NUMBER_WORDS + 1) + w] = PAIR_OF(value, i)[w];
        }
    }
}

WEIR_T_VALUE weir_from_words(uint words[WEIR_T_WORDS]) {
    WEIR_T_VALUE value;
    [[unroll]] for (uint i = 0; i < PAIRS; ++i) {
        [[unroll]] for (uint w = 0; w <= NUMBER_WORDS; ++w) {
            PAIR_OF(value, i)[w] = words[i * (NUMBER_WORDS + 1) + w];
        }
    }
    return value;
}
