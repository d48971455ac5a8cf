#include "graph/queues.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "engine/text.hpp"
#include "graph/names.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Resource = GraphDescription::Resource;
using Role = PassGroup::Role;

constexpr std::uint32_t nowhere = ~0U;

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

/// Whether it arrives with something in it.
bool has_contents(const Resource& node) {
    return !node.image || node.arrives != Access::none;
}

bool leaves_for_use(const Resource& node) {
    return node.exported && node.leaves != Access::none;
}

template <class F>
void each_use(const GraphDescription& graph, const PassGroup& group, const F& f) {
    for (const std::uint32_t pass : group.passes) {
        for (const auto& touch : graph.passes[pass].touches) {
            f(touch.resource);
        }
    }
}

/// Per resource the queues on which it is used, also by what comes after the program.
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
    return users;
}

/// Why a pass cannot be on a queue; nothing if it can.
std::string unfit(const GraphDescription& graph, const Queues& queues, const GraphDescription::PassNode& pass,
                  QueueKind queue) {
    if (queue == QueueKind::transfer && std::holds_alternative<Pass>(pass.work)) {
        return "computes";
    }
    for (const auto& touch : pass.touches) {
        if (touch.access != Access::none && queues.scope_on(queue, touch.access).stages == 0) {
            const Resource& node = graph.resources[touch.resource];
            return concat("uses ", kind_of(node), " '", node.name, "' for ", to_string(touch.access));
        }
    }
    return "";
}

} // namespace

Scope Queues::scope_on(QueueKind queue, Access access) const {
    constexpr VkPipelineStageFlags2 transfers =
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    constexpr VkPipelineStageFlags2 computes =
        transfers | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    Scope scope = scope_of(access);
    if (queue != QueueKind::main || !main_draws) {
        scope.stages &= queue == QueueKind::transfer ? transfers : computes;
    }
    return scope.stages != 0 ? scope : Scope{};
}

Result<std::vector<QueueKind>> assign_queues(const GraphDescription& graph, const Queues& queues) {
    const auto refuse = [](std::string why) { return tl::unexpected(Error{ErrorCode::invalid_graph, std::move(why)}); };
    std::vector<QueueKind> assigned;
    for (const auto& pass : graph.passes) {
        for (const QueueKind queue : {pass.queue, queues.on(pass.queue)}) {
            if (const std::string why = unfit(graph, queues, pass, queue); !why.empty()) {
                return refuse(concat("pass '", pass.name, "' ", why, ", which the ", to_string(queue),
                                     " queue cannot do", to_string(pass.where)));
            }
        }
        assigned.push_back(queues.on(pass.queue));
    }
    for (const Resource& node : graph.resources) {
        const bool is_set =
            node.queues.arrives != QueueKind::main || node.queues.leaves != QueueKind::main || node.queues.concurrent;
        if (is_set && !is_import(node) && !node.exported) {
            return refuse(concat("set_queues: ", kind_of(node), " '", node.name, "' neither arrives nor leaves",
                                 to_string(node.where)));
        }
        const std::tuple<const char*, QueueKind, Access> ends[] = {
            {" arrives", node.queues.arrives, is_import(node) ? node.arrives : Access::none},
            {" leaves", node.queues.leaves, node.exported ? node.leaves : Access::none}};
        for (const auto& [does, queue, access] : ends) {
            for (const QueueKind on : {queue, queues.on(queue)}) {
                if (scope_of(access).stages != 0 && queues.scope_on(on, access).stages == 0) {
                    return refuse(concat(kind_of(node), " '", node.name, "'", does, " on the ", to_string(on),
                                         " queue for ", to_string(access), ", which that cannot do",
                                         to_string(node.where)));
                }
            }
        }
    }
    return assigned;
}

std::vector<std::uint32_t> families_of(const GraphDescription& graph, const Queues& queues) {
    std::vector<std::uint32_t> families{queues.family(QueueKind::main)};
    const auto add = [&](QueueKind kind) {
        const std::uint32_t family = queues.family(queues.on(kind));
        if (std::find(families.begin(), families.end(), family) == families.end()) {
            families.push_back(family);
        }
    };
    for (const auto& pass : graph.passes) {
        add(pass.queue);
    }
    for (const Resource& node : graph.resources) {
        add(node.exported ? node.queues.leaves : QueueKind::main);
    }
    return families;
}

