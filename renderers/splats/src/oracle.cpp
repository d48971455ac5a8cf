#include <weir/splats/oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "half.hpp"
#include "transform.hpp"

namespace weir::splats {

namespace {

Vector along_axes(const CloudData& data, const Vector& v) {
    return {dot(v, data.axes[0]), dot(v, data.axes[1]), dot(v, data.axes[2])};
}

/// Computes in floats, in the order of the kernel's operations. This file is compiled without contraction.
float depth_of(const Vec3& mean, const CloudData& data, Projection projection) {
    const Vec3 seen = mean - data.eye;
    if (projection == Projection::fisheye) {
        return static_cast<float>(length(along_axes(data, {seen[0], seen[1], seen[2]})));
    }
    const Vec3& forward = data.axes[2];
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

Vector color_of(const Cloud& cloud, std::uint32_t splat, std::uint32_t max_degree, const Vector& direction) {
    const std::array<double, 15> basis = basis_of(direction);
    const std::uint32_t degree = std::min(cloud.degree, max_degree);
    const std::size_t coefficients = (degree + 1) * (degree + 1) - 1;
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
    double width = 0, height = 0; ///< half the size of the region with an opacity of at least 1/255; 0: no such region
    double opacity = 0, depth = 0;
    Vector color{};
};

/// A projection to first order at a point.
struct Linear {
    double x = 0, y = 0;   ///< pixel
    Vector to_x{}, to_y{}; ///< derivatives
};

Linear linear_fisheye(const Vector& at, const CloudData& data) {
    const double off_axis = std::hypot(at[0], at[1]), square = off_axis * off_axis + at[2] * at[2];
    const double around = off_axis < 1e-9 ? 1 / at[2] : std::atan2(off_axis, at[2]) / off_axis;
    // Derivative of `around`.
    Vector change{};
    if (off_axis >= 1e-9) {
        const double by_radius = (at[2] / square - around) / (off_axis * off_axis);
        change = {by_radius * at[0], by_radius * at[1], -1 / square};
    }
    const double fx = data.focal[0], fy = data.focal[1];
    return {data.center[0] + fx * around * at[0],
            data.center[1] + fy * around * at[1],
            {fx * (around + change[0] * at[0]), fx * change[1] * at[0], fx * change[2] * at[0]},
            {fy * change[0] * at[1], fy * (around + change[1] * at[1]), fy * change[2] * at[1]}};
}

Linear linear_at(const Vector& at, const CloudData& data, Projection projection) {
    const double fx = data.focal[0], fy = data.focal[1];
    if (projection == Projection::fisheye) {
        return linear_fisheye(at, data);
    }
    if (projection == Projection::orthographic) {
        return {data.center[0] + fx * at[0], data.center[1] + fy * at[1], {fx, 0, 0}, {0, fy, 0}};
    }
    const double slope_x = std::clamp(at[0] / at[2], -double{data.limit[0]}, double{data.limit[0]});
    const double slope_y = std::clamp(at[1] / at[2], -double{data.limit[1]}, double{data.limit[1]});
    return {data.center[0] + fx * at[0] / at[2],
            data.center[1] + fy * at[1] / at[2],
            {fx / at[2], 0, -fx / at[2] * slope_x},
            {0, fy / at[2], -fy / at[2] * slope_y}};
}

Ellipse ellipse_of(const Cloud& cloud, std::uint32_t splat, std::uint32_t max_degree, const Shape& shape,
                   const CloudData& data) {
    const Vec3& mean = cloud.places[splat].mean;
    const Vector seen = difference({mean[0], mean[1], mean[2]}, data.eye), at = along_axes(data, seen);
    const Linear linear = linear_at(at, data, shape.projection);
    const double filter = shape.antialias ? 0.1 : 0.3;
    double xx = 0, xy = 0, yy = 0; // covariance
    for (const Vector& axis : axes_of(cloud.shapes[splat])) {
        const Vector turned = along_axes(data, axis);
        double x = 0, y = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            x += linear.to_x[i] * turned[i];
            y += linear.to_y[i] * turned[i];
        }
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double before = xx * yy - xy * xy;
    xx += filter;
    yy += filter;
    const double determinant = xx * yy - xy * xy;
    Ellipse ellipse{
        .x = linear.x, .y = linear.y, .xx = yy / determinant, .xy = -xy / determinant, .yy = xx / determinant};
    ellipse.opacity = double{from_half(cloud.shapes[splat].color[3])} * double{from_half(data.tint[3])};
    if (shape.antialias) {
        ellipse.opacity *= std::sqrt(std::max(before, 0.0) / determinant);
    }
    if (255 * ellipse.opacity > 1) {
        const double reach = std::sqrt(2 * std::log(255 * ellipse.opacity));
        ellipse.width = reach * std::sqrt(xx);
        ellipse.height = reach * std::sqrt(yy);
    }
    const double distance = length(seen);
    ellipse.color = color_of(cloud, splat, max_degree, {seen[0] / distance, seen[1] / distance, seen[2] / distance});
    for (std::size_t c = 0; c < 3; ++c) {
        ellipse.color[c] *= double{from_half(data.tint[c])};
    }
    return ellipse;
}

/// A splat between the planes.
struct Visible {
    std::uint32_t cloud = 0, splat = 0, number = 0;
    float depth = 0;
};

/// Inputs of a picture: the data of the clouds, and their visible splats, nearest first.
struct Inputs {
    Shape shape;
    std::vector<CloudData> data;
    std::vector<Visible> splats;
};

bool is_inside(const Box& box, const Vec3& at) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (at[i] < box.low[i] || at[i] > box.high[i]) {
            return false;
        }
    }
    return true;
}

bool is_within_limit(const Vec3& mean, const CloudData& data, Projection projection) {
    const Vector at = along_axes(data, difference({mean[0], mean[1], mean[2]}, data.eye));
    return projection != Projection::fisheye || std::atan2(std::hypot(at[0], at[1]), at[2]) <= data.limit[0];
}

Inputs inputs_of(std::span<const CpuCloud> clouds, const View& view, bool antialias) {
    Inputs inputs{.shape = {view.width, view.height, view.camera.projection, antialias}};
    const DepthRange depths = depths_of(view, clouds);
    std::uint32_t first = 0;
    for (const auto& [cloud, placement] : clouds) {
        const CloudData data = cloud_data(inputs.shape, view.camera, depths, placement);
        for (std::uint32_t i = 0; i < cloud->size(); ++i) {
            const Vec3& mean = cloud->places[i].mean;
            const float depth = depth_of(mean, data, inputs.shape.projection);
            if (cloud->places[i].radius >= 0 && depth >= depths.near_plane && depth <= depths.far_plane &&
                is_inside(placement.crop, mean) && is_within_limit(mean, data, inputs.shape.projection)) {
                inputs.splats.push_back({static_cast<std::uint32_t>(inputs.data.size()), i, first + i, depth});
            }
        }
        inputs.data.push_back(data);
        first += cloud->size();
    }
    std::stable_sort(inputs.splats.begin(), inputs.splats.end(),
                     [](const Visible& a, const Visible& b) { return a.depth < b.depth; });
    return inputs;
}

/// Returns the range of pixels of a row or a column whose centers are within `distance` of `at`: the first one, and one
/// past the last one.
std::array<std::int64_t, 2> pixels_within(double at, double distance, std::uint32_t size) {
    const double first = std::clamp(std::ceil(at - distance - 0.5), 0.0, static_cast<double>(size));
    const double last = std::clamp(std::floor(at + distance - 0.5), -1.0, static_cast<double>(size) - 1);
    return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last) + 1};
}

