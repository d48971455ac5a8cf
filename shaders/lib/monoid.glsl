#ifndef WEIR_MONOID_GLSL
#define WEIR_MONOID_GLSL

#include "subgroup.glsl"

// The type T that is scanned and its operator: associative, with an identity. Operands are never reordered, except that
// MONOID_COMMUTES allows a thread to fold elements that are apart.

#define T uint
#define T_WORDS 1
#define MONOID_COMMUTES 1

T identity() {
    return 0;
}

T combine(T a, T b) {
    return a + b;
}

void to_words(T value, out uint words[T_WORDS]) {
    words[0] = value;
}

T from_words(uint words[T_WORDS]) {
    return words[0];
}

// All lanes' values in lane order. Every lane must take part.
T subgroup_reduce(T value) {
    return subgroupAdd(value);
}

// Returns what precedes this lane; `total` is what subgroup_reduce returns.
T subgroup_exclusive_scan(T value, out T total) {
    const T inclusive = subgroupInclusiveAdd(value);
    total = subgroupShuffle(inclusive, subgroup_size() - 1);
    return inclusive - value;
}

#endif
