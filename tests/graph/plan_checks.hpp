#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "tests/graph/graphs.hpp"

// Checks of plans that share no code with the compiler; see also hazards.hpp.

namespace weir::tests {

/// Returns true if two resources with places in blocks have bytes in common. Mips and layers of one image do not.
bool overlap(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b);

/// Returns true if `resource`, which has a place in a block, contains `byte` of this block.
bool has_byte(const GraphDescription& graph, const Plan& plan, std::uint32_t resource, std::uint64_t byte);

/// Checks that each read finds the value that the comment on Graph promises, and so does each write, because it may be
/// partial. Checks that a pass runs if and only if something needs it, once and on its queue. Returns one sentence for
/// each mistake.
std::vector<std::string> find_misplaced(const GraphDescription& graph, const Plan& plan);

/// Checks that every transient that is used and not exported has a place in a block, at an offset that any device
/// accepts, and that other resources have none. Transients that are alive at the same time, from first to last use,
/// must have no bytes in common. Buffers and images that are alive at the same time must not share a page of the
/// device's granularity. Does not check that queues which share memory wait for each other; hazards.hpp does. Returns
/// one sentence for each mistake.
std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan);

/// Checks that the batches of a plan contain each group once, in the order of each queue. Waits of a group must be
/// those of its batch, which the group begins, and must be for batches that end with the awaited groups. Returns one
/// sentence for each mistake.
std::vector<std::string> find_misbatched(const Plan& plan);

/// Runs all checks of this file and of hazards.hpp, and expects no mistake.
void expect_sound(const GraphDescription& graph, const Plan& plan);
/// Returns the plan of a graph. Fails the test if the compiler fails or the plan has a mistake.
Plan sound_plan(const SomeGraph& graph, const PlanOptions& options = {});

/// Returns the graph for a device with only a main queue, for checks of plans with PlanOptions::one_queue.
GraphDescription with_one_queue(GraphDescription graph);

} // namespace weir::tests
