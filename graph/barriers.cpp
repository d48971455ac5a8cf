#include <algorithm>
#include <functional>
#include <utility>

#include "graph/tracker.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;

bool same_barriers(const std::vector<PlanGroup>& a, const std::vector<PlanGroup>& b) {
    const auto same = [](const VkMemoryBarrier2& x, const VkMemoryBarrier2& y) {
        return x.srcStageMask == y.srcStageMask && x.srcAccessMask == y.srcAccessMask &&
               x.dstStageMask == y.dstStageMask && x.dstAccessMask == y.dstAccessMask;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const PlanGroup& x, const PlanGroup& y) {
        return x.waits == y.waits && x.image_barriers == y.image_barriers && x.released == y.released &&
               std::equal(x.barriers.begin(), x.barriers.end(), y.barriers.begin(), y.barriers.end(), same);
    });
}

/// Leaves out one barrier after the other of those that only wait for earlier executions, as long as the rest
/// `are_enough`; asks so often at most.
void drop_more(const GraphDescription& graph, std::vector<PlanGroup>& groups, const std::function<bool()>& are_enough,
               int most = 64) {
    for (PlanGroup& group : groups) {
        for (std::size_t i = 0; i < group.barriers.size();) {
            const VkMemoryBarrier2 barrier = group.barriers[i];
            const auto is_served = [&](const Dependency& needed) {
                return !has_own_barrier(needed.reason) && needed.source.stages == barrier.srcStageMask &&
                       needed.destination.stages == barrier.dstStageMask;
            };
            const auto is_kept = [&](const Dependency& needed) {
                return needed.from != Dependency::outside ||
                       graph.resources[needed.resource].lifetime == Lifetime::import;
            };
            const bool is_certain =
                std::any_of(group.dependencies.begin(), group.dependencies.end(),
                            [&](const Dependency& needed) { return is_served(needed) && is_kept(needed); });
            // One that serves others too may be there for those that wait for earlier executions alone.
            const bool is_mixed = is_certain && std::any_of(group.dependencies.begin(), group.dependencies.end(),
                                                            [&](const Dependency& needed) {
                                                                return is_served(needed) && !is_kept(needed);
                                                            });
            if ((is_certain && !is_mixed) || most == 0) {
                ++i;
                continue;
            }
            --most;
            const auto at = static_cast<std::ptrdiff_t>(i);
            group.barriers.erase(group.barriers.begin() + at);
            if (are_enough()) {
                // Without any, the others, which it made up for, are seen to as well; not what an image barrier is for.
                std::erase_if(group.dependencies, [&](const Dependency& needed) {
                    const bool has_own =
                        needed.reason == Reason::handed_over ||
                        std::any_of(group.image_barriers.begin(), group.image_barriers.end(),
                                    [&](const ImageBarrier& image) { return image.resource == needed.resource; });
                    return !has_own && (group.barriers.empty() || (is_served(needed) && !is_kept(needed)));
                });
            } else {
                group.barriers.insert(group.barriers.begin() + at, barrier);
                ++i;
            }
        }
    }
}

} // namespace

std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                                      const std::vector<PassGroup>& groups, std::uint32_t tries) {
    // An execution waits for the one before it, as far as the barriers of that have not seen to it: those that are to
    // be found. The first execution has nothing to wait for; what an execution finds after one by the same barriers is
    // what it always finds. With a history, it also waits for the one before that: the first two have nothing to wait
    // for, and three must be the same.
    const bool has_history = std::any_of(graph.resources.begin(), graph.resources.end(), is_history);
    const Tracker::Layouts layouts = find_layouts(graph, queues, groups);
    const Handovers handovers = find_handovers(graph, queues, groups);
    Tracker tracker(graph, queues, memory, groups, layouts, handovers);
    if (has_history) {
        tracker.execute();
    }
    std::vector<PlanGroup> before = tracker.execute();
    for (std::uint32_t same = 0, left = tries; left > 0; --left) {
        std::vector<PlanGroup> placed = tracker.execute();
        same = same_barriers(placed, before) ? same + 1 : 0;
        if (same == (has_history ? 2 : 1)) {
            if (!tracker.learn()) {
                return placed;
            }
            same = 0;
            left = tries;
        }
        before = std::move(placed);
    }
    // They take turns. Barriers that do for whatever was before do for themselves too, and some of them make up for
    // others in the next execution.
    std::vector<PlanGroup> placed;
    do {
        tracker.forget_barriers();
        placed = tracker.execute();
    } while (tracker.learn());
    drop_more(graph, placed, [&] {
        Tracker again(graph, queues, memory, groups, layouts, handovers);
        again.execute(&placed);
        again.execute(&placed);
        if (has_history) {
            again.execute(&placed);
        }
        while (again.learn()) {
            again.execute(&placed);
        }
        return again.are_enough();
    });
    return placed;
}

} // namespace weir
