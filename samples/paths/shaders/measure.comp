// How many lines each segment of each draw becomes; of a stroke, its path.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "dispatch.glsl"

#include "curve.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 4) writeonly buffer Counts {
    uint counts[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Strips {
    uint strip_count; // of the scan of cuts, which is not run where there is none
};
layout(std430, set = 0, binding = 6) writeonly buffer Rows {
    uvec2 rows[]; // likewise: those without cuts have no strips
};
#if STROKES
layout(std430, set = 0, binding = 7) readonly buffer Strokes {
    Stroke strokes[];
};
#endif

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i == 0) {
        strip_count = 0;
    }
    for (uint row = i; row < (height + tile_height - 1) / tile_height; row += weir_workgroup_count() * 256) {
        rows[row] = uvec2(0);
    }
    if (i >= capacity) {
        return;
    }
    const Draw draw = draws[instances[i]];
    const Segment segment = segment_of(draw, i);
    const Transform m = transform_of(draw);
    const Curve curve = transformed(m, outline_curve(segment));
    float margin = 0.0;
#if STROKES
    if (draw.stroke != 0) {
        const Stroke stroke = strokes[draw.stroke - 1];
        if ((segment.flags & segment_only_fills) != 0) {
            counts[i] = 0;
            return;
        }
        if (stroke.dashes != 0) { // all lengths count
            counts[i] = lines_of(curve);
            return;
        }
        margin = reach_of(stroke, scale_of(m));
    }
#endif
    counts[i] = !is_seen(curve, margin) ? 0 : is_left(curve, margin) ? 1 : lines_of(curve);
}
