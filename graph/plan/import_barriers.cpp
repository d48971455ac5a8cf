#include "graph/plan/import_barriers.hpp"

#include <algorithm>

#include "graph/plan/resources.hpp"

namespace weir {

ImageBarrier arrival_barrier(const GraphDescription& graph, const Queues& queues, std::uint32_t image, Access arrives) {
    const auto& node = graph.resources[image];
    ImageBarrier barrier{.resource = image,
                         .source = queues.scope_on(queues.on(node.queues.arrives), scope_of(arrives)),
                         .destination = scope_of(Access::any),
                         .old_layout = layout_of(arrives),
                         .new_layout = layout_of(node.arrives)};
    if (barrier.source.stages == 0) { // chains to a semaphore of the application, whichever stages wait for it
        barrier.source = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
    }
    return barrier;
}

bool can_arrive_otherwise(const GraphDescription& graph, const Queues& queues, const Plan& plan, std::uint32_t image) {
    const QueueKind arrives = queues.on(graph.resources[image].queues.arrives);
    const auto names_it = [&](const auto& one) { return root_of(graph, one.resource) == image; };
    const bool is_handed_over = std::any_of(plan.groups.begin(), plan.groups.end(), [&](const PlanGroup& group) {
        return std::any_of(group.acquired.begin(), group.acquired.end(), names_it);
    });
    return is_handed_over || std::all_of(plan.groups.begin(), plan.groups.end(), [&](const PlanGroup& group) {
               return group.queue == arrives || std::none_of(group.layouts.begin(), group.layouts.end(), names_it);
           });
}

} // namespace weir
