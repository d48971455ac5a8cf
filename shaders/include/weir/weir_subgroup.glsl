#ifndef WEIR_SUBGROUP_LAYER_GLSL
#define WEIR_SUBGROUP_LAYER_GLSL

// Subgroup and lane of an invocation, and shuffles of any type. Include it after the declaration of the workgroup's layout. The x size of
// the workgroup must be a multiple of the subgroup size, so that subgroups are full.
//
// Weir sets the two specialization constants below when it creates the pipeline of a shader that has them, and requires full subgroups.
// Weir's own kernels use other constants, and define WEIR_WORKGROUP, WEIR_SUBGROUP and WEIR_SHUFFLE_BARRIERS before the include.
//
// The index of an invocation is computed from its subgroup and lane, because gl_LocalInvocationIndex may map to subgroups in any way.
//
// Loops over shared work must run equally often in every subgroup, with the bounds check inside. On lavapipe 22.3 values are lost if some
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

#ifndef WEIR_SUBGROUP
WEIR_CONSTANT(2000, uint, weir_given_subgroup, 0)       // subgroup size, or 0 if known only to the driver
WEIR_CONSTANT(2001, bool, weir_given_barriers, false)   // Capabilities::shuffles_need_barriers
#define WEIR_SUBGROUP weir_given_subgroup
#define WEIR_SHUFFLE_BARRIERS weir_given_barriers
#endif
#ifndef WEIR_WORKGROUP
#define WEIR_WORKGROUP (gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z)
#endif

const uint WEIR_MAX_SUBGROUPS = WEIR_WORKGROUP / (WEIR_SUBGROUP == 0 ? WEIR_MIN_SUBGROUP : WEIR_SUBGROUP);

uint weir_subgroup_size() {
    return WEIR_SUBGROUP == 0 ? gl_SubgroupSize : WEIR_SUBGROUP;
}

uint weir_subgroup_count() {
    return WEIR_WORKGROUP / weir_subgroup_size();
}

uint weir_lane() {
    return gl_SubgroupInvocationID;
}

// Returns the index in the workgroup, in the order of subgroups and lanes.
uint weir_invocation() {
    return gl_SubgroupID * weir_subgroup_size() + gl_SubgroupInvocationID;
}

// Reconverges the lanes if WEIR_SHUFFLE_BARRIERS is true. Must be called before a shuffle or ballot in a loop, because some drivers need a
// barrier there. It is optional because on lavapipe of Mesa 25 the barrier would wait for other subgroups, which may never arrive.
void weir_await_lanes() {
    if (WEIR_SHUFFLE_BARRIERS) {
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Sets of lanes, as ballots return them. Only the first word is used if subgroups are known to have at most 32 lanes.
const bool WEIR_ONE_WORD = WEIR_SUBGROUP != 0 && WEIR_SUBGROUP <= 32;

uint weir_count_lanes(uvec4 lanes) {
    return WEIR_ONE_WORD ? bitCount(lanes.x) : subgroupBallotBitCount(lanes);
}

uint weir_count_lanes_before(uvec4 lanes) {
    return WEIR_ONE_WORD ? bitCount(lanes.x & gl_SubgroupLtMask.x) : subgroupBallotExclusiveBitCount(lanes);
}

// Returns the value of another lane of the subgroup. Every lane must take part.
//
//     T weir_shuffle(T value, uint from)
//
// It exists for float, int, uint, bool and vectors of them. WEIR_SHUFFLE(T) defines it for another type that subgroupShuffle accepts, such
// as double. WEIR_SHUFFLE_2(T, a, b) defines it for a struct with members a and b, whose types must have it. WEIR_SHUFFLE_1 to
// WEIR_SHUFFLE_8 exist. For other types, define weir_shuffle yourself.
#define WEIR_SHUFFLE(T)                                                                                                          \
    T weir_shuffle(T value, uint from) {                                                                                         \
        weir_await_lanes();                                                                                                      \
        return subgroupShuffle(value, from);                                                                                     \
    }
WEIR_SHUFFLE(float)
WEIR_SHUFFLE(vec2)
WEIR_SHUFFLE(vec3)
WEIR_SHUFFLE(vec4)
WEIR_SHUFFLE(int)
WEIR_SHUFFLE(ivec2)
WEIR_SHUFFLE(ivec3)
WEIR_SHUFFLE(ivec4)
WEIR_SHUFFLE(uint)
WEIR_SHUFFLE(uvec2)
WEIR_SHUFFLE(uvec3)
WEIR_SHUFFLE(uvec4)
WEIR_SHUFFLE(bool)
WEIR_SHUFFLE(bvec2)
WEIR_SHUFFLE(bvec3)
WEIR_SHUFFLE(bvec4)

#define WEIR_SHUFFLE_MEMBER(a) value.a = weir_shuffle(value.a, from);
#define WEIR_SHUFFLE_STRUCT(T, members)                                                                                          \
    T weir_shuffle(T value, uint from) {                                                                                         \
        members return value;                                                                                                    \
    }
#define WEIR_MEMBERS_2(a, b) WEIR_SHUFFLE_MEMBER(a) WEIR_SHUFFLE_MEMBER(b)
#define WEIR_MEMBERS_4(a, b, c, d) WEIR_MEMBERS_2(a, b) WEIR_MEMBERS_2(c, d)
#define WEIR_SHUFFLE_1(T, a) WEIR_SHUFFLE_STRUCT(T, WEIR_SHUFFLE_MEMBER(a))
#define WEIR_SHUFFLE_2(T, a, b) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_2(a, b))
#define WEIR_SHUFFLE_3(T, a, b, c) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_2(a, b) WEIR_SHUFFLE_MEMBER(c))
#define WEIR_SHUFFLE_4(T, a, b, c, d) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_4(a, b, c, d))
#define WEIR_SHUFFLE_5(T, a, b, c, d, e) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_4(a, b, c, d) WEIR_SHUFFLE_MEMBER(e))
#define WEIR_SHUFFLE_6(T, a, b, c, d, e, f) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_4(a, b, c, d) WEIR_MEMBERS_2(e, f))
#define WEIR_SHUFFLE_7(T, a, b, c, d, e, f, g)                                                                                   \
    WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_4(a, b, c, d) WEIR_MEMBERS_2(e, f) WEIR_SHUFFLE_MEMBER(g))
#define WEIR_SHUFFLE_8(T, a, b, c, d, e, f, g, h) WEIR_SHUFFLE_STRUCT(T, WEIR_MEMBERS_4(a, b, c, d) WEIR_MEMBERS_4(e, f, g, h))

#endif
