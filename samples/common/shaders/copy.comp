// Copies `vectors` vectors of 16 bytes, one per invocation. Measures the bandwidth that other kernels are compared with. The dispatch may
// be two-dimensional (x first) if one dimension has too few workgroups.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

layout(local_size_x = 256) in;

layout(push_constant) uniform Parameters {
    uint vectors;
};

layout(std430, set = 0, binding = 0) readonly restrict buffer From {
    uvec4 from[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer To {
    uvec4 to[];
};

void main() {
    uint index = weir_workgroup_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index < vectors) {
        to[index] = from[index];
    }
}
