#include "splats/camera_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace samples::splats {

namespace {

using Rotation = std::array<double, 4>; ///< unit quaternion: w, x, y, z
using Numbers = std::array<double, 7>;  ///< eye and rotation

double product(const Rotation& a, const Rotation& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Rotation unit(Rotation q) {
    const double length = std::sqrt(product(q, q));
    for (double& component : q) {
        component /= length;
    }
    return q;
}

/// Returns the rotation that turns x, y and z to these axes.
Rotation rotation_of(const std::array<Vec3, 3>& axes) {
    const auto m = [&](std::size_t row, std::size_t column) { return static_cast<double>(axes[column][row]); };
    // Products of each component and all components, times 4. The row of the greatest component is the most precise.
    const std::array<Rotation, 4> products = {
        {{1 + m(0, 0) + m(1, 1) + m(2, 2), m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)},
         {m(2, 1) - m(1, 2), 1 + m(0, 0) - m(1, 1) - m(2, 2), m(0, 1) + m(1, 0), m(0, 2) + m(2, 0)},
         {m(0, 2) - m(2, 0), m(0, 1) + m(1, 0), 1 - m(0, 0) + m(1, 1) - m(2, 2), m(1, 2) + m(2, 1)},
         {m(1, 0) - m(0, 1), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1), 1 - m(0, 0) - m(1, 1) + m(2, 2)}}};
    std::size_t greatest = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        greatest = products[i][i] > products[greatest][greatest] ? i : greatest;
    }
    return unit(products[greatest]);
}

std::array<Vec3, 3> axes_turned_by(const Rotation& q) {
    const auto [w, x, y, z] = q;
    const auto axis = [](double a, double b, double c) {
        return Vec3{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
    };
    return {axis(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            axis(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            axis(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))};
}

/// `near`: of the two quaternions of the rotation, selects the one nearer to this one.
Numbers numbers_of(const Camera& camera, const Rotation& near) {
    const Rotation q = rotation_of(camera.axes);
    const double sign = product(q, near) < 0 ? -1 : 1;
    return {camera.eye[0], camera.eye[1], camera.eye[2], sign * q[0], sign * q[1], sign * q[2], sign * q[3]};
}

Rotation rotation_in(const Numbers& numbers) {
    return {numbers[3], numbers[4], numbers[5], numbers[6]};
}

Camera camera_of_key(const KeyFrame& key, std::uint32_t width, std::uint32_t height) {
    Camera camera = key.camera;
    if (camera.intrinsics) {
        const float x = static_cast<float>(width) / static_cast<float>(key.width);
        const float y = static_cast<float>(height) / static_cast<float>(key.height);
        Intrinsics& pixels = *camera.intrinsics;
        pixels = {x * pixels.focal_x, y * pixels.focal_y, x * pixels.center_x, y * pixels.center_y};
    }
    return camera;
}

} // namespace

Camera camera_at(std::span<const KeyFrame> keys, double time, std::uint32_t width, std::uint32_t height) {
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), time, [](double at, const KeyFrame& key) { return at < key.time; });
    const auto next = static_cast<std::size_t>(after - keys.begin()), last = keys.size() - 1;
    const std::size_t from = next == 0 ? 0 : next - 1;
    const Camera start = camera_of_key(keys[from], width, height);
    if (next == 0 || next > last || time == keys[from].time) {
        return start;
    }
    const Camera end = camera_of_key(keys[next], width, height);
    const std::size_t before = from == 0 ? 0 : from - 1, beyond = std::min(next + 1, last);
    const Numbers p1 = numbers_of(start, rotation_of(start.axes)),
                  p0 = numbers_of(keys[before].camera, rotation_in(p1)), p2 = numbers_of(end, rotation_in(p1)),
                  p3 = numbers_of(keys[beyond].camera, rotation_in(p2));
    const double length = keys[next].time - keys[from].time, s = (time - keys[from].time) / length;
    // Weights of the Hermite basis: positions and slopes of both ends.
    const double s2 = s * s, s3 = s2 * s, of_end = 3 * s2 - 2 * s3, of_start = 1 - of_end;
    const double of_start_slope = length * (s3 - 2 * s2 + s) / (keys[next].time - keys[before].time);
    const double of_end_slope = length * (s3 - s2) / (keys[beyond].time - keys[from].time);
    Numbers at{};
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i] = of_start * p1[i] + of_end * p2[i] + of_start_slope * (p2[i] - p0[i]) + of_end_slope * (p3[i] - p1[i]);
    }
    Camera camera = start;
    camera.eye = {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
    camera.axes = axes_turned_by(unit(rotation_in(at)));
    const auto part = static_cast<float>(s);
    camera.field_of_view = std::lerp(start.field_of_view, end.field_of_view, part);
    if (start.intrinsics || end.intrinsics) {
        const Intrinsics a = intrinsics_of(start, width, height), b = intrinsics_of(end, width, height);
        camera.intrinsics = {std::lerp(a.focal_x, b.focal_x, part), std::lerp(a.focal_y, b.focal_y, part),
                             std::lerp(a.center_x, b.center_x, part), std::lerp(a.center_y, b.center_y, part)};
    }
    return camera;
}

} // namespace samples::splats
