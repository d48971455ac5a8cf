// Draws one tile of the picture: the strips and gaps of its row of tiles, in painter's order.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require

#include "records.glsl"

// A workgroup draws adjacent tiles of a row. Each invocation of a tile draws a rectangle of pixels. All invocations of
// a subgroup belong to one tile.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint invocation_columns = 16;
layout(constant_id = 2) const uint invocation_rows = 1;
layout(constant_id = 3) const uint least_subgroup = 4;
layout(constant_id = 4) const bool is_lockstep = false; // lanes of a subgroup need no barriers
layout(constant_id = 7) const uint features = 0;        // scene_...
layout(constant_id = 8) const bool has_blue_first = false; // Target::bgra8
layout(constant_id = 9) const bool is_linear = false;      // Target::linear_rgba16f
layout(constant_id = 10) const uint across = 1;            // samples of a pixel along each axis
const uint invocations = gl_WorkGroupSize.x, tile_invocations = invocation_columns * invocation_rows;
const uint pixel_columns = uint(tile_width) / invocation_columns;
const uint pixels = pixel_columns * uint(tile_height) / invocation_rows; // per invocation

// With samples, the pixels of this kernel are the samples of the picture's pixels.
const bool has_samples = across != 1;

// Converts a premultiplied color from sRGB to linear light.
vec4 linear_color(vec4 color) {
    if (color.a == 0.0) {
        return color;
    }
    const vec3 srgb = color.rgb / color.a;
    const vec3 linear = mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), greaterThan(srgb, vec3(0.04045)));
    return vec4(linear * color.a, color.a);
}

#if GRADIENTS
#include "paint.glsl"
#endif
// The layer that is drawn, and the kind and the range of its draws.
#if EFFECTS == 2
uint root_layer, own_kind, first_draw, end_draw;
#else
const uint root_layer = 0, own_kind = 0;
#endif
#if LAYERS
#include "layers.glsl"
#else
vec4 colors[pixels];
#endif

layout(push_constant) uniform Push {
    Transform view;     // from the scene to pixels
    float tolerance;
    float background[4];
    uint scissor[4];    // left, top, right, bottom, in pixels
    uint width, height; // pixels
    uint columns;       // in tiles
    uint capacity;      // in strips
#if EFFECTS == 2
    uint first_op, op_count; // places of the operations of the pass
    uint pass;
#else
    uint margin; // pixels around the picture that only effects see
#endif
};

layout(std430, set = 0, binding = 0) readonly buffer Draws {
    Draw draws[];
};
layout(std430, set = 0, binding = 1) readonly buffer Cuts {
    uvec2 cuts[];
};
layout(std430, set = 0, binding = 2) readonly buffer Strips {
    Strip strips[];
};
layout(std430, set = 0, binding = 3) readonly buffer Rows {
    uvec2 rows[]; // first strip, end of the strips
};
layout(std430, set = 0, binding = 5) readonly buffer Spans {
    uint spans[];
};
#ifndef FORMAT
#define FORMAT rgba8
#endif
#if EFFECTS != 2
layout(set = 0, binding = 4, FORMAT) writeonly uniform image2D picture;
#endif

// Active invocations of the subgroup, which may be larger than the workgroup.
uint lanes = subgroupBallotBitCount(subgroupBallot(true));

const uint ahead = 4; // spans per lane that are loaded before they are examined

// Strips and gaps in the tile, found by each subgroup separately: strip * 2, + 1 for a gap.
const uint most_found = 128;
shared uint found[invocations / least_subgroup * most_found];
uint first_found = gl_SubgroupID * most_found;

// Data of some of them. Each invocation of a subgroup loads one, so that the dependent loads from strip to draw
// overlap. Then all invocations draw them one after the other.
shared uvec4 items[invocations]; // first cut; end of the cuts, and is_even_odd; winding numbers at the left edge
shared vec4 item_colors[invocations];
#if GRADIENTS
shared uvec3 item_paints[invocations]; // draw, flags, layer
#endif
uint first_item = gl_SubgroupID * lanes;
const uint is_even_odd = 1u << 31;

