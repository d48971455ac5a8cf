#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <weir/paths/cpu.hpp>

namespace weir::paths {

inline constexpr std::uint32_t tile_pixels = tile_width * tile_height;

/// Coverage of the pixels of a tile, row by row.
using Coverages = std::array<float, tile_pixels>;

/// Returns the coverage of the pixels of a tile by a strip or the gap behind it. `across`: SampleView::across.
Coverages coverages(const CpuStrips& strips, std::size_t index, bool is_gap, bool is_even_odd, std::uint32_t across);

} // namespace weir::paths
