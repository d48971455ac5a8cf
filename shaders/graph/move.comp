#version 460
#extension GL_GOOGLE_include_directive : require

// Copies words, or with FILLS fills a buffer with one word. Used for transfers that run only if a condition on the GPU holds.

#include <weir/dispatch.glsl>

layout(local_size_x = 256) in;

layout(set = 0, binding = 0) writeonly buffer Destination { uint destination[]; };
#ifndef FILLS
layout(set = 0, binding = 1) readonly buffer Source { uint source[]; };
#endif

layout(push_constant) uniform Push {
    uint count;
    uint value;
};

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i < count) {
#ifdef FILLS
        destination[i] = value;
#else
        destination[i] = source[i];
#endif
    }
}
