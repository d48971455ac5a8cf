#pragma once

#include <cstdint>
#include <span>

#include <weir/splats/camera.hpp>

namespace samples::splats {

using namespace weir::splats;

/// A camera at a time.
struct KeyFrame {
    double time = 0;                     ///< seconds
    Camera camera = {};                  ///< pinhole
    std::uint32_t width = 0, height = 0; ///< size of the picture of `camera.intrinsics`, pixels
};

/// Returns the camera of a path at a time, for a picture of this size. Before the first key frame and after the last
/// one, it is the camera of that key frame. Precondition: at least one key frame, with ascending times.
///
/// At a key frame, the camera is that of the key frame, with its intrinsics scaled to the size of the picture. Between
/// key frames, the eye and the components of the unit quaternion are cubic Hermite splines, and the quaternion is
/// normalized. The slope at a key frame is that between its neighbors (Catmull and Rom, "A class of local interpolating
/// splines", 1974). Field of view and intrinsics are linear.
[[nodiscard]] Camera camera_at(std::span<const KeyFrame> keys, double time, std::uint32_t width, std::uint32_t height);

} // namespace samples::splats
