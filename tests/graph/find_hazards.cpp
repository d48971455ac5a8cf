// The hazards of a plan in sequences of executions.

#include <algorithm>

#include "tests/graph/hazards.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

namespace {

/// Returns the number of executions after which further ones have no other hazards.
std::size_t executions_of(const Plan& plan) {
    std::size_t executions = 3;
    for (const PlanGroup& group : plan.groups) {
        for (const GroupWait& wait : group.waits) {
            executions = std::max<std::size_t>(executions, wait.executions_ago + 2);
        }
    }
    return executions;
}

/// Returns the hazards of sequences of executions, with consistent values of the switches.
std::vector<std::string> replay_all(const GraphDescription& graph, const Plan& plan, Reads reads) {
    std::vector<std::string> hazards;
    for (const auto& sequence : Branches(graph).sequences(executions_of(plan))) {
        Replay replay(graph, reads);
        for (const std::vector<bool>& off : sequence) {
            replay.execute(plan, off);
        }
        hazards.insert(hazards.end(), replay.hazards().begin(), replay.hazards().end());
    }
    return hazards;
}

/// Returns the hazards of the first execution that has any. Each execution forgets the barriers of those before it.
std::vector<std::string> replay_alone(const GraphDescription& graph, const Plan& plan) {
    for (const auto& sequence : Branches(graph).sequences(executions_of(plan))) {
        Replay replay(graph);
        for (const std::vector<bool>& off : sequence) {
            replay.forget_barriers();
            replay.execute(plan, off);
            if (!replay.hazards().empty()) {
                return replay.hazards();
            }
        }
    }
    return {};
}

/// Returns the result of `judge` for a graph and its plan, with each mip of each layer as an image of its own.
template <class F>
std::vector<std::string> with_single_subresources(const GraphDescription& graph, const Plan& plan, const F& judge) {
    if (!has_parts(graph)) {
        return judge(graph, plan);
    }
    const Subresources single = subresources_of(graph, plan);
    return judge(single.graph, single.plan);
}

} // namespace

std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan, Reads reads) {
    return with_single_subresources(
        graph, plan, [&](const GraphDescription& of, const Plan& made) { return replay_all(of, made, reads); });
}

std::vector<std::string> find_hazards_alone(const GraphDescription& graph, const Plan& plan) {
    return with_single_subresources(graph, plan, replay_alone);
}

std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      const std::vector<std::vector<bool>>& off) {
    const auto judge = [&](const GraphDescription& of, const Plan& made) {
        Replay replay(of);
        for (const auto& passes : off) {
            replay.execute(made, passes);
        }
        return replay.hazards();
    };
    return with_single_subresources(graph, plan, judge);
}

} // namespace weir::tests
