#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "splats/graph.hpp"

namespace samples::splats {

/// The splats of a cloud that are within the planes of the view, nearest first, equal ones in order of the cloud.
/// Depths are floats that are rounded as on the device.
std::vector<std::uint32_t> cpu_order(const Cloud& cloud, const SplatView& view, const Camera& camera);

/// The picture that the device draws, in double precision and without tiles: row after row, red, green and blue.
std::vector<std::array<double, 3>> cpu_picture(const Cloud& cloud, const SplatView& view, const Camera& camera);

} // namespace samples::splats
