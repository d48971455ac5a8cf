#include <algorithm>

#include "graph/plan/exclusive.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

using Lifetime = GraphDescription::Lifetime;

std::vector<bool> find_live(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges) {
    const ExclusivePasses exclusive(graph);
    std::vector<bool> live(graph.passes.size(), false);
    std::vector<std::uint32_t> work;
    std::vector<std::vector<std::uint32_t>> last_writers(
        graph.resources.size()); // several if they are concurrent or exclusive
    const auto keep = [&](std::uint32_t pass) {
        if (!live[pass]) {
            live[pass] = true;
            work.push_back(pass);
        }
    };
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        if (const auto* recorded = graph.passes[pass].command_pass(); recorded && recorded->keep) {
            keep(pass);
        }
        for (const auto& use : graph.passes[pass].accesses()) {
            const auto& node = graph.resources[use.resource];
            if (use.writes() && node.lifetime == Lifetime::state) {
                auto& last = last_writers[use.resource];
                std::erase_if(last, [&](std::uint32_t earlier) {
                    return !use.concurrent && !exclusive.are_exclusive(earlier, pass);
                });
                last.push_back(pass);
            }
            if (use.writes() && (node.lifetime == Lifetime::import || node.exported)) {
                keep(pass);
            }
        }
    }
    while (!work.empty()) {
        const std::uint32_t pass = work.back();
        work.pop_back();
        for (const Edge& edge : edges[pass]) {
            if (edge.value) {
                keep(edge.on);
            }
        }
        for (const auto& use : graph.passes[pass].accesses()) { // values that an earlier execution left
            const auto& node = graph.resources[use.resource];
            if (!use.reads() || node.lifetime != Lifetime::state || starts_undefined(node)) {
                continue;
            }
            const std::uint32_t left = node.current != ResourceId::none ? node.current : use.resource;
            // With them earlier writers are kept, whose values they may keep in part.
            std::for_each(last_writers[left].begin(), last_writers[left].end(), keep);
        }
    }
    return live;
}

} // namespace weir
