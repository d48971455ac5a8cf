#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <weir/weir.hpp>

#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// A graph of one primitive, whose kernels are compiled.
struct KernelGraph {
    const char* op;
    const char* type;
    std::uint32_t words = 1;                ///< words per item, as counted by the table of shapes
    std::optional<ShapeKernel> kernel = {}; ///< kernel whose shapes it takes; none: Weir chooses the shape
    /// Adds the primitive for n items. The shape is used only if there is a kernel.
    std::function<void(Graph& graph, std::uint32_t n, const KernelShape& shape)> build;
};

/// Returns graphs for each kernel in the table of shapes, one per variant with a different register use, then a graph
/// for each kernel that is not in the table.
const std::vector<KernelGraph>& kernel_graphs();

} // namespace weir::bench
