#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Checks of plans that know nothing of how plans are made; see also hazards.hpp.

namespace weir::tests {

/// Whether two resources of the program's own have a byte of memory in common.
bool overlap(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b);

/// Whether the plan runs what it must in an order that means what was declared: each read, and each write, which may be
/// partial, finds the value that the comment on Graph promises, and a pass runs if and only if something needs it, on
/// the queue that it is for. Empty, or one sentence for each mistake.
std::vector<std::string> find_misplaced(const GraphDescription& graph, const Plan& plan);

/// Whether every transient of the program's own, from its first use to its last, has memory in a block, at an offset
/// that any device takes, that no other one alive at the same time has; images none of which a buffer has a byte in the
/// same page of the device's granularity. Whether transients of several queues that share memory wait for each other is
/// a question for hazards.hpp. Empty, or one sentence for each mistake.
std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan);

/// Whether the batches of a plan are its groups, each queue's in their order, and wait where and for what these do, at
/// their ends. Empty, or one sentence for each mistake.
std::vector<std::string> find_misbatched(const Plan& plan);

/// The same graph for a device with no queue but the main one, on which a plan with PlanOptions::one_queue is judged.
GraphDescription with_one_queue(GraphDescription graph);

} // namespace weir::tests
