#ifndef WEIR_LAST_WORKGROUP_GLSL
#define WEIR_LAST_WORKGROUP_GLSL

// Whichever workgroup is the last to be done goes on with what all have left, so that nobody waits for anybody. Needs DONE_WORD, a
// word of a buffer: how many workgroups are done. It is 0 before and after.

// Collective. What was written to buffers before it, by any workgroup that came here before, is seen after it.
void buffer_barrier() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

shared bool is_last;

// Collective. Whether all workgroups are done. One invocation of each speaks for it.
bool finish(bool speaks, uint groups) {
    buffer_barrier();
    if (speaks) {
        const uint done = atomicAdd(DONE_WORD, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed) + 1;
        is_last = done == groups;
        if (done == groups) {
            atomicStore(DONE_WORD, 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
    }
    buffer_barrier();
    return is_last;
}

#endif
