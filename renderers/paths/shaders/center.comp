// Counts the lines that each line of a path becomes: one for a fill; for a stroke, the lines of its outline.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "stroke.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 6) readonly buffer Offsets {
    uint offsets[]; // first line of each instance
};
layout(std430, set = 0, binding = 7) readonly buffer Number {
    uint center_count;
};
layout(std430, set = 0, binding = 8) writeonly buffer PartCounts {
    uint part_counts[];
};
layout(std430, set = 0, binding = 9) writeonly buffer CenterInstances {
    uint center_instances[];
};

uint weir_offset_of(uint instance) {
    return offsets[instance];
}

#include <weir/slot_search.glsl>

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(center_count, capacity)) {
        return;
    }
    const uint instance = weir_item_of_slot(i, 0, items), k = i - offsets[instance];
    center_instances[i] = instance;
    const Draw draw = draws[instances[instance]];
    if (draw.stroke == 0) {
        part_counts[i] = 1;
        return;
    }
    const Stroke stroke = strokes[draw.stroke - 1];
    const Center center = center_of(draw, stroke, instance, k);
#if DASHES
    if (stroke.dashes != 0) {
        const Stroke dashed = with_visible_dashes(stroke, draw);
        part_counts[i] = outline_lines(dashed, center, dashed_line(draw, dashed, center, instance, i, k));
        return;
    }
#endif
    part_counts[i] = piece_lines(stroke, center, whole_of(center));
}
