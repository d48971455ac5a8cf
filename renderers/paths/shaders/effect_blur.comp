// Blurs pictures along one axis. An invocation computes a run of pixels of a row or a column.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "effect_pass.glsl"

layout(local_size_x = 64) in;

const int run = 64; // pixels

// A row or a column of pixels in two pictures of an effect.
int size;             // pixels
ivec2 in_bounds;      // pixels of the result that are not transparent
uint from, to, step_; // first pixel in either picture, and distance to the next one

uvec4 texel(int i) {
    const uvec2 packed_texel = pixels[from + uint(i) * step_];
    return uvec4(packed_texel.x & 0xFFFFu, packed_texel.x >> 16, packed_texel.y & 0xFFFFu, packed_texel.y >> 16);
}

void set_texel(int i, uvec4 color) {
    const bool is_visible = i >= in_bounds.x && i < in_bounds.y;
    pixels[to + uint(i) * step_] = is_visible ? uvec2(color.x | color.y << 16, color.z | color.w << 16) : uvec2(0);
}

// Writes the means of pixels from a box around each pixel. Three boxes together are nearly a Gaussian. Sums of integers
// are exact.
void blur_by_box(float deviation, uint stage, int first, int end) {
    precise const float box_size = floor(deviation * 1.8799712 + 0.5); // 3 sqrt(2 pi) / 4
    const int d = int(min(box_size, 65535.0)), is_even = 1 - d % 2;
    const int low = -(d / 2) + (stage == 1 ? is_even : 0), high = d / 2 - (stage == 0 ? is_even : 0);
    const uint count = uint(high - low + 1);
    uvec4 sum = uvec4(0);
    for (int i = max(0, first + low); i <= min(size - 1, first + high); ++i) {
        sum += texel(i);
    }
    for (int i = first; i < end; ++i) {
        set_texel(i, (sum + count / 2) / count);
        if (i + low >= 0 && i + low < size) {
            sum -= texel(i + low);
        }
        if (i + high + 1 >= 0 && i + high + 1 < size) {
            sum += texel(i + high + 1);
        }
    }
}

void blur_by_weights(float deviation, int first, int end) {
    const int radius = min(int(ceil(3.0 * deviation)), 6);
    float weights[7];
    float total = 0.0;
    for (int i = 0; i <= radius; ++i) {
        const float distance = float(i) / deviation;
        weights[i] = exp(-0.5 * distance * distance);
        total += weights[i] * (i == 0 ? 1.0 : 2.0);
    }
    for (int i = first; i < end; ++i) {
        vec4 sum = vec4(0.0);
        for (int k = max(0, i - radius); k <= min(size - 1, i + radius); ++k) {
            sum += weights[abs(k - i)] * vec4(texel(k));
        }
        set_texel(i, uvec4(sum / total + 0.5));
    }
}

void main() {
    const uint group = weir_workgroup_index();
    if (group >= groups[pass].w) {
        return;
    }
    const uint at = place_of_group(group);
    const Op op = ops[places[at].op];
    const PlacedEffect effect = effects[op.effect];
    const ivec4 visible = places[at].bounds;
    const uint axis = op.mode & 1, stage = op.mode >> 1;
    const int width = effect.bounds.z - effect.bounds.x, height = effect.bounds.w - effect.bounds.y;
    const uint index = (group - places[at].first_group) * 64 + gl_LocalInvocationIndex;
    const int lines = axis == 0 ? height : width;
    size = axis == 0 ? width : height;
    const int line = int(index % uint(lines)), first = int(index / uint(lines)) * run, end = min(first + run, size);
    if (first >= size) {
        return;
    }
    step_ = axis == 0 ? 1 : uint(width);
    const uint start = axis == 0 ? uint(line * width) : uint(line);
    from = effect.first + op.inputs[0] * effect.area + start;
    to = effect.first + op.to * effect.area + start;
    // Position of the line along the other axis.
    const int other = line + (axis == 0 ? effect.bounds.y : effect.bounds.x);
    const bool is_visible = axis == 0 ? other >= visible.y && other < visible.w : other >= visible.x && other < visible.z;
    in_bounds = !is_visible ? ivec2(0) : axis == 0 ? visible.xz - effect.bounds.x : visible.yw - effect.bounds.y;
    const float deviation = axis == 0 ? places[at].lengths.x : places[at].lengths.y;
    if (is_visible && deviation >= 2.0) {
        blur_by_box(deviation, stage, first, end);
    } else if (is_visible && stage == 0 && deviation > 0.0) {
        blur_by_weights(deviation, first, end);
    } else {
        for (int i = first; i < end; ++i) {
            set_texel(i, texel(i));
        }
    }
}
