#include <algorithm>
#include <array>

#include "graph/plan/stages.hpp"

namespace weir {

namespace {

constexpr std::uint32_t no_batch = ~0U;

} // namespace

std::vector<PlanBatch> find_batches(const std::vector<PlanGroup>& groups) {
    std::vector<bool> is_awaited(groups.size(), false);
    for (const PlanGroup& group : groups) {
        for (const GroupWait& wait : group.waits) {
            is_awaited[wait.group] = true;
        }
    }
    std::array<std::uint32_t, queue_kinds> last; // per queue: the batch that can take more groups
    last.fill(no_batch);
    std::vector<PlanBatch> batches;
    for (std::uint32_t index = 0; index < groups.size(); ++index) {
        std::uint32_t& batch = last[static_cast<std::size_t>(groups[index].queue)];
        if (batch == no_batch || !groups[index].waits.empty()) {
            batch = static_cast<std::uint32_t>(batches.size());
            batches.push_back({groups[index].queue, {}, {}});
        }
        batches[batch].groups.push_back(index);
        batch = is_awaited[index] ? no_batch : batch;
    }
    std::sort(batches.begin(), batches.end(),
              [](const PlanBatch& a, const PlanBatch& b) { return a.groups.back() < b.groups.back(); });
    std::vector<std::uint32_t> batch_of(groups.size(), 0);
    for (std::uint32_t batch = 0; batch < batches.size(); ++batch) {
        batch_of[batches[batch].groups.back()] = batch; // a group that others wait for is the last of its batch
    }
    for (PlanBatch& batch : batches) {
        for (const GroupWait& wait : groups[batch.groups.front()].waits) {
            batch.waits.push_back({batch_of[wait.group], wait.executions_ago});
        }
    }
    return batches;
}

} // namespace weir
