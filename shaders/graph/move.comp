#version 460
#extension GL_GOOGLE_include_directive : require

// Copies words, or writes one over and over: what is a transfer where the GPU does not decide whether it happens.

#include "../lib/dispatch.glsl"

layout(local_size_x = 256) in;

layout(constant_id = 0) const uint COPIES = 0;

layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Destination { uint destination[]; };

layout(push_constant) uniform Push {
    uint count;
    uint value;
};

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i < count) {
        destination[i] = COPIES != 0 ? source[i] : value;
    }
}
