#include <weir/splats/placement.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "transform.hpp"

namespace weir::splats {

namespace {

/// Returns half the difference of the 90th and the 10th percentile of a coordinate, from at most `samples` splats.
float spread_of(const Cloud& cloud, std::size_t axis) {
    constexpr std::size_t samples = 1U << 16;
    const std::size_t step = cloud.places.size() / samples + 1;
    std::vector<float> values;
    for (std::size_t i = 0; i < cloud.places.size(); i += step) {
        values.push_back(cloud.places[i].mean[axis]);
    }
    const auto decile = [&](std::size_t n) {
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * n / 10);
        std::nth_element(values.begin(), nth, values.end());
        return *nth;
    };
    return values.empty() ? 0 : (decile(9) - decile(1)) / 2;
}

} // namespace

Bounds bounds_of(const Cloud& cloud) {
    Bounds bounds{.box = {everything.high, everything.low}};
    float max_radius = 0;
    for (const SplatPlace& place : cloud.places) {
        if (place.radius < 0) {
            continue;
        }
        max_radius = std::max(max_radius, place.radius);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            bounds.box.low[axis] = std::min(bounds.box.low[axis], place.mean[axis] - place.radius);
            bounds.box.high[axis] = std::max(bounds.box.high[axis], place.mean[axis] + place.radius);
        }
    }
    if (bounds.box.low[0] > bounds.box.high[0]) {
        bounds.box = {}; // no visible splat
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bounds.extent = std::max(bounds.extent, spread_of(cloud, axis));
    }
    if (bounds.extent == 0) {
        bounds.extent = max_radius > 0 ? max_radius : 1;
    }
    return bounds;
}

DepthRange depth_range_of(std::span<const PlacedBounds> clouds, const Camera& camera) {
    double near_plane = unlimited, far_plane = 0;
    for (const auto& [bounds, placement] : clouds) {
        const Transform transform = transform_of(placement.transform);
        near_plane = std::min(near_plane, bounds.extent * max_scale(transform) / 200);
        for (unsigned corner = 0; corner < 8; ++corner) {
            Vec3 at{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                at[axis] = (corner >> axis & 1) != 0 ? bounds.box.high[axis] : bounds.box.low[axis];
            }
            const Vector seen = difference(transformed(transform, at), camera.eye);
            const double depth = camera.projection == Projection::fisheye ? length(seen) : dot(seen, camera.axes[2]);
            far_plane = std::max(far_plane, depth);
        }
    }
    // Floats beyond these planes have no room for a ratio, and the factor leaves room for rounding.
    const double nearest = std::clamp(near_plane, 1e-30, 1e30);
    return {static_cast<float>(nearest), static_cast<float>(std::clamp(far_plane * 1.0001, 2 * nearest, 1e38))};
}

DepthRange completed(const DepthRange& given, const DepthRange& derived) {
    DepthRange range = derived;
    if (given.near_plane > 0) {
        range = {given.near_plane, std::max(range.far_plane, 2 * given.near_plane)};
    }
    if (given.far_plane > 0) {
        range = {std::min(range.near_plane, given.far_plane / 2), given.far_plane};
    }
    return given.near_plane > 0 && given.far_plane > 0 ? given : range;
}

} // namespace weir::splats
