#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"

shared T subgroup_values[MAX_SUBGROUPS];

// A workgroup's total, and what precedes each subgroup: two calls, so that the total can be told to others before the rest is
// computed. Each subgroup goes through the subgroups' totals for itself, as many at a time as it has lanes, so any subgroup size
// serves: with 32 lanes and up to 1024 invocations one step is enough.

T subgroup_value(uint subgroup) {
    T value = identity();
    if (subgroup < subgroup_count()) {
        value = subgroup_values[subgroup];
    }
    return value;
}

// Every invocation passes in its subgroup's total. Returns the workgroup's. Holds one barrier; another one must come before the
// next call.
T workgroup_reduce(T subgroup_total) {
    if (subgroupElect()) {
        subgroup_values[gl_SubgroupID] = subgroup_total;
    }
    barrier();
    T total = identity();
    for (uint first = 0; first < subgroup_count(); first += subgroup_size()) {
        total = combine(total, subgroup_reduce(subgroup_value(first + lane())));
    }
    return total;
}

// After workgroup_reduce: what precedes the subgroup.
T preceding_subgroups() {
    T before = identity();
    T total = identity();
    for (uint first = 0; first < subgroup_count(); first += subgroup_size()) {
        T step_total;
        const T scanned = subgroup_exclusive_scan(subgroup_value(first + lane()), step_total);
        const T here = shuffle(scanned, gl_SubgroupID % subgroup_size());
        if (gl_SubgroupID / subgroup_size() == first / subgroup_size()) {
            before = combine(total, here);
        }
        total = combine(total, step_total);
    }
    return before;
}

#endif
