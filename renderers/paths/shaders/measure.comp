// Counts the lines of each segment of each draw, and assigns them slots; for a stroke, those of its path.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;

#include <weir/dispatch.glsl>

#include "parts.glsl"

#define SLOTS_BINDING 8
#include "assign_slots.glsl"

layout(std430, set = 0, binding = 4) writeonly buffer PartsOfInstances {
    uvec4 parts[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Strips {
    uint strip_count; // cleared for a later pass, as the next two
};
layout(std430, set = 0, binding = 6) writeonly buffer RowCuts {
    uint row_cuts[];
};
layout(std430, set = 0, binding = 7) writeonly buffer LongestRow {
    uint longest_row;
};
#if STROKES
layout(std430, set = 0, binding = 11) readonly buffer Strokes {
    Stroke strokes[];
};
#endif

Parts parts_of_instance(uint i) {
    const Parts none = whole(0);
    if (instances[i] == no_draw) {
        return none;
    }
    const Draw draw = draws[instances[i]];
    if ((draw.flags & draw_is_hidden) != 0) {
        return none;
    }
    const Transform m = transform_of(draw);
    float margin = 0.0;
    float radius = 0.0;
    bool is_dashed = false;
    const Segment segment = segment_of(draw, i);
#if STROKES
    if (draw.stroke != 0) {
        const Stroke stroke = strokes[draw.stroke - 1];
        const float scale = scale_of(stroke_transform(draw, stroke));
        margin = reach_of(stroke, scale);
        precise const float in_pixels = stroke.half_width * scale;
        radius = in_pixels;
        is_dashed = stroke.dashes != 0;
        if ((segment.flags & segment_only_fills) != 0) {
            return none;
        }
    }
#endif
    if (!is_drawn(draw, m, margin)) {
        return none;
    }
    const Curve curve = transformed(m, outline_curve(segment));
    if (is_dashed) { // hidden lines count, because dashes depend on all lengths
        return stroke_lines(curve, radius);
    }
    if (!is_seen(curve, margin)) {
        return none;
    }
    return is_left(curve, margin) ? whole(1) : parts_of(curve, stroke_lines(curve, radius), margin);
}

uint slots_of_item(uint instance, bool is_own) {
    const Parts made = parts_of_instance(instance);
    if (is_own) {
        parts[instance] = packed(made);
    }
    return made.count;
}

void main() {
    const uint i = weir_workgroup_index() * 256 + weir_invocation();
    if (i == 0) {
        strip_count = 0;
        longest_row = 0;
    }
    for (uint row = i; row <= (height + tile_height - 1) / tile_height; row += weir_workgroup_count() * 256) {
        row_cuts[row * row_stride] = 0;
    }
    assign_slots(capacity);
}
