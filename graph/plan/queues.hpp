#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

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
    /// Returns the queue that runs work declared for `kind`. This is the main queue if no queue of that kind is
    /// available.
    [[nodiscard]] QueueKind on(QueueKind kind) const {
        return family(kind) == Capabilities::no_queue ? QueueKind::main : kind;
    }
    [[nodiscard]] std::uint32_t family(QueueKind kind) const { return families[static_cast<std::size_t>(kind)]; }
    /// Returns a scope without the stages that the queue does not support; empty if it supports none of
    /// them.
    [[nodiscard]] Scope scope_on(QueueKind queue, Scope scope) const;
    /// Checks if any of the accesses has stages that the queue supports. An access that a semaphore orders completely,
    /// such as Access::present, has no stages.
    [[nodiscard]] bool has_stages(QueueKind queue, const Accesses& accesses) const;
};

} // namespace weir
