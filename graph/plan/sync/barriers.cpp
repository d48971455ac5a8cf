#include <algorithm>
#include <utility>

#include "graph/plan/resources.hpp"
#include "graph/plan/sync/hazard_tracker.hpp"
#include "graph/plan/sync/merged_barriers.hpp"

namespace weir {

std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                                      const std::vector<PassGroup>& groups, const PlanOptions& options) {
    const HazardTracker::Layouts layouts = find_layouts(graph, queues, groups, options);
    const Handovers handovers = find_handovers(graph, queues, groups);
    HazardTracker tracker(graph, queues, memory, groups, layouts, handovers);
    // An execution follows earlier ones and waits for their uses of the program's own memory. The two buffers of a
    // history swap, so both have earlier uses only after two executions. No execution relies on the barriers of another
    // one, so each can be checked alone.
    tracker.warm_up();
    if (std::any_of(graph.resources.begin(), graph.resources.end(), is_history)) {
        tracker.warm_up();
    }
    std::vector<PlanGroup> placed = tracker.execute();
    for (PlanGroup& group : placed) {
        group.image_barriers = merge_barriers(graph, std::move(group.image_barriers));
    }
    return placed;
}

} // namespace weir
