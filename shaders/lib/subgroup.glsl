#ifndef WEIR_SUBGROUP_GLSL
#define WEIR_SUBGROUP_GLSL

// weir_subgroup.glsl under shorter names, for Weir's own kernels. Needs full subgroups, and the constants WORKGROUP (invocations) and
// SUBGROUP (subgroup size, or 0 if known only to the driver).

#ifndef BARRIER_BEFORE_SHUFFLES
#define BARRIER_BEFORE_SHUFFLES false
#endif
#ifndef WEIR_SUBGROUP
#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#define WEIR_SHUFFLE_BARRIERS BARRIER_BEFORE_SHUFFLES
#endif
#include <weir/weir_subgroup.glsl>

const uint MAX_SUBGROUPS = WEIR_MAX_SUBGROUPS;

uint subgroup_size() {
    return weir_subgroup_size();
}

uint subgroup_count() {
    return weir_subgroup_count();
}

uint lane() {
    return weir_lane();
}

uint invocation() {
    return weir_invocation();
}

void await_lanes() {
    weir_await_lanes();
}

uint count_lanes(uvec4 lanes) {
    return weir_count_lanes(lanes);
}

uint count_lanes_before(uvec4 lanes) {
    return weir_count_lanes_before(lanes);
}

const bool ONE_WORD = WEIR_ONE_WORD;
const uint ALL_LANES = ~0u >> (32 - SUBGROUP) % 32; // valid only with ONE_WORD

uint highest_lane(uvec4 lanes) {
    return ONE_WORD ? findMSB(lanes.x) : subgroupBallotFindMSB(lanes);
}

// Searches by words: Mesa 22.3 compiles subgroupBallotFindLSB of a set that differs between lanes to nothing for AMD's subgroups of 64.
// findLSB returns -1 (all bits set) for 0.
uint lowest_lane(uvec4 lanes) {
    const uvec4 lowest = uvec4(findLSB(lanes)) | uvec4(0, 32, 64, 96);
    return ONE_WORD ? lowest.x : min(min(lowest.x, lowest.y), min(lowest.z, lowest.w));
}

bool is_any(uvec4 lanes) {
    return any(notEqual(lanes, uvec4(0)));
}

// Returns the complement of a set. A lane that does not take part in a ballot is in the complement of its result.
uvec4 other_lanes(uvec4 lanes) {
    return ONE_WORD ? uvec4(~lanes.x & ALL_LANES, 0, 0, 0) : ~lanes & (gl_SubgroupGeMask | gl_SubgroupLtMask);
}

// Returns true if every lane of the subgroup takes part. Few devices guarantee that lanes reconverge after divergent control flow, as in a
// loop; see Capabilities::uniform_control_flow.
bool all_are_here() {
    return !is_any(other_lanes(subgroupBallot(true)));
}

#endif
