#ifndef WEIR_AGREE_GLSL
#define WEIR_AGREE_GLSL

shared uvec2 agreed_counts;

// Returns the counts that one invocation has read. Counts on the GPU (`on_gpu`) may change while the kernel runs. Each invocation could
// then read a different value, but all must take the same path to a barrier. Collective; call it once in a kernel, before its first
// barrier.
uvec2 agree(bool on_gpu, uvec2 counts) {
    if (on_gpu) {
        if (gl_LocalInvocationIndex == 0) {
            agreed_counts = counts;
        }
        barrier();
        counts = agreed_counts;
    }
    return counts;
}

uint agree(bool on_gpu, uint count) {
    return agree(on_gpu, uvec2(count, 0)).x;
}

#endif
