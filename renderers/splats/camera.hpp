#pragma once

#include <array>
#include <cstdint>

#include "splats/cloud.hpp"

namespace samples::splats {

/// Where a picture is seen from.
struct Camera {
    Vec3 eye{};
    std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; ///< unit vectors: right, down, forward
    float field_of_view = 60;                                    ///< vertical, degrees
};

/// A camera that looks at a point, with y up as far as possible. The points must not be the same.
Camera look_at(const Vec3& eye, const Vec3& target, float field_of_view = 60);

/// A camera that circles the cloud of `make_cloud`, and looks at its middle. `turn`: 0 to 1 is once around it.
Camera circling(double turn);

/// What differs between two pictures of a cloud: push constants of the kernels.
struct CameraData {
    std::array<Vec3, 3> axes;
    Vec3 eye{};
    std::array<float, 2> focal{}; ///< pixels
    std::array<float, 2> limit{}; ///< tangents at which the slope of the projection is taken for splats outside
};
static_assert(sizeof(CameraData) == 64);

CameraData data_of(const Camera& camera, std::uint32_t width, std::uint32_t height);

} // namespace samples::splats
