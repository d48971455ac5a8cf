#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <weir/splats/vectors.hpp>

namespace weir::splats {

/// Mapping from directions to pixels. A compiled graph depends on it.
enum class Projection : std::uint32_t {
    pinhole,      ///< straight lines stay straight
    orthographic, ///< parallel rays along the optical axis
    fisheye,      ///< equidistant: the distance from the center is proportional to the angle to the optical axis
};

/// Intrinsic parameters of a camera. Pixel (0, 0) covers coordinates from 0 to 1.
struct Intrinsics {
    float focal_x = 0, focal_y = 0;   ///< pixels; orthographic: per unit of length; fisheye: per radian
    float center_x = 0, center_y = 0; ///< pixel coordinates of the optical axis
    friend bool operator==(const Intrinsics&, const Intrinsics&) = default;
};

/// A camera. In depth tests, depth is the distance along the optical axis; fisheye: the distance from the eye.
struct Camera {
    Vec3 eye{};
    std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; ///< unit vectors: right, down, forward
    /// Vertical, in degrees, with the optical axis in the center of the picture; orthographic: height of the picture in
    /// units of length. Not used with `intrinsics`.
    float field_of_view = 60;
    Projection projection = Projection::pinhole;
    std::optional<Intrinsics> intrinsics = {};
};

/// Returns a camera at `eye` that looks at `target`, with the direction `up` upwards if possible. Precondition: the
/// points differ and `up` is not 0.
[[nodiscard]] Camera look_at(const Vec3& eye, const Vec3& target, float field_of_view = 60, const Vec3& up = {0, 1, 0});

/// Axes of the view space of an application.
enum class ViewAxes : std::uint8_t {
    right_down_forward, ///< COLMAP, OpenCV
    right_up_back,      ///< OpenGL, glTF
};

/// Returns the camera of a view matrix from world space to view space, column by column. The upper left 3 x 3 elements
/// must be a rotation.
[[nodiscard]] Camera camera_of(const std::array<float, 16>& view, ViewAxes axes, const Intrinsics& intrinsics,
                               Projection projection = Projection::pinhole);

/// Returns a camera on a circle around the cloud of `make_cloud`, looking at its center. `turn` is the fraction of the
/// circle.
[[nodiscard]] Camera circling(double turn);

/// Returns the intrinsics of a camera for a picture of this size.
[[nodiscard]] Intrinsics intrinsics_of(const Camera& camera, std::uint32_t width, std::uint32_t height);

} // namespace weir::splats
