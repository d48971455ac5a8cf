// HazardTracker: queue family ownership transfers.

#include <algorithm>

#include "graph/plan/sync/hazard_tracker.hpp"

namespace weir {

void HazardTracker::add_releases(PlanGroup& group, std::uint32_t index) const {
    for (const Handovers::Half& half : handovers_.released[index]) {
        group.released.push_back(release(half.resource, index, half.other));
    }
}

OwnershipTransfer HazardTracker::hand_over(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
    const VkImageLayout layout = history_.layout(resource);
    OwnershipTransfer handover{resource, groups_[from].queue, groups_[to].queue, {}, layout, layout};
    const std::vector<PlanGroup::Layout>& wanted = wanted_layouts_[to]; // by resource
    const auto at =
        std::lower_bound(wanted.begin(), wanted.end(), resource,
                         [](const PlanGroup::Layout& image, std::uint32_t other) { return image.resource < other; });
    if (at != wanted.end() && at->resource == resource) {
        handover.new_layout = at->layout;
    }
    return handover;
}

OwnershipTransfer HazardTracker::release(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
    OwnershipTransfer given = hand_over(resource, from, to);
    for (const auto* pasts : {&history_.of(resource).reads, &history_.of(resource).writes}) {
        for (const PastUse& past : *pasts) {
            if (past.queue == given.from && past.is_host()) {
                given.scope.stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT; // an earlier barrier waits for the host
            } else if (past.queue == given.from) {
                given.scope = {given.scope.stages | past.scope.stages, given.scope.access | past.scope.access};
            }
        }
    }
    if (given.scope.stages == 0) {
        given.scope.stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    }
    return given;
}

} // namespace weir
