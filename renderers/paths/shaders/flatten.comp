// Computes the lines of all segments and counts the cuts of each.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "line.glsl"
#include "parts.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 4) readonly buffer PartsOfInstances {
    uvec4 parts[];
};
layout(std430, set = 0, binding = 5) readonly buffer Offsets {
    uint offsets[]; // first line of each instance
};
layout(std430, set = 0, binding = 6) readonly buffer Number {
    uint line_count;
};
layout(std430, set = 0, binding = 7) writeonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 8) writeonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};
layout(std430, set = 0, binding = 9) writeonly buffer Cuts {
    uint cut_counts[];
};

uint weir_offset_of(uint instance) {
    return offsets[instance];
}

#include <weir/slot_search.glsl>

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(line_count, capacity)) {
        return;
    }
    const uint instance = weir_item_of_slot(i, 0, items);
    const Parts made = unpacked(parts[instance]);
    const Part part = part_of(made, i - offsets[instance]);
    const Draw draw = draws[instances[instance]];
    const Curve curve = transformed(transform_of(draw), outline_curve(segment_of(draw, instance)));
    const ivec4 line = line_of(point_at(curve, part.first, made.n), point_at(curve, part.end, made.n));
    lines[i] = line;
    line_draws[i] = instances[instance] | (is_aliased(draw) ? 1u << 31 : 0);
    cut_counts[i] = cuts_of(line);
}
