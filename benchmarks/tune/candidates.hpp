#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/operation.hpp"
#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// What is tuned together: a kernel, and the operations that its shapes are judged by.
struct TunedKernel {
    ShapeKernel kernel = ShapeKernel::scan_light;
    std::vector<KernelShape> candidates;
    /// Variant 0 runs the shape that Weir has by now, variant 1 + i that of candidate i.
    std::vector<Operation> operations;
};

/// `quick`: fewer candidates, one operation.
TunedKernel tuned_kernel(ShapeKernel kernel, const Capabilities& device, bool quick);

/// Whether the shape is one for an input of so many words at all, and whether it can be any good.
bool can_run(const KernelShape& shape, std::uint32_t words);
bool is_worth_trying(const KernelShape& shape, std::uint32_t words);

/// "512 x 27, 3 rounds".
std::string describe(const KernelShape& shape);

} // namespace weir::bench
