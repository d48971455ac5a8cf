#pragma once

#include <cstdint>

#include "flatten.hpp"

// Selection of the lines of a curve. Computes the same bits as shaders/parts.glsl, which explains it.

namespace weir::paths {

/// Bits of Parts::turns.
inline constexpr std::uint32_t turns_at_start = 1, turns_at_end = 2;

/// Selected lines of a curve.
struct Parts {
    std::uint32_t n = 0;                  ///< lines of the whole curve, including those of `turns`
    std::uint32_t before = 0, behind = 0; ///< results for the outer halves
    std::uint32_t count = 0;              ///< lines that are generated
    std::uint32_t turns = 0;              ///< ends at which a line without length has the direction of the curve
};

/// A generated line, from the start of line `first` to the start of line `end` of the curve.
struct Part {
    std::uint32_t first = 0, end = 0;
};

/// Selects the lines of an instance of a draw.
Parts parts_of(const Scene& scene, const SampleView& view, std::uint32_t instance);
/// Returns the start of line `k`.
Point point_of(const Curve& curve, const Parts& parts, std::uint32_t k);
/// Returns generated line `rank`.
Part part_of(const Parts& parts, std::uint32_t rank);

} // namespace weir::paths
