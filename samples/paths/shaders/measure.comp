// How many lines each segment of each draw becomes.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "dispatch.glsl"

#include "curve.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 4) writeonly buffer Counts {
    uint counts[];
};

layout(std430, set = 0, binding = 5) writeonly buffer Strips {
    uint strip_count; // of the scan of cuts, which is not run where there is none
};

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i == 0) {
        strip_count = 0;
    }
    if (i < capacity) {
        counts[i] = lines_of(curve_of(i));
    }
}
