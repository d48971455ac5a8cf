#include "culling/camera.hpp"

#include <algorithm>
#include <cmath>

#include "culling/scene.hpp"

namespace samples::culling {

namespace {

using Point = std::array<float, 3>;

/// Points of the path, in blocks of the city. Streets are at half blocks.
constexpr std::array<Point, 14> path = {{{0.5F, 0.16F, -4.0F},
                                         {0.5F, 0.14F, -2.5F},
                                         {0.5F, 0.16F, -1.0F},
                                         {0.5F, 0.20F, 0.5F},
                                         {0.5F, 0.60F, 2.0F},
                                         {0.9F, 1.90F, 3.4F},
                                         {2.0F, 2.60F, 3.8F},
                                         {3.1F, 2.00F, 3.0F},
                                         {3.5F, 0.90F, 1.8F},
                                         {3.5F, 0.22F, 0.6F},
                                         {3.5F, 0.16F, -1.0F},
                                         {3.5F, 0.70F, -3.0F},
                                         {2.6F, 2.20F, -5.0F},
                                         {1.0F, 1.40F, -5.4F}}};

/// Interpolates the path with a Catmull-Rom spline.
Point point_on_path(double at) {
    const double turn = at - std::floor(at);
    const double place = turn * static_cast<double>(path.size());
    const auto i = static_cast<std::size_t>(place) % path.size();
    const auto t = static_cast<float>(place - std::floor(place));
    const auto point = [&](std::size_t k) { return path[(i + k + path.size() - 1) % path.size()]; };
    Point result{};
    for (std::size_t k = 0; k < 3; ++k) {
        const float a = point(0)[k], b = point(1)[k], c = point(2)[k], d = point(3)[k];
        result[k] = block_size * 0.5F *
                    (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
    }
    return result;
}

/// Sizes of a mesh, in pixels, at which a level of detail ends.
constexpr std::array<float, 3> level_pixels = {120, 45, 16};

} // namespace

Camera camera_on_path(double frame) {
    const double at = frame / path_frames;
    Camera camera;
    camera.eye = point_on_path(at);
    const Point ahead = point_on_path(at + 0.035); // the camera looks ahead along the path
    const float x = ahead[0] - camera.eye[0], y = ahead[1] - camera.eye[1], z = ahead[2] - camera.eye[2];
    camera.yaw = std::atan2(x, z);
    camera.pitch = std::clamp(0.7F * std::atan2(y, std::sqrt(x * x + z * z)) - 0.03F, -0.6F, 0.35F);
    return camera;
}

View view_of(const Camera& camera, std::uint32_t width, std::uint32_t height, const Switches& switches,
             std::uint32_t instances) {
    View view{};
    const float cy = std::cos(camera.yaw), sy = std::sin(camera.yaw);
    const float cp = std::cos(camera.pitch), sp = std::sin(camera.pitch);
    const float axes[9] = {cy, 0, -sy, -sp * sy, cp, -sp * cy, cp * sy, sp, cp * cy};
    std::copy(std::begin(axes), std::end(axes), view.axes);
    std::copy(camera.eye.begin(), camera.eye.end(), view.eye);
    view.tangent_y = 0.6F;
    view.tangent_x = view.tangent_y * static_cast<float>(width) / static_cast<float>(height);
    view.half_width = static_cast<float>(width) / 2;
    view.half_height = static_cast<float>(height) / 2;
    view.scale_x = view.half_width / view.tangent_x;
    view.scale_y = view.half_height / view.tangent_y;
    view.near = 0.1F;
    view.padded_near = view.near * 1.0001F;
    for (std::size_t k = 0; k < level_pixels.size(); ++k) {
        const float ratio = 2 * view.scale_y / level_pixels[k];
        view.level_distance[k] = ratio * ratio;
    }
    view.exposure_rate = 0.08F;
    view.brightness = std::exp2(camera.stops);
    view.width = width;
    view.height = height;
    view.instances = instances;
    view.switches = (switches.frustum ? cull_frustum : 0) | (switches.occlusion ? cull_occluded : 0) |
                    (switches.levels ? use_levels : 0);
    const float sun[3] = {0.48F, 0.62F, -0.62F};
    std::copy(std::begin(sun), std::end(sun), view.sun);
    view.fog = 0.0035F;
    return view;
}

} // namespace samples::culling
