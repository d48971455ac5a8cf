#ifndef WEIR_LAST_WORKGROUP_GLSL
#define WEIR_LAST_WORKGROUP_GLSL

#include "buffer_barrier.glsl"

// The last workgroup to finish continues with the results of all, so that no workgroup waits for another. Needs DONE_WORD, a word of a
// buffer that counts finished workgroups. It must be 0 before the run, and is 0 after it.

shared bool is_last;

// Returns true in the last workgroup to finish, which then sees all buffer writes of the others. `leads` must be true in exactly one
// invocation of each workgroup. Collective.
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
