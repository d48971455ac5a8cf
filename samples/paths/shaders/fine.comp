// Draws a tile of the picture: all commands of the tile, in painter's order.
#version 460
#extension GL_GOOGLE_include_directive : require

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

// The first command whose tile is not below.
uint first_command(uint tile, uint count) {
    uint low = 0, high = count;
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (tiles[middle] < tile) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Winding number in one of the rows of pixels.
float winding(uvec2 rows_of_pixels, uint row) {
    const uint pair = row < 2 ? rows_of_pixels.x : rows_of_pixels.y;
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

// How much of the pixel the command covers, before the fill rule.
float sum_of(uint command, vec2 pixel) {
    const uint strip = command >> 1;
    if ((command & 1) != 0) {
        return winding(strips[strip].after, gl_LocalInvocationID.y);
    }
    float sum = winding(strips[strip].before, gl_LocalInvocationID.y);
    const uint end = strips[strip + 1].first_cut;
    for (uint cut = strips[strip].first_cut; cut < end; ++cut) {
        sum += area(cuts[cut], pixel);
    }
    return sum;
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
    for (uint i = first_command(tile, count); i < count && tiles[i] == tile; ++i) {
        const Draw draw = draws[strips[commands[i] >> 1].draw];
#if LAYERS
        if (draw.layer != open_layer && !enter(draw.layer)) {
            continue;
        }
#endif
        const float covered = coverage(sum_of(commands[i], pixel), (draw.flags & draw_is_even_odd) != 0);
#if GRADIENTS
        const vec4 paint = color_at(draw.paint, composed(view, draw.transform), vec2(at) + 0.5) * covered;
#else
        const vec4 paint = plain_color(draw.paint) * covered;
#endif
#if LAYERS
        const uint depth = layers[open_layer].depth;
        colors[depth] = colors[depth] * (1.0 - paint.a) + paint;
#else
        color = color * (1.0 - paint.a) + paint;
#endif
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
