#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"

shared T subgroup_values[MAX_SUBGROUPS];

// Every invocation passes in its subgroup's total. Afterwards subgroup_values[i] holds what precedes subgroup i, once the
// workgroup has passed another barrier. Returns the workgroup's total in subgroup 0, and nothing of use in the others.
//
// Subgroup 0 takes as many values at a time as it has lanes and carries the total along, so any subgroup size serves: with 32
// lanes and up to 1024 invocations one step is enough.
T workgroup_exclusive_scan(T subgroup_total) {
    if (subgroupElect()) {
        subgroup_values[gl_SubgroupID] = subgroup_total;
    }
    barrier();
    T carry = identity();
    if (gl_SubgroupID == 0) {
        for (uint first = 0; first < subgroup_count(); first += subgroup_size()) {
            const uint i = first + lane();
            T total;
            const T before = subgroup_exclusive_scan(i < subgroup_count() ? subgroup_values[i] : identity(), total);
            if (i < subgroup_count()) {
                subgroup_values[i] = combine(carry, before);
            }
            carry = combine(carry, total);
        }
    }
    return carry;
}

#endif
