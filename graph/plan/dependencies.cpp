#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/plan/exclusive.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

/// A use of one resource.
struct ResourceUse {
    std::uint32_t pass = 0;
    bool reads = false, writes = false, concurrent = false;
};

std::string named(const GraphDescription::Resource& resource) {
    return std::string(kind_of(resource)) + " '" + resource.name + "'";
}

Error invalid(std::string message) {
    return {ErrorCode::invalid_graph, std::move(message)};
}

/// Returns the first use that reads although no use before it has written. Passes that write concurrently do not see
/// each other's values.
std::span<ResourceUse>::iterator find_undefined_read(std::span<ResourceUse> uses) {
    for (auto use = uses.begin(); use != uses.end(); ++use) {
        if (use->reads || !use->concurrent) {
            return use->reads && (use == uses.begin() || use->concurrent) ? use : uses.end();
        }
    }
    return uses.end();
}

/// Puts the uses of one resource into execution order. This is the order of declaration, except that reads of an
/// undefined resource run after its writer if it has only one, unless Graph::allow_undefined allows them. `written`:
/// see `find_written`.
Result<> order_uses(const GraphDescription& graph, std::uint32_t resource, const std::vector<bool>& written,
                    std::span<ResourceUse> uses) {
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
        return {}; // reads before the first write see the earlier contents
    }
    if (can_be_undefined) {
        return {}; // reads before the first write see undefined values
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
    return {};
}

/// Checks that each read of a resource without contents has an earlier write by a pass that can run with it. `ordered`:
/// the result of `order_uses`.
Result<> check_exclusive_reads(const GraphDescription& graph, std::uint32_t resource, const ExclusivePasses& exclusive,
                               std::span<const ResourceUse> ordered) {
    const GraphDescription::Resource& node = graph.resources[resource];
    if (!exclusive.any() || !starts_empty(node) || graph.resources[root_of(graph, resource)].can_be_undefined) {
        return {};
    }
    const auto defines = [&](const ResourceUse& earlier, const ResourceUse& use) {
        return earlier.writes && !exclusive.are_exclusive(earlier.pass, use.pass);
    };
    auto set = ordered.begin(); // the first of the consecutive concurrent uses
    for (auto use = ordered.begin(); use != ordered.end(); ++use) {
        set = use->concurrent && use != ordered.begin() && (use - 1)->concurrent ? set : use;
        if (use->reads &&
            std::none_of(ordered.begin(), set, [&](const ResourceUse& earlier) { return defines(earlier, *use); })) {
            const auto& pass = graph.passes[use->pass];
            return tl::unexpected(invalid(concat(
                "pass '", pass.name, "' reads ", named(node),
                ", which no pass has written before it that can run in the same execution", to_string(pass.where))));
        }
    }
    return {};
}

/// The uses of one resource that a next use comes after.
class LatestUses {
public:
    LatestUses(const ExclusivePasses& exclusive, std::vector<std::vector<Edge>>& edges)
        : exclusive_(exclusive), edges_(edges) {}

    /// Begins with the uses of another resource.
    void begin() {
        for (auto* uses : {&writers_, &readers_, &before_.writers, &before_.readers}) {
            uses->clear();
        }
        behind_.clear();
        last_ = nullptr;
    }
    /// Adds the next use, and its edges. `use` must stay where it is.
    void add(const ResourceUse& use) {
        if (!use.writes) {
            come_after(use, writers_);
            readers_.push_back({&use, 0});
        } else {
            if (!use.concurrent || last_ == nullptr || !last_->concurrent) {
                ++set_;
                before_.writers.clear();
                before_.readers.clear();
                supersede(use, writers_, before_.writers);
                supersede(use, readers_, before_.readers);
            } else if (exclusive_.any()) {
                supersede(use, writers_, before_.writers);
                supersede(use, readers_, before_.readers);
            }
            come_after(use, before_.writers); // it may write only a part
            come_after(use, before_.readers);
            if (exclusive_.any()) {
                come_after(use, writers_);
            }
            writers_.push_back({&use, set_});
        }
        last_ = &use;
    }

private:
    struct Latest {
        const ResourceUse* use = nullptr;
        std::uint32_t set = 0; ///< set of a write; concurrent writes of one set need no order
    };
    struct Uses {
        std::vector<Latest> writers, readers;
    };

