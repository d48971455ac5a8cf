#include <weir/splats/camera.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace weir::splats {

Camera look_at(const Vec3& eye, const Vec3& target, float field_of_view, const Vec3& up) {
    const Vec3 forward = normalized(target - eye), upwards = normalized(up);
    // If the camera looks along `up`, another axis takes its place.
    const Vec3 other = std::abs(upwards[2]) < 0.9F ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    const Vec3 right = normalized(cross(forward, std::abs(dot(forward, upwards)) < 0.999F ? upwards : other));
    return {.eye = eye, .axes = {right, cross(forward, right), forward}, .field_of_view = field_of_view};
}

Camera camera_of(const std::array<float, 16>& view, ViewAxes axes, const Intrinsics& intrinsics,
                 Projection projection) {
    const float sign = axes == ViewAxes::right_up_back ? -1.0F : 1.0F;
    const std::array<float, 3> signs = {1, sign, sign};
    Camera camera{.projection = projection, .intrinsics = intrinsics};
    for (std::size_t row = 0; row < 3; ++row) {
        camera.axes[row] = signs[row] * Vec3{view[row], view[4 + row], view[8 + row]};
        // The translation is -axis * eye for each axis.
        camera.eye = camera.eye - signs[row] * view[12 + row] * camera.axes[row];
    }
    return camera;
}

Camera circling(double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return look_at({static_cast<float>(3.4 * std::sin(angle)), static_cast<float>(1.5 + 0.5 * std::sin(2 * angle)),
                    static_cast<float>(-3.4 * std::cos(angle))},
                   {0, 0, 0});
}

Intrinsics intrinsics_of(const Camera& camera, std::uint32_t width, std::uint32_t height) {
    if (camera.intrinsics) {
        return *camera.intrinsics;
    }
    const double field = camera.field_of_view;
    double focal = height / field; // orthographic
    if (camera.projection == Projection::pinhole) {
        focal = height / (2 * std::tan(field * std::numbers::pi / 360));
    } else if (camera.projection == Projection::fisheye) {
        focal = height / (field * std::numbers::pi / 180);
    }
    const auto focal_length = static_cast<float>(focal);
    return {focal_length, focal_length, 0.5F * static_cast<float>(width), 0.5F * static_cast<float>(height)};
}

} // namespace weir::splats
