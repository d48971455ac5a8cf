// Assigns slots by counts from a buffer, with renderers/paths/shaders/assign_slots.glsl. Each slot's item is computed by
// slots_of_items.comp.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint count;    // items
    uint items;    // not used
    uint capacity; // maximum number of items
#ifdef INSTRUMENTED
    uint fault_one_in, fault_kind, fault_seed, tile_order, is_counted;
#endif
};
#define INSTRUMENT_BINDING 5

layout(std430, set = 0, binding = 0) readonly buffer Counts {
    uint counts[];
};

layout(std430, set = 0, binding = 4) writeonly buffer Owned {
    uint owned[]; // copies of the counts
};

#define SLOTS_BINDING 1
#include "../../renderers/paths/shaders/assign_slots.glsl"

uint slots_of_item(uint item, bool is_own) {
    if (is_own) {
        owned[item] = counts[item];
    }
    return counts[item];
}

void main() {
    assign_slots(count);
}
