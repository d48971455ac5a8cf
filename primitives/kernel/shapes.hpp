#pragma once

#include "primitives/kernel/shape_table.hpp"

// The default shapes of kernels: the rows of shapes.csv.

namespace weir {

/// All rows.
std::span<const KernelShape> kernel_shapes();

/// The rows for a kernel on a device, by ascending size; the last one is for any size.
std::span<const KernelShape> kernel_shapes(const Capabilities& device, ShapeKernel kernel);

/// The row for an input of so many words.
const KernelShape& kernel_shape(const Capabilities& device, ShapeKernel kernel, std::uint64_t words);

} // namespace weir
