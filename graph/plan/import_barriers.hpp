#pragma once

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "graph/plan/queues.hpp"

namespace weir {

/// Returns the barrier that brings `image`, an import that arrives with access `arrives` instead of the declared one,
/// into its declared layout. The barrier goes before all groups of the queue where the image arrives. All commands
/// after it can use the image as if it had arrived as declared. Precondition: the declared access has a layout.
ImageBarrier arrival_barrier(const GraphDescription& graph, const Queues& queues, std::uint32_t image, Access arrives);

/// Checks that the barrier of `arrival_barrier` precedes all that the plan does with the image: no other queue uses the
/// image unless its ownership is transferred.
bool can_arrive_otherwise(const GraphDescription& graph, const Queues& queues, const Plan& plan, std::uint32_t image);

} // namespace weir
