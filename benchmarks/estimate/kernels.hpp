#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <weir/weir.hpp>

#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// A graph of one primitive, for the kernels that it has.
struct KernelGraph {
    const char* op;
    const char* type;
    std::uint32_t words = 1;                ///< of an item, as the table of shapes counts them
    std::optional<ShapeKernel> kernel = {}; ///< whose shapes it takes; none: Weir's choice alone
    /// Adds the primitive for n items. The shape is of the kernel; without one it does not matter.
    std::function<void(Graph& graph, std::uint32_t n, const KernelShape& shape)> build;
};

/// For each kernel of the table of shapes those that differ in what they hold in registers, then a graph for each
/// kernel that is not in the table.
const std::vector<KernelGraph>& kernel_graphs();

} // namespace weir::bench
