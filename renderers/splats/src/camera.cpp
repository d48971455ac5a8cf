#include <weir/splats/camera.hpp>

#include <cmath>
#include <numbers>

namespace weir::splats {

Camera look_at(const Vec3& eye, const Vec3& target, float field_of_view) {
    const Vec3 forward = normalized(target - eye);
    const Vec3 up = std::abs(forward[1]) < 0.999F ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 right = normalized(cross(forward, up));
    return {eye, {right, cross(forward, right), forward}, field_of_view};
}

Camera circling(double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return look_at({static_cast<float>(3.4 * std::sin(angle)), static_cast<float>(1.5 + 0.5 * std::sin(2 * angle)),
                    static_cast<float>(-3.4 * std::cos(angle))},
                   {0, 0, 0});
}

CameraData data_of(const Camera& camera, std::uint32_t width, std::uint32_t height) {
    const double tangent = std::tan(camera.field_of_view * std::numbers::pi / 360);
    const auto focal = static_cast<float>(height / (2 * tangent));
    // As in the original. Without the limit, a splat far outside the picture would become a long streak.
    const auto limit = static_cast<float>(1.3 * tangent);
    return {camera.axes,
            camera.eye,
            {focal, focal},
            {limit * static_cast<float>(width) / static_cast<float>(height), limit}};
}

} // namespace weir::splats
