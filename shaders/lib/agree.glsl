#ifndef WEIR_AGREE_GLSL
#define WEIR_AGREE_GLSL

shared uvec2 agreed_counts;

// Collective, once in a kernel, before its first barrier: the counts that one invocation has read. Each could read others where they are on
// the GPU (`on_gpu`) and change while the kernel runs, but all have to take the same way to a barrier.
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
