// Projects each splat: computes its visibility, its depth, its position on the picture, and the blocks that it touches.
// Writes the keys of visible splats next to each other, by a look-back.
#version 460
#extension GL_GOOGLE_include_directive : require

#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 256) in;

uint sum(uint a, uint b) {
    return a + b;
}

#define WEIR_TILE_STATES 6
#define WEIR_TILE_T uint
#define WEIR_TILE_WORDS 1
#define WEIR_TILE_COMBINE sum
#define WEIR_TILE_IDENTITY 0
#define WEIR_TILE_REDUCE count_visible
#define WEIR_TILE_EXACT
#include <weir/weir_look_back.glsl>

#include "footprint.glsl"
#include "view.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Places {
    vec4 places[]; // position and radius
};
layout(std430, set = 0, binding = 1) readonly buffer Shapes {
    // Two per splat: scales and half of a quaternion; the other half, color and opacity, factor of harmonics.
    uvec4 shapes[];
};
layout(std430, set = 0, binding = 2) writeonly buffer Keys {
    // Visible splats only. Low word: index and saturated number of pairs. High word: floats beyond the near plane.
    uvec2 keys[];
};
layout(std430, set = 0, binding = 3) writeonly buffer Covers {
    uint covers[]; // visible splats only
};
layout(std430, set = 0, binding = 4) writeonly buffer Projected {
    ProjectedSplat projected[]; // visible splats only
};

layout(std430, set = 0, binding = 5) writeonly buffer Depths {
    uint depths[]; // visible splats only
};
layout(std430, set = 0, binding = 7) readonly buffer VisibleBefore {
    uint visible_before; // number of visible splats of the clouds before this one
};
layout(std430, set = 0, binding = 8) writeonly buffer Visible {
    uint visible; // the same with this cloud
};

layout(constant_id = 2) const uint items = 4; // splats per invocation
layout(constant_id = 3) const bool writes_depths = false;

#if DEGREE > 0
#include "harmonics.glsl"
#endif

