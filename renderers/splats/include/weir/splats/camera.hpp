#pragma once

#include <array>
#include <cstdint>

#include <weir/splats/cloud.hpp>

namespace weir::splats {

/// Pinhole camera.
struct Camera {
    Vec3 eye{};
    std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; ///< unit vectors: right, down, forward
    float field_of_view = 60;                                    ///< vertical, degrees
};

/// Returns a camera at `eye` that looks at `target`, with y up if possible. The points must differ.
Camera look_at(const Vec3& eye, const Vec3& target, float field_of_view = 60);

/// Returns a camera on a circle around the cloud of `make_cloud`, looking at its center. `turn` is the fraction of the
/// circle.
Camera circling(double turn);

/// Camera of a picture of known size, as push constants of the kernels.
struct CameraData {
    std::array<Vec3, 3> axes;
    Vec3 eye{};
    std::array<float, 2> focal{}; ///< pixels
    std::array<float, 2> limit{}; ///< maximum |x / z| and |y / z| at which the projection is linearized
};
static_assert(sizeof(CameraData) == 64);

CameraData data_of(const Camera& camera, std::uint32_t width, std::uint32_t height);

} // namespace weir::splats
