#pragma once

#include "flatten.hpp"

namespace weir::paths {

/// Returns the bounds of a draw in pixels; empty if it is hidden or has no segments.
Rect float_bounds_of(const Scene& scene, const SampleView& view, std::uint32_t draw);

} // namespace weir::paths
