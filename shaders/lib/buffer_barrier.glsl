#ifndef WEIR_BUFFER_BARRIER_GLSL
#define WEIR_BUFFER_BARRIER_GLSL

// Barriers of the workgroup that also order its reads and writes of buffers and of workgroup memory.

// Collective. What the workgroup wrote before is visible to the workgroup after, and what it was to read before has been read.
void workgroup_buffer_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// Collective. Likewise for all workgroups: with an atomic between, after which another workgroup passes this barrier too.
void device_buffer_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

#endif