// First pixel of the invocation: in the tile, and in the picture.
uint place = gl_SubgroupID * lanes + gl_SubgroupInvocationID;
uvec2 corner = uvec2(place % invocation_columns * pixel_columns,
                     place / invocation_columns % invocation_rows * (uint(tile_height) / invocation_rows));
#if EFFECTS == 2
uint column, row;
uvec2 at;
#else
uint column = margin / tile_width + gl_WorkGroupID.x * (invocations / tile_invocations) + place / tile_invocations;
uint row = margin / tile_height + gl_WorkGroupID.y;
uvec2 at = uvec2(column, row) * uvec2(tile_width, tile_height) + corner;
#endif
#if EFFECTS == 2
#include "effect_layers.glsl"
#elif EFFECTS
#include "effect_results.glsl"
#endif

void subgroup_barrier() {
    if (!is_lockstep) {
        subgroupMemoryBarrierShared();
        subgroupBarrier();
    }
}

// Returns true if the tile is in the gap of a span that reaches it, rather than the tile of the strip.
bool is_gap_of(uint span) {
    return (span & span_column) != column + 1;
}

// Returns true if a span reaches the tile. `kind`: bits of span_kind.
bool is_reaching(uint span, uint kind) {
    const uint distance = column + 1 - (span & span_column); // wraps if the tile is left of the strip
    return distance <= (span >> span_gap_shift & span_gap) && (span & span_kind) == kind;
}

void look_up(uint item) {
    const uint strip = item >> 1;
    const bool is_gap = (item & 1) != 0;
    const uint draw = strips[strip].draw, first = strips[strip].first_cut;
    const uint end = is_gap ? first : strips[strip + 1].first_cut;
    const uvec2 edge = is_gap ? strips[strip].after : strips[strip].before;
    const uint flags = draws[draw].flags, to = first_item + gl_SubgroupInvocationID;
    items[to] = uvec4(first, end | ((flags & draw_is_even_odd) != 0 ? is_even_odd : 0), edge);
    item_colors[to] = vec4(draws[draw].color[0], draws[draw].color[1], draws[draw].color[2], draws[draw].color[3]);
#if GRADIENTS
    item_paints[to] = uvec3(draw, flags, draws[draw].layer);
#endif
}

// Returns the winding number in one row of pixels.
float winding(uvec2 rows_of_pixels, uint row) {
    const uint pair = row < 2 ? rows_of_pixels.x : rows_of_pixels.y;
    return float(bitfieldExtract(int(pair), int(row % 2) * 16, 16)) * (1.0 / 256.0);
}

// Returns the line of a cut in the tile, in pixels: x at y = 0, x per y, y at its start and at its end.
vec4 line_of(uvec2 cut) {
    const vec2 top = vec2(cut.x & 0x1FFFu, cut.x >> 13 & 0x7FFu) * (1.0 / 256.0);
    const vec2 bottom = vec2(cut.y & 0x1FFFu, cut.y >> 13 & 0x7FFu) * (1.0 / 256.0);
    const float slope = bottom.y > top.y ? (bottom.x - top.x) / (bottom.y - top.y) : 0.0;
    return vec4(top.x - top.y * slope, slope, cut.x >> 31 != 0 ? vec2(bottom.y, top.y) : vec2(top.y, bottom.y));
}

// Returns the integral from 0 to x of 1 - t, with t clamped to 0 to 1.
float integral(float x) {
    const float inside = clamp(x, 0.0, 1.0);
    return min(x, 0.0) + (inside - 0.5 * inside * inside);
}

// Returns the mean of 1 - t between two values, with t clamped to 0 to 1.
float mean(float a, float b) {
    const float low = min(a, b), high = max(a, b), l = clamp(low, 0.0, 1.0), h = clamp(high, 0.0, 1.0);
    const float inside = 1.0 - 0.5 * (l + h);
    return high - low > 1e-4 ? (min(high, 0.0) - min(low, 0.0) + (h - l) * inside) / (high - low) : inside;
}

