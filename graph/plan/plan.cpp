#include <weir/graph/plan.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/propagate.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

std::uint64_t PlanMemory::bytes() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
}

namespace {

/// Returns the description without functions, which may keep objects alive, and without what only `compile` needs.
std::shared_ptr<GraphDescription> without_functions(const GraphDescription& graph) {
    auto out = std::make_shared<GraphDescription>();
    out->identity = graph.identity;
    out->capabilities = graph.capabilities;
    out->resources = graph.resources;
    out->parameters = graph.parameters;
    out->switches = graph.switches;
    out->data = graph.data;
    out->sets = graph.sets;
    out->has_unless = graph.has_unless;
    const GraphDescription::PassNode::Work empty = std::make_shared<const CommandPass>();
    out->passes.reserve(graph.passes.size());
    for (const auto& pass : graph.passes) {
        out->passes.push_back({.name = pass.name,
                               .work = pass.command_pass() != nullptr ? empty : pass.work,
                               .uses = pass.uses,
                               .conditions = pass.conditions,
                               .computes_arguments = pass.computes_arguments,
                               .queue = pass.queue,
                               .where = pass.where});
    }
    return out;
}

/// Returns for each resource whether a pass, barrier or ownership transfer of the groups uses it. If one buffer of a
/// history is used, so is the other.
std::vector<bool> find_used(const GraphDescription& graph, const std::vector<PlanGroup>& groups) {
    std::vector<bool> used(graph.resources.size(), false);
    for (const PlanGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].uses) { // a descriptor must be valid, even if no shader reads it
                used[use.resource] = used[use.named()] = used[root_of(graph, use.resource)] = true;
            }
        }
        for (const ImageBarrier& barrier : group.image_barriers) { // including images that no pass uses
            used[barrier.resource] = used[root_of(graph, barrier.resource)] = true;
            for (const std::uint32_t piece : barrier.pieces) {
                used[piece] = true;
            }
        }
        for (const OwnershipTransfer& taken : group.acquired) {
            used[taken.resource] = used[root_of(graph, taken.resource)] = true;
        }
    }
    for (std::uint32_t current = 0; current < graph.resources.size(); ++current) {
        if (const std::uint32_t previous = graph.resources[current].previous; previous != ResourceId::none) {
            used[current] = used[previous] = used[current] || used[previous];
        }
    }
    return used;
}

/// Returns for each image its layout after an execution; undefined if its pieces differ.
std::vector<VkImageLayout> find_final_layouts(const GraphDescription& graph, const std::vector<PlanGroup>& groups) {
    std::vector<VkImageLayout> layouts;
    for (const auto& resource : graph.resources) {
        layouts.push_back(resource.image ? layout_of(resource.arrives) : VK_IMAGE_LAYOUT_UNDEFINED);
    }
    for (const PlanGroup& group : groups) {
        for (const PlanGroup::Layout& image : group.layouts) {
            layouts[image.resource] = image.layout;
        }
        for (const OwnershipTransfer& taken : group.acquired) {
            layouts[taken.resource] = taken.new_layout;
        }
    }
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const auto& pieces = graph.resources[i].pieces;
        const auto is_other = [&](std::uint32_t piece) { return layouts[piece] != layouts[pieces.front()]; };
        if (!pieces.empty()) {
            const bool differ = std::any_of(pieces.begin(), pieces.end(), is_other);
            layouts[i] = differ ? VK_IMAGE_LAYOUT_UNDEFINED : layouts[pieces.front()];
        }
    }
    return layouts;
}

bool has_several_queues(const std::vector<PassGroup>& groups) {
    return std::any_of(groups.begin(), groups.end(),
                       [](const PassGroup& group) { return group.queue != QueueKind::main; });
}

bool has_same_waits(const std::vector<PlanGroup>& a, const std::vector<PlanGroup>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlanGroup& one, const PlanGroup& other) {
        return std::equal(one.waits.begin(), one.waits.end(), other.waits.begin(), other.waits.end(),
                          [](const GroupWait& wait, const GroupWait& same) {
                              return wait.group == same.group && wait.executions_ago == same.executions_ago;
                          });
    });
}

/// Makes a plan without `graph`. The resources of `graph` are disjoint.
Result<Plan> plan_disjoint(const GraphDescription& graph, const PlanOptions& options) {
    // 1. Dependencies. Only the declared uses of resources order passes.
    const auto edges = find_edges(graph);
    WEIR_PROPAGATE(edges);
    // 2. Queues. The queue of a pass does not depend on the schedule, but the schedule depends on queues: a pass
    //    that waits for another queue delays all later passes on its own queue.
    const Queues queues(graph.capabilities, options.one_queue);
    const auto assigned = assign_queues(graph, queues);
    WEIR_PROPAGATE(assigned);
    // 3. Culling, so that unused passes cost neither time nor memory nor barriers.
    const std::vector<bool> live = find_live(graph, *edges);
    // 4. Schedule. Passes that can run together form a group, with one pipeline barrier before all of them.
    auto schedule = find_schedule(graph, *edges, live, *assigned, options.order);
    WEIR_PROPAGATE(schedule);
    // 5. Layouts. Passes of a group run in any order, so an image has one layout for all of them.
    std::vector<PassGroup> groups = split_by_layouts(graph, std::move(schedule->groups), options);
    // 6. Queue transfers. Exports and imports that other queues use need groups of their own, at the ends.
    groups = add_ends(graph, queues, std::move(groups));
    if (options.pooled && has_several_queues(groups)) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  "a memory pool requires a program on one queue; this program has passes on several"});
    }
    Plan plan;
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        if (!live[pass]) {
            plan.culled.push_back(pass);
        }
    }
    // 7. Memory. The groups that a transient spans are now known, so other transients can use its bytes after them.
    plan.memory = place_memory(graph, groups, options);
    // 8. Synchronization comes after memory, because transients that share bytes must wait for each other.
    plan.groups = place_barriers(graph, queues, plan.memory, groups, options);
    //    The order of groups on different queues is known only now. Place the memory again, so that transients of
    //    several queues share bytes. Keep the result only if it is smaller and needs the same semaphores.
    if (options.share_memory && has_several_queues(groups)) {
        const QueueOrder order(plan.groups);
        PlanMemory shared = place_memory(graph, groups, options, &order);
        if (shared.bytes() < plan.memory.bytes()) {
            std::vector<PlanGroup> synchronized = place_barriers(graph, queues, shared, groups, options);
            if (has_same_waits(synchronized, plan.groups)) {
                plan.memory = std::move(shared);
                plan.groups = std::move(synchronized);
            }
        }
    }
    plan.memory.lower_bound = std::min(plan.memory.alive, schedule->least_bytes);
    // 9. Batches. Submissions wait for semaphores only at their start, and signal them only at their end.
    plan.batches = find_batches(plan.groups);
    plan.used = find_used(graph, plan.groups);
    plan.final_layouts = find_final_layouts(graph, plan.groups);
    return plan;
}

} // namespace

Result<Plan> make_plan(const GraphDescription& declared, const PlanOptions& options) {
    if (declared.error) {
        return tl::unexpected(*declared.error);
    }
    // 0. Pieces. All later stages see disjoint resources.
    const auto cut = cut_images(declared);
    WEIR_PROPAGATE(cut);
    const GraphDescription& graph = *cut ? **cut : declared;
    auto plan = plan_disjoint(graph, options);
    if (plan) {
        // 10. Contents. The order of the passes is now known.
        const std::shared_ptr<GraphDescription> planned = without_functions(graph);
        find_contents(*planned, plan->groups);
        plan->graph = planned;
    }
    return plan;
}

} // namespace weir
