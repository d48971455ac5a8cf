// Scans each block of WORKGROUP elements SCANS times, so that the scans take more time than the loads and stores. Each scan except the
// first is of the difference between the elements and the previous scan.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint WORKGROUP_SCAN = 0; // an algorithm of workgroup_scans.glsl
layout(constant_id = 3) const uint SCANS = 4;
layout(constant_id = 4) const bool SHUFFLE_BARRIERS = false; // see subgroup.glsl
layout(local_size_x_id = 0) in;

#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#define WEIR_SCAN_ALGORITHM WORKGROUP_SCAN
#include <weir/dispatch.glsl>
#include <weir/workgroup_scans.glsl>

layout(push_constant) uniform Parameters {
    uint count;
};

layout(std430, set = 0, binding = 0) readonly restrict buffer From {
    WEIR_T from[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer To {
    WEIR_T to[];
};

WEIR_T difference(WEIR_T element, WEIR_T scanned) {
#if WEIR_ELEMENT == WEIR_ELEMENT_F32
    scanned = clamp(scanned, -1.0, 1.0); // keeps values small enough that sums are exact
#endif
    return element - scanned;
}

void main() {
    const uint index = weir_workgroup_index() * WORKGROUP + weir_invocation();
    WEIR_T element = weir_identity();
    if (index < count) {
        element = from[index];
    }
    WEIR_T scanned, total;
    WEIR_T value = element;
    [[dont_unroll]] for (uint i = 0; i < SCANS; ++i) {
        scanned = weir_workgroup_inclusive_scan(value, total);
        value = difference(element, scanned);
        barrier();
    }
    if (index < count) {
        to[index] = scanned;
    }
}
