// Counts the lines that each line of a path becomes, and assigns them slots: one for a fill; for a stroke, the lines of
// its outline.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>

#include "stroke.glsl"

layout(std430, set = 0, binding = 6) readonly buffer CenterSlots {
    uint center_slots[]; // items: instances
};
layout(std430, set = 0, binding = 7) writeonly buffer CenterInstances {
    uint center_instances[];
};

#define SLOTS center_slots
#define SLOTS_BINDING 8
#include "assign_slots.glsl"

// Returns the number of lines of path line i, which is that of an instance.
uint outline_lines_of(uint i, uint instance) {
    const Draw draw = draws[instances[instance]];
    if (draw.stroke == 0) {
        return 1;
    }
    const uint k = i - weir_offset_of(instance);
    const Stroke stroke = strokes[draw.stroke - 1];
    const Center center = center_of(draw, stroke, instance, k);
#if DASHES
    if (stroke.dashes != 0) {
        const Stroke dashed = with_visible_dashes(stroke, draw);
        return outline_lines(dashed, center, dashed_line(draw, dashed, center, instance, i, k));
    }
#endif
    return piece_lines(stroke, center, whole_of(center));
}

uint slots_of_item(uint i, bool is_own) {
    const uint instance = item_of_slot(i);
    if (is_own) {
        center_instances[i] = instance;
    }
    return outline_lines_of(i, instance);
}

void main() {
    assign_slots(min(center_slots[0], capacity));
}
