#include "graph/plan/queue_order.hpp"

#include <algorithm>
#include <optional>

namespace weir {

QueueOrder::QueueOrder(const std::vector<PlanGroup>& groups)
    : count_(static_cast<std::uint32_t>(groups.size())), ends_(2 * groups.size()) {
    for (std::uint32_t group = 0; group < count_; ++group) {
        queues_.push_back(groups[group].queue);
        on_queue_[static_cast<std::size_t>(groups[group].queue)].push_back(group);
    }
    std::array<std::optional<std::uint32_t>, queue_kinds> latest; // latest group of each queue
    for (std::uint32_t at = 0; at < 2 * count_; ++at) {
        const PlanGroup& group = groups[at % count_];
        const auto comes_after = [&](std::uint32_t earlier) {
            for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
                ends_[at][queue] = std::max(ends_[at][queue], ends_[earlier][queue]);
            }
            std::uint32_t& end = ends_[at][static_cast<std::size_t>(groups[earlier % count_].queue)];
            end = std::max(end, earlier + 1);
        };
        auto& before = latest[static_cast<std::size_t>(group.queue)];
        if (before) {
            comes_after(*before);
        }
        for (const GroupWait& wait : group.waits) {
            const std::uint64_t ago = std::uint64_t{wait.executions_ago} * count_, first = at - at % count_;
            if (ago <= first) {
                comes_after(static_cast<std::uint32_t>(first - ago) + wait.group);
            }
        }
        before = at;
    }
}

std::uint32_t QueueOrder::first_after(std::uint32_t group, QueueKind queue) const {
    const auto& groups = on_queue_[static_cast<std::size_t>(queue)];
    const auto first = std::partition_point(groups.begin(), groups.end(),
                                            [&](std::uint32_t other) { return !is_before(group, other); });
    return first != groups.end() ? *first : count_;
}

std::uint32_t QueueOrder::first_after_next(std::uint32_t group, QueueKind queue) const {
    const auto& groups = on_queue_[static_cast<std::size_t>(queue)];
    const auto first = std::partition_point(groups.begin(), groups.end(),
                                            [&](std::uint32_t other) { return !is_before_next(group, other); });
    return first != groups.end() ? *first : count_;
}

} // namespace weir