// Returns the position of a pixel in the invocation's rectangle.
uvec2 pixel_of(uint i) {
    return uvec2(i % pixel_columns, i / pixel_columns);
}

// Adds a line's contribution to the winding numbers of pixels: the signed area of each pixel to the right of it.
void add_areas(vec4 line, inout float sums[pixels]) {
    const float slope = line.y;
    float x0[pixels], x1[pixels], height[pixels]; // x at both ends and height, in the row of the pixel
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
        const vec2 pixel = vec2(corner + pixel_of(i));
        const float y0 = clamp(line.z, pixel.y, pixel.y + 1.0), y1 = clamp(line.w, pixel.y, pixel.y + 1.0);
        x0[i] = line.x - pixel.x + slope * y0;
        x1[i] = line.x - pixel.x + slope * y1;
        height[i] = y1 - y0;
    }
    if (slope == 0.0) { // same branch in all invocations
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            sums[i] += (1.0 - clamp(x0[i], 0.0, 1.0)) * height[i];
        }
    } else if (abs(slope) < 0.25) {
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            sums[i] += mean(x0[i], x1[i]) * height[i];
        }
    } else { // faster, but the factor would be too large for a steep line
        const float factor = 1.0 / slope;
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            sums[i] += (integral(x1[i]) - integral(x0[i])) * factor;
        }
    }
}

float coverage(float sum, bool even_odd) {
    return even_odd ? abs(sum - 2.0 * round(0.5 * sum)) : min(abs(sum), 1.0);
}

// Loads a cut per invocation.
vec4 load_line(uint first, uint end) {
    const uint i = first + gl_SubgroupInvocationID;
    return line_of(i < end ? cuts[i] : uvec2(0));
}

// Computes winding numbers from those at the left edge of the tile and the cuts. `line`: of the first cuts, one per
// invocation.
void add_cuts(uint begin, uint end, uvec2 edge, vec4 line, out float sums[pixels]) {
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
        sums[i] = winding(edge, corner.y + pixel_of(i).y);
    }
    for (uint first = begin; first < end; first += lanes) {
        if (first != begin) {
            line = load_line(first, end);
        }
        const uint n = min(end - first, lanes);
        for (uint lane = 0; lane < n; ++lane) {
            add_areas(subgroupShuffle(line, lane), sums);
        }
    }
}

// Returns x of the points in a row of pixels at which coverage is tested, relative to the left edge. With samples, the
// rows of a pixel differ in x: all its samples have different x, for as many levels of coverage by a vertical edge.
int test_x(uint row) {
    const uint order = across == 4 ? 0x2031u : across == 2 ? 0x01u : 0; // 4 bits per row
    return int(2 * (order >> 4 * (row % across) & 15) + 1) * subpixels / int(2 * across);
}

// Computes winding numbers at a point of each pixel, exactly. A cut counts in the rows whose centers it crosses, for the
// pixels whose points are not left of it.
void add_crossings(uint begin, uint end, uvec2 edge, out float sums[pixels]) {
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
        sums[i] = winding(edge, corner.y + pixel_of(i).y);
    }
    for (uint n = begin; n < end; ++n) {
        const uvec2 cut = cuts[n];
        const ivec2 top = ivec2(cut.x & 0x1FFFu, cut.x >> 13 & 0x7FFu);
        const ivec2 size = ivec2(cut.y & 0x1FFFu, cut.y >> 13 & 0x7FFu) - top;
        const float turn = cut.x >> 31 != 0 ? -1.0 : 1.0;
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            const uvec2 pixel = corner + pixel_of(i);
            const ivec2 point = ivec2(pixel) * subpixels + ivec2(test_x(pixel.y), subpixels / 2) - top;
            const bool is_row = point.y >= 0 && point.y < size.y;
            sums[i] += is_row && point.x * size.y >= point.y * size.x ? turn : 0.0;
        }
    }
}

