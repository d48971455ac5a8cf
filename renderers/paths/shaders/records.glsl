#ifndef WEIR_PATHS_RECORDS_GLSL
#define WEIR_PATHS_RECORDS_GLSL

// Records in buffers; must match <weir/paths/records.hpp>.

const int tile_width = 16, tile_height = 4; // pixels
const int subpixels = 256;                  // units per pixel
const int tile_right = tile_width * subpixels, tile_bottom = tile_height * subpixels;

struct Transform {
    float xx, yx, xy, yy, dx, dy;
};

// Returns the composition, which applies b first.
Transform composed(Transform a, Transform b) {
    precise Transform c;
    c.xx = a.xx * b.xx + a.xy * b.yx;
    c.yx = a.yx * b.xx + a.yy * b.yx;
    c.xy = a.xx * b.xy + a.xy * b.yy;
    c.yy = a.yx * b.xy + a.yy * b.yy;
    c.dx = (a.xx * b.dx + a.xy * b.dy) + a.dx;
    c.dy = (a.yx * b.dx + a.yy * b.dy) + a.dy;
    return c;
}

struct Segment {
    uint first_point;
    uint flags;
    uint next;
};

struct Draw {
    Transform transform;
    uint first_segment;
    uint first_instance;
    uint flags;
    uint paint;
    uint layer;
    uint stroke;
    float color[4];
    float left, top, right, bottom;
};
const uint draw_is_even_odd = 1, draw_is_opaque = 2, draw_has_gradient = 4, draw_is_clip = 8, draw_is_aliased = 64,
           draw_is_effect = 1u << 30, draw_is_hidden = 1u << 31, draw_effect_shift = 22, draw_effect_depth = 0xFFu << draw_effect_shift;
const uint no_draw = ~0u; // draw of an instance that is not in use
const uint cut_is_aliased = 1u << 30;
const uint scene_has_aliased = 1, scene_has_sweeps = 2, scene_has_operators = 4,
           scene_has_blurred_rects = 8, scene_has_external_images = 32;
const uint span_column = 0x7FFu, span_gap_shift = 11, span_gap = 0x7FFu, span_kind = 0x7FC00000u,
           span_of_clip = 1u << 30, span_is_opaque = 1u << 31;

const uint segment_only_fills = 4, segment_begins = 8, segment_ends = 16, segment_first = 32,
           segment_last = 64;

struct Stroke {
    float half_width;
    float miter_limit;
    uint join;
    uint start_cap, end_cap;
    uint is_non_scaling;
    uint first_dash, dashes;
    uint dash_offset;
    float dash_scale;
};
const uint join_miter = 0, join_round = 1, join_bevel = 2, join_miter_clip = 3;
const uint cap_butt = 0, cap_round = 1, cap_square = 2;

const uint spread_pad = 0, spread_reflect = 1, spread_mask = 3, gradient_is_premultiplied = 4,
           blurred_rect_is_inverted = 1;

struct Paint {
    uint kind;
    uint spread;
    uint first_stop, stops;
    float color[4];
    Transform transform;
    float focus_x, focus_y, focal_radius;
    float growth;
};

const uint row_stride = 32; // distance of the counters of rows in words, for parallel atomics

struct Strip {
    uint draw;
    uint first_cut;
    uvec2 before;
    uvec2 after;
};

#endif
