#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Order of the groups of a plan, within an execution and from one execution to the next. It follows from the order of
/// each queue and the semaphores between queues. Groups are given by index into Plan::groups.
class QueueOrder {
public:
    explicit QueueOrder(const std::vector<PlanGroup>& groups);

    /// Checks that `later` comes after `earlier` in each execution.
    [[nodiscard]] bool is_before(std::uint32_t earlier, std::uint32_t later) const {
        return earlier < end_before(later, queues_[earlier]);
    }
    /// Checks that `later` comes after `earlier` of the preceding execution.
    [[nodiscard]] bool is_before_next(std::uint32_t earlier, std::uint32_t later) const {
        return earlier < end_before_next(later, queues_[earlier]);
    }

    /// Returns the end of the groups of `queue` that come before `group` in each execution: all with smaller indices.
    [[nodiscard]] std::uint32_t end_before(std::uint32_t group, QueueKind queue) const {
        const std::uint32_t end = ends(group, queue);
        return end > count_ ? end - count_ : 0;
    }
    /// Returns the end of the groups of `queue` in the preceding execution that come before `group`.
    [[nodiscard]] std::uint32_t end_before_next(std::uint32_t group, QueueKind queue) const {
        return ends(group, queue);
    }
    /// Returns the first group of `queue` that comes after `group` in each execution, or the number of groups.
    [[nodiscard]] std::uint32_t first_after(std::uint32_t group, QueueKind queue) const;
    /// Returns the first group of `queue` in the next execution that comes after `group`, or the number of groups.
    [[nodiscard]] std::uint32_t first_after_next(std::uint32_t group, QueueKind queue) const;

private:
    /// Per queue: the end of the groups of two consecutive executions that a group comes after.
    using Ends = std::array<std::uint32_t, queue_kinds>;

    [[nodiscard]] std::uint32_t ends(std::uint32_t group, QueueKind queue) const {
        return ends_[count_ + group][static_cast<std::size_t>(queue)];
    }

    std::uint32_t count_;
    std::vector<QueueKind> queues_;                                ///< per group
    std::array<std::vector<std::uint32_t>, queue_kinds> on_queue_; ///< per queue: its groups
    std::vector<Ends> ends_;                                       ///< for the groups of two consecutive executions
};

} // namespace weir
