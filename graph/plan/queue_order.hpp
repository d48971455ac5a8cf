#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Order of the groups of a plan, within an execution and from one execution to the next. It follows from the order of
/// each queue and the semaphores between queues.
class QueueOrder {
public:
    explicit QueueOrder(const std::vector<PlanGroup>& groups);

    /// Checks that `later` comes after `earlier` in each execution.
    [[nodiscard]] bool is_before(std::uint32_t earlier, std::uint32_t later) const {
        return before_[count_ + later][count_ + earlier];
    }
    /// Checks that `later` comes after `earlier` of the preceding execution.
    [[nodiscard]] bool is_before_next(std::uint32_t earlier, std::uint32_t later) const {
        return before_[count_ + later][earlier];
    }

private:
    std::size_t count_;
    std::vector<std::vector<bool>> before_; ///< [later][earlier], for the groups of two consecutive executions
};

} // namespace weir
