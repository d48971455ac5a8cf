#pragma once

#include <cstdint>
#include <vector>

#include <weir/graph/description.hpp>

namespace weir {

/// The passes of a graph that never run in the same execution: a switch must be on for one and off for the other.
class ExclusivePasses {
public:
    explicit ExclusivePasses(const GraphDescription& graph);

    /// Checks if some passes of the graph are exclusive. If not, all other functions return at once.
    [[nodiscard]] bool any() const { return !states_.empty(); }
    /// Checks if two passes are exclusive.
    [[nodiscard]] bool are_exclusive(std::uint32_t a, std::uint32_t b) const {
        return any() && contradict(states_[a], states_[b]);
    }
    /// Checks if all passes that are exclusive with `pass` are exclusive with `other`, too.
    [[nodiscard]] bool excludes_more(std::uint32_t other, std::uint32_t pass) const;
    /// Checks if `pass` is exclusive with a pass of the graph.
    [[nodiscard]] bool is_exclusive(std::uint32_t pass) const { return any() && !states_[pass].empty(); }

    /// A switch and the state in which it must be.
    struct State {
        std::uint32_t index = 0; ///< Switch::index
        bool on = true;
        friend bool operator==(const State&, const State&) = default;
    };
    using States = std::vector<State>;
    /// Returns the states that a pass needs, of switches that other passes need in the opposite state.
    [[nodiscard]] const States& of(std::uint32_t pass) const { return states_[pass]; }
    /// Checks if a switch must be on for one and off for the other.
    static bool contradict(const States& a, const States& b);

private:
    std::vector<States> states_; ///< per pass; empty if no passes are exclusive
};

/// Returns for each buffer the states that all passes need that use the buffer or a part of it. Two buffers with
/// contradicting states are never used in the same execution. Empty for images, because their layout changes take place
/// in all executions, and for buffers that are cut. The result is empty if no passes are exclusive.
std::vector<ExclusivePasses::States> states_of_buffers(const GraphDescription& graph);

} // namespace weir
