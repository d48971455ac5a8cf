#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

// What of a graph is on which queue.

namespace weir {

/// The queues that a plan may use.
struct Queues {
    std::array<std::uint32_t, queue_kinds> families;
    bool main_draws;

    Queues(const Capabilities& capabilities, bool only_one)
        : families(capabilities.queue_families),
          main_draws((capabilities.queue_flags[0] & VK_QUEUE_GRAPHICS_BIT) != 0) {
        if (only_one) {
            families = {families[0], Capabilities::no_queue, Capabilities::no_queue};
        }
    }
    /// Where that is which is for `kind`.
    [[nodiscard]] QueueKind on(QueueKind kind) const {
        return family(kind) == Capabilities::no_queue ? QueueKind::main : kind;
    }
    [[nodiscard]] std::uint32_t family(QueueKind kind) const { return families[static_cast<std::size_t>(kind)]; }
    /// What an access does on a queue, which has only some of the stages; without stages if it is of others alone.
    [[nodiscard]] Scope scope_on(QueueKind queue, Access access) const;
};

/// Passes on one queue, without dependencies among each other.
struct PassGroup {
    enum class Role : std::uint8_t {
        passes,
        arriving, ///< no passes: for other queues to wait for what arrives on this one
        taking,   ///< no passes: for what the host is to have it takes imports from other queues
        leaving,  ///< no passes: for what leaves on this one to wait for other queues, or to be made visible
    };
    QueueKind queue = QueueKind::main;
    std::vector<std::uint32_t> passes;
    Role role = Role::passes;
    std::vector<std::uint32_t> arriving; ///< resources for which other queues wait for this group
};

/// Per pass the queue that it is on. Errors: `invalid_graph` for what the queue that it is for cannot do, also where
/// there is no such queue.
Result<std::vector<QueueKind>> assign_queues(const GraphDescription& graph, const Queues& queues);

/// The families of all queues that it uses: main's and those of its passes, each once.
std::vector<std::uint32_t> families_of(const GraphDescription& graph, const Queues& queues);

/// The groups with those that have no passes: see Plan::groups.
std::vector<PassGroup> add_ends(const GraphDescription& graph, const Queues& queues, std::vector<PassGroup> groups);

/// Per group the imports that it hands over, or takes, and from which group or to which.
struct Handovers {
    struct Half {
        std::uint32_t resource = 0;
        std::uint32_t other = 0;
    };
    std::vector<std::vector<Half>> released, acquired;
};
Handovers find_handovers(const GraphDescription& graph, const Queues& queues, const std::vector<PassGroup>& groups);

std::vector<PlanBatch> find_batches(const std::vector<PlanGroup>& groups);

} // namespace weir
