// Data of a picture and of the cloud that the kernel reads.

// Splats are in coordinates of the cloud. So is the camera: its axes contain the transform of the cloud.
layout(push_constant) uniform Push {
    float axes[9]; // right, down, forward
    float eye[3];
    float focal[2];  // pixels per slope (pinhole), unit of length (orthographic) or radian (fisheye)
    float center[2]; // pixel of the optical axis
    float limit[2];  // maximum slopes (pinhole) or maximum angle (fisheye)
    float near_plane, far_plane;
    float radius_scale; // maximum scale of the transform of the cloud
    uint tint[2];       // halfs: factors of red, green, blue and opacity
    float crop_low[3], crop_high[3];
    uint size;        // width and height in pixels, 16 bits each
    uint counts;      // number of splats, 27 bits, and `index_bits`
    uint first_splat; // number of splats of the clouds before this one
};

const uint pinhole = 0, orthographic = 1, fisheye = 2;
layout(constant_id = 0) const uint projection = pinhole;
layout(constant_id = 1) const bool is_antialiased = false;

uvec2 picture_size() {
    return uvec2(size & 0xFFFF, size >> 16);
}

vec3 seen_from_eye(vec3 at) {
    precise const vec3 seen = at - vec3(eye[0], eye[1], eye[2]);
    return seen;
}

// Returns the components to the right, down and forward.
vec3 along_axes(vec3 v) {
    return vec3(dot(vec3(axes[0], axes[1], axes[2]), v), dot(vec3(axes[3], axes[4], axes[5]), v),
                dot(vec3(axes[6], axes[7], axes[8]), v));
}

// Returns the distance along the optical axis. Fisheye: the distance from the eye.
float depth_of(vec3 seen) {
    precise float depth = axes[6] * seen.x + axes[7] * seen.y + axes[8] * seen.z;
    if (projection == fisheye) {
        depth = length(along_axes(seen));
    }
    return depth;
}

bool is_cropped(vec3 place) {
    return any(lessThan(place, vec3(crop_low[0], crop_low[1], crop_low[2]))) ||
           any(greaterThan(place, vec3(crop_high[0], crop_high[1], crop_high[2])));
}

// Returns the derivative of the pinhole projection by depth, relative to that by the other coordinates. It is limited,
// because splats far outside the picture would become streaks.
vec2 slope_at(vec3 at) {
    const vec2 most = vec2(limit[0], limit[1]);
    return clamp(at.xy / at.z, -most, most);
}

// Angle to the optical axis, divided by the distance from it.
float angle_per_distance(vec3 at) {
    const float off_axis = length(at.xy);
    return off_axis < 1e-6 * at.z ? 1.0 / at.z : atan(off_axis, at.z) / off_axis;
}

bool is_beyond_limit(vec3 at) {
    return projection == fisheye && atan(length(at.xy), at.z) > limit[0];
}

// Returns the pixel coordinates of a point.
vec2 project_point(vec3 at) {
    const vec2 focals = vec2(focal[0], focal[1]), middle = vec2(center[0], center[1]);
    if (projection == orthographic) {
        return middle + focals * at.xy;
    }
    if (projection == fisheye) {
        return middle + focals * (angle_per_distance(at) * at.xy);
    }
    return middle + focals * (at.xy / at.z);
}

// Returns the change of the pixel coordinates of the point `at` along `axis`, to first order.
vec2 project_axis(vec3 at, vec3 axis) {
    const vec2 focals = vec2(focal[0], focal[1]);
    if (projection == orthographic) {
        return focals * axis.xy;
    }
    if (projection == fisheye) {
        const float square = dot(at, at), around = angle_per_distance(at);
        const float outward = dot(at.xy, at.xy) == 0.0 ? 0.0 : dot(at.xy, axis.xy) / dot(at.xy, at.xy);
        return focals * (around * (axis.xy - outward * at.xy) + (at.z * outward - axis.z) / square * at.xy);
    }
    return focals / at.z * (axis.xy - slope_at(at) * axis.z);
}

// Returns a bound on the length of project_axis for axes of length 1, by coordinate.
vec2 max_scale(vec3 at) {
    const vec2 focals = vec2(focal[0], focal[1]);
    if (projection == orthographic) {
        return focals;
    }
    if (projection == fisheye) {
        return focals * max(inversesqrt(dot(at, at)), angle_per_distance(at));
    }
    const vec2 slope = slope_at(at);
    return focals / at.z * sqrt(1.0 + slope * slope);
}

// Variance of the filter of a pixel, in pixels^2; no splat is thinner. The larger one is that of the original, the
// smaller one that of Yu et al., "Mip-Splatting" (2024).
float low_pass() {
    return is_antialiased ? 0.1 : 0.3;
}
