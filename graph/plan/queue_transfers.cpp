#include <algorithm>
#include <array>
#include <utility>

#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Resource = GraphDescription::Resource;
using Role = PassGroup::Role;

/// A set of queues.
class QueueSet {
public:
    void add(QueueKind queue) { bits_ |= 1U << static_cast<unsigned>(queue); }
    [[nodiscard]] bool has(QueueKind queue) const { return (bits_ >> static_cast<unsigned>(queue) & 1U) != 0; }
    [[nodiscard]] bool empty() const { return bits_ == 0; }
    [[nodiscard]] bool has_other_than(QueueKind queue) const {
        return (bits_ & ~(1U << static_cast<unsigned>(queue))) != 0;
    }

private:
    unsigned bits_ = 0;
};

bool is_import(const Resource& node) {
    return node.lifetime == Lifetime::import;
}

bool is_exclusive(const Resource& node) {
    return is_import(node) && !node.queues.concurrent;
}

/// Checks if the resource has contents when it arrives.
bool has_contents(const Resource& node) {
    return !node.image || !node.arrives.empty();
}

bool leaves_for_use(const Resource& node) {
    return node.exported && !node.leaves.empty();
}

template <class F>
void each_use(const GraphDescription& graph, const PassGroup& group, const F& f) {
    for (const std::uint32_t pass : group.passes) {
        for (const auto& use : graph.passes[pass].accesses()) {
            f(use.resource);
        }
    }
}

/// Returns for each resource the queues on which passes use it and the queue on which the application uses it next.
std::vector<QueueSet> find_users(const GraphDescription& graph, const Queues& queues,
                                 const std::vector<PassGroup>& groups) {
    std::vector<QueueSet> users(graph.resources.size());
    for (const PassGroup& group : groups) {
        each_use(graph, group, [&](std::uint32_t resource) { users[resource].add(group.queue); });
    }
    for (std::size_t i = 0; i < users.size(); ++i) {
        if (leaves_for_use(graph.resources[i])) {
            users[i].add(queues.on(graph.resources[i].queues.leaves));
        }
    }
    // An image of which only some pieces are used is transferred between queues as a whole.
    for (std::size_t i = 0; i < users.size(); ++i) {
        const Resource& node = graph.resources[i];
        const auto& pieces = node.pieces;
        const bool is_used =
            std::any_of(pieces.begin(), pieces.end(), [&](std::uint32_t piece) { return !users[piece].empty(); });
        for (const std::uint32_t piece : pieces) {
            if (node.part_of == ResourceId::none && is_used && is_exclusive(node) && users[piece].empty()) {
                users[piece].add(queues.on(node.queues.leaves));
            }
        }
    }
    return users;
}

} // namespace

std::vector<PassGroup> add_ends(const GraphDescription& graph, const Queues& queues, std::vector<PassGroup> groups) {
    std::vector<QueueSet> users = find_users(graph, queues, groups);
    std::array<std::vector<std::uint32_t>, queue_kinds> arriving; // resources, per queue
    QueueSet leaving, taking;
    leaving.add(QueueKind::main);
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        const Resource& node = graph.resources[i];
        const QueueKind from = queues.on(node.queues.arrives), to = queues.on(node.queues.leaves);
        if (is_import(node) && users[i].has_other_than(from)) {
            arriving[static_cast<std::size_t>(from)].push_back(i);
            users[i].add(from);
        } else if (node.lifetime == Lifetime::transient && !node.per_frame && leaves_for_use(node) &&
                   users[i].has_other_than(to)) {
            // The application uses it on `to` after an execution. The next execution must wait for this use.
            arriving[static_cast<std::size_t>(to)].push_back(i);
        }
        if ((is_import(node) || node.exported) && (leaves_for_use(node) || users[i].has_other_than(to))) {
            leaving.add(to);
        }
        // A single barrier cannot both acquire the resource from another queue family and make it visible to the host.
        if (is_exclusive(node) && leaves_for_use(node) && users[i].has_other_than(to) &&
            (node.leaves.contains(Access::host_read) || node.leaves.contains(Access::host_write))) {
            taking.add(to);
        }
    }
    std::vector<PassGroup> all;
    for (const QueueKind queue : {QueueKind::transfer, QueueKind::compute, QueueKind::main}) {
        if (auto& resources = arriving[static_cast<std::size_t>(queue)]; !resources.empty()) {
            all.push_back({queue, {}, Role::arriving, std::move(resources)});
        }
    }
    std::move(groups.begin(), groups.end(), std::back_inserter(all));
    for (const QueueKind queue : {QueueKind::transfer, QueueKind::compute, QueueKind::main}) {
        if (taking.has(queue)) {
            all.push_back({queue, {}, Role::taking, {}});
        }
    }
    for (const QueueKind queue : {QueueKind::transfer, QueueKind::compute, QueueKind::main}) {
        if (leaving.has(queue)) {
            all.push_back({queue, {}, Role::leaving});
        }
    }
    return all;
}

Handovers find_handovers(const GraphDescription& graph, const Queues& queues, const std::vector<PassGroup>& groups) {
    Handovers found{std::vector<std::vector<Handovers::Half>>(groups.size()),
                    std::vector<std::vector<Handovers::Half>>(groups.size())};
    const std::vector<QueueSet> users = find_users(graph, queues, groups);
    std::vector<std::uint32_t> last(graph.resources.size(), no_group); // per resource: the last group that used it
    for (std::uint32_t index = 0; index < groups.size(); ++index) {
        const PassGroup& group = groups[index];
        const auto use = [&](std::uint32_t resource) {
            const Resource& node = graph.resources[resource];
            if (!is_exclusive(node) || users[resource].empty()) {
                return;
            }
            const std::uint32_t before = std::exchange(last[resource], index);
            if (before != no_group && queues.family(groups[before].queue) != queues.family(group.queue)) {
                found.released[before].push_back({resource, index});
                found.acquired[index].push_back({resource, before});
            }
        };
        each_use(graph, group, use);
        for (std::uint32_t resource = 0; group.role != Role::passes && resource < graph.resources.size(); ++resource) {
            const Resource& node = graph.resources[resource];
            const bool arrives = group.role == Role::arriving && queues.on(node.queues.arrives) == group.queue;
            const bool leaves = group.role != Role::arriving && queues.on(node.queues.leaves) == group.queue;
            if ((arrives && has_contents(node)) || (leaves && (last[resource] != no_group || leaves_for_use(node)))) {
                use(resource);
            }
        }
    }
    return found;
}

} // namespace weir
