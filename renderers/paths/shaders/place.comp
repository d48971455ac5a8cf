// Computes the pixels of effects and of their operations, and the workgroups of each pass. One workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "effects.glsl"
#include "numbers.glsl"

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    Transform view;     // from the scene to pixels
    float tolerance;
    float background[4];
    uint scissor[4];
    uint width, height; // pixels
    uint effect_count, op_count, capacity; // capacity: in tiles of pictures
    uint tiles_per_group; // adjacent tiles that a workgroup draws
    uint across;          // samples of a pixel along each axis
};

layout(std430, set = 0, binding = 0) readonly buffer Effects {
    Effect effects[];
};
layout(std430, set = 0, binding = 1) readonly buffer Ops {
    Op ops[];
};
layout(std430, set = 0, binding = 2) readonly buffer Passes {
    uvec2 passes[]; // first operation, number of operations
};
layout(std430, set = 0, binding = 3) coherent buffer PlacedEffects {
    PlacedEffect placed_effects[];
};
layout(std430, set = 0, binding = 4) coherent buffer Places {
    PlacedOp places[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Groups {
    uvec4 groups[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Needed {
    uint needed;
};

shared uint sizes[256], pass_of[256];
shared uint sum, pass_now;

const float farthest = 2097152.0; // see curve.glsl

float bounded(float x) {
    return x > -farthest ? (x < farthest ? x : farthest) : -farthest;
}

vec2 transformed(Transform m, float x, float y) {
    precise const float u = (m.xx * x + m.xy * y) + m.dx, v = (m.yx * x + m.yy * y) + m.dy;
    return vec2(bounded(u), bounded(v));
}

float hypotenuse(float x, float y) {
    precise const float square = x * x + y * y;
    precise const float root = square * inverse_root(square);
    return square > 1e-30 ? root : 0.0;
}

// Returns the pixels of the picture that a rectangle touches by more than the rounding of its edges.
ivec4 pixels_in(Transform m, float region[4]) {
    if (!(region[2] > region[0] && region[3] > region[1])) {
        return ivec4(0);
    }
    const vec2 a = transformed(m, region[0], region[1]), b = transformed(m, region[2], region[1]);
    const vec2 c = transformed(m, region[0], region[3]), d = transformed(m, region[2], region[3]);
    const float slack = 1.0 / 256.0;
    precise const vec2 low = floor(min(min(a, b), min(c, d)) + slack);
    precise const vec2 high = ceil(max(max(a, b), max(c, d)) - slack);
    const vec2 size = vec2(width, height);
    return ivec4(clamp(low, vec2(0.0), size), clamp(high, vec2(0.0), size));
}

ivec4 region_of(Effect effect, Transform m) {
    return pixels_in(m, float[4](effect.left, effect.top, effect.right, effect.bottom));
}

bool is_empty(ivec4 bounds) {
    return bounds.x >= bounds.z || bounds.y >= bounds.w;
}

uint saturated(uint a, uint b) {
    return a + b < a ? ~0u : a + b;
}

// Replaces `sizes` by the sums of those before them, from `sum` on. Each pass begins at 0.
void sum_up(uint count) {
    for (uint i = 0; i < count; ++i) {
        if (pass_of[i] != pass_now) {
            if (pass_now != ~0u) {
                groups[pass_now] = uvec4(min(sum, 65535u), (sum + 65534u) / 65535u, 1, sum);
            }
            pass_now = pass_of[i];
            sum = 0;
        }
        const uint size = sizes[i];
        sizes[i] = sum;
        sum = saturated(sum, size);
    }
}

void place_effect(uint i) {
    const Effect effect = effects[i];
    const Transform m = composed(view, effect.transform);
    const ivec4 r = region_of(effect, m), tile = ivec4(tile_width, tile_height, tile_width, tile_height);
    const ivec4 bounds = is_empty(r) ? ivec4(0) : (r + ivec4(0, 0, tile_width - 1, tile_height - 1)) / tile * tile;
    const ivec2 tiles = (bounds.zw - bounds.xy) / tile.xy;
    placed_effects[i].bounds = bounds;
    placed_effects[i].area = uint(tiles.x * tiles.y) * 64;
}

uint tiles_of(uint i) {
    const uint tiles = placed_effects[i].area / 64, pictures = effects[i].pictures;
    return tiles != 0 && pictures > ~0u / tiles ? ~0u : tiles * pictures;
}

uint groups_of(Op op) {
    const ivec4 bounds = placed_effects[op.effect].bounds;
    const uint across = uint(bounds.z - bounds.x), down = uint(bounds.w - bounds.y);
    if (op.kind == op_draw) {
        return (across / uint(tile_width) + tiles_per_group - 1) / tiles_per_group * (down / uint(tile_height));
    }
    if (op.kind == op_blur) {
        const uint runs = (op.mode & 1) == 0 ? (across + 63) / 64 * down : (down + 63) / 64 * across;
        return (runs + 63) / 64;
    }
    return across * down / 64;
}

void place_op(uint i, uint at) {
    const Op op = ops[i];
    const Effect effect = effects[op.effect];
    const Transform m = composed(view, effect.transform);
    const ivec4 all = region_of(effect, m), own = pixels_in(m, op.region);
    places[at].bounds = ivec4(max(all.xy, own.xy), min(all.zw, own.zw));
    places[at].from = pixels_in(m, op.from);
    if (op.kind == op_offset) {
        precise const float x = floor((m.xx * op.x + m.xy * op.y) + 0.5), y = floor((m.yx * op.x + m.yy * op.y) + 0.5);
        places[at].lengths = vec2(x, y);
    } else {
        precise const float xx = m.xx * op.x, xy = m.xy * op.y, yx = m.yx * op.x, yy = m.yy * op.y;
        places[at].lengths = vec2(hypotenuse(xx, xy), hypotenuse(yx, yy));
    }
    places[at].effect = op.effect;
    places[at].across = int(across);
}

void main() {
    const uint lane = gl_LocalInvocationIndex;
    if (lane == 0) {
        sum = 0;
        pass_now = ~0u;
    }
    pass_of[lane] = ~0u;
    for (uint first = 0; first < effect_count; first += 256) {
        const uint i = first + lane;
        if (i < effect_count) {
            place_effect(i);
            sizes[lane] = tiles_of(i);
        }
        barrier();
        if (lane == 0) {
            sum_up(min(256u, effect_count - first));
        }
        barrier();
        if (i < effect_count) {
            const uint end = saturated(sizes[lane], tiles_of(i));
            if (end > capacity) { // does not fit: without pixels
                placed_effects[i].bounds = ivec4(0);
                placed_effects[i].area = 0;
            }
            placed_effects[i].first = sizes[lane] * 64;
            placed_effects[i].result = sizes[lane] * 64 + effects[i].result * placed_effects[i].area;
        }
        barrier();
    }
    for (uint i = lane; i < op_count; i += 256) {
        places[passes[ops[i].pass].x + ops[i].rank].op = i;
    }
    memoryBarrierBuffer();
    barrier();
    if (lane == 0) {
        needed = sum;
        sum = 0;
    }
    for (uint first = 0; first < op_count; first += 256) {
        const uint at = first + lane;
        if (at < op_count) {
            const uint i = places[at].op;
            place_op(i, at);
            sizes[lane] = groups_of(ops[i]);
            pass_of[lane] = ops[i].pass;
        }
        barrier();
        if (lane == 0) {
            sum_up(min(256u, op_count - first));
        }
        barrier();
        if (at < op_count) {
            places[at].first_group = sizes[lane];
        }
        barrier();
    }
    if (lane == 0 && pass_now != ~0u) {
        groups[pass_now] = uvec4(min(sum, 65535u), (sum + 65534u) / 65535u, 1, sum);
    }
}
