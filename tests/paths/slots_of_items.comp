// Writes the item of each slot, by renderers/paths/shaders/slots.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>

layout(push_constant) uniform Push {
    uint items;    // maximum number of items
    uint capacity; // maximum number of slots
};

layout(std430, set = 0, binding = 0) readonly buffer Slots {
    uint slots[];
};
layout(std430, set = 0, binding = 1) writeonly buffer Owners {
    uint owners[];
};

#define SLOTS slots
#include "../../renderers/paths/shaders/slots.glsl"

void main() {
    const uint slot = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (slot < min(slots[0], capacity)) {
        owners[slot] = item_of_slot(slot);
    }
}
