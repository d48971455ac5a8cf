#pragma once

#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

#include "graph/queues.hpp"

// The stages of the graph compiler: pure functions from data to data.

namespace weir {

/// `pass` comes after `on`. `value` says that it needs what `on` wrote, not only that `on` is out of the way.
struct Edge {
    std::uint32_t on = 0;
    bool value = false;
};

/// Whether it is one of the two of a history.
inline bool is_history(const GraphDescription::Resource& buffer) {
    return buffer.previous != ResourceId::none || buffer.current != ResourceId::none;
}

/// Whether it holds nothing of its own at first, so that whoever reads it must mean what a pass of the execution
/// writes.
inline bool starts_undefined(const GraphDescription::Resource& buffer) {
    return buffer.lifetime == GraphDescription::Lifetime::transient || buffer.previous != ResourceId::none;
}

bool is_written(const GraphDescription& graph, std::uint32_t buffer);

/// For each pass the passes it comes after. Errors: declarations that conflict, reads that nothing defines, empty
/// exports.
Result<std::vector<std::vector<Edge>>> find_edges(const GraphDescription& graph);

/// Passes that an import or an export needs, directly, through others, or in executions to come.
std::vector<bool> find_live(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges);

/// Live passes in groups: each pass as early as what it comes after allows, in the order of declaration within a group.
/// What waits for another queue is in a group of its own, after the others of its time; on the main queue, as late as
/// what waits for it allows: it holds back all that comes after it. Errors: a cycle, with the passes on it.
Result<std::vector<PassGroup>> find_groups(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                                           const std::vector<bool>& live, const std::vector<QueueKind>& assigned);

/// The same, but passes that need an image in layouts of their own are in groups one after the other: those of one
/// group run in any order. Each pass is in the first of these where it can do with the layouts of the ones before it.
std::vector<PassGroup> split_by_layouts(const GraphDescription& graph, std::vector<PassGroup> groups);

/// Memory for the transients of the groups.
PlanMemory place_memory(const GraphDescription& graph, const std::vector<PassGroup>& groups,
                        const PlanOptions& options);

/// For each group the layouts in which it needs images: for its passes, or for what leaves the graph.
std::vector<std::vector<PlanGroup::Layout>> find_layouts(const GraphDescription& graph, const Queues& queues,
                                                         const std::vector<PassGroup>& groups);

/// The barriers before each group. An execution counts on the barriers of the one before it if, after so many `tries`,
/// they are found to be the same.
std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                                      const std::vector<PassGroup>& groups, std::uint32_t tries = 8);

} // namespace weir
