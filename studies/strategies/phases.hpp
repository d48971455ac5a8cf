#pragma once

#include "primitives/scan/scan_pass.hpp"
#include "strategies/strategies.hpp"

namespace weir::studies {

/// Adds a scan in three dispatches by the variant of the graph's instrument. `strategy` is reduce_then_scan or
/// scan_then_propagate.
void add_phases(Graph& graph, const ScanPass& scan, const ScanShape& shape, const ScanKernels& kernels,
                ScanStrategy strategy);

} // namespace weir::studies
