#include "graph/plan/queue_order.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace weir {

QueueOrder::QueueOrder(const std::vector<PlanGroup>& groups)
    : count_(groups.size()), before_(2 * groups.size(), std::vector<bool>(2 * groups.size(), false)) {
    std::array<std::optional<std::size_t>, queue_kinds> latest; // latest group of each queue
    for (std::size_t at = 0; at < before_.size(); ++at) {
        std::vector<bool>& all = before_[at];
        const auto comes_after = [&](std::size_t earlier) {
            std::transform(all.begin(), all.end(), before_[earlier].begin(), all.begin(), std::logical_or<>());
            all[earlier] = true;
        };
        const PlanGroup& group = groups[at % count_];
        auto& before = latest[static_cast<std::size_t>(group.queue)];
        if (before) {
            comes_after(*before);
        }
        for (const GroupWait& wait : group.waits) {
            const std::size_t ago = wait.executions_ago * count_, first = at - at % count_;
            if (ago <= first) {
                comes_after(first - ago + wait.group);
            }
        }
        before = at;
    }
}

} // namespace weir
