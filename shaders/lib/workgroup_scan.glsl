#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"

shared T subgroup_values[MAX_SUBGROUPS];

// A workgroup's total, and each subgroup's exclusive prefix: by two calls, so that a kernel can publish the total before the prefixes are
// computed. Each subgroup goes through all subgroups' totals, as many at a time as it has lanes. With 32 lanes and at most 1024 invocations
// that is one step.

T subgroup_value(uint subgroup) {
    T value = identity();
    if (subgroup < subgroup_count()) {
        value = subgroup_values[subgroup];
    }
    return value;
}

// Every invocation passes its subgroup's total. Returns the workgroup's. Contains one barrier; the caller needs another one before the next
// call.
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

// After workgroup_reduce: the subgroup's exclusive prefix.
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
