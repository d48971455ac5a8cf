#ifndef WEIR_WORKGROUP_SCAN_LAYER_GLSL
#define WEIR_WORKGROUP_SCAN_LAYER_GLSL

#include "weir_subgroup_scan.glsl"

// Reductions and scans over a workgroup, for any monoid:
//
//     WEIR_WORKGROUP_REDUCE(name, T, combine, identity)
//         T name_reduce(T value)                             returns the same value in all invocations
//     WEIR_WORKGROUP_SCAN(name, T, combine, identity)
//         T name_reduce(T value)
//         T name_inclusive_scan(T value, out T total)        total is the same in all invocations
//         T name_exclusive_scan(T value, out T total)
//     WEIR_WORKGROUP_SUM(name)                               the functions of WEIR_WORKGROUP_SCAN, for sums of uint
//     WEIR_WORKGROUP_SCAN_ITEMS(name, T, combine, ITEMS)     after WEIR_WORKGROUP_SCAN(name, ...): ITEMS consecutive items per invocation
//         T name_reduce(T items[ITEMS])
//         void name_inclusive_scan(inout T items[ITEMS], out T total)
//         void name_exclusive_scan(inout T items[ITEMS], out T total)
//
// Values are in the order of weir_invocation() and are never reordered. `combine` is the name of an associative function of two T.
// `identity` is an expression. T needs weir_shuffle. The order of operations, and therefore rounding, depends only on the subgroup size and
// the workgroup size.
//
// Collective, with one barrier. The caller must add a barrier before the next call of the same name. Uses workgroup memory for
// WEIR_MAX_SUBGROUPS values. WEIR_WORKGROUP_REDUCE and WEIR_WORKGROUP_SCAN also define the functions of a subgroup: name_subgroup_reduce
// and so on.

#define WEIR_WORKGROUP_REDUCE(name, T, combine, identity)                                                                        \
    WEIR_SUBGROUP_REDUCE(name##_subgroup, T, combine)                                                                            \
    WEIR_TOTALS_REDUCE_BY(name##_totals, T, combine, identity, name##_subgroup_reduce)                                           \
    T name##_reduce(T value) {                                                                                                   \
        return name##_totals_reduce(name##_subgroup_reduce(value));                                                              \
    }

#define WEIR_WORKGROUP_SCAN(name, T, combine, identity)                                                                          \
    WEIR_SUBGROUP_SCAN(name##_subgroup, T, combine, identity)                                                                    \
    WEIR_WORKGROUP_SCAN_BY(name, name##_subgroup, T, combine, identity)

#define WEIR_WORKGROUP_SUM(name) WEIR_WORKGROUP_SCAN_BY(name, weir_sum, uint, weir_add, 0)

#define WEIR_WORKGROUP_SCAN_ITEMS(name, T, combine, ITEMS)                                                                       \
    T name##_of_items(T items[ITEMS]) {                                                                                          \
        T sum = items[0];                                                                                                        \
        [[unroll]] for (uint i = 1; i < ITEMS; ++i) {                                                                            \
            sum = combine(sum, items[i]);                                                                                        \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }                                                                                                                            \
    T name##_reduce(T items[ITEMS]) {                                                                                            \
        return name##_reduce(name##_of_items(items));                                                                            \
    }                                                                                                                            \
    void name##_inclusive_scan(inout T items[ITEMS], out T total) {                                                              \
        T before = name##_exclusive_scan(name##_of_items(items), total);                                                         \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            before = combine(before, items[i]);                                                                                  \
            items[i] = before;                                                                                                   \
        }                                                                                                                        \
    }                                                                                                                            \
    void name##_exclusive_scan(inout T items[ITEMS], out T total) {                                                              \
        T before = name##_exclusive_scan(name##_of_items(items), total);                                                         \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            const T item = items[i];                                                                                             \
            items[i] = before;                                                                                                   \
            before = combine(before, item);                                                                                      \
        }                                                                                                                        \
    }

// Building blocks, based on functions of a subgroup.

// Sums by the driver's subgroup operations, which are exact on integers.
uint weir_add(uint a, uint b) {
    return a + b;
}

