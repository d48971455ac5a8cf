#pragma once

#include <array>
#include <cstdint>

#include "culling/shaders/records.h"

namespace samples::culling {

/// Where somebody stands and looks.
struct Camera {
    std::array<float, 3> eye{};
    float yaw = 0, pitch = 0; ///< radians: to the right of the z axis, upwards
    float stops = 0; ///< of exposure, beside what the camera finds itself: each makes a picture twice as bright
};

/// Which steps of culling are done.
struct Switches {
    bool frustum = true;   ///< leaves out what is outside the view
    bool occlusion = true; ///< leaves out what is hidden
    bool levels = true;    ///< draws far meshes with fewer triangles
    friend bool operator==(const Switches&, const Switches&) = default;
};

/// Frames of the path, which is closed.
inline constexpr std::uint32_t path_frames = 600;

/// The camera at a frame of a flight through streets and over roofs.
Camera camera_on_path(double frame);

/// What a camera sees in a picture of so many pixels.
View view_of(const Camera& camera, std::uint32_t width, std::uint32_t height, const Switches& switches,
             std::uint32_t instances);

} // namespace samples::culling
