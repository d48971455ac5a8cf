#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "engine/base/strings.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

/// Moves passes of the main queue that wait for another queue, and passes of the main queue that depend on them, to the
/// last of the `levels` that their dependents allow. `order`: a topological order of the passes.
void postpone(const std::vector<std::uint32_t>& order, const std::vector<std::vector<std::uint32_t>>& next,
              const std::vector<bool>& live, const std::vector<QueueKind>& assigned, const std::vector<bool>& crosses,
              std::uint32_t levels, std::vector<std::uint32_t>& level) {
    std::vector<bool> late(order.size(), false);
    for (const std::uint32_t pass : order) {
        late[pass] = (late[pass] || crosses[pass]) && assigned[pass] == QueueKind::main;
        for (const std::uint32_t after : next[pass]) {
            late[after] = late[after] || late[pass];
        }
    }
    for (auto pass = order.rbegin(); pass != order.rend(); ++pass) {
        if (!late[*pass] || !live[*pass]) {
            continue;
        }
        std::uint32_t last = levels - 1;
        for (const std::uint32_t after : next[*pass]) {
            last = live[after] ? std::min(last, level[after] - 1) : last;
        }
        level[*pass] = std::max(level[*pass], last);
    }
}

} // namespace

Result<std::vector<PassGroup>> find_groups(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                                           const std::vector<bool>& live, const std::vector<QueueKind>& assigned) {
    const auto count = static_cast<std::uint32_t>(graph.passes.size());
    std::vector<std::uint32_t> waits(count, 0), level(count, 0);
    std::vector<std::vector<std::uint32_t>> next(count);
    std::vector<bool> crosses(count, false); // the pass waits for another queue
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        for (const Edge& edge : edges[pass]) {
            next[edge.on].push_back(pass);
            ++waits[pass];
            crosses[pass] = crosses[pass] || (live[edge.on] && assigned[edge.on] != assigned[pass]);
        }
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        if (waits[pass] == 0) {
            ready.push_back(pass);
        }
    }
    std::uint32_t done = 0, levels = 0;
    while (done < ready.size()) {
        const std::uint32_t pass = ready[done++];
        levels = live[pass] ? std::max(levels, level[pass] + 1) : levels;
        for (const std::uint32_t after : next[pass]) {
            level[after] = std::max(level[after], live[pass] ? level[pass] + 1 : level[pass]);
            if (--waits[after] == 0) {
                ready.push_back(after);
            }
        }
    }
    if (done < count) {
        // Every remaining pass waits for another remaining pass. Walking backwards therefore ends in a cycle.
        std::uint32_t pass = 0;
        while (waits[pass] == 0) {
            ++pass;
        }
        std::vector<std::uint32_t> path;
        while (std::find(path.begin(), path.end(), pass) == path.end()) {
            path.push_back(pass);
            pass = std::find_if(edges[pass].begin(), edges[pass].end(), [&](const Edge& edge) {
                       return waits[edge.on] != 0;
                   })->on;
        }
        path.erase(path.begin(), std::find(path.begin(), path.end(), pass));
        std::string names;
        for (auto it = path.rbegin(); it != path.rend(); ++it) {
            names += concat("'", graph.passes[*it].name, "'", to_string(graph.passes[*it].where), " -> ");
        }
        return tl::unexpected(Error{ErrorCode::invalid_graph, "passes depend on each other in a cycle: " + names + "'" +
                                                                  graph.passes[path.back()].name + "'"});
    }
    if (std::find(crosses.begin(), crosses.end(), true) != crosses.end()) {
        postpone(ready, next, live, assigned, crosses, levels, level);
    }
    std::map<std::tuple<std::uint32_t, bool, QueueKind>, PassGroup> groups;
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        if (live[pass]) {
            PassGroup& group = groups[{level[pass], crosses[pass], assigned[pass]}];
            group.queue = assigned[pass];
            group.passes.push_back(pass);
        }
    }
    std::vector<PassGroup> in_order;
    for (auto& [key, group] : groups) {
        in_order.push_back(std::move(group));
    }
    return in_order;
}

} // namespace weir
