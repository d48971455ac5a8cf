#include <weir/graph/plan.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/stages.hpp"

namespace weir {

std::uint64_t PlanMemory::bytes() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
}

namespace {

using Work = decltype(GraphDescription::PassNode::work);

/// Nothing but its kind.
Work without_contents(const Work& work) {
    return std::visit([](const auto& one) -> Work { return std::decay_t<decltype(one)>{}; }, work);
}

/// Shaders may be large, and the functions of host passes keep what they please alive.
std::shared_ptr<const GraphDescription> without_work(const GraphDescription& graph) {
    auto out = std::make_shared<GraphDescription>();
    out->identity = graph.identity;
    out->resources = graph.resources;
    out->parameters = graph.parameters;
    out->switches = graph.switches;
    out->data = graph.data;
    for (const auto& pass : graph.passes) {
        out->passes.push_back({.name = pass.name,
                               .work = without_contents(pass.work),
                               .touches = pass.touches,
                               .conditions = pass.conditions,
                               .computes_arguments = pass.computes_arguments,
                               .queue = pass.queue,
                               .where = pass.where});
    }
    return out;
}

} // namespace

Result<Plan> make_plan(const GraphDescription& graph, const PlanOptions& options) {
    if (graph.error) {
        return tl::unexpected(*graph.error);
    }
    const auto edges = find_edges(graph);
    if (!edges) {
        return tl::unexpected(edges.error());
    }
    const Queues queues(graph.capabilities, options.one_queue);
    const auto assigned = assign_queues(graph, queues);
    if (!assigned) {
        return tl::unexpected(assigned.error());
    }
    const std::vector<bool> live = find_live(graph, *edges);
    auto found = find_groups(graph, *edges, live, *assigned);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const std::vector<PassGroup> groups = add_ends(graph, queues, split_by_layouts(graph, std::move(*found)));
    if (options.pooled && std::any_of(groups.begin(), groups.end(),
                                      [](const PassGroup& group) { return group.queue != QueueKind::main; })) {
        return tl::unexpected(Error{ErrorCode::unsupported,
                                    "memory of a pool is for programs on one queue; this one has passes on others"});
    }
    Plan plan;
    plan.graph = without_work(graph);
    plan.used.resize(graph.resources.size(), false);
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        if (!live[pass]) {
            plan.dropped.push_back(pass);
            continue;
        }
        for (const auto& touch : graph.passes[pass].touches) {
            plan.used[touch.resource] = true;
        }
        if (const auto* work = std::get_if<Pass>(&graph.passes[pass].work)) {
            for (const Binding& binding : work->bindings) {
                plan.used[binding.resource.index] =
                    true; // a descriptor that the shader does not touch must be valid too
            }
        }
    }
    for (std::uint32_t current = 0; current < graph.resources.size(); ++current) {
        if (const std::uint32_t previous = graph.resources[current].previous; previous != ResourceId::none) {
            plan.used[current] = plan.used[previous] = plan.used[current] || plan.used[previous]; // they take turns
        }
    }
    plan.memory = place_memory(graph, groups, options);
    plan.memory.pooled = options.pooled;
    plan.groups = place_barriers(graph, queues, plan.memory, groups);
    plan.batches = find_batches(plan.groups);
    for (const auto& resource : graph.resources) {
        plan.final_layouts.push_back(resource.image ? layout_of(resource.arrives) : VK_IMAGE_LAYOUT_UNDEFINED);
    }
    for (const PlanGroup& group : plan.groups) {
        for (const PlanGroup::Layout& image : group.layouts) {
            plan.final_layouts[image.resource] = image.layout;
        }
        for (const ImageBarrier& barrier : group.image_barriers) {
            plan.used[barrier.resource] = true; // also if it only arrives and leaves
        }
        for (const Handover& taken : group.acquired) {
            plan.used[taken.resource] = true;
            plan.final_layouts[taken.resource] = taken.new_layout;
        }
    }
    return plan;
}

} // namespace weir
