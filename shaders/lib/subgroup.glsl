#ifndef WEIR_SUBGROUP_GLSL
#define WEIR_SUBGROUP_GLSL

// Who an invocation is. Needs the constants WORKGROUP (invocations) and SUBGROUP (their subgroup size, or 0 if only the driver
// knows it), and full subgroups.
//
// Nothing promises how gl_LocalInvocationIndex maps to subgroups, so an invocation's place in the workgroup is made from its
// subgroup and lane.
//
// Loops over shared work run equally often in every subgroup, with the bound checked inside: on lavapipe 22.3, values go missing
// when some subgroups of a workgroup skip a loop and all meet at a barrier after it.

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

// Before a shuffle or a ballot in a loop: on some drivers that alone does not make all lanes arrive, so that a barrier must. On lavapipe of
// Mesa 25 the barrier waits for other subgroups, which may never come.
#ifndef BARRIER_BEFORE_SHUFFLES
#define BARRIER_BEFORE_SHUFFLES false
#endif

void await_lanes() {
    if (BARRIER_BEFORE_SHUFFLES) {
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Sets of lanes. With at most 32 lanes, known in advance, all is in the first word.
const bool ONE_WORD = SUBGROUP != 0 && SUBGROUP <= 32;
const uint ALL_LANES = ~0u >> (32 - SUBGROUP) % 32; // if they fit it

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

// A lane that does not come to a ballot is not in its set, and so among these.
uvec4 other_lanes(uvec4 lanes) {
    return ONE_WORD ? uvec4(~lanes.x & ALL_LANES, 0, 0, 0) : ~lanes & (gl_SubgroupGeMask | gl_SubgroupLtMask);
}

// Whether every lane comes to this ballot. Where they could part before, as in the rounds of a loop, few devices promise that they meet
// again: see Capabilities::uniform_control_flow.
bool all_are_here() {
    return !is_any(other_lanes(subgroupBallot(true)));
}

uint invocation() {
    return gl_SubgroupID * subgroup_size() + gl_SubgroupInvocationID;
}

#endif
