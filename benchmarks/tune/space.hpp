#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "primitives/kernel/shape_table.hpp"

// The shapes among which a kernel's best one is looked for.

namespace weir::bench {

/// The values of each column that are tried for a kernel, ascending.
struct Columns {
    using Values = std::span<const std::uint32_t>;

    Values workgroup, items, groups, rounds, max_spins, packed;
};
Columns columns_of(ShapeKernel kernel);

/// Whether a row can be found: its numbers are among those that are tried for its kernel.
bool can_be_found(const KernelShape& row);

/// Whether two shapes have the same numbers in all columns behind up_to.
bool same_shape(const KernelShape& a, const KernelShape& b);

/// The shape as the device runs it: without more invocations than it has, and with the number of rounds.
KernelShape as_run(KernelShape shape, const Capabilities& device);

/// Shapes that the device can run, those first that are rough steps from each other; all with `max_spins` polls,
/// unpacked states, and as few rounds as fit. `quick`: a few of them.
std::vector<KernelShape> grid_of(ShapeKernel kernel, const Capabilities& device, std::uint32_t max_spins, bool quick);

/// Shapes that the device can run and that differ from this one by the next value of a column; by workgroups of twice
/// or half as many invocations with half or twice as many items; and by any number of rounds.
std::vector<KernelShape> neighbours_of(const KernelShape& shape, const Capabilities& device);

/// Whether the shape is one for an input of so many words at all, and whether it can be any good.
bool can_run(const KernelShape& shape, std::uint32_t words);
bool is_worth_trying(const KernelShape& shape, std::uint32_t words);

/// "512 x 27, 3 rounds, 64 spins"; without the spins where nobody looks back.
std::string describe(const KernelShape& shape);

} // namespace weir::bench
