// Scans the values of each subgroup SCANS times, by the driver's operation or by shuffles, so that the scans take more time than the loads
// and stores. Each scan except the first is of the difference between the elements and the previous scan.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const bool NATIVE = true;
layout(constant_id = 3) const uint SCANS = 16;
layout(constant_id = 4) const bool SHUFFLE_BARRIERS = false; // see subgroup.glsl
layout(constant_id = 5) const bool COUNT_RUNNING = false;    // see running.glsl
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#define EMULATED_SUBGROUP_SCANS
#include <weir/dispatch.glsl>
#include "monoid.glsl"
#define RUNNING_BINDING 2
#include "running.glsl"

layout(push_constant) uniform Parameters { uint count; };

layout(std430, set = 0, binding = 0) readonly restrict buffer From { WEIR_T from[]; };
layout(std430, set = 0, binding = 1) writeonly restrict buffer To { WEIR_T to[]; };

WEIR_T native_scan(WEIR_T value) {
#if WEIR_ELEMENT == WEIR_ELEMENT_U64
    // Sums the low words in halves, so that no carry is lost. Few devices support subgroup operations on 64 bits.
    const uint low = subgroupInclusiveAdd(value.x & 0xFFFF);
    const uint middle = subgroupInclusiveAdd(value.x >> 16) + (low >> 16);
    return WEIR_T((low & 0xFFFF) | middle << 16, subgroupInclusiveAdd(value.y) + (middle >> 16));
#else
    return subgroupInclusiveAdd(value);
#endif
}

WEIR_T difference(WEIR_T element, WEIR_T scanned) {
#if WEIR_ELEMENT == WEIR_ELEMENT_F32
    return element - clamp(scanned, -1.0, 1.0); // keeps values small enough that sums are exact
#elif WEIR_ELEMENT == WEIR_ELEMENT_U64
    uint borrow;
    const uint low = usubBorrow(element.x, scanned.x, borrow);
    return WEIR_T(low, element.y - scanned.y - borrow);
#else
    return element - scanned;
#endif
}

void main() {
    const uint index = weir_workgroup_index() * WORKGROUP + weir_invocation();
    begin_running();
    WEIR_T element = weir_identity();
    if (index < count) {
        element = from[index];
    }
    WEIR_T value = element, scanned = element;
    [[dont_unroll]] for (uint i = 0; i < SCANS; ++i) {
        if (NATIVE) {
            scanned = native_scan(value);
        } else {
            scanned = weir_subgroup_inclusive_scan(value);
        }
        value = difference(element, scanned);
    }
    if (index < count) {
        to[index] = scanned;
    }
    end_running();
}
