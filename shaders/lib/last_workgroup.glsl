#ifndef WEIR_LAST_WORKGROUP_GLSL
#define WEIR_LAST_WORKGROUP_GLSL

#include "buffer_barrier.glsl"

// The last workgroup to finish continues with the results of all, so that no workgroup waits for another one. Needs DONE_WORD, a word of a
// buffer that counts finished workgroups. It is 0 before the run and after.

shared bool is_last;

// Collective. Returns whether all workgroups have finished: true in one of them, which then sees what all have written to buffers. `leads`
// is true for one invocation of each workgroup.
bool finish(bool leads, uint groups) {
    device_buffer_barrier();
    if (leads) {
        const uint done = atomicAdd(DONE_WORD, 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) + 1;
        is_last = done == groups;
        if (done == groups) {
            atomicStore(DONE_WORD, 0u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
    device_buffer_barrier();
    return is_last;
}

#endif