uint weir_sum_reduce(uint value) {
    return subgroupAdd(value);
}

uint weir_sum_inclusive_scan(uint value) {
    return subgroupInclusiveAdd(value);
}

uint weir_sum_exclusive_scan(uint value, out uint total) {
    const uint inclusive = subgroupInclusiveAdd(value);
    total = weir_shuffle(inclusive, weir_subgroup_size() - 1);
    return inclusive - value;
}

#define WEIR_WORKGROUP_SCAN_BY(name, subgroup, T, combine, identity)                                                             \
    WEIR_TOTALS_REDUCE_BY(name##_totals, T, combine, identity, subgroup##_reduce)                                                \
    WEIR_TOTALS_SCAN_BY(name##_totals, T, combine, identity, subgroup##_exclusive_scan, weir_shuffle)                            \
    T name##_reduce(T value) {                                                                                                   \
        return name##_totals_reduce(subgroup##_reduce(value));                                                                   \
    }                                                                                                                            \
    T name##_inclusive_scan(T value, out T total) {                                                                              \
        value = subgroup##_inclusive_scan(value);                                                                                \
        total = name##_totals_reduce(weir_shuffle(value, weir_subgroup_size() - 1));                                             \
        return combine(name##_totals_before(), value);                                                                           \
    }                                                                                                                            \
    T name##_exclusive_scan(T value, out T total) {                                                                              \
        T subgroup_total;                                                                                                        \
        value = subgroup##_exclusive_scan(value, subgroup_total);                                                                \
        total = name##_totals_reduce(subgroup_total);                                                                            \
        return combine(name##_totals_before(), value);                                                                           \
    }

// The workgroup's total and the prefix of each subgroup come from two calls, so that a kernel can publish the total before it computes the
// prefix. Each subgroup reads the totals of all subgroups, as many per step as it has lanes. With 32 lanes and at most 1024 invocations,
// one step suffices.

// Returns the workgroup's total. Every invocation passes its subgroup's total. Contains one barrier. The caller must add a barrier before
// the next call.
#define WEIR_TOTALS_REDUCE_BY(name, T, combine, identity, subgroup_reduce)                                                       \
    shared T name##_values[WEIR_MAX_SUBGROUPS];                                                                                  \
    T name##_value(uint subgroup) {                                                                                              \
        T value = identity;                                                                                                      \
        if (subgroup < weir_subgroup_count()) {                                                                                  \
            value = name##_values[subgroup];                                                                                     \
        }                                                                                                                        \
        return value;                                                                                                            \
    }                                                                                                                            \
    T name##_reduce(T subgroup_total) {                                                                                          \
        if (subgroupElect()) {                                                                                                   \
            name##_values[gl_SubgroupID] = subgroup_total;                                                                       \
        }                                                                                                                        \
        barrier();                                                                                                               \
        T total = identity;                                                                                                      \
        for (uint first = 0; first < weir_subgroup_count(); first += weir_subgroup_size()) {                                     \
            total = combine(total, subgroup_reduce(name##_value(first + weir_lane())));                                          \
        }                                                                                                                        \
        return total;                                                                                                            \
    }

// Returns the subgroup's exclusive prefix. Call it after name_reduce.
#define WEIR_TOTALS_SCAN_BY(name, T, combine, identity, subgroup_exclusive_scan, shuffle)                                        \
    T name##_before() {                                                                                                          \
        T before = identity;                                                                                                     \
        T total = identity;                                                                                                      \
        for (uint first = 0; first < weir_subgroup_count(); first += weir_subgroup_size()) {                                     \
            T step_total;                                                                                                        \
            const T scanned = subgroup_exclusive_scan(name##_value(first + weir_lane()), step_total);                            \
            const T here = shuffle(scanned, gl_SubgroupID % weir_subgroup_size());                                               \
            if (gl_SubgroupID / weir_subgroup_size() == first / weir_subgroup_size()) {                                          \
                before = combine(total, here);                                                                                   \
            }                                                                                                                    \
            total = combine(total, step_total);                                                                                  \
        }                                                                                                                        \
        return before;                                                                                                           \
    }

#endif