void add_windings(uint begin, uint end, uvec2 edge, vec4 line, out float sums[pixels]) {
    const bool is_aliased =
        (features & scene_has_aliased) != 0 && begin < end && (cuts[begin].x & cut_is_aliased) != 0;
    if (has_samples || is_aliased) {
        add_crossings(begin, end, edge, sums);
    } else {
        add_cuts(begin, end, edge, line, sums);
    }
}

void draw(uint item, vec4 line) {
    const uvec4 strip = items[item];
    float sums[pixels];
    add_windings(strip.x, strip.y & ~is_even_odd, strip.zw, line, sums);
#if LAYERS
    const uint first_color = layers[open_layer].color_slot * pixels;
#else
    const uint first_color = 0;
#endif
#if EFFECTS
    if ((item_paints[item].y & draw_is_effect) != 0) {
        const uint drawn = item_paints[item].x;
        // The result is transparent outside of its region.
        const bool is_covered = is_parallel(composed(view, draws[drawn].transform));
        for (uint i = 0; i < pixels; ++i) {
            const float covered = is_covered ? 1.0 : coverage(sums[i], (strip.y & is_even_odd) != 0);
            const vec4 paint = result_color(paints[draws[drawn].paint].first_stop, ivec2(at + pixel_of(i))) * covered;
            colors[first_color + i] = colors[first_color + i] * (1.0 - paint.a) + paint;
        }
        return;
    }
#endif
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
        vec4 paint = item_colors[item];
#if GRADIENTS
        if ((item_paints[item].y & draw_has_gradient) != 0) {
            const uint drawn = item_paints[item].x;
            paint = color_at(draws[drawn].paint, composed(view, draws[drawn].transform), vec2(at + pixel_of(i)) + 0.5);
        }
#endif
        paint *= coverage(sums[i], (strip.y & is_even_odd) != 0);
        colors[first_color + i] = colors[first_color + i] * (1.0 - paint.a) + paint;
    }
}

#if LAYERS
#include "clips.glsl"
#endif

void draw_found(uint count) {
    subgroup_barrier();
    for (uint batch = 0; batch < count; batch += lanes) {
        const uint size = min(count - batch, lanes);
        look_up(found[first_found + batch + min(gl_SubgroupInvocationID, size - 1)]);
        subgroup_barrier();
        vec4 next_line = load_line(items[first_item].x, items[first_item].y & ~is_even_odd);
        for (uint i = 0; i < size; ++i) {
            // Load the cuts of the next item while this one is drawn.
            const vec4 line = next_line;
            const uint next = first_item + min(i + 1, size - 1);
            next_line = load_line(items[next].x, items[next].y & ~is_even_odd);
#if LAYERS
            const uint layer = item_paints[first_item + i].z;
            if (layer != open_layer && !enter(layer)) {
                continue;
            }
#endif
            draw(first_item + i, line);
        }
        subgroup_barrier();
    }
}

// Loads the span of a strip per lane, from `first` on. Lanes beyond the end get one that reaches no tile.
uint load_span(uint first, uint end) {
    const uint strip = first + gl_SubgroupInvocationID;
    return strip < end ? spans[strip] : 0;
}

// Appends the items of the tile to `count` others. Examines the span of one strip per lane, from `first` on.
void find(uint span, uint first, inout uint count) {
    const uint strip = first + gl_SubgroupInvocationID;
    bool is_in_tile = is_reaching(span, own_kind);
    if (!subgroupAny(is_in_tile)) {
        return;
    }
    const bool is_gap = is_gap_of(span), hides = is_in_tile && is_gap && (span & span_is_opaque) != 0;
    const uvec4 hiding = subgroupBallot(hides);
    if (hiding != uvec4(0)) { // earlier items are hidden
        is_in_tile = is_in_tile && gl_SubgroupInvocationID >= subgroupBallotFindMSB(hiding);
        count = 0;
    }
    const uvec4 in_tile = subgroupBallot(is_in_tile);
    if (is_in_tile) {
        found[first_found + count + subgroupBallotExclusiveBitCount(in_tile)] = strip << 1 | (is_gap ? 1 : 0);
    }
    count += subgroupBallotBitCount(in_tile);
}