    /// Moves uses that a write comes after from `latest` to `before`: all later uses come after the write. Exclusive
    /// uses do not; they find these uses behind the write.
    void supersede(const ResourceUse& write, std::vector<Latest>& latest, std::vector<Latest>& before) {
        if (!exclusive_.any()) {
            before.swap(latest);
            latest.clear();
            return;
        }
        const auto stays = [&](const Latest& one) {
            return (one.use->writes && one.set == set_) || exclusive_.are_exclusive(one.use->pass, write.pass);
        };
        const auto end = std::stable_partition(latest.begin(), latest.end(), stays);
        if (exclusive_.is_exclusive(write.pass)) {
            for (auto one = end; one != latest.end(); ++one) {
                if (exclusive_.excludes_more(one->use->pass, write.pass)) {
                    const std::vector<Latest> further = behind_[one->use];
                    behind_[&write].insert(behind_[&write].end(), further.begin(), further.end());
                } else {
                    behind_[&write].push_back(*one);
                }
            }
        }
        before.insert(before.end(), end, latest.end());
        latest.erase(end, latest.end());
    }
    void come_after(const ResourceUse& use, const std::vector<Latest>& all) {
        for (const Latest& one : all) {
            const bool is_in_set = use.writes && one.use->writes && one.set == set_;
            if (one.use->pass == use.pass || is_in_set || (!use.writes && !one.use->writes)) {
                continue;
            }
            if (!exclusive_.are_exclusive(one.use->pass, use.pass)) {
                std::vector<Edge>& edges = edges_[use.pass];
                if (edges.capacity() == 0) {
                    edges.reserve(4); // most passes have few
                }
                edges.push_back({one.use->pass, one.use->writes});
            } else if (const auto found = behind_.find(one.use); found != behind_.end()) {
                come_after(use, found->second);
            }
        }
    }

    const ExclusivePasses& exclusive_;
    std::vector<std::vector<Edge>>& edges_;
    std::vector<Latest> writers_; ///< the latest write, or the latest concurrent writes; several if they are exclusive
    std::vector<Latest> readers_; ///< the reads after them
    Uses before_;                 ///< uses that concurrent writes come after
    std::map<const ResourceUse*, std::vector<Latest>> behind_;
    const ResourceUse* last_ = nullptr;
    std::uint32_t set_ = 0; ///< set of the latest write
};

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
    const ExclusivePasses exclusive(graph);
    std::vector<std::size_t> ends(graph.resources.size() + 1, 0); // per resource: end of its uses
    for (const auto& pass : graph.passes) {
        for (const auto& use : pass.accesses()) {
            ++ends[use.resource + 1];
        }
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<ResourceUse> uses(ends.back());
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        for (const auto& use : graph.passes[pass].accesses()) {
            uses[ends[use.resource]++] = {pass, use.reads(), use.writes(), use.concurrent};
        }
    }
    std::vector<std::vector<Edge>> edges(graph.passes.size());
    LatestUses latest(exclusive, edges);
    std::size_t first = 0;
    for (std::uint32_t resource = 0; resource < graph.resources.size(); ++resource) {
        const std::span<ResourceUse> own = std::span(uses).subspan(first, ends[resource] - first);
        first = ends[resource];
        WEIR_PROPAGATE(order_uses(graph, resource, written, own));
        WEIR_PROPAGATE(check_exclusive_reads(graph, resource, exclusive, own));
        latest.begin();
        for (const ResourceUse& use : own) {
            latest.add(use);
        }
    }
    return edges;
}

} // namespace weir
