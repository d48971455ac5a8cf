#ifndef WEIR_SUBGROUP_SCAN_LAYER_GLSL
#define WEIR_SUBGROUP_SCAN_LAYER_GLSL

#include "weir_subgroup.glsl"

// Reductions and scans over the lanes of a subgroup by shuffles, for any monoid:
//
//     WEIR_SUBGROUP_REDUCE(name, T, combine)
//         T name_reduce(T value)                             returns the same value in all lanes
//     WEIR_SUBGROUP_SCAN(name, T, combine, identity)
//         T name_reduce(T value)
//         T name_inclusive_scan(T value)
//         T name_exclusive_scan(T value, out T total)        total is the same in all lanes
//
// `combine` is the name of an associative function of two T. Operands stay in lane order. `identity` is an expression. T needs
// weir_shuffle. Every lane of the subgroup must take part.
//
// The order of operations is the same in every call, which subgroup operations of the driver do not guarantee for floats. Therefore a tile
// that is reduced twice, by its owner and by a fallback, has the same bits both times.

#define WEIR_SUBGROUP_REDUCE(name, T, combine) WEIR_SUBGROUP_REDUCE_BY(name, T, combine, weir_shuffle)

#define WEIR_SUBGROUP_SCAN(name, T, combine, identity)                                                                           \
    WEIR_SUBGROUP_REDUCE_BY(name, T, combine, weir_shuffle)                                                                      \
    WEIR_SUBGROUP_SCAN_BY(name, T, combine, identity, weir_shuffle)

// Building blocks. `shuffle` is the name of a function T shuffle(T value, uint from).

#define WEIR_SUBGROUP_REDUCE_BY(name, T, combine, shuffle)                                                                       \
    T name##_reduce(T value) {                                                                                                   \
        for (uint step = 1; step < weir_subgroup_size(); step *= 2) {                                                            \
            T left = value;                                                                                                      \
            T right = shuffle(value, weir_lane() ^ step);                                                                        \
            if ((weir_lane() & step) != 0) {                                                                                     \
                value = right;                                                                                                   \
                right = left;                                                                                                    \
                left = value;                                                                                                    \
            }                                                                                                                    \
            value = combine(left, right);                                                                                        \
        }                                                                                                                        \
        return value;                                                                                                            \
    }

// Kogge-Stone scan.
#define WEIR_SUBGROUP_SCAN_BY(name, T, combine, identity, shuffle)                                                               \
    T name##_inclusive_scan(T value) {                                                                                           \
        for (uint step = 1; step < weir_subgroup_size(); step *= 2) {                                                            \
            const T before = shuffle(value, weir_lane() - min(step, weir_lane()));                                               \
            if (weir_lane() >= step) {                                                                                           \
                value = combine(before, value);                                                                                  \
            }                                                                                                                    \
        }                                                                                                                        \
        return value;                                                                                                            \
    }                                                                                                                            \
    T name##_exclusive_scan(T value, out T total) {                                                                              \
        const T inclusive = name##_inclusive_scan(value);                                                                        \
        total = shuffle(inclusive, weir_subgroup_size() - 1);                                                                    \
        T before = shuffle(inclusive, max(weir_lane(), 1) - 1);                                                                  \
        if (weir_lane() == 0) {                                                                                                  \
            before = identity;                                                                                                   \
        }                                                                                                                        \
        return before;                                                                                                           \
    }

#endif
