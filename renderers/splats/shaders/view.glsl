// What the kernels that read splats know of the picture.

layout(push_constant) uniform Push {
    float axes[9]; // right, down, forward
    float eye[3];
    float focal[2]; // pixels
    float limit[2]; // tangents
    uint width, height; // pixels
    float near_plane, far_plane;
    uint splat_count;
    uint index_bits;
};

vec3 seen_from_eye(vec3 at) {
    precise const vec3 seen = at - vec3(eye[0], eye[1], eye[2]);
    return seen;
}

float depth_of(vec3 seen) {
    precise const float depth = axes[6] * seen.x + axes[7] * seen.y + axes[8] * seen.z;
    return depth;
}

// To the right, down and forward.
vec3 along_axes(vec3 v) {
    return vec3(dot(vec3(axes[0], axes[1], axes[2]), v), dot(vec3(axes[3], axes[4], axes[5]), v),
                dot(vec3(axes[6], axes[7], axes[8]), v));
}

// The derivative of the projection by the depth, in parts of that by the other coordinates. Far outside the picture it would make streaks.
vec2 slope_at(vec3 at) {
    const vec2 most = vec2(limit[0], limit[1]);
    return clamp(at.xy / at.z, -most, most);
}

const float low_pass = 0.3; // variance that is added, in pixels^2: no splat is thinner than a pixel
