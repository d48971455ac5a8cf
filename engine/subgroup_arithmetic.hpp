#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// The module, which `check_spirv` has nothing against, for a device without arithmetic operations of subgroups:
/// reductions and scans over the lanes are made of shuffles (Kogge and Stone). All lanes of a subgroup must take part
/// in them, as in all of Weir's kernels. Sums of floats may be grouped otherwise than by a driver's operation.
///
/// `largest`: lanes of a subgroup at most. `barriers`: an execution barrier comes before each shuffle, see
/// Capabilities::shuffles_need_barriers. Errors: `unsupported` for an operation over clusters of lanes, and for numbers
/// that are neither of 32 nor 64 bits.
Result<std::vector<std::uint32_t>> without_subgroup_arithmetic(std::span<const std::uint32_t> words,
                                                               std::uint32_t largest, bool barriers);

} // namespace weir
