#ifndef WEIR_BUFFER_BARRIER_GLSL
#define WEIR_BUFFER_BARRIER_GLSL

// Workgroup barriers that also order accesses to buffers and to workgroup memory.

// Orders accesses within the workgroup. Writes before the barrier are visible after it, and reads before it are complete. Collective.
void workgroup_buffer_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// Orders accesses between workgroups. Both must pass this barrier, with an atomic in between. Collective.
void device_buffer_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

#endif
