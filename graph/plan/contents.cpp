#include <vector>

#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using PassUse = GraphDescription::PassUse;

/// Calls `visit` with each use that accesses its resource.
template <class F>
void each_access(GraphDescription::PassNode& pass, const F& visit) {
    const std::size_t count = pass.accesses().size();
    for (std::size_t i = 0; i < count; ++i) {
        visit(pass.uses[i]);
    }
}

/// Checks if the contents after an execution may be used: by the application, or by the next execution.
bool lasts(const GraphDescription::Resource& resource) {
    return resource.exported || resource.lifetime != GraphDescription::Lifetime::transient;
}

} // namespace

void find_contents(GraphDescription& graph, const std::vector<PlanGroup>& groups) {
    std::vector<std::uint32_t> writer(graph.resources.size(), ResourceId::none);
    for (const PlanGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            each_access(graph.passes[pass], [&](PassUse& use) { use.written_by = writer[use.resource]; });
            each_access(graph.passes[pass],
                        [&](const PassUse& use) { writer[use.resource] = use.writes() ? pass : writer[use.resource]; });
        }
    }
    // A write may leave parts unwritten. Therefore only reads decide, also those behind further writes.
    std::vector<bool> is_read(graph.resources.size(), false);
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
        for (auto pass = group->passes.rbegin(); pass != group->passes.rend(); ++pass) {
            each_access(graph.passes[*pass], [&](PassUse& use) {
                use.needed_after =
                    use.concurrent || !use.writes() || is_read[use.resource] || lasts(graph.resources[use.resource]);
            });
            each_access(graph.passes[*pass],
                        [&](const PassUse& use) { is_read[use.resource] = is_read[use.resource] || use.reads(); });
        }
    }
}

} // namespace weir
