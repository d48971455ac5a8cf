#pragma once

#include <cstdint>
#include <vector>

#include <weir/paths/cpu.hpp>

#include "parts.hpp"

namespace weir::paths {

/// Appends the lines of the instances `first` to `end` - 1: all instances of some draws. Writes their elements of
/// `parts`, which has one per instance of the scene.
void add_lines(const Scene& scene, const SampleView& view, std::uint32_t first, std::uint32_t end,
               std::vector<Parts>& parts, CpuStrips& out);

} // namespace weir::paths
