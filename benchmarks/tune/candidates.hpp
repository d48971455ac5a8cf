#pragma once

#include <vector>

#include "harness/operation.hpp"
#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// Returns the operations whose measured speed rates the shapes of a kernel. Each has one variant, with `shape`, or
/// with the shape that Weir chooses if `shape` is null. `quick`: returns only the first operation.
std::vector<Operation> judged_operations(ShapeKernel kernel, const KernelShape* shape, bool quick);

} // namespace weir::bench
