#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

/// Which groups of a plan come after which, in an execution and from one to the next, through the order of each queue
/// and the semaphores between queues.
class QueueOrder {
public:
    explicit QueueOrder(const std::vector<PlanGroup>& groups);

    /// Whether `later` comes after `earlier` in each execution.
    [[nodiscard]] bool is_before(std::uint32_t earlier, std::uint32_t later) const {
        return before_[count_ + later][count_ + earlier];
    }
    /// Whether `later` comes after `earlier` of the execution before.
    [[nodiscard]] bool is_before_next(std::uint32_t earlier, std::uint32_t later) const {
        return before_[count_ + later][earlier];
    }

private:
    std::size_t count_;
    std::vector<std::vector<bool>> before_; ///< per group of two executions: of which it comes after
};

} // namespace weir
