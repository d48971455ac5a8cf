#version 460
#extension GL_GOOGLE_include_directive : require

// Divides a count into the counts of windows of equal size, and counts the windows that are not empty.

#include "interface.glsl"
#include "window_counts_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint window_elements;
    uint windows;
};

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = WINDOWS_BINDING) writeonly buffer Windows { uint window_counts[]; }; // one per window, then their number

void main() {
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint used = count / window_elements + uint(count % window_elements != 0);
    for (uint i = gl_LocalInvocationIndex; i < windows; i += WORKGROUP) {
        window_counts[i] = i < used ? min(count - i * window_elements, window_elements) : 0;
    }
    if (gl_LocalInvocationIndex == 0) {
        window_counts[windows] = used;
    }
}
