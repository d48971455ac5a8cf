#pragma once

#include <array>
#include <cstdint>

#include "culling/shaders/records.h"

namespace samples::culling {

/// Position and direction of the camera.
struct Camera {
    std::array<float, 3> eye{};
    float yaw = 0, pitch = 0; ///< radians: to the right of the z axis; upwards
    float stops = 0;          ///< exposure compensation: each stop doubles the brightness of the automatic exposure
};

/// Enabled steps of culling.
struct Switches {
    bool frustum = true;   ///< skip instances outside the view
    bool occlusion = true; ///< skip hidden instances
    bool levels = true;    ///< draw far meshes with fewer triangles
    friend bool operator==(const Switches&, const Switches&) = default;
};

/// Number of frames of the path, which is closed.
inline constexpr std::uint32_t path_frames = 600;

/// Returns the camera at a frame of the path, which leads through streets and over roofs.
Camera camera_on_path(double frame);

/// Returns the view of a camera for a picture of `width` x `height` pixels.
View view_of(const Camera& camera, std::uint32_t width, std::uint32_t height, const Switches& switches,
             std::uint32_t instances);

} // namespace samples::culling
