#ifndef WEIR_PATHS_EFFECT_PASS_GLSL
#define WEIR_PATHS_EFFECT_PASS_GLSL

// Code shared by kernels that compute the operations of a pass of effects. Each operation has some workgroups.

#include <weir/dispatch.glsl>

#include "effects.glsl"

layout(push_constant) uniform Push {
    Transform view; // from the scene to pixels
    float tolerance;
    float background[4];
    uint scissor[4];
    uint first_op, op_count; // places of the operations of the pass
    uint pass;
};

layout(std430, set = 0, binding = 0) readonly buffer Ops {
    Op ops[];
};
layout(std430, set = 0, binding = 2) readonly buffer Effects {
    PlacedEffect effects[];
};
layout(std430, set = 0, binding = 3) readonly buffer Places {
    PlacedOp places[];
};
layout(std430, set = 0, binding = 4) readonly buffer Groups {
    uvec4 groups[]; // arguments of the dispatches, and the number of workgroups that have work
};
layout(std430, set = 0, binding = 5) buffer Pictures {
    uvec2 pixels[];
};

#include "group_place.glsl"

#endif
