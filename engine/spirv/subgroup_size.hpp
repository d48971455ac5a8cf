#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weir {

/// Returns the module for a driver whose subgroups may be smaller than the size that it reports to shaders. The size
/// becomes the number of invocations of the workgroup divided by NumSubgroups, and the masks of lanes not below and
/// above an invocation end at that size. Subgroups must be full and have at most 32 invocations.
///
/// Precondition: check_spirv(words) succeeds. `invocations`: size of the workgroup, a multiple of every subgroup size.
std::vector<std::uint32_t> with_actual_subgroup_size(std::span<const std::uint32_t> words, std::uint32_t invocations);

} // namespace weir
