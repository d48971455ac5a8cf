#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

/// A use of one resource.
struct ResourceUse {
    std::uint32_t pass;
    bool reads, writes, concurrent;
};

std::string named(const GraphDescription::Resource& resource) {
    return std::string(kind_of(resource)) + " '" + resource.name + "'";
}

Error invalid(std::string message) {
    return {ErrorCode::invalid_graph, std::move(message)};
}

/// Returns the first use that reads although no use before it has written. Passes that write concurrently do not see
/// each other's values.
std::vector<ResourceUse>::const_iterator find_undefined_read(const std::vector<ResourceUse>& uses) {
    for (auto use = uses.begin(); use != uses.end(); ++use) {
        if (use->reads || !use->concurrent) {
            return use->reads && (use == uses.begin() || use->concurrent) ? use : uses.end();
        }
    }
    return uses.end();
}

/// Returns the uses of one resource in execution order. This is the order of declaration, except that reads of an
/// undefined resource run after its writer if it has only one, unless Graph::allow_undefined allows them. `written`:
/// see `find_written`.
Result<std::vector<ResourceUse>> order_uses(const GraphDescription& graph, std::uint32_t resource,
                                            const std::vector<bool>& written, std::vector<ResourceUse> uses) {
    const GraphDescription::Resource& node = graph.resources[resource];
    const std::uint32_t root = root_of(graph, resource);
    const auto refuse = [&](const ResourceUse& use, const char* does, const std::string& why) {
        const auto& pass = graph.passes[use.pass];
        return tl::unexpected(
            invalid(concat("pass '", pass.name, "' ", does, " ", named(node), why, to_string(pass.where))));
    };
    const bool can_be_undefined = graph.resources[root].can_be_undefined;
    const bool is_empty = node.image && node.lifetime == Lifetime::import && node.arrives.empty();
    const auto first = std::find_if(uses.begin(), uses.end(), [](const ResourceUse& use) { return use.writes; });
    if (first != uses.end() && node.current != ResourceId::none) {
        return refuse(*first, "writes", ", which is the previous value of a history and can only be read");
    }
    if (node.current != ResourceId::none && !uses.empty() && !written[node.current]) {
        return refuse(uses.front(), "reads", concat(", but no pass writes '", graph.resources[node.current].name, "'"));
    }
    if (first == uses.end()) {
        if (starts_undefined(node) && !uses.empty() && !can_be_undefined) {
            return refuse(uses.front(), "reads", ", which no pass writes");
        }
        // Some mips and layers of an exported image may have no contents.
        const bool is_written_elsewhere = node.part_of != ResourceId::none && written[node.part_of];
        if ((node.lifetime == Lifetime::transient || is_empty) && node.exported && !is_written_elsewhere) {
            return tl::unexpected(invalid(named(node) + " is exported, but no pass writes it" + to_string(node.where)));
        }
    }
    if (is_empty && !can_be_undefined) {
        if (const auto reader = find_undefined_read(uses); reader != uses.end()) {
            return refuse(*reader, "reads", ", which arrives without contents");
        }
    }
    if (first == uses.end() || !starts_undefined(node)) {
        return uses; // reads before the first write see the earlier contents
    }
    if (can_be_undefined) {
        return uses; // reads before the first write see undefined values
    }
    if (first != uses.begin() &&
        std::any_of(first + 1, uses.end(), [](const ResourceUse& use) { return use.writes; })) {
        return refuse(uses.front(), "reads",
                      " before all of its writers; add the pass after the writer whose value it reads");
    }
    std::rotate(uses.begin(), first, first + 1);
    if (const auto reader = find_undefined_read(uses); reader != uses.end()) {
        return refuse(*reader, "reads and writes", ", which no pass has written before it");
    }
    return uses;
}

/// Returns for each buffer and each image whether a pass writes it or a part of it.
std::vector<bool> find_written(const GraphDescription& graph) {
    std::vector<bool> written(graph.resources.size(), false);
    for (const auto& pass : graph.passes) {
        for (const auto& use : pass.uses) {
            if (use.writes()) {
                written[root_of(graph, use.resource)] = true;
            }
        }
    }
    return written;
}

} // namespace

bool is_written(const GraphDescription& graph, std::uint32_t resource) {
    return std::any_of(graph.passes.begin(), graph.passes.end(), [&](const GraphDescription::PassNode& pass) {
        return std::any_of(pass.uses.begin(), pass.uses.end(), [&](const GraphDescription::PassUse& use) {
            return use.writes() && overlap(graph, use.resource, resource);
        });
    });
}

Result<std::vector<std::vector<Edge>>> find_edges(const GraphDescription& graph) {
    const std::vector<bool> written = find_written(graph);
    std::vector<std::vector<ResourceUse>> uses(graph.resources.size());
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        for (const auto& use : graph.passes[pass].accesses()) {
            uses[use.resource].push_back({pass, use.reads(), use.writes(), use.concurrent});
        }
    }
    std::vector<std::vector<Edge>> edges(graph.passes.size());
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        auto ordered = order_uses(graph, resource, written, std::move(uses[resource]));
        WEIR_PROPAGATE(ordered);
        // The latest write, or the latest concurrent writes; the reads after them; and what concurrent writes follow.
        std::vector<const ResourceUse*> writers, readers, earlier_writers, earlier_readers;
        for (const ResourceUse& use : *ordered) {
            const auto after = [&](const ResourceUse& earlier, bool value) {
                if (earlier.pass != use.pass) {
                    edges[use.pass].push_back({earlier.pass, value});
                }
            };
            const auto after_all = [&](const std::vector<const ResourceUse*>& all, bool value) {
                std::for_each(all.begin(), all.end(), [&](const ResourceUse* earlier) { after(*earlier, value); });
            };
            if (!use.writes) {
                after_all(writers, true);
                readers.push_back(&use);
                continue;
            }
            const bool joins = use.concurrent && !writers.empty() && writers.back()->concurrent && readers.empty();
            if (!joins) {
                earlier_writers = std::exchange(writers, {});
                earlier_readers = std::exchange(readers, {});
            }
            after_all(earlier_writers, true); // it may write only a part
            after_all(earlier_readers, false);
            writers.push_back(&use);
        }
    }
    return edges;
}

} // namespace weir
