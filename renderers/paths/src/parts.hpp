#pragma once

#include <cstdint>

#include "flatten.hpp"

// Which lines of a curve are made: the same bits as shaders/parts.glsl, which says why.

namespace weir::paths {

/// The lines of a curve.
struct Parts {
    std::uint32_t n = 0;                  ///< of the whole curve
    std::uint32_t before = 0, behind = 0; ///< what becomes of outer halves
    std::uint32_t count = 0;              ///< that are made
};

/// A line that is made, from one line of the curve to before another one.
struct Part {
    std::uint32_t first = 0, end = 0;
};

/// Of an instance of a draw.
Parts parts_of(const Scene& scene, const View& view, std::uint32_t instance);
/// Line `rank` of those that are made.
Part part_of(const Parts& parts, std::uint32_t rank);

} // namespace weir::paths
