#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/splats/graph.hpp>

namespace weir::splats {

/// Returns the splats between the near and the far plane, nearest first. Splats of equal depth keep the order of the
/// cloud. Depths are floats, rounded as on the device.
std::vector<std::uint32_t> cpu_order(const Cloud& cloud, const SplatView& view, const Camera& camera);

/// Draws the picture in double precision and without tiles, as a reference for the device. Returns red, green and blue
/// of the pixels, row by row.
std::vector<std::array<double, 3>> cpu_picture(const Cloud& cloud, const SplatView& view, const Camera& camera);

} // namespace weir::splats
