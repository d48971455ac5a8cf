#pragma once

#include <weir/splats/cloud.hpp>

namespace weir::splats {

/// Sorts splats along a Morton curve through their bounds, with 2^10 cells per axis. Splats of a cell keep their order.
void sort_along_morton_curve(Cloud& cloud);

} // namespace weir::splats
