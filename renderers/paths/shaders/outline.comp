// Computes the lines of fills and of the outlines of strokes, and counts the cuts of each.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "line.glsl"
#include "stroke.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 6) readonly buffer CenterOffsets {
    uint center_offsets[]; // first line of each instance, before strokes are outlined
};
layout(std430, set = 0, binding = 7) readonly buffer CenterInstances {
    uint center_instances[];
};
layout(std430, set = 0, binding = 8) readonly buffer Offsets {
    uint offsets[]; // first outline line of each path line
};
layout(std430, set = 0, binding = 9) readonly buffer CenterNumber {
    uint center_count;
};
layout(std430, set = 0, binding = 10) readonly buffer Number {
    uint line_count;
};
layout(std430, set = 0, binding = 11) writeonly buffer Lines {
    ivec4 lines[];
};
layout(std430, set = 0, binding = 12) writeonly buffer LineDraws {
    uint line_draws[]; // bit 31: the draw is not anti-aliased
};
layout(std430, set = 0, binding = 13) writeonly buffer Cuts {
    uint cut_counts[];
};

uint weir_offset_of(uint center) {
    return offsets[center];
}

#include <weir/slot_search.glsl>

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i >= min(line_count, capacity)) {
        return;
    }
    const uint center = weir_item_of_slot(i, 0, min(center_count, items)), part = i - offsets[center];
    const uint instance = center_instances[center], k = center - center_offsets[instance];
    const Draw draw = draws[instances[instance]];
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
    const ivec4 line = line_of(a, b);
    lines[i] = line;
    line_draws[i] = instances[instance] | (is_aliased(draw) ? 1u << 31 : 0);
    cut_counts[i] = cuts_of(line);
}
