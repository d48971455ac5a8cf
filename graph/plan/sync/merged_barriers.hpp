#pragma once

#include <vector>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

namespace weir {

/// Merges barriers of pieces of one image that change from one layout to another in the same stages, if the pieces form
/// a rectangle of mips and layers. The accesses of a merged barrier are those of all its pieces, in the same stages.
/// Other barriers keep their order. A merged barrier is where the first of its pieces was.
std::vector<ImageBarrier> merge_barriers(const GraphDescription& graph, std::vector<ImageBarrier> barriers);

} // namespace weir
