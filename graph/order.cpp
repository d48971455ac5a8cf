#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "engine/text.hpp"
#include "graph/names.hpp"
#include "graph/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

struct PassUse {
    std::uint32_t pass;
    Access access;
};

std::string named(const GraphDescription::Resource& resource) {
    return std::string(kind_of(resource)) + " '" + resource.name + "'";
}

Error invalid(std::string message) {
    return {ErrorCode::invalid_graph, std::move(message)};
}

/// A pass may name a resource twice only to read it: two bindings of which one writes would race within the pass.
Result<> check_touches(const GraphDescription& graph, const GraphDescription::PassNode& pass) {
    for (std::size_t i = 0; i < pass.touches.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto &a = pass.touches[j], &b = pass.touches[i];
            if (a.resource == b.resource && (writes(a.access) || writes(b.access))) {
                return tl::unexpected(
                    invalid("pass '" + pass.name + "' declares " + named(graph.resources[a.resource]) +
                            " twice: as use " + std::to_string(j) + " for " + to_string(a.access) + " and as use " +
                            std::to_string(i) + " for " + to_string(b.access) + to_string(pass.where)));
            }
        }
    }
    return {};
}

/// The uses of one resource in the order in which they happen: as declared, but reads before the only writer of what
/// starts undefined, a transient or the current one of a history, follow it.
Result<std::vector<PassUse>> order_uses(const GraphDescription& graph, const GraphDescription::Resource& node,
                                        std::vector<PassUse> uses) {
    const auto refuse = [&](const PassUse& use, const char* does, const std::string& why) {
        const auto& pass = graph.passes[use.pass];
        return tl::unexpected(
            invalid(concat("pass '", pass.name, "' ", does, " ", named(node), why, to_string(pass.where))));
    };
    const bool is_empty = node.image && node.lifetime == Lifetime::import && node.arrives == Access::none;
    const auto first = std::find_if(uses.begin(), uses.end(), [](const PassUse& use) { return writes(use.access); });
    if (first != uses.end() && node.current != ResourceId::none) {
        return refuse(*first, "writes", ", which holds what the last execution left and can only be read");
    }
    if (node.current != ResourceId::none && !uses.empty() && !is_written(graph, node.current)) {
        return refuse(uses.front(), "reads", concat(", but no pass writes '", graph.resources[node.current].name, "'"));
    }
    if (first == uses.end()) {
        if (starts_undefined(node) && !uses.empty()) {
            return refuse(uses.front(), "reads", ", which no pass writes");
        }
        if ((node.lifetime == Lifetime::transient || is_empty) && node.exported) {
            return tl::unexpected(invalid(named(node) + " is exported, but no pass writes it" + to_string(node.where)));
        }
    }
    if (is_empty && !uses.empty() && reads(uses.front().access)) {
        return refuse(uses.front(), "reads", ", which arrives without contents");
    }
    if (first == uses.end() || !starts_undefined(node)) {
        return uses; // earlier reads see what it held before
    }
    if (first != uses.begin() &&
        std::any_of(first + 1, uses.end(), [](const PassUse& use) { return writes(use.access); })) {
        return refuse(uses.front(), "reads", " before any of its several writers; add it after the one that it means");
    }
    std::rotate(uses.begin(), first, first + 1);
    if (reads(uses.front().access)) {
        return refuse(uses.front(), "reads and writes", ", which no pass has written before it");
    }
    return uses;
}

/// Brings what waits for another queue, and what comes after that, on the main queue to the last of the `levels` that
/// what waits for it allows. `order`: each pass after all that it comes after.
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

bool is_written(const GraphDescription& graph, std::uint32_t buffer) {
    return std::any_of(graph.passes.begin(), graph.passes.end(), [&](const GraphDescription::PassNode& pass) {
        return std::any_of(pass.touches.begin(), pass.touches.end(), [&](const GraphDescription::Touch& touch) {
            return touch.resource == buffer && writes(touch.access);
        });
    });
}

Result<std::vector<std::vector<Edge>>> find_edges(const GraphDescription& graph) {
    std::vector<std::vector<PassUse>> uses(graph.resources.size());
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        if (auto checked = check_touches(graph, graph.passes[pass]); !checked) {
            return tl::unexpected(checked.error());
        }
        for (const auto& touch : graph.passes[pass].touches) {
            uses[touch.resource].push_back({pass, touch.access});
        }
    }
    std::vector<std::vector<Edge>> edges(graph.passes.size());
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        auto ordered = order_uses(graph, graph.resources[resource], std::move(uses[resource]));
        if (!ordered) {
            return tl::unexpected(ordered.error());
        }
        const PassUse* writer = nullptr;
        std::vector<const PassUse*> readers;
        for (const PassUse& use : *ordered) {
            const auto after = [&](const PassUse& earlier, bool value) {
                if (earlier.pass != use.pass) {
                    edges[use.pass].push_back({earlier.pass, value});
                }
            };
            if (writer != nullptr) {
                after(*writer, true); // also for a second writer: it may write only a part
            }
            if (writes(use.access)) {
                for (const PassUse* reader : readers) {
                    after(*reader, false);
                }
                readers.clear();
                writer = &use;
            } else {
                readers.push_back(&use);
            }
        }
    }
    return edges;
}

std::vector<bool> find_live(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges) {
    std::vector<bool> live(graph.passes.size(), false);
    std::vector<std::uint32_t> work;
    std::vector<std::uint32_t> last_writers(graph.resources.size(), ResourceId::none);
    const auto keep = [&](std::uint32_t pass) {
        if (!live[pass]) {
            live[pass] = true;
            work.push_back(pass);
        }
    };
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        if (const auto* recorded = std::get_if<HostPass>(&graph.passes[pass].work); recorded && recorded->keep) {
            keep(pass);
        }
        for (const auto& touch : graph.passes[pass].touches) {
            const auto& node = graph.resources[touch.resource];
            if (writes(touch.access)) {
                last_writers[touch.resource] = pass;
            }
            if (writes(touch.access) && (node.lifetime == Lifetime::import || node.exported)) {
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
        for (const auto& touch : graph.passes[pass].touches) { // it finds what the last execution has left
            const auto& node = graph.resources[touch.resource];
            if (!reads(touch.access) || node.lifetime != Lifetime::state || starts_undefined(node)) {
                continue;
            }
            const std::uint32_t left = node.current != ResourceId::none ? node.current : touch.resource;
            if (last_writers[left] != ResourceId::none) {
                keep(last_writers[left]); // and with it those before it, of which it may leave parts alone
            }
        }
    }
    return live;
}

Result<std::vector<PassGroup>> find_groups(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges,
                                           const std::vector<bool>& live, const std::vector<QueueKind>& assigned) {
    const auto count = static_cast<std::uint32_t>(graph.passes.size());
    std::vector<std::uint32_t> waits(count, 0), level(count, 0);
    std::vector<std::vector<std::uint32_t>> next(count);
    std::vector<bool> crosses(count, false); // waits for another queue
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
        // Every pass that is left waits for another that is left: following them backwards must come round.
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
        return tl::unexpected(
            invalid("passes wait for each other in a cycle: " + names + "'" + graph.passes[path.back()].name + "'"));
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
