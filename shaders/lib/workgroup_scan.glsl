#ifndef WEIR_WORKGROUP_SCAN_GLSL
#define WEIR_WORKGROUP_SCAN_GLSL

#include "monoid.glsl"
#include <weir/weir_workgroup_scan.glsl>

// workgroup_reduce takes each subgroup's total. workgroup_before returns each subgroup's exclusive prefix.
WEIR_TOTALS_REDUCE_BY(workgroup, T, combine, identity(), subgroup_reduce)
WEIR_TOTALS_SCAN_BY(workgroup, T, combine, identity(), subgroup_exclusive_scan, shuffle)

// Returns the subgroup's exclusive prefix. Call it after workgroup_reduce.
T preceding_subgroups() {
    return workgroup_before();
}

#endif
