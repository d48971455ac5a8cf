#ifndef WEIR_DISPATCH_GLSL
#define WEIR_DISPATCH_GLSL

// Returns the index of the workgroup in a dispatch that may be spread over x and y. It may be beyond the last workgroup that has work.
uint weir_workgroup_index() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// Returns the number of dispatched workgroups.
uint weir_workgroup_count() {
    return gl_NumWorkGroups.x * gl_NumWorkGroups.y;
}

#endif
