#include <algorithm>
#include <string>

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
                return tl::unexpected(invalid("pass '" + pass.name + "' declares " +
                                              named(graph.resources[a.resource]) + " twice: as use " +
                                              std::to_string(j) + " for " + to_string(a.access) + " and as use " +
                                              std::to_string(i) + " for " + to_string(b.access)));
            }
        }
    }
    return {};
}

/// The uses of one resource in the order in which they happen: as declared, but reads before a transient's only writer
/// follow it.
Result<std::vector<PassUse>> order_uses(const GraphDescription& graph, const GraphDescription::Resource& node,
                                        std::vector<PassUse> uses) {
    const auto refuse = [&](const char* does, const std::string& why) {
        return tl::unexpected(
            invalid("pass '" + graph.passes[uses.front().pass].name + "' " + does + " " + named(node) + why));
    };
    const bool is_transient = node.lifetime == Lifetime::transient;
    const bool is_empty = node.image && node.lifetime == Lifetime::import && node.arrives == Access::none;
    const auto first = std::find_if(uses.begin(), uses.end(), [](const PassUse& use) { return writes(use.access); });
    if (first == uses.end()) {
        if (is_transient && !uses.empty()) {
            return refuse("reads", ", which no pass writes");
        }
        if ((is_transient || is_empty) && node.exported) {
            return tl::unexpected(invalid(named(node) + " is exported, but no pass writes it"));
        }
    }
    if (is_empty && !uses.empty() && reads(uses.front().access)) {
        return refuse("reads", ", which arrives without contents");
    }
    if (first == uses.end() || !is_transient) {
        return uses; // earlier reads see what it held before
    }
    if (first != uses.begin() &&
        std::any_of(first + 1, uses.end(), [](const PassUse& use) { return writes(use.access); })) {
        return refuse("reads", " before any of its several writers; add it after the one that it means");
    }
    std::rotate(uses.begin(), first, first + 1);
    if (reads(uses.front().access)) {
        return refuse("reads and writes", ", which no pass has written before it");
    }
    return uses;
}

} // namespace

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
    }
    return live;
}

Result<std::vector<std::vector<std::uint32_t>>>
find_groups(const GraphDescription& graph, const std::vector<std::vector<Edge>>& edges, const std::vector<bool>& live) {
    const auto count = static_cast<std::uint32_t>(graph.passes.size());
    std::vector<std::uint32_t> waits(count, 0), level(count, 0);
    std::vector<std::vector<std::uint32_t>> next(count);
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        for (const Edge& edge : edges[pass]) {
            next[edge.on].push_back(pass);
            ++waits[pass];
        }
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t pass = 0; pass < count; ++pass) {
        if (waits[pass] == 0) {
            ready.push_back(pass);
        }
    }
    std::uint32_t done = 0;
    std::vector<std::vector<std::uint32_t>> groups;
    while (done < ready.size()) {
        const std::uint32_t pass = ready[done++];
        if (live[pass]) {
            if (groups.size() <= level[pass]) {
                groups.resize(level[pass] + 1);
            }
            groups[level[pass]].push_back(pass);
        }
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
            names += "'" + graph.passes[*it].name + "' -> ";
        }
        return tl::unexpected(
            invalid("passes wait for each other in a cycle: " + names + "'" + graph.passes[path.back()].name + "'"));
    }
    for (auto& group : groups) {
        std::sort(group.begin(), group.end());
    }
    return groups;
}

} // namespace weir
