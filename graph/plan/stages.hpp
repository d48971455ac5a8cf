#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <weir/graph/plan.hpp>

#include "graph/plan/pass_group.hpp"
#include "graph/plan/queue_order.hpp"
#include "graph/plan/queues.hpp"

// The stages of the graph compiler, in the order in which `make_plan` runs them: pure functions from data to data.

namespace weir {

/// Pieces of images: the graph with images cut into the pieces that passes and exports tell apart; uses and exports are
/// those of pieces. None: no image has parts. Errors: passes that use overlapping resources of which they
/// write one; pieces that are exported twice, for different accesses.
Result<std::optional<GraphDescription>> cut_images(const GraphDescription& declared);

/// Dependencies: for each pass the passes that it comes after. Errors: declarations that conflict, reads of what
/// nothing has defined, exports that nothing writes.
Result<std::vector<std::vector<Edge>>> find_edges(const GraphDescription& graph);

/// Culling: whether an import or an export needs a pass, directly, through other passes, or in executions to come.
std::vector<bool> find_live(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges);

/// Queues: for each pass the queue that runs it. Errors: `invalid_graph` for a pass, an arrival or a departure that the
/// queue cannot do, even where the device has no such queue.
Result<std::vector<QueueKind>> assign_queues(const GraphDescription& graph, const Queues& queues);
/// The queue families that the main queue and the passes use, each once.
std::vector<std::uint32_t> families_of(const GraphDescription& graph, const Queues& queues);

/// Schedule: live passes in groups, each pass as early as its dependencies allow, in the order of declaration within a
/// group. A pass that waits for another queue is in a later group than those that are ready with it; on the main queue
/// it is in the last group that the passes after it allow, since its queue waits with it. Errors: a cycle, with its
/// passes.
Result<std::vector<PassGroup>> find_groups(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                                           const std::vector<bool>& live, const std::vector<QueueKind>& assigned);

/// Layouts: the groups, split so that all passes of a group find each image in one layout. A pass is in the first part
/// whose layouts suit it.
std::vector<PassGroup> split_by_layouts(const GraphDescription& graph, std::vector<PassGroup> groups);
/// For each group the layouts of the images that it uses.
std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups);

/// Queue transfers: the groups and, around them, groups without passes: see Plan::groups.
std::vector<PassGroup> add_ends(const GraphDescription& graph, const Queues& queues, std::vector<PassGroup> groups);
/// The exclusive imports that go from the family of one queue to that of another.
Handovers find_handovers(const GraphDescription& graph, const Queues& queues, const std::vector<PassGroup>& groups);

/// Memory: places for the transients of the groups. Without an order of the queues, only transients of one queue share
/// memory; with it, also those of several, where each comes after the other one in this execution and the next anyway.
PlanMemory place_memory(const GraphDescription& graph, const std::vector<PassGroup>& groups, const PlanOptions& options,
                        const QueueOrder* order = nullptr);

/// Synchronization: the groups with the semaphores and barriers before each of them, for an execution that follows
/// others of the same program.
std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                                      const std::vector<PassGroup>& groups);

/// Batches: the groups that are submitted together.
std::vector<PlanBatch> find_batches(const std::vector<PlanGroup>& groups);

} // namespace weir
