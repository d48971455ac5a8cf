// Part of monoid.glsl: elements of one to four words, combined component by component.

#define WEIR_T_WORDS WEIR_COMPONENTS
#if WEIR_COMPONENTS == 1
#define WEIR_T_VALUE uint
#define WEIR_SIGNED int
#define WEIR_COMPONENT(value, i) value
#elif WEIR_COMPONENTS == 2
#define WEIR_T_VALUE uvec2
#define WEIR_SIGNED ivec2
#elif WEIR_COMPONENTS == 3
#define WEIR_T_VALUE uvec3
#define WEIR_SIGNED ivec3
#else
#define WEIR_T_VALUE uvec4
#define WEIR_SIGNED ivec4
#endif
#ifndef WEIR_COMPONENT
#define WEIR_COMPONENT(value, i) value[i]
#endif

// Saturated sums, for counts, stay at 2^32 - 1 when they would exceed it. They are associative too. Kernels without them are smaller.
#if WEIR_COMPONENTS > 1
#undef SATURATED_SUMS
#endif

WEIR_T weir_identity() {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL:
        return WEIR_T(1);
    case WEIR_OPERATOR_MIN:
    case WEIR_OPERATOR_AND:
        return WEIR_T(~0u);
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return WEIR_T(0x7FFFFFFFu);
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return WEIR_T(0x80000000u);
    }
    return WEIR_T(0);
}

WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL:
        return a * b;
    case WEIR_OPERATOR_MIN:
        return min(a, b);
    case WEIR_OPERATOR_MAX:
        return max(a, b);
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return WEIR_T(min(WEIR_SIGNED(a), WEIR_SIGNED(b)));
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return WEIR_T(max(WEIR_SIGNED(a), WEIR_SIGNED(b)));
    case WEIR_OPERATOR_AND:
        return a & b;
    case WEIR_OPERATOR_OR:
        return a | b;
    case WEIR_OPERATOR_XOR:
        return a ^ b;
#ifdef SATURATED_SUMS
    case WEIR_OPERATOR_ADD_SATURATED:
        return a + min(b, ~a);
#endif
    }
    return a + b;
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        words[i] = WEIR_COMPONENT(value, i);
    }
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    WEIR_T value;
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        WEIR_COMPONENT(value, i) = words[i];
    }
    return value;
}

// Converts floats to integers of the same order, and back. Applied on loads and stores.
WEIR_T weir_reordered(WEIR_T value) {
    if (WEIR_OPERATOR == WEIR_OPERATOR_MIN_FLOAT || WEIR_OPERATOR == WEIR_OPERATOR_MAX_FLOAT) {
        return value ^ (WEIR_T(WEIR_SIGNED(value) >> 31) & 0x7FFFFFFFu);
    }
    return value;
}
#define WEIR_ELEMENT_REORDERED

// Nothing is rounded, so operands may be grouped in any way.
#define WEIR_MONOID_EXACT

// The driver's subgroup operations are exact on integers, so their order does not matter. EMULATED_SUBGROUP_SCANS avoids them.
#ifndef EMULATED_SUBGROUP_SCANS
#define WEIR_NATIVE_SUBGROUP_SCANS

#ifdef SATURATED_SUMS
// Returns the saturated sum of numbers from the sums of their low and high halves. No subgroup has enough lanes for these to overflow.
WEIR_T weir_saturated_sum(WEIR_T low, WEIR_T high) {
    high += low >> 16;
    return high > 0xFFFFu ? ~0u : high << 16 | low & 0xFFFFu;
}
#endif

WEIR_T weir_shuffle_together(WEIR_T value, uint from) {
    return subgroupShuffle(value, from);
}

WEIR_T weir_shuffle_value(WEIR_T value, uint from) {
#ifdef SEGMENTED
    weir_await_lanes(); // shuffle is called in loops
#endif
    return subgroupShuffle(value, from);
}

// Returns the reduction of all lanes in lane order. Every lane must take part.
WEIR_T weir_subgroup_reduce(WEIR_T value) {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL:
        return subgroupMul(value);
    case WEIR_OPERATOR_MIN:
        return subgroupMin(value);
    case WEIR_OPERATOR_MAX:
        return subgroupMax(value);
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return WEIR_T(subgroupMin(WEIR_SIGNED(value)));
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return WEIR_T(subgroupMax(WEIR_SIGNED(value)));
    case WEIR_OPERATOR_AND:
        return subgroupAnd(value);
    case WEIR_OPERATOR_OR:
        return subgroupOr(value);
    case WEIR_OPERATOR_XOR:
        return subgroupXor(value);
#ifdef SATURATED_SUMS
    case WEIR_OPERATOR_ADD_SATURATED:
        return weir_saturated_sum(subgroupAdd(value & 0xFFFFu), subgroupAdd(value >> 16));
#endif
    }
    return subgroupAdd(value);
}

WEIR_T weir_subgroup_inclusive_scan(WEIR_T value) {
    switch (WEIR_OPERATOR) {
    case WEIR_OPERATOR_MUL:
        return subgroupInclusiveMul(value);
    case WEIR_OPERATOR_MIN:
        return subgroupInclusiveMin(value);
    case WEIR_OPERATOR_MAX:
        return subgroupInclusiveMax(value);
    case WEIR_OPERATOR_MIN_SIGNED:
    case WEIR_OPERATOR_MIN_FLOAT:
        return WEIR_T(subgroupInclusiveMin(WEIR_SIGNED(value)));
    case WEIR_OPERATOR_MAX_SIGNED:
    case WEIR_OPERATOR_MAX_FLOAT:
        return WEIR_T(subgroupInclusiveMax(WEIR_SIGNED(value)));
    case WEIR_OPERATOR_AND:
        return subgroupInclusiveAnd(value);
    case WEIR_OPERATOR_OR:
        return subgroupInclusiveOr(value);
    case WEIR_OPERATOR_XOR:
        return subgroupInclusiveXor(value);
#ifdef SATURATED_SUMS
    case WEIR_OPERATOR_ADD_SATURATED:
        return weir_saturated_sum(subgroupInclusiveAdd(value & 0xFFFFu), subgroupInclusiveAdd(value >> 16));
#endif
    }
    return subgroupInclusiveAdd(value);
}

// Returns the reduction of the lanes before this one. `total` is the result of weir_subgroup_reduce.
WEIR_T weir_subgroup_exclusive_scan(WEIR_T value, out WEIR_T total) {
    const WEIR_T inclusive = weir_subgroup_inclusive_scan(value);
    total = subgroupShuffle(inclusive, weir_subgroup_size() - 1);
    if (WEIR_OPERATOR == WEIR_OPERATOR_ADD) {
        return inclusive - value;
    }
    const WEIR_T before = subgroupShuffle(inclusive, max(weir_lane(), 1) - 1);
    return weir_lane() == 0 ? weir_identity() : before;
}

#endif
