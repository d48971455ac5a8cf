#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <weir/graph/plan.hpp>

#include "graph/plan/pass_group.hpp"
#include "graph/plan/queue_order.hpp"
#include "graph/plan/queues.hpp"

// The stages of the graph compiler: pure functions from data to data. `make_plan` runs them in this order, except that
// it assigns queues before it culls passes.

namespace weir {

/// Pieces of images: cuts images into the pieces that passes and exports distinguish. Returns the graph with uses and
/// exports of pieces, or nullopt if no image has parts. Errors: passes that use overlapping resources and write one of
/// them; overlapping exports for different accesses; exports per frame and histories of images with
/// parts.
Result<std::optional<GraphDescription>> cut_images(const GraphDescription& declared);

/// Dependencies: returns for each pass the passes that it runs after. Errors: conflicting declarations, reads of
/// undefined resources, exports that no pass writes.
Result<std::vector<std::vector<Edge>>> find_edges(const GraphDescription& graph);

/// Culling: returns for each pass whether it is kept. A pass is kept if it writes an import or an export, if
/// CommandPass::keep is set, or if a kept pass needs its values, in the same or a later execution.
std::vector<bool> find_live(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges);

/// Queues: returns for each pass the queue that runs it. Errors: `invalid_graph` for a pass, an arrival or a departure
/// that its queue does not support, even if the device has no such queue, and for queues of a resource that neither
/// arrives nor leaves.
Result<std::vector<QueueKind>> assign_queues(const GraphDescription& graph, const Queues& queues);
/// Returns the distinct queue families of the main queue, the passes and the exports.
std::vector<std::uint32_t> families_of(const GraphDescription& graph, const Queues& queues);

/// Groups of live passes, in order.
struct Schedule {
    std::vector<PassGroup> groups;
    /// Maximum number of bytes of transients that are alive at one time, in the order that needs fewest of those that
    /// were considered.
    std::uint64_t least_bytes = 0;
};
/// Schedule: groups live passes in an order; see PassOrder. Within a group, they are in the order of declaration. A
/// pass that waits for another queue is in a later group than the passes that are ready with it. Errors: a cycle, with
/// its passes.
Result<Schedule> find_schedule(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                               const std::vector<bool>& live, const std::vector<QueueKind>& assigned, PassOrder order);

/// Layouts: splits the groups so that all passes of a group use each image in one layout. A pass goes into the first
/// part whose layouts suit it; in the order of declaration, into the last part or a new one.
std::vector<PassGroup> split_by_layouts(const GraphDescription& graph, std::vector<PassGroup> groups,
                                        const PlanOptions& options);
/// Returns for each group the layouts of the images that it uses.
std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups,
                                                         const PlanOptions& options);

/// Queue transfers: adds groups without passes before and after the groups: see Plan::groups.
std::vector<PassGroup> add_ends(const GraphDescription& graph, const Queues& queues, std::vector<PassGroup> groups);
/// Returns the ownership transfers of exclusive imports between queues of different families.
Handovers find_handovers(const GraphDescription& graph, const Queues& queues, const std::vector<PassGroup>& groups);

/// Returns the bytes that each resource takes in memory that transients share; 0 if it is not such a transient.
std::vector<std::uint64_t> shared_bytes(const GraphDescription& graph);
/// Memory: places the transients of the groups. Without `order`, only transients of the same single queue share memory.
/// With `order`, transients of several queues do too, if one already comes after the other in each execution and before
/// it in the next.
PlanMemory place_memory(const GraphDescription& graph, const std::vector<PassGroup>& groups, const PlanOptions& options,
                        const QueueOrder* order = nullptr);

/// Synchronization: returns the groups with the semaphores and barriers before each of them, for an execution that
/// follows others of the same program.
std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                                      const std::vector<PassGroup>& groups, const PlanOptions& options);

/// Batches: combines the groups that are submitted together.
std::vector<PlanBatch> find_batches(const std::vector<PlanGroup>& groups);

/// Contents: sets what the uses of passes find and leave in an execution of the groups: PassUse::written_by and
/// PassUse::needed_after.
void find_contents(GraphDescription& graph, const std::vector<PlanGroup>& groups);

} // namespace weir
