#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"
#include <weir/weir_workgroup_scan.glsl>

// weir_workgroup_reduce takes each subgroup's total. weir_workgroup_before returns each subgroup's exclusive prefix.
WEIR_TOTALS_REDUCE_BY(weir_workgroup, WEIR_T, weir_combine, weir_identity(), weir_subgroup_reduce)
WEIR_TOTALS_SCAN_BY(weir_workgroup, WEIR_T, weir_combine, weir_identity(), weir_subgroup_exclusive_scan, weir_shuffle_value)

// Returns the subgroup's exclusive prefix. Call it after weir_workgroup_reduce.
WEIR_T weir_preceding_subgroups() {
    return weir_workgroup_before();
}

#endif
