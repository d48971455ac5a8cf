#include "splats/viewpoint.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace samples::splats {

namespace {

/// Returns the direction of view.
Vec3 forward_of(const Viewpoint& from) {
    const float level = std::cos(from.pitch);
    // With y up and a view along z, the right is -x.
    return turned_up({-level * std::sin(from.yaw), std::sin(from.pitch), level * std::cos(from.yaw)}, from.up);
}

/// Returns this viewpoint with the eye at `eye`.
Viewpoint with_eye(Viewpoint from, const Vec3& eye) {
    from.target = eye + from.distance * forward_of(from);
    return from;
}

} // namespace

Vec3 turned_up(const Vec3& v, const Vec3& up) {
    if (up[0] != 0) {
        return {up[0] * v[1], -up[0] * v[0], v[2]};
    }
    return up[1] != 0 ? Vec3{v[0], up[1] * v[1], up[1] * v[2]} : Vec3{v[0], -up[2] * v[2], up[2] * v[1]};
}

Camera to_camera(const Viewpoint& from) {
    const Vec3 forward = forward_of(from), right = normalized(cross(forward, from.up));
    return {.eye = from.target - from.distance * forward,
            .axes = {right, cross(forward, right), forward},
            .field_of_view = from.field_of_view};
}

Viewpoint viewpoint_of(const Camera& camera, float distance, const Vec3& up) {
    const auto& [right, down, forward] = camera.axes;
    const float sine = std::clamp(dot(forward, up), -1.0F, 1.0F);
    // At a pole, the upper edge of the picture (or the lower one) shows the direction that the yaw is measured in.
    constexpr float pole = 0.9999F;
    const Vec3 heading = std::abs(sine) < pole ? forward : (sine > 0 ? 1.0F : -1.0F) * down;
    Viewpoint made{.distance = distance, .up = up, .field_of_view = camera.field_of_view};
    made.yaw = std::atan2(-dot(heading, turned_up({1, 0, 0}, up)), dot(heading, turned_up({0, 0, 1}, up)));
    made.pitch = std::clamp(std::asin(sine), -max_pitch, max_pitch);
    return with_eye(made, camera.eye);
}

Viewpoint orbited(Viewpoint from, float yaw, float pitch) {
    from.yaw = std::remainder(from.yaw + yaw, 2 * std::numbers::pi_v<float>);
    from.pitch = std::clamp(from.pitch + pitch, -max_pitch, max_pitch);
    return from;
}

Viewpoint turned(const Viewpoint& from, float yaw, float pitch) {
    return with_eye(orbited(from, yaw, pitch), to_camera(from).eye);
}

Viewpoint panned(Viewpoint from, float right, float down) {
    const Camera camera = to_camera(from);
    from.target = from.target + right * camera.axes[0] + down * camera.axes[1];
    return from;
}

Viewpoint flown(Viewpoint from, float right, float up, float forward) {
    const Camera camera = to_camera(from);
    from.target = from.target + right * camera.axes[0] + up * from.up + forward * camera.axes[2];
    return from;
}

Viewpoint zoomed(Viewpoint from, float factor, float min_distance, float max_distance) {
    from.distance = std::clamp(from.distance / factor, min_distance, max_distance);
    return from;
}

} // namespace samples::splats
