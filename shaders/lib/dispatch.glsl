#ifndef WEIR_DISPATCH_GLSL
#define WEIR_DISPATCH_GLSL

// The number of a workgroup in a dispatch that may be spread over x and y. It may be past the last one that has work.
uint weir_workgroup_index() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// How many workgroups were dispatched.
uint weir_workgroup_count() {
    return gl_NumWorkGroups.x * gl_NumWorkGroups.y;
}

#endif
