// Draws a tile of the picture: all commands of the tile, in painter's order.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "paint.glsl"
#include "records.glsl"
#if LAYERS
#include "layers.glsl"
#endif

layout(local_size_x = 16, local_size_y = 4) in;

layout(push_constant) uniform Push {
    Transform view;     // from the scene to pixels
    float tolerance;
    float background[4];
    uint width, height; // pixels
    uint columns;       // of tiles
    uint capacity;      // commands
};

layout(std430, set = 0, binding = 0) readonly buffer Draws {
    Draw draws[];
};
layout(std430, set = 0, binding = 2) readonly buffer Cuts {
    uvec2 cuts[];
};
layout(std430, set = 0, binding = 3) readonly buffer Strips {
    Strip strips[];
};
layout(std430, set = 0, binding = 4) readonly buffer Tiles {
    uint tiles[]; // of commands, ascending
};
layout(std430, set = 0, binding = 5) readonly buffer Commands {
    uint commands[];
};
layout(std430, set = 0, binding = 6) readonly buffer Number {
    uint command_count;
};
layout(set = 0, binding = 7, rgba8) writeonly uniform image2D picture;

// The first of `count` commands whose tile is not below. The invocations of a subgroup search together.
uint first_command(uint tile, uint count) {
    uint low = 0, end = count; // it is among these, or the end
    while (low < end) {
        // As many parts as invocations, of which the last commands are looked at.
        const uint part = (end - low + gl_SubgroupSize - 1) / gl_SubgroupSize;
        const uint last = low + part * (gl_SubgroupInvocationID + 1) - 1;
        const uint below = subgroupAdd(last < end && tiles[min(last, count - 1)] < tile ? 1 : 0);
        low += below * part;
        end = min(end, low + part - 1); // the last command of this part is not below
    }
    return low;
}

// Winding number in one of the rows of pixels.
float winding(uint first_rows, uint last_rows, uint row) {
    const uint pair = row < 2 ? first_rows : last_rows;
    return float(bitfieldExtract(int(pair), int(row % 2) * 16, 16)) * (1.0 / 256.0);
}

// What a cut adds to the winding number of a pixel: the part of the pixel right of it, signed.
float area(uvec2 cut, vec2 pixel) {
    const vec2 top = vec2(cut.x & 0x1FFFu, cut.x >> 13 & 0x7FFu) * (1.0 / 256.0) - pixel;
    const vec2 bottom = vec2(cut.y & 0x1FFFu, cut.y >> 13 & 0x7FFu) * (1.0 / 256.0) - pixel;
    const float y0 = clamp(top.y, 0.0, 1.0), y1 = clamp(bottom.y, 0.0, 1.0);
    if (y0 >= y1) {
        return 0.0;
    }
    const float slope = (bottom.x - top.x) / (bottom.y - top.y);
    const float xa = top.x + (y0 - top.y) * slope, xb = top.x + (y1 - top.y) * slope;
    const float low = min(xa, xb), high = max(xa, xb);
    // The mean of 1 - x, with x held between 0 and 1.
    const float l = clamp(low, 0.0, 1.0), h = clamp(high, 0.0, 1.0);
    const float covered = high - low > 1e-4 ? (max(0.0, min(high, 0.0) - low) + (h - l) * (1.0 - 0.5 * (l + h))) / (high - low) : 1.0 - 0.5 * (l + h);
    return (cut.x >> 31 != 0 ? -1.0 : 1.0) * covered * (y1 - y0);
}

float coverage(float sum, bool is_even_odd) {
    return is_even_odd ? abs(sum - 2.0 * round(0.5 * sum)) : min(abs(sum), 1.0);
}

// A command with what belongs to it. Each invocation of a subgroup looks up one, so that the ways from a command to its
// strip, its draw and its paint are gone all at once; then all invocations draw one after the other.
struct Drawn {
    uint cuts, end;  // of the strip; none of a gap
    uint w01, w23;   // winding numbers at the left edge of the tile
    uint draw, flags, paint, layer;
    vec4 color;
};

Drawn look_up(uint i) {
    const uint command = commands[i], strip = command >> 1;
    const bool is_gap = (command & 1) != 0;
    const uvec2 edge = is_gap ? strips[strip].after : strips[strip].before;
    Drawn drawn;
    drawn.cuts = strips[strip].first_cut;
    drawn.end = is_gap ? drawn.cuts : strips[strip + 1].first_cut;
    drawn.w01 = edge.x;
    drawn.w23 = edge.y;
    drawn.draw = strips[strip].draw;
    drawn.flags = draws[drawn.draw].flags;
    drawn.paint = draws[drawn.draw].paint;
    drawn.layer = draws[drawn.draw].layer;
    drawn.color = plain_color(drawn.paint);
    return drawn;
}

Drawn of_invocation(Drawn drawn, uint invocation) {
    return Drawn(subgroupShuffle(drawn.cuts, invocation), subgroupShuffle(drawn.end, invocation),
                 subgroupShuffle(drawn.w01, invocation), subgroupShuffle(drawn.w23, invocation),
                 subgroupShuffle(drawn.draw, invocation), subgroupShuffle(drawn.flags, invocation),
                 subgroupShuffle(drawn.paint, invocation), subgroupShuffle(drawn.layer, invocation),
                 subgroupShuffle(drawn.color, invocation));
}

void main() {
    const uint tile = gl_WorkGroupID.y * columns + gl_WorkGroupID.x;
    const vec2 pixel = vec2(gl_LocalInvocationID.xy);
    const uvec2 at = gl_WorkGroupID.xy * uvec2(tile_width, tile_height) + gl_LocalInvocationID.xy;
    const uint count = min(command_count, capacity);
    vec4 color = vec4(background[0], background[1], background[2], background[3]);
#if LAYERS
    colors[0] = color;
#endif
    const uint begin = first_command(tile, count), end = first_command(tile + 1, count);
    for (uint batch = begin; batch < end; batch += gl_SubgroupSize) {
        const Drawn all = look_up(min(batch + gl_SubgroupInvocationID, end - 1));
        const uint size = min(end - batch, gl_SubgroupSize);
        for (uint i = 0; i < size; ++i) {
            const Drawn drawn = of_invocation(all, i);
#if LAYERS
            if (drawn.layer != open_layer && !enter(drawn.layer)) {
                continue;
            }
#endif
            float sum = winding(drawn.w01, drawn.w23, gl_LocalInvocationID.y);
            for (uint cut = drawn.cuts; cut < drawn.end; ++cut) {
                sum += area(cuts[cut], pixel);
            }
            const float covered = coverage(sum, (drawn.flags & draw_is_even_odd) != 0);
#if GRADIENTS
            vec4 paint = drawn.color;
            if (paints[drawn.paint].kind != 0) {
                paint = color_at(drawn.paint, composed(view, draws[drawn.draw].transform), vec2(at) + 0.5);
            }
            paint *= covered;
#else
            const vec4 paint = drawn.color * covered;
#endif
#if LAYERS
            const uint depth = layers[open_layer].depth;
            colors[depth] = colors[depth] * (1.0 - paint.a) + paint;
#else
            color = color * (1.0 - paint.a) + paint;
#endif
        }
    }
#if LAYERS
    while (open_layer != 0) {
        close();
    }
    color = colors[0];
#endif
    if (at.x < width && at.y < height) {
        imageStore(picture, ivec2(at), color);
    }
}
