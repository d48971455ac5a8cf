#pragma once

#include <vector>

#include "harness/operation.hpp"
#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// The operations that a kernel's shapes are judged by, with one variant: the shape, or if there is none the one that
/// Weir has by now. `quick`: one of them.
std::vector<Operation> judged_operations(ShapeKernel kernel, const KernelShape* shape, bool quick);

} // namespace weir::bench
