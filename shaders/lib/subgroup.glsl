#ifndef WEIR_SUBGROUP_GLSL
#define WEIR_SUBGROUP_GLSL

// An invocation's subgroup and lane. Needs full subgroups, and the constants WORKGROUP (invocations) and SUBGROUP (the subgroup size, or 0 if
// only the driver knows it).
//
// The number of an invocation is computed from its subgroup and lane: gl_LocalInvocationIndex may map to subgroups in any way.
//
// Loops over shared work run equally often in every subgroup, and check the bound inside: on lavapipe 22.3, values are lost if some
// subgroups of a workgroup skip a loop before a barrier.

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require
#pragma use_vulkan_memory_model

#include "interface.glsl"
#include "subgroup_interface.h"

const uint MAX_SUBGROUPS = WORKGROUP / (SUBGROUP == 0 ? MIN_SUBGROUP : SUBGROUP);

uint subgroup_size() {
    return SUBGROUP == 0 ? gl_SubgroupSize : SUBGROUP;
}

uint subgroup_count() {
    return WORKGROUP / subgroup_size();
}

uint lane() {
    return gl_SubgroupInvocationID;
}

// To be called before a shuffle or a ballot in a loop: on some drivers lanes need a barrier to reconverge. On lavapipe of Mesa 25 that
// barrier would wait for other subgroups, which may never arrive.
#ifndef BARRIER_BEFORE_SHUFFLES
#define BARRIER_BEFORE_SHUFFLES false
#endif

void await_lanes() {
    if (BARRIER_BEFORE_SHUFFLES) {
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Sets of lanes, as ballots return them. If a subgroup is known to have at most 32 lanes, only the first word is used.
const bool ONE_WORD = SUBGROUP != 0 && SUBGROUP <= 32;
const uint ALL_LANES = ~0u >> (32 - SUBGROUP) % 32; // of ONE_WORD

uint count_lanes(uvec4 lanes) {
    return ONE_WORD ? bitCount(lanes.x) : subgroupBallotBitCount(lanes);
}

uint count_lanes_before(uvec4 lanes) {
    return ONE_WORD ? bitCount(lanes.x & gl_SubgroupLtMask.x) : subgroupBallotExclusiveBitCount(lanes);
}

uint highest_lane(uvec4 lanes) {
    return ONE_WORD ? findMSB(lanes.x) : subgroupBallotFindMSB(lanes);
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

uint invocation() {
    return gl_SubgroupID * subgroup_size() + gl_SubgroupInvocationID;
}

#endif