std::vector<PassGroup> add_ends(const GraphDescription& graph, const Queues& queues, std::vector<PassGroup> groups) {
    std::vector<QueueSet> users = find_users(graph, queues, groups);
    std::array<std::vector<std::uint32_t>, queue_kinds> arriving; // resources, by queue
    QueueSet leaving, taking;
    leaving.add(QueueKind::main);
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        const Resource& node = graph.resources[i];
        const QueueKind from = queues.on(node.queues.arrives), to = queues.on(node.queues.leaves);
        if (is_import(node) && users[i].has_other_than(from)) {
            arriving[static_cast<std::size_t>(from)].push_back(i);
            users[i].add(from);
        } else if (node.lifetime == Lifetime::transient && leaves_for_use(node) && users[i].has_other_than(to)) {
            // What the host does with it comes before the next execution.
            arriving[static_cast<std::size_t>(to)].push_back(i);
        }
        if ((is_import(node) || node.exported) && (leaves_for_use(node) || users[i].has_other_than(to))) {
            leaving.add(to);
        }
        // No barrier both takes it from another queue family and shows it to the host.
        if (is_exclusive(node) && leaves_for_use(node) && users[i].has_other_than(to) &&
            (queues.scope_on(to, node.leaves).stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) {
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
    std::vector<std::uint32_t> last(graph.resources.size(), nowhere); ///< the last group that used it
    for (std::uint32_t index = 0; index < groups.size(); ++index) {
        const PassGroup& group = groups[index];
        const auto use = [&](std::uint32_t resource) {
            const Resource& node = graph.resources[resource];
            if (!is_exclusive(node) || users[resource].empty()) {
                return;
            }
            const std::uint32_t before = std::exchange(last[resource], index);
            if (before != nowhere && queues.family(groups[before].queue) != queues.family(group.queue)) {
                found.released[before].push_back({resource, index});
                found.acquired[index].push_back({resource, before});
            }
        };
        each_use(graph, group, use);
        for (std::uint32_t resource = 0; group.role != Role::passes && resource < graph.resources.size(); ++resource) {
            const Resource& node = graph.resources[resource];
            const bool arrives = group.role == Role::arriving && queues.on(node.queues.arrives) == group.queue;
            const bool leaves = group.role != Role::arriving && queues.on(node.queues.leaves) == group.queue;
            if ((arrives && has_contents(node)) || (leaves && (last[resource] != nowhere || leaves_for_use(node)))) {
                use(resource);
            }
        }
    }
    return found;
}

std::vector<PlanBatch> find_batches(const std::vector<PlanGroup>& groups) {
    std::vector<bool> is_awaited(groups.size(), false);
    for (const PlanGroup& group : groups) {
        for (const GroupWait& wait : group.waits) {
            is_awaited[wait.group] = true;
        }
    }
    std::array<std::uint32_t, queue_kinds> last; // batch of each queue, if it can go on
    last.fill(nowhere);
    std::vector<PlanBatch> batches;
    for (std::uint32_t index = 0; index < groups.size(); ++index) {
        std::uint32_t& batch = last[static_cast<std::size_t>(groups[index].queue)];
        if (batch == nowhere || !groups[index].waits.empty()) {
            batch = static_cast<std::uint32_t>(batches.size());
            batches.push_back({groups[index].queue, {}, {}});
        }
        batches[batch].groups.push_back(index);
        batch = is_awaited[index] ? nowhere : batch;
    }
    std::sort(batches.begin(), batches.end(),
              [](const PlanBatch& a, const PlanBatch& b) { return a.groups.back() < b.groups.back(); });
    std::vector<std::uint32_t> batch_of(groups.size(), 0);
    for (std::uint32_t batch = 0; batch < batches.size(); ++batch) {
        batch_of[batches[batch].groups.back()] = batch; // what is waited for is the last of its batch
    }
    for (PlanBatch& batch : batches) {
        for (const GroupWait& wait : groups[batch.groups.front()].waits) {
            batch.waits.push_back({batch_of[wait.group], wait.executions_ago});
        }
    }
    return batches;
}

} // namespace weir
