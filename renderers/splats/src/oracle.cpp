#include <weir/splats/oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "half.hpp"

namespace weir::splats {

namespace {

using Vector = std::array<double, 3>;

double product(const Vec3& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Computes in floats, in the order of the kernel's operations. This file is compiled without contraction.
float depth_of(const Vec3& mean, const CameraData& camera) {
    const Vec3 seen = mean - camera.eye;
    const Vec3& forward = camera.axes[2];
    return forward[0] * seen[0] + forward[1] * seen[1] + forward[2] * seen[2];
}

/// Returns the axes of a splat in space, scaled by its standard deviations.
std::array<Vector, 3> axes_of(const SplatShape& shape) {
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) {
        q[i] = shape.rotation[i] / 32767.0;
    }
    const auto [w, x, y, z] = q;
    std::array<Vector, 3> axes = {Vector{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                  Vector{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                                  Vector{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (std::size_t i = 0; i < 3; ++i) {
        for (double& part : axes[i]) {
            part *= shape.scale[i];
        }
    }
    return axes;
}

/// Returns the real spherical harmonics of degree 1 to 3 in a direction.
std::array<double, 15> basis_of(const Vector& d) {
    const auto [x, y, z] = d;
    const double xx = x * x, yy = y * y, zz = z * z;
    return {-0.4886025119029199 * y,
            0.4886025119029199 * z,
            -0.4886025119029199 * x,
            1.0925484305920792 * x * y,
            -1.0925484305920792 * y * z,
            0.31539156525252005 * (2 * zz - xx - yy),
            -1.0925484305920792 * x * z,
            0.5462742152960396 * (xx - yy),
            -0.5900435899266435 * y * (3 * xx - yy),
            2.890611442640554 * x * y * z,
            -0.4570457994644658 * y * (4 * zz - xx - yy),
            0.3731763325901154 * z * (2 * zz - 3 * xx - 3 * yy),
            -0.4570457994644658 * x * (4 * zz - xx - yy),
            1.445305721320277 * z * (xx - yy),
            -0.5900435899266435 * x * (xx - 3 * yy)};
}

Vector color_of(const Cloud& cloud, std::uint32_t splat, const Vector& direction) {
    const std::array<double, 15> basis = basis_of(direction);
    const std::size_t coefficients = (cloud.degree + 1) * (cloud.degree + 1) - 1;
    const std::size_t first = std::size_t{splat} * harmonic_words(cloud.degree);
    Vector color{};
    for (std::size_t c = 0; c < 3; ++c) {
        color[c] = 0.5 + 0.28209479177387814 * double{from_half(cloud.shapes[splat].color[c])};
        for (std::size_t m = 0; m < coefficients; ++m) {
            const std::size_t half = 3 * m + c;
            color[c] += basis[m] * double{from_half(cloud.harmonics[first + half / 2] >> half % 2 * 16 & 0xFFFF)};
        }
        color[c] = std::max(0.0, color[c]);
    }
    return color;
}

/// A projected splat: its center and its inverse covariance.
struct Ellipse {
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    double width = 0, height = 0; ///< half the size of the region with an opacity of at least 1/255
    double opacity = 0;
    Vector color{};
};

Ellipse ellipse_of(const Cloud& cloud, std::uint32_t splat, const SplatView& view, const CameraData& camera) {
    const Vec3& mean = cloud.places[splat].mean;
    const Vector seen = {double{mean[0]} - camera.eye[0], double{mean[1]} - camera.eye[1],
                         double{mean[2]} - camera.eye[2]};
    const Vector at = {product(camera.axes[0], seen), product(camera.axes[1], seen), product(camera.axes[2], seen)};
    const double slope_x = std::clamp(at[0] / at[2], -double{camera.limit[0]}, double{camera.limit[0]});
    const double slope_y = std::clamp(at[1] / at[2], -double{camera.limit[1]}, double{camera.limit[1]});
    double xx = 0.3, xy = 0, yy = 0.3; // covariance, including a low-pass filter
    for (const Vector& axis : axes_of(cloud.shapes[splat])) {
        const double forward = product(camera.axes[2], axis);
        const double x = camera.focal[0] / at[2] * (product(camera.axes[0], axis) - slope_x * forward);
        const double y = camera.focal[1] / at[2] * (product(camera.axes[1], axis) - slope_y * forward);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double determinant = xx * yy - xy * xy;
    Ellipse ellipse;
    ellipse.x = 0.5 * view.width + camera.focal[0] * at[0] / at[2];
    ellipse.y = 0.5 * view.height + camera.focal[1] * at[1] / at[2];
    ellipse.xx = yy / determinant;
    ellipse.xy = -xy / determinant;
    ellipse.yy = xx / determinant;
    ellipse.opacity = from_half(cloud.shapes[splat].color[3]);
    const double reach = std::sqrt(2 * std::log(255 * ellipse.opacity));
    ellipse.width = reach * std::sqrt(xx);
    ellipse.height = reach * std::sqrt(yy);
    const double distance = std::sqrt(seen[0] * seen[0] + seen[1] * seen[1] + seen[2] * seen[2]);
    ellipse.color = color_of(cloud, splat, {seen[0] / distance, seen[1] / distance, seen[2] / distance});
    return ellipse;
}

/// Returns the range of pixels of a row or a column whose centers are within `distance` of `at`: the first one, and one
/// past the last one.
std::array<std::int64_t, 2> pixels_within(double at, double distance, std::uint32_t size) {
    const double first = std::clamp(std::ceil(at - distance - 0.5), 0.0, static_cast<double>(size));
    const double last = std::clamp(std::floor(at + distance - 0.5), -1.0, static_cast<double>(size) - 1);
    return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last) + 1};
}

} // namespace

std::vector<std::uint32_t> cpu_order(const Cloud& cloud, const SplatView& view, const Camera& camera) {
    const CameraData data = data_of(camera, view.width, view.height);
    std::vector<float> depths;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < cloud.size(); ++i) {
        depths.push_back(depth_of(cloud.places[i].mean, data));
        if (cloud.places[i].radius >= 0 && depths[i] >= view.near_plane && depths[i] <= view.far_plane) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return depths[a] < depths[b]; });
    return order;
}

std::vector<Vector> cpu_picture(const Cloud& cloud, const SplatView& view, const Camera& camera) {
    const CameraData data = data_of(camera, view.width, view.height);
    const std::size_t pixels = std::size_t{view.width} * view.height;
    std::vector<Vector> picture(pixels);
    std::vector<double> transmittance(pixels, 1.0);
    for (const std::uint32_t splat : cpu_order(cloud, view, camera)) {
        const Ellipse e = ellipse_of(cloud, splat, view, data);
        const auto [first_x, past_x] = pixels_within(e.x, e.width, view.width);
        const auto [first_y, past_y] = pixels_within(e.y, e.height, view.height);
        for (std::int64_t y = first_y; y < past_y; ++y) {
            for (std::int64_t x = first_x; x < past_x; ++x) {
                const double dx = static_cast<double>(x) + 0.5 - e.x, dy = static_cast<double>(y) + 0.5 - e.y;
                const double alpha =
                    std::min(0.99, e.opacity * std::exp(-0.5 * (e.xx * dx * dx + e.yy * dy * dy) - e.xy * dx * dy));
                if (alpha * 255 < 1) {
                    continue;
                }
                const auto pixel = static_cast<std::size_t>(y) * view.width + static_cast<std::size_t>(x);
                for (std::size_t c = 0; c < 3; ++c) {
                    picture[pixel][c] += alpha * transmittance[pixel] * e.color[c];
                }
                transmittance[pixel] *= 1 - alpha;
            }
        }
    }
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t c = 0; c < 3; ++c) {
            picture[pixel][c] += transmittance[pixel] * view.background[c];
        }
    }
    return picture;
}

} // namespace weir::splats
