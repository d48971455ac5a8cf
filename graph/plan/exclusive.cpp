#include "graph/plan/exclusive.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "graph/plan/resources.hpp"

namespace weir {

namespace {

using State = ExclusivePasses::State;

std::optional<State> state_of(const GraphDescription::Condition& condition) {
    if (const auto* on = std::get_if<Switch>(&condition)) {
        return State{on->index, true};
    }
    if (const auto* off = std::get_if<GraphDescription::Off>(&condition)) {
        return State{off->which.index, false};
    }
    return {};
}

} // namespace

ExclusivePasses::ExclusivePasses(const GraphDescription& graph) {
    if (!graph.has_unless) {
        return;
    }
    std::vector<std::array<bool, 2>> needed(graph.switches.size()); // per switch: off, on
    for (const auto& pass : graph.passes) {
        for (const auto& condition : pass.conditions) {
            if (const auto state = state_of(condition)) {
                needed[state->index][state->on ? 1 : 0] = true;
            }
        }
    }
    states_.resize(graph.passes.size());
    bool has_any = false;
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        for (const auto& condition : graph.passes[pass].conditions) {
            if (const auto state = state_of(condition); state && needed[state->index] == std::array{true, true}) {
                states_[pass].push_back(*state);
                has_any = true;
            }
        }
    }
    if (!has_any) {
        states_.clear();
    }
}

bool ExclusivePasses::excludes_more(std::uint32_t other, std::uint32_t pass) const {
    const States &all = states_[other], &few = states_[pass];
    return std::all_of(few.begin(), few.end(),
                       [&](const State& one) { return std::find(all.begin(), all.end(), one) != all.end(); });
}

bool ExclusivePasses::contradict(const States& a, const States& b) {
    return std::any_of(a.begin(), a.end(), [&](const State& one) {
        return std::find(b.begin(), b.end(), State{one.index, !one.on}) != b.end();
    });
}

std::vector<ExclusivePasses::States> states_of_buffers(const GraphDescription& graph) {
    const ExclusivePasses exclusive(graph);
    if (!exclusive.any()) {
        return {};
    }
    std::vector<std::optional<ExclusivePasses::States>> common(graph.resources.size());
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        const ExclusivePasses::States& own = exclusive.of(pass);
        for (const auto& use : graph.passes[pass].uses) {
            auto& states = common[root_of(graph, use.resource)];
            if (!states) {
                states = own;
            }
            std::erase_if(*states,
                          [&](const State& one) { return std::find(own.begin(), own.end(), one) == own.end(); });
        }
    }
    std::vector<ExclusivePasses::States> all(graph.resources.size());
    for (std::uint32_t resource = 0; resource < all.size(); ++resource) {
        if (common[resource] && !graph.resources[resource].image && graph.resources[resource].pieces.empty()) {
            all[resource] = std::move(*common[resource]);
        }
    }
    return all;
}

} // namespace weir
