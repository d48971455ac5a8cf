#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/splats/picture.hpp>
#include <weir/splats/placement.hpp>

namespace weir::splats {

/// A cloud in host memory and its placement.
struct CpuCloud {
    const Cloud* cloud = nullptr;
    Placement placement = {};
};

/// Options of `cpu_picture`.
struct CpuOptions {
    bool antialias = false;           ///< see Shape
    std::span<const float> mesh = {}; ///< depth of the meshes per pixel; empty: no meshes
};

/// A picture in double precision, row by row.
struct CpuPicture {
    std::vector<std::array<double, 4>> colors; ///< premultiplied red, green, blue and alpha
    std::vector<double> depths;                ///< expected depths; see BlendImages
};

/// Returns the depth range of a view.
[[nodiscard]] DepthRange depths_of(const View& view, std::span<const CpuCloud> clouds);

/// Returns the splats between the near and the far plane, nearest first, numbered one cloud after the other. Splats of
/// equal depth keep the order of the clouds. Depths are floats, rounded as on the device; fisheye: nearly so.
[[nodiscard]] std::vector<std::uint32_t> cpu_order(std::span<const CpuCloud> clouds, const View& view);
[[nodiscard]] std::vector<std::uint32_t> cpu_order(const Cloud& cloud, const View& view);

/// Draws the picture in double precision and without tiles, as a reference for the device.
[[nodiscard]] CpuPicture cpu_picture(std::span<const CpuCloud> clouds, const View& view,
                                     const CpuOptions& options = {});
[[nodiscard]] CpuPicture cpu_picture(const Cloud& cloud, const View& view, const CpuOptions& options = {});

} // namespace weir::splats
