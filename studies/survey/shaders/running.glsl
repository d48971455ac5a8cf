#ifndef WEIR_RUNNING_GLSL
#define WEIR_RUNNING_GLSL

// Counts how many workgroups of a kernel run at the same time, if COUNT_RUNNING is true. Needs RUNNING_BINDING, a buffer of two words that
// must be 0 before.

layout(set = 0, binding = RUNNING_BINDING) buffer Running {
    uint running;
    uint most_running;
};

// Adds the workgroup to the running ones. Collective.
void begin_running() {
    if (COUNT_RUNNING && weir_invocation() == 0) {
        const uint now = atomicAdd(running, 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) + 1;
        atomicMax(most_running, now, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Removes the workgroup from the running ones. Collective.
void end_running() {
    if (COUNT_RUNNING) {
        barrier();
        if (weir_invocation() == 0) {
            atomicAdd(running, ~0u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}

#endif
