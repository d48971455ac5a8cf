#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "primitives/kernel/shape_table.hpp"

// The search space: shapes that are tried for a kernel.

namespace weir::bench {

/// Values of each column that are tried for a kernel, ascending.
struct Columns {
    using Values = std::span<const std::uint32_t>;

    Values workgroup, items, groups, rounds, max_spins, packed;
};
Columns columns_of(ShapeKernel kernel);

/// Returns the first candidate for max_spins that exceeds this number of failed polls, or the last one.
std::uint32_t spins_for(std::uint32_t failed_polls);

/// Returns whether the search space contains a row: all its numbers are tried for its kernel.
bool can_be_found(const KernelShape& row);

/// Returns whether two shapes have the same numbers in all columns after up_to.
bool same_shape(const KernelShape& a, const KernelShape& b);

/// Returns the shape that the device runs: with at most its maximum number of invocations, and the actual number of
/// rounds.
KernelShape as_run(KernelShape shape, const Capabilities& device);

/// Returns shapes that the device can run, coarse steps first. All have `max_spins` polls, unpacked states, and the
/// minimum number of rounds that fits. `quick`: returns only a few.
std::vector<KernelShape> grid_of(ShapeKernel kernel, const Capabilities& device, std::uint32_t max_spins, bool quick);

/// Returns the neighbors of a shape that the device can run. A neighbor has the next value in one column; or twice
/// (half) the invocations and half (twice) the items; or any other number of rounds.
std::vector<KernelShape> neighbours_of(const KernelShape& shape, const Capabilities& device);

/// Returns whether the shape can be used for an input of `words` words.
bool can_run(const KernelShape& shape, std::uint32_t words);
/// Returns whether the shape may be fast for an input of `words` words.
bool is_worth_trying(const KernelShape& shape, std::uint32_t words);

/// Returns the shape as text, such as "512 x 27, 3 rounds, 64 spins". Kernels without look-back have no spins.
std::string describe(const KernelShape& shape);

} // namespace weir::bench
