#pragma once

#include <weir/splats/camera.hpp>

namespace samples::splats {

using namespace weir::splats;

/// Maximum pitch, in radians: just below the poles, where the yaw would be undefined.
inline constexpr float max_pitch = 1.55F;

/// Position and direction of a camera without roll, for movements by a user. Plain data: an orbit turns around
/// `target`, a flight moves `target` with the eye.
struct Viewpoint {
    Vec3 target{};            ///< center of the picture
    float distance = 1;       ///< from the eye to `target`, greater than 0
    float yaw = 0, pitch = 0; ///< radians; positive: to the right and upwards. Pitch: at most `max_pitch`
    Vec3 up{0, 1, 0};         ///< an axis, with a sign
    float field_of_view = 60; ///< vertical, degrees
};

/// Returns a rotation of `v` that turns the y axis to `up`, an axis with a sign.
[[nodiscard]] Vec3 turned_up(const Vec3& v, const Vec3& up);

/// Returns the camera of a viewpoint.
[[nodiscard]] Camera to_camera(const Viewpoint& from);
/// Returns a viewpoint with the eye and direction of a camera, without its roll. `distance`: distance of the target.
[[nodiscard]] Viewpoint viewpoint_of(const Camera& camera, float distance, const Vec3& up);

/// Turns the eye around the target. Positive angles turn the direction of view to the right and upwards.
[[nodiscard]] Viewpoint orbited(Viewpoint from, float yaw, float pitch);
/// Turns the direction of view; the eye stays.
[[nodiscard]] Viewpoint turned(const Viewpoint& from, float yaw, float pitch);
/// Moves eye and target along the axes of the picture, in units of the scene.
[[nodiscard]] Viewpoint panned(Viewpoint from, float right, float down);
/// Moves eye and target to the right, along `up`, and in the direction of view, in units of the scene.
[[nodiscard]] Viewpoint flown(Viewpoint from, float right, float up, float forward);
/// Divides the distance by a factor, within limits; the target stays.
[[nodiscard]] Viewpoint zoomed(Viewpoint from, float factor, float min_distance, float max_distance);

} // namespace samples::splats
