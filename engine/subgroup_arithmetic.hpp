#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// Whether the module, which `check_spirv` has nothing against, has reductions or scans over the lanes of a subgroup.
bool has_subgroup_arithmetic(std::span<const std::uint32_t> words);

/// The module, which `check_spirv` has nothing against, for a device without arithmetic operations of subgroups:
/// reductions and scans over the lanes are made of shuffles (Kogge and Stone). Subgroups must be full, and all lanes
/// must take part in these operations, as in all of Weir's kernels. Sums and products of floats may be grouped
/// otherwise than by a driver's operation. Minima and maxima of floats pass over NaNs.
///
/// `largest`: lanes of a subgroup at most. `barriers`: an execution barrier comes before each shuffle, see
/// Capabilities::shuffles_need_barriers. Errors: `unsupported` for an operation over clusters of lanes, and for
/// exclusive scans of numbers that are neither 32 nor 64 bits wide.
Result<std::vector<std::uint32_t>> without_subgroup_arithmetic(std::span<const std::uint32_t> words,
                                                               std::uint32_t largest, bool barriers);

} // namespace weir
