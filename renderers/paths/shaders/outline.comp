// Computes the lines of fills and of the outlines of strokes, counts the cuts of each, and assigns them slots.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>

#include "line.glsl"
#include "stroke.glsl"

layout(std430, set = 0, binding = 6) readonly buffer CenterSlots {
    uint center_slots[]; // items: instances; slots: their lines before strokes are outlined
};
layout(std430, set = 0, binding = 7) readonly buffer CenterInstances {
    uint center_instances[];
};
layout(std430, set = 0, binding = 8) readonly buffer LineSlots {
    uint line_slots[]; // items: path lines
};
layout(std430, set = 0, binding = 9) writeonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 10) writeonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};

#define SLOTS line_slots
#define SLOTS_BINDING 11
#include "assign_slots.glsl"

// Returns line i, and sets its draw as in line_draws.
ivec4 line_of_slot(uint i, out uint line_draw) {
    const uint center = item_of_slot(i), part = i - weir_offset_of(center);
    const uint instance = center_instances[center], k = center - center_slots[1 + instance];
    const Draw draw = draws[instances[instance]];
    line_draw = instances[instance] | (is_aliased(draw) ? 1u << 31 : 0);
    vec2 a, b;
    if (draw.stroke == 0) {
        const Transform m = transform_of(draw);
        const Curve curve = transformed(m, outline_curve(segment_of(draw, instance)));
        const Parts made = unpacked(parts[instance]);
        const Part of_curve = part_of(made, k);
        a = point_at(curve, of_curve.first, made.n);
        b = point_at(curve, of_curve.end, made.n);
    } else {
        const Stroke stroke = strokes[draw.stroke - 1];
        const Center path_line = center_of(draw, stroke, instance, k);
        vec4 line;
#if DASHES
        if (stroke.dashes != 0) {
            const Stroke dashed = with_visible_dashes(stroke, draw);
            line = outline_line(dashed, path_line, dashed_line(draw, dashed, path_line, instance, center, k), part);
        } else
#endif
        {
            line = piece_line(stroke, path_line, whole_of(path_line), part);
        }
        const Transform m = stroke_transform(draw, stroke);
        a = transformed(m, line.xy);
        b = transformed(m, line.zw);
    }
    return line_of(a, b);
}

#include "write_lines.glsl"
