#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"

shared T subgroup_values[MAX_SUBGROUPS];

// Every invocation passes in its subgroup's total. Returns what precedes the subgroup, and the workgroup's total in `total`. Holds one
// barrier; another one must come before the next call.
//
// Each subgroup scans the totals for itself, as many at a time as it has lanes, and carries the sum along, so any subgroup size
// serves: with 32 lanes and up to 1024 invocations one step is enough.
T workgroup_exclusive_scan(T subgroup_total, out T total) {
    if (subgroupElect()) {
        subgroup_values[gl_SubgroupID] = subgroup_total;
    }
    barrier();
    T before = identity();
    total = identity();
    for (uint first = 0; first < subgroup_count(); first += subgroup_size()) {
        T step_total;
        const T value = first + lane() < subgroup_count() ? subgroup_values[first + lane()] : identity();
        const T scanned = subgroup_exclusive_scan(value, step_total);
        const T here = subgroupShuffle(scanned, gl_SubgroupID % subgroup_size());
        if (gl_SubgroupID / subgroup_size() == first / subgroup_size()) {
            before = combine(total, here);
        }
        total = combine(total, step_total);
    }
    return before;
}

#endif
