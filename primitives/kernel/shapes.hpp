#pragma once

#include "primitives/kernel/shape_table.hpp"

// Default shapes of kernels: the rows of shapes.csv.

namespace weir {

/// Returns all rows.
std::span<const KernelShape> kernel_shapes();

/// Returns the rows for a kernel on a device, by ascending size. The last row is for any size.
std::span<const KernelShape> kernel_shapes(const Capabilities& device, ShapeKernel kernel);

/// Returns the row for an input of `words` words.
const KernelShape& kernel_shape(const Capabilities& device, ShapeKernel kernel, std::uint64_t words);

} // namespace weir
