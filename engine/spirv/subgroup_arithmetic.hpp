#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// Checks that the module has reductions or scans over the lanes of a subgroup. Precondition: check_spirv(words)
/// succeeds.
bool has_subgroup_arithmetic(std::span<const std::uint32_t> words);

/// Returns the module for a device without arithmetic operations of subgroups: reductions and scans over the lanes are
/// replaced by shuffles (Kogge and Stone). Subgroups must be full, and all lanes must take part in these operations, as
/// in all of Weir's kernels. Sums and products of floats may be grouped differently than by a driver's operation.
/// Minima and maxima of floats ignore NaNs. Precondition: check_spirv(words) succeeds.
///
/// `largest`: maximum number of lanes of a subgroup. `barriers`: adds an execution barrier before each shuffle; see
/// Capabilities::shuffles_need_barriers. Errors: `unsupported` for an operation over clusters of lanes, and for
/// exclusive scans of numbers that are neither 32 nor 64 bits wide.
Result<std::vector<std::uint32_t>> without_subgroup_arithmetic(std::span<const std::uint32_t> words,
                                                               std::uint32_t largest, bool barriers);

} // namespace weir