// Returns the axes of the splat in space: the rows of its rotation, as columns.
mat3 axes_of(vec4 q) { // w, x, y, z
    return mat3(1.0 - 2.0 * (q.z * q.z + q.w * q.w), 2.0 * (q.y * q.z + q.x * q.w), 2.0 * (q.y * q.w - q.x * q.z),
                2.0 * (q.y * q.z - q.x * q.w), 1.0 - 2.0 * (q.y * q.y + q.w * q.w), 2.0 * (q.z * q.w + q.x * q.y),
                2.0 * (q.y * q.w + q.x * q.z), 2.0 * (q.z * q.w - q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

// Projects an ellipsoid, to first order. Returns the Cholesky factor of its inverse covariance. `compensation`:
// factor of the opacity that makes up for the area that the filter adds.
ProjectedSplat project(vec3 at, vec2 mean, mat3 axes_in_space, vec3 scales, out float compensation) {
    const float added = low_pass();
    vec2 columns[3];
    float variance_x = added, variance_y = added, covariance = 0.0;
    for (int i = 0; i < 3; ++i) {
        columns[i] = project_axis(at, scales[i] * along_axes(axes_in_space[i]));
        variance_x += columns[i].x * columns[i].x;
        variance_y += columns[i].y * columns[i].y;
        covariance += columns[i].x * columns[i].y;
    }
    // The determinant as a sum of squares. As a difference of products it would lose all digits for long thin splats.
    const float of_filter = added * (variance_x + variance_y - added);
    float determinant = of_filter;
    for (int i = 0; i < 3; ++i) {
        const vec2 a = columns[i], b = columns[(i + 1) % 3];
        const float minor = a.x * b.y - b.x * a.y;
        determinant += minor * minor;
    }
    compensation = is_antialiased ? sqrt(max(determinant - of_filter, 0.0) / determinant) : 1.0;
    const float to_powers_of_2 = 0.84932180; // sqrt(log2(e) / 2)
    ProjectedSplat splat;
    splat.mean = mean;
    splat.axis_x = to_powers_of_2 * sqrt(variance_y / determinant);
    splat.axis_xy = splat.axis_x * covariance / variance_y;
    splat.axis_y = to_powers_of_2 * inversesqrt(variance_y);
    return splat;
}

bool is_drawable(ProjectedSplat splat) { // false if an axis overflows or no pixel has an opacity of 1/255
    return reach_of(splat.log2_opacity) > 0.0 && splat.axis_x > 0.0 && splat.axis_y > 0.0 && !isinf(splat.axis_xy) && !isnan(splat.axis_xy);
}

// Returns true if the splat's maximum extent around its projected center does not reach the picture.
bool is_outside(vec3 at, vec2 mean, float radius) {
    const vec2 half_size = 0.5 * vec2(picture_size());
    const float widest_low_pass = low_pass() * 11.1; // at opacity 1
    const vec2 from_center = max_scale(at) * radius;
    const vec2 reach = sqrt(from_center * from_center + widest_low_pass) * 1.001;
    return any(greaterThan(abs(mean - half_size) - reach, half_size));
}

const uvec2 invisible = uvec2(~0u);

// Returns the key of splat i, or `invisible`. `writes`: also writes the splat.
uvec2 project_visible(uint i, bool writes) {
    const vec4 place = places[i];
    const vec3 seen = seen_from_eye(place.xyz);
    const float depth = depth_of(seen);
    vec3 at = along_axes(seen);
    if (projection != fisheye) {
        at.z = depth;
    }
    if (!(depth >= near_plane && depth <= far_plane && place.w >= 0.0) || is_cropped(place.xyz) || is_beyond_limit(at)) {
        return invisible;
    }
    const vec2 mean = project_point(at);
    if (is_outside(at, mean, place.w * radius_scale)) {
        return invisible;
    }
    const uvec4 first = shapes[2 * i], second = shapes[2 * i + 1];
    const vec4 rotation = vec4(unpackSnorm2x16(first.w), unpackSnorm2x16(second.x));
    const vec2 red_green = unpackHalf2x16(second.y), blue_opacity = unpackHalf2x16(second.z);
    const vec4 factors = vec4(unpackHalf2x16(tint[0]), unpackHalf2x16(tint[1]));
    float compensation;
    ProjectedSplat splat = project(at, mean, axes_of(rotation), uintBitsToFloat(first.xyz), compensation);
    splat.log2_opacity = log2(blue_opacity.y * factors.w * compensation);
    const uint cover = is_drawable(splat) ? cover_of(splat, picture_size()) : 0;
    if (cover == 0) {
        return invisible;
    }
    const uint index = first_splat + i, index_bits = counts >> 27;
    const uint beyond = floatBitsToUint(depth) - floatBitsToUint(near_plane);
    const uvec2 blocks = (picture_size() + block - 1) / block;
    const uvec2 key = uvec2(index | min(pairs_of(cover, blocks.x * blocks.y), ~0u >> index_bits) << index_bits, beyond);
    if (!writes) {
        return key;
    }
    vec3 color = 0.28209479 * vec3(red_green, blue_opacity.x) + 0.5;
#if DEGREE > 0
    color += harmonics_of(i, normalize(seen), uintBitsToFloat(second.w));
#endif
    color = max(color, vec3(0.0)) * factors.rgb;
    splat.red_green = packHalf2x16(color.rg);
    splat.blue = packHalf2x16(vec2(color.b, 0.0));
    projected[index] = splat;
    covers[index] = cover;
    if (writes_depths) {
        depths[index] = beyond;
    }
    return key;
}

uint splat_count() {
    return counts & 0x7FFFFFF;
}

// Returns an invocation's i-th splat: lanes have consecutive ones.
uint place_of(uint tile, uint i) {
    return (tile * 256 + weir_invocation() - weir_lane()) * items + i * weir_subgroup_size() + weir_lane();
}

uint count_visible(uint tile) {
    uint count = 0;
    [[dont_unroll]] for (uint i = 0; i < items; ++i) {
        const uint place = place_of(tile, i);
        count += uint(place < splat_count() && project_visible(place, false) != invisible);
    }
    return count;
}

void main() {
    const uint tile_splats = 256 * items, tiles = (splat_count() + tile_splats - 1) / tile_splats;
    const uint tile = weir_claim_tile(tiles);
    uvec2 found[items];
    uint count = 0;
    [[dont_unroll]] for (uint i = 0; i < items; ++i) {
        const uint place = place_of(tile, i);
        const uvec2 key = place < splat_count() ? project_visible(place, true) : invisible;
        count += uint(key != invisible);
        [[unroll]] for (uint j = 0; j < items; ++j) { // makes the index a constant
            found[j] = j == i ? key : found[j];
        }
    }
    const uint own = weir_publish_tile(count);
    const uint before = first_splat == 0 ? 0 : visible_before;
    uint first = before + subgroupBroadcast(weir_look_back(), 0); // place of the subgroup's first key
    [[unroll]] for (uint i = 0; i < items; ++i) {
        const uvec4 visible_lanes = subgroupBallot(found[i] != invisible);
        if (found[i] != invisible) {
            keys[first + subgroupBallotExclusiveBitCount(visible_lanes)] = found[i];
        }
        first += subgroupBallotBitCount(visible_lanes);
    }
    if (tile + 1 == tiles && weir_invocation() == 0) {
        visible = before + weir_tile_prefix() + own;
    }
}
