#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <weir/graph/description.hpp>

#include "tests/support/data.hpp"

// Selects the passes of a graph that run in an execution. Shares no code with the compiler.

namespace weir::tests {

/// Switches and the values that they must have.
using SwitchValues = std::set<std::pair<std::uint32_t, bool>>;

inline SwitchValues values_of(const std::vector<GraphDescription::Condition>& conditions) {
    SwitchValues values;
    for (const auto& condition : conditions) {
        if (const auto* on = std::get_if<Switch>(&condition)) {
            values.emplace(on->index, true);
        } else if (const auto* off = std::get_if<GraphDescription::Off>(&condition)) {
            values.emplace(off->which.index, false);
        }
    }
    return values;
}

/// Returns true if a switch must be on for one and off for the other.
inline bool contradict(const SwitchValues& a, const SwitchValues& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& value) { return b.contains({value.first, !value.second}); });
}

/// The values of switches that passes need, of switches that passes need both on and off.
class Branches {
public:
    explicit Branches(const GraphDescription& graph) : switches_(graph.switches.size()) {
        SwitchValues all;
        for (const auto& pass : graph.passes) {
            needed_.push_back(values_of(pass.conditions));
            all.insert(needed_.back().begin(), needed_.back().end());
        }
        for (SwitchValues& values : needed_) {
            std::erase_if(values, [&](const auto& value) { return !all.contains({value.first, !value.second}); });
            has_any_ = has_any_ || !values.empty();
        }
    }
    /// Returns true if some passes are exclusive.
    [[nodiscard]] bool any() const { return has_any_; }
    /// Returns true if the two passes never run in the same execution.
    [[nodiscard]] bool are_exclusive(std::uint32_t a, std::uint32_t b) const {
        return has_any_ && a < needed_.size() && b < needed_.size() && contradict(needed_[a], needed_[b]);
    }
    /// Returns the passes that are off with these values of the switches.
    [[nodiscard]] std::vector<bool> off(const std::vector<bool>& on) const {
        std::vector<bool> passes;
        for (const SwitchValues& values : needed_) {
            passes.push_back(std::any_of(values.begin(), values.end(),
                                         [&](const auto& value) { return on[value.first] != value.second; }));
        }
        return passes;
    }
    [[nodiscard]] std::vector<bool> off(bool on) const { return off(std::vector<bool>(switches_, on)); }
    [[nodiscard]] std::vector<bool> some_off(Random& random) const {
        std::vector<bool> on(switches_);
        for (std::size_t i = 0; i < switches_; ++i) {
            on[i] = random.uniform(0, 1) == 1;
        }
        return off(on);
    }
    /// Returns sequences of `executions` executions, each with its passes that are off: all switches on, all off,
    /// alternating, and at random. Without exclusive passes only one, in which all passes run.
    [[nodiscard]] std::vector<std::vector<std::vector<bool>>> sequences(std::size_t executions) const {
        if (!any()) {
            return {std::vector<std::vector<bool>>(executions)};
        }
        std::vector<std::vector<std::vector<bool>>> all(4);
        Random random(1);
        for (std::size_t i = 0; i < std::max<std::size_t>(executions, 4); ++i) {
            all[0].push_back(off(true));
            all[1].push_back(off(false));
            all[2].push_back(off(i % 2 == 0));
            all[3].push_back(some_off(random));
        }
        return all;
    }

private:
    std::size_t switches_;
    std::vector<SwitchValues> needed_; ///< per pass
    bool has_any_ = false;
};

} // namespace weir::tests
