#ifndef WEIR_SUBGROUP_GLSL
#define WEIR_SUBGROUP_GLSL

// weir_subgroup.glsl for Weir's own kernels, and sets of lanes. Needs full subgroups, and the constants WORKGROUP (invocations) and
// SUBGROUP (subgroup size, or 0 if known only to the driver).

#ifndef WEIR_SUBGROUP
#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#endif
#ifndef WEIR_SHUFFLE_BARRIERS
#define WEIR_SHUFFLE_BARRIERS false
#endif
#include <weir/weir_subgroup.glsl>

const uint WEIR_ALL_LANES = ~0u >> (32 - WEIR_SUBGROUP) % 32; // valid only with WEIR_ONE_WORD

uint weir_highest_lane(uvec4 lanes) {
    return WEIR_ONE_WORD ? findMSB(lanes.x) : subgroupBallotFindMSB(lanes);
}

// Searches by words: Mesa 22.3 compiles subgroupBallotFindLSB of a set that differs between lanes to nothing for AMD's subgroups of 64.
// findLSB returns -1 (all bits set) for 0.
uint weir_lowest_lane(uvec4 lanes) {
    const uvec4 lowest = uvec4(findLSB(lanes)) | uvec4(0, 32, 64, 96);
    return WEIR_ONE_WORD ? lowest.x : min(min(lowest.x, lowest.y), min(lowest.z, lowest.w));
}

bool weir_is_any(uvec4 lanes) {
    return any(notEqual(lanes, uvec4(0)));
}

// Returns the complement of a set. A lane that does not take part in a ballot is in the complement of its result.
uvec4 weir_other_lanes(uvec4 lanes) {
    return WEIR_ONE_WORD ? uvec4(~lanes.x & WEIR_ALL_LANES, 0, 0, 0) : ~lanes & (gl_SubgroupGeMask | gl_SubgroupLtMask);
}

// Returns true if every lane of the subgroup takes part. Few devices guarantee that lanes reconverge after divergent control flow, as in a
// loop; see Capabilities::uniform_control_flow.
bool weir_all_are_here() {
    return !weir_is_any(weir_other_lanes(subgroupBallot(true)));
}

#endif
