#ifndef WEIR_SUBGROUP_GLSL
#define WEIR_SUBGROUP_GLSL

// weir_subgroup.glsl for Weir's own kernels, by shorter names. Needs full subgroups, and the constants WORKGROUP (invocations) and SUBGROUP
// (the subgroup size, or 0 if only the driver knows it).

#ifndef BARRIER_BEFORE_SHUFFLES
#define BARRIER_BEFORE_SHUFFLES false
#endif
#ifndef WEIR_SUBGROUP
#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#define WEIR_SHUFFLE_BARRIERS BARRIER_BEFORE_SHUFFLES
#endif
#include "weir_subgroup.glsl"

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
const uint ALL_LANES = ~0u >> (32 - SUBGROUP) % 32; // of ONE_WORD

uint highest_lane(uvec4 lanes) {
    return ONE_WORD ? findMSB(lanes.x) : subgroupBallotFindMSB(lanes);
}

// By words: of a set that differs from lane to lane, Mesa 22.3 compiles subgroupBallotFindLSB to nothing for AMD's subgroups of 64. Where
// there is no bit, findLSB is -1, all bits set.
uint lowest_lane(uvec4 lanes) {
    const uvec4 lowest = uvec4(findLSB(lanes)) | uvec4(0, 32, 64, 96);
    return ONE_WORD ? lowest.x : min(min(lowest.x, lowest.y), min(lowest.z, lowest.w));
}

bool is_any(uvec4 lanes) {
    return any(notEqual(lanes, uvec4(0)));
}

// The complement of a set. A lane that does not take part in a ballot is in the complement of its result.
uvec4 other_lanes(uvec4 lanes) {
    return ONE_WORD ? uvec4(~lanes.x & ALL_LANES, 0, 0, 0) : ~lanes & (gl_SubgroupGeMask | gl_SubgroupLtMask);
}

// Whether every lane of the subgroup takes part here. After divergent control flow, as in a loop, few devices promise that lanes reconverge:
// see Capabilities::uniform_control_flow.
bool all_are_here() {
    return !is_any(other_lanes(subgroupBallot(true)));
}

#endif