#if EFFECTS != 2
bool is_drawn() {
    const uvec2 tile = at - corner;
    return column < columns && tile.x < scissor[2] && tile.x + tile_width > scissor[0] && tile.y < scissor[3] &&
           tile.y + tile_height > scissor[1];
}

// Stores a pixel of the picture. `first`: its place in this kernel's pixels.
void store(uvec2 first, vec4 color) {
    if (first.x >= scissor[0] && first.x < min(scissor[2], width - margin) && first.y >= scissor[1] &&
        first.y < min(scissor[3], height - margin)) {
        color = is_linear ? linear_color(color) : color;
        imageStore(picture, ivec2((first - margin) / across), has_blue_first ? color.bgra : color);
    }
}

shared vec4 samples[has_samples ? invocations * pixels : 1]; // by tile and row

// Stores the means of the samples of each pixel.
void store_means() {
    const uint tile_pixels = uint(tile_width * tile_height), first_sample = place / tile_invocations * tile_pixels;
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
        const uvec2 sample_at = corner + pixel_of(i);
        samples[first_sample + sample_at.y * tile_width + sample_at.x] = colors[i];
    }
    if (tile_invocations <= least_subgroup) {
        subgroup_barrier();
    } else { // the tile may have several subgroups
        barrier();
    }
    const uint means = is_drawn() ? tile_pixels / (across * across) : 0;
    for (uint i = place % tile_invocations; i < means; i += tile_invocations) {
        const uvec2 first = uvec2(i % (tile_width / across), i / (tile_width / across)) * across;
        vec4 sum = vec4(0.0);
        for (uint y = 0; y < across; ++y) {
            for (uint x = 0; x < across; ++x) {
                sum += samples[first_sample + (first.y + y) * tile_width + first.x + x];
            }
        }
        store(at - corner + first, sum / float(across * across));
    }
}
#endif

void draw_tile() {
#if EFFECTS == 2
    const uint begin = first_strip(first_draw), end = first_strip(end_draw);
#else
    const uint begin = rows[row].x, end = min(rows[row].y, capacity);
#endif
    [[unroll]] for (uint i = 0; i < pixels; ++i) {
#if EFFECTS == 2
        colors[layers[root_layer].color_slot * pixels + i] = vec4(0.0);
#else
        colors[i] = vec4(background[0], background[1], background[2], background[3]);
#endif
    }
    uint next_spans[ahead];
    [[unroll]] for (uint i = 0; i < ahead; ++i) {
        next_spans[i] = load_span(begin + i * lanes, end);
    }
    uint count = 0;
    for (uint first = begin; first < end; first += lanes) {
        const uint span = next_spans[0];
        [[unroll]] for (uint i = 1; i < ahead; ++i) {
            next_spans[i - 1] = next_spans[i];
        }
        next_spans[ahead - 1] = load_span(first + ahead * lanes, end);
        find(span, first, count);
        if (count + lanes > most_found || end - first <= lanes) {
            draw_found(count);
            count = 0;
        }
    }
#if LAYERS
    while (open_layer != root_layer) {
        close();
    }
#endif
}

void main() {
#if EFFECTS == 2
    if (begin_layer()) {
        draw_tile();
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            store(ivec2(at + pixel_of(i)), colors[layers[root_layer].color_slot * pixels + i]);
        }
    }
#else
    if (!has_samples && !is_drawn()) {
        return;
    }
    if (!has_samples || is_drawn()) {
        draw_tile();
    }
    if (has_samples) {
        store_means();
    } else {
        [[unroll]] for (uint i = 0; i < pixels; ++i) {
            store(at + pixel_of(i), colors[i]);
        }
    }
#endif
}
