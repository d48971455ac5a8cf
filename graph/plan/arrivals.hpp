#pragma once

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "graph/plan/queues.hpp"

namespace weir {

/// For an import that arrives for another access than the graph declares: the barrier before all groups of the queue
/// where it arrives, after which it is as declared, for all commands. The graph declares some layout for it.
ImageBarrier arrival_barrier(const GraphDescription& graph, const Queues& queues, std::uint32_t image, Access arrives);

/// Whether such a barrier comes before whatever the plan does with the image: no other queue uses it unless it is
/// handed over.
bool can_arrive_otherwise(const GraphDescription& graph, const Queues& queues, const Plan& plan, std::uint32_t image);

} // namespace weir
