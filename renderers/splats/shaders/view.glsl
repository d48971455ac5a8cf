// Data of the picture for the kernels that read splats.

layout(push_constant) uniform Push {
    float axes[9]; // right, down, forward
    float eye[3];
    float focal[2]; // pixels
    float limit[2]; // slopes (tangents)
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

// Returns the components to the right, down and forward.
vec3 along_axes(vec3 v) {
    return vec3(dot(vec3(axes[0], axes[1], axes[2]), v), dot(vec3(axes[3], axes[4], axes[5]), v),
                dot(vec3(axes[6], axes[7], axes[8]), v));
}

// Returns the derivative of the projection by depth, relative to that by the other coordinates. It is limited, because
// splats far outside the picture would become streaks.
vec2 slope_at(vec3 at) {
    const vec2 most = vec2(limit[0], limit[1]);
    return clamp(at.xy / at.z, -most, most);
}

const float low_pass = 0.3; // added variance, in pixels^2; no splat is thinner than a pixel
