#pragma once

#include <array>
#include <limits>
#include <span>

#include <weir/splats/camera.hpp>
#include <weir/splats/cloud.hpp>

namespace weir::splats {

/// A box with faces parallel to the axes.
struct Box {
    Vec3 low{}, high{};
    friend bool operator==(const Box&, const Box&) = default;
};

/// A box that contains every finite point.
inline constexpr float unlimited = std::numeric_limits<float>::infinity();
inline constexpr Box everything = {{-unlimited, -unlimited, -unlimited}, {unlimited, unlimited, unlimited}};

/// Position and appearance of a cloud in a picture. Each recording may have other values. Only another `max_degree`
/// compiles the graph again.
struct Placement {
    /// Affine transform from the cloud to the world: three rows of four. It must be invertible. Spherical harmonics
    /// turn with the cloud.
    std::array<float, 12> transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    std::array<float, 4> tint = {1, 1, 1, 1}; ///< factors of red, green, blue and opacity; opacity 0 to 1
    Box crop = everything;                    ///< in the cloud; splats with a center outside are not visible
    std::uint32_t max_degree = 3;             ///< harmonics of higher degrees are not used
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// Extent of a cloud.
struct Bounds {
    Box box;          ///< contains all visible splats up to an opacity of 1/255
    float extent = 0; ///< half the maximum edge of a box of most splats, without outliers
};

/// Returns the bounds of a cloud.
[[nodiscard]] Bounds bounds_of(const Cloud& cloud);

/// Bounds of a cloud and its placement.
struct PlacedBounds {
    Bounds bounds;
    Placement placement;
};

/// Minimum and maximum depth of visible splats.
struct DepthRange {
    float near_plane = 0, far_plane = 0; ///< 0 < near_plane < far_plane
    friend bool operator==(const DepthRange&, const DepthRange&) = default;
};

/// Returns a depth range for a picture of these clouds: the far plane is behind all splats, and the distance of the
/// near plane is 1/200 of the smallest Bounds::extent.
[[nodiscard]] DepthRange depth_range_of(std::span<const PlacedBounds> clouds, const Camera& camera);

/// Returns `given` with planes of 0 replaced by those of `derived`. Moves a derived plane if the given one is beyond
/// it.
[[nodiscard]] DepthRange completed(const DepthRange& given, const DepthRange& derived);

} // namespace weir::splats
