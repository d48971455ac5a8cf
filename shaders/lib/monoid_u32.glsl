// Part of monoid.glsl: elements of one to four words, combined component by component.

#define T_WORDS COMPONENTS
#if COMPONENTS == 1
#define T_VALUE uint
#define SIGNED int
#define COMPONENT(value, i) value
#elif COMPONENTS == 2
#define T_VALUE uvec2
#define SIGNED ivec2
#elif COMPONENTS == 3
#define T_VALUE uvec3
#define SIGNED ivec3
#else
#define T_VALUE uvec4
#define SIGNED ivec4
#endif
#ifndef COMPONENT
#define COMPONENT(value, i) value[i]
#endif

// Saturated sums, for counts, stay at 2^32 - 1 when they would exceed it. They are associative too. Kernels without them are smaller.
#if COMPONENTS > 1
#undef SATURATED_SUMS
#endif

T identity() {
    switch (OPERATOR) {
    case OPERATOR_MUL:
        return T(1);
    case OPERATOR_MIN:
    case OPERATOR_AND:
        return T(~0u);
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return T(0x7FFFFFFFu);
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return T(0x80000000u);
    }
    return T(0);
}

T combine(T a, T b) {
    switch (OPERATOR) {
    case OPERATOR_MUL:
        return a * b;
    case OPERATOR_MIN:
        return min(a, b);
    case OPERATOR_MAX:
        return max(a, b);
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return T(min(SIGNED(a), SIGNED(b)));
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return T(max(SIGNED(a), SIGNED(b)));
    case OPERATOR_AND:
        return a & b;
    case OPERATOR_OR:
        return a | b;
    case OPERATOR_XOR:
        return a ^ b;
#ifdef SATURATED_SUMS
    case OPERATOR_ADD_SATURATED:
        return a + min(b, ~a);
#endif
    }
    return a + b;
}

void to_words(T value, out uint words[T_WORDS]) {
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = COMPONENT(value, i);
    }
}

T from_words(uint words[T_WORDS]) {
    T value;
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        COMPONENT(value, i) = words[i];
    }
    return value;
}

// Converts floats to integers of the same order, and back. Applied on loads and stores.
T reordered(T value) {
    if (OPERATOR == OPERATOR_MIN_FLOAT || OPERATOR == OPERATOR_MAX_FLOAT) {
        return value ^ (T(SIGNED(value) >> 31) & 0x7FFFFFFFu);
    }
    return value;
}
#define ELEMENT_REORDERED

// Nothing is rounded, so operands may be grouped in any way.
#define MONOID_EXACT

// The driver's subgroup operations are exact on integers, so their order does not matter. EMULATED_SUBGROUP_SCANS avoids them.
#ifndef EMULATED_SUBGROUP_SCANS
#define NATIVE_SUBGROUP_SCANS

#ifdef SATURATED_SUMS
// Returns the saturated sum of numbers from the sums of their low and high halves. No subgroup has enough lanes for these to overflow.
T saturated_sum(T low, T high) {
    high += low >> 16;
    return high > 0xFFFFu ? ~0u : high << 16 | low & 0xFFFFu;
}
#endif

T shuffle_together(T value, uint from) {
    return subgroupShuffle(value, from);
}

T shuffle(T value, uint from) {
#ifdef SEGMENTED
    await_lanes(); // shuffle is called in loops
#endif
    return subgroupShuffle(value, from);
}

// Returns the reduction of all lanes in lane order. Every lane must take part.
T subgroup_reduce(T value) {
    switch (OPERATOR) {
    case OPERATOR_MUL:
        return subgroupMul(value);
    case OPERATOR_MIN:
        return subgroupMin(value);
    case OPERATOR_MAX:
        return subgroupMax(value);
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return T(subgroupMin(SIGNED(value)));
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return T(subgroupMax(SIGNED(value)));
    case OPERATOR_AND:
        return subgroupAnd(value);
    case OPERATOR_OR:
        return subgroupOr(value);
    case OPERATOR_XOR:
        return subgroupXor(value);
#ifdef SATURATED_SUMS
    case OPERATOR_ADD_SATURATED:
        return saturated_sum(subgroupAdd(value & 0xFFFFu), subgroupAdd(value >> 16));
#endif
    }
    return subgroupAdd(value);
}

T subgroup_inclusive_scan(T value) {
    switch (OPERATOR) {
    case OPERATOR_MUL:
        return subgroupInclusiveMul(value);
    case OPERATOR_MIN:
        return subgroupInclusiveMin(value);
    case OPERATOR_MAX:
        return subgroupInclusiveMax(value);
    case OPERATOR_MIN_SIGNED:
    case OPERATOR_MIN_FLOAT:
        return T(subgroupInclusiveMin(SIGNED(value)));
    case OPERATOR_MAX_SIGNED:
    case OPERATOR_MAX_FLOAT:
        return T(subgroupInclusiveMax(SIGNED(value)));
    case OPERATOR_AND:
        return subgroupInclusiveAnd(value);
    case OPERATOR_OR:
        return subgroupInclusiveOr(value);
    case OPERATOR_XOR:
        return subgroupInclusiveXor(value);
#ifdef SATURATED_SUMS
    case OPERATOR_ADD_SATURATED:
        return saturated_sum(subgroupInclusiveAdd(value & 0xFFFFu), subgroupInclusiveAdd(value >> 16));
#endif
    }
    return subgroupInclusiveAdd(value);
}

// Returns the reduction of the lanes before this one. `total` is the result of subgroup_reduce.
T subgroup_exclusive_scan(T value, out T total) {
    const T inclusive = subgroup_inclusive_scan(value);
    total = subgroupShuffle(inclusive, subgroup_size() - 1);
    if (OPERATOR == OPERATOR_ADD) {
        return inclusive - value;
    }
    const T before = subgroupShuffle(inclusive, max(lane(), 1) - 1);
    return lane() == 0 ? identity() : before;
}

#endif
