// Computes the lengths of the lines of dashed strokes, and flags the starts of subpaths.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "stroke.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 6) readonly buffer CenterSlots {
    uint center_slots[]; // items: instances
};
layout(std430, set = 0, binding = 7) writeonly buffer LineSizes {
    uint line_sizes[];
};
layout(std430, set = 0, binding = 8) writeonly buffer Heads {
    uint heads[];
};

#define SLOTS center_slots
#include "slots.glsl"

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(center_slots[0], capacity)) {
        return;
    }
    const uint instance = item_of_slot(i), k = i - weir_offset_of(instance);
    const Draw draw = draws[instances[instance]];
    heads[i] = k == 0 && (segment_of(draw, instance).flags & segment_first) != 0 ? 1 : 0;
    uint size = 0;
    if (draw.stroke != 0) {
        const Stroke stroke = strokes[draw.stroke - 1];
        if (stroke.dashes != 0) {
            const DashLength length =
                length_of(with_visible_dashes(stroke, draw), center_of(draw, stroke, instance, k));
            size = length.patterns * pattern + length.units;
        }
    }
    line_sizes[i] = size;
}