/// Blends an ellipse behind the picture.
void blend(CpuPicture& picture, const Ellipse& e, const Shape& shape, std::span<const float> mesh) {
    const auto [first_x, past_x] = pixels_within(e.x, e.width, shape.width);
    const auto [first_y, past_y] = pixels_within(e.y, e.height, shape.height);
    for (std::int64_t y = first_y; y < past_y; ++y) {
        for (std::int64_t x = first_x; x < past_x; ++x) {
            const double dx = static_cast<double>(x) + 0.5 - e.x, dy = static_cast<double>(y) + 0.5 - e.y;
            const double alpha =
                std::min(0.99, e.opacity * std::exp(-0.5 * (e.xx * dx * dx + e.yy * dy * dy) - e.xy * dx * dy));
            const auto pixel = static_cast<std::size_t>(y) * shape.width + static_cast<std::size_t>(x);
            if (alpha * 255 < 1 || (!mesh.empty() && e.depth > mesh[pixel])) {
                continue;
            }
            auto& color = picture.colors[pixel];
            const double weight = alpha * (1 - color[3]);
            for (std::size_t c = 0; c < 3; ++c) {
                color[c] += weight * e.color[c];
            }
            color[3] += weight;
            picture.depths[pixel] += weight * e.depth;
        }
    }
}

} // namespace

DepthRange depths_of(const View& view, std::span<const CpuCloud> clouds) {
    std::vector<PlacedBounds> bounds;
    for (const auto& [cloud, placement] : clouds) {
        bounds.push_back({bounds_of(*cloud), placement});
    }
    return completed(view.depths, depth_range_of(bounds, view.camera));
}

std::vector<std::uint32_t> cpu_order(std::span<const CpuCloud> clouds, const View& view) {
    std::vector<std::uint32_t> order;
    for (const Visible& visible : inputs_of(clouds, view, false).splats) {
        order.push_back(visible.number);
    }
    return order;
}

std::vector<std::uint32_t> cpu_order(const Cloud& cloud, const View& view) {
    const CpuCloud one{&cloud};
    return cpu_order(std::span(&one, 1), view);
}

CpuPicture cpu_picture(std::span<const CpuCloud> clouds, const View& view, const CpuOptions& options) {
    const Inputs inputs = inputs_of(clouds, view, options.antialias);
    const std::size_t pixels = std::size_t{view.width} * view.height;
    CpuPicture picture{std::vector<std::array<double, 4>>(pixels), std::vector<double>(pixels)};
    for (const Visible& visible : inputs.splats) {
        const CpuCloud& placed = clouds[visible.cloud];
        Ellipse ellipse = ellipse_of(*placed.cloud, visible.splat, placed.placement.max_degree, inputs.shape,
                                     inputs.data[visible.cloud]);
        ellipse.depth = double{visible.depth};
        if (ellipse.width > 0) {
            blend(picture, ellipse, inputs.shape, options.mesh);
        }
    }
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        auto& color = picture.colors[pixel];
        const double transmittance = 1 - color[3];
        picture.depths[pixel] /= color[3] > 0 ? color[3] : 1;
        for (std::size_t c = 0; c < 4; ++c) {
            color[c] += transmittance * view.background[c];
        }
    }
    return picture;
}

CpuPicture cpu_picture(const Cloud& cloud, const View& view, const CpuOptions& options) {
    const CpuCloud one{&cloud};
    return cpu_picture(std::span(&one, 1), view, options);
}

} // namespace weir::splats
