// Computes the lines of all segments, counts the cuts of each, and assigns them slots.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>

#include "line.glsl"
#include "parts.glsl"

layout(std430, set = 0, binding = 4) readonly buffer PartsOfInstances {
    uvec4 parts[];
};
layout(std430, set = 0, binding = 5) readonly buffer LineSlots {
    uint line_slots[]; // items: instances
};
layout(std430, set = 0, binding = 6) writeonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 7) writeonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};

#define SLOTS line_slots
#define SLOTS_BINDING 8
#include "assign_slots.glsl"

// Returns line i, and sets its draw as in line_draws.
ivec4 line_of_slot(uint i, out uint line_draw) {
    const uint instance = item_of_slot(i);
    const Parts made = unpacked(parts[instance]);
    const Part part = part_of(made, i - weir_offset_of(instance));
    const Draw draw = draws[instances[instance]];
    const Curve curve = transformed(transform_of(draw), outline_curve(segment_of(draw, instance)));
    line_draw = instances[instance] | (is_aliased(draw) ? 1u << 31 : 0);
    return line_of(point_at(curve, part.first, made.n), point_at(curve, part.end, made.n));
}

#include "write_lines.glsl"
