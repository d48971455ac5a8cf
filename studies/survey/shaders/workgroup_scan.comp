// Scans each block of WORKGROUP elements SCANS times, so that the scans take more time than the loads and stores. Each scan except the
// first is of the difference between the elements and the previous scan.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint WORKGROUP_SCAN = 0; // an algorithm of workgroup_scans.glsl, or BRENT_KUNG_LEVELS
layout(constant_id = 3) const uint SCANS = 4;
layout(constant_id = 4) const bool SHUFFLE_BARRIERS = false; // see subgroup.glsl
layout(local_size_x_id = 0) in;

#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#define WEIR_SCAN_ALGORITHM WORKGROUP_SCAN
#include <weir/dispatch.glsl>
#include <weir/workgroup_scans.glsl>

const uint BRENT_KUNG_LEVELS = 11;
shared WEIR_T level_values[WORKGROUP_SCAN == BRENT_KUNG_LEVELS ? 2 * WORKGROUP : 1];

// Brent and Kung's scan with an array per level instead of padding: the values of a level are contiguous, so that at most two lanes use the
// same bank (Merrill and Grimshaw). Level k has WORKGROUP >> k values, from place 2 * WORKGROUP - (2 * WORKGROUP >> k) on.
WEIR_T scan_by_levels(WEIR_T value, out WEIR_T total) {
    const uint i = weir_invocation();
    level_values[i] = value;
    uint begin = 0;
    uint size = WORKGROUP;
    for (; size > 1; size /= 2) {
        barrier();
        if (i < size / 2) {
            level_values[begin + size + i] = weir_combine(level_values[begin + 2 * i], level_values[begin + 2 * i + 1]);
        }
        begin += size;
    }
    // Replaces the values of each level by their prefixes, from those of the next level.
    for (size = 2; size <= WORKGROUP; size *= 2) {
        barrier();
        const uint next = begin;
        begin -= size;
        if (i < size && i > 0) {
            const WEIR_T pairs = level_values[next + (i - 1) / 2];
            level_values[begin + i] = i % 2 == 0 ? weir_combine(pairs, level_values[begin + i]) : pairs;
        }
    }
    barrier();
    total = level_values[WORKGROUP - 1];
    return level_values[i];
}

WEIR_T inclusive_scan(WEIR_T value, out WEIR_T total) {
    if (WORKGROUP_SCAN == BRENT_KUNG_LEVELS) {
        return scan_by_levels(value, total);
    }
    return weir_workgroup_inclusive_scan(value, total);
}

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
        scanned = inclusive_scan(value, total);
        value = difference(element, scanned);
        barrier();
    }
    if (index < count) {
        to[index] = scanned;
    }
}
