#include <algorithm>
#include <array>
#include <vector>

#include <weir/graph/plan.hpp>

namespace weir {

double Plan::critical_path(std::span<const double> times) const {
    std::array<double, queue_kinds> now{}; // per queue: end of the groups so far
    std::vector<double> ends;              // per group
    for (const PlanGroup& group : groups) {
        double& end = now[static_cast<std::size_t>(group.queue)];
        for (const GroupWait& wait : group.waits) {
            end = wait.executions_ago == 0 ? std::max(end, ends[wait.group]) : end;
        }
        for (const std::uint32_t pass : group.passes) {
            end += pass < times.size() ? times[pass] : 0;
        }
        ends.push_back(end);
    }
    return *std::max_element(now.begin(), now.end());
}

} // namespace weir
