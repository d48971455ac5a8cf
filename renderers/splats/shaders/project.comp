// Projects each splat: computes its visibility, its depth, its position on the picture, and the blocks that it touches.
#version 460
#extension GL_GOOGLE_include_directive : require

#include <weir/dispatch.glsl>

#include "footprint.glsl"
#include "view.glsl"

layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 0) readonly buffer Places {
    vec4 places[]; // position and radius
};
layout(std430, set = 0, binding = 1) readonly buffer Shapes {
    uvec4 shapes[]; // two per splat: scales and half of a quaternion; the other half, color and opacity
};
layout(std430, set = 0, binding = 2) writeonly buffer Depths {
    // Low word: index and saturated number of pairs. High word: floats beyond the near plane, or ~0 if not visible.
    uvec2 depths[];
};
layout(std430, set = 0, binding = 3) writeonly buffer Covers {
    uint covers[]; // visible splats only
};
layout(std430, set = 0, binding = 4) writeonly buffer Projected {
    ProjectedSplat projected[]; // visible splats only
};

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

// Projects splat i and returns its depth key.
uvec2 project_visible(uint i, uint index_bits) {
    const uvec2 invisible = uvec2(~0u);
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
    vec3 color = 0.28209479 * vec3(red_green, blue_opacity.x) + 0.5;
#if DEGREE > 0
    color += harmonics_of(i, normalize(seen));
#endif
    color = max(color, vec3(0.0)) * factors.rgb;
    splat.red_green = packHalf2x16(color.rg);
    splat.blue = packHalf2x16(vec2(color.b, 0.0));
    const uint index = first_splat + i;
    projected[index] = splat;
    covers[index] = cover;
    const uvec2 blocks = (picture_size() + block - 1) / block;
    return uvec2(index | min(pairs_of(cover, blocks.x * blocks.y), ~0u >> index_bits) << index_bits,
                 floatBitsToUint(depth) - floatBitsToUint(near_plane));
}

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    if (i < (counts & 0x7FFFFFF)) {
        depths[first_splat + i] = project_visible(i, counts >> 27);
    }
}
