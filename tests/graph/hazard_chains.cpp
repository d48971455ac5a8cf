// Replay: which accesses barriers and semaphores order, and which writes they make visible.

#include <algorithm>

#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests {

bool Replay::is_for(const Barrier& barrier, const Event& event, std::uint64_t byte) const {
    return barrier.image == all || barrier.image == event.resource ||
           (graph_.resources[event.resource].image && overlap(graph_, *plan_, barrier.image, event.resource) &&
            has_byte(graph_, *plan_, barrier.image, byte));
}

VkPipelineStageFlags2 Replay::chain(const Event& event, std::uint64_t byte, std::size_t from,
                                    VkPipelineStageFlags2 direct, VkPipelineStageFlags2 reached,
                                    const std::function<void(const Barrier&)>& link) const {
    // The host may do nothing that waits. Therefore no chain goes through the host stage.
    constexpr VkPipelineStageFlags2 waiting = ~VK_PIPELINE_STAGE_2_HOST_BIT;
    const auto at = [](QueueKind queue) { return static_cast<std::size_t>(queue); };
    Reached now{};
    now[at(from == event.since ? event.queue : commands_[from - 1].front().queue)] = reached;
    past_.clear();
    const auto is_awaited = [&](const Barrier& barrier) {
        if (!barrier.is_wait) {
            const VkPipelineStageFlags2 own = barrier.queue == event.queue ? direct : 0;
            return (barrier.waits_for & (own | (now[at(barrier.queue)] & waiting))) != 0;
        }
        const bool is_held = event.change || (direct & waiting) != 0;
        return (is_held && barrier.other == event.queue && barrier.commands >= event.since) ||
               (barrier.commands >= from && (past_[barrier.commands - from][at(barrier.other)] & waiting) != 0);
    };
    for (std::size_t i = waits_ ? from : std::max(from, forgotten_); i < commands_.size(); ++i) {
        if (waits_) {
            past_.push_back(now);
        }
        Reached next = now;
        for (const Barrier& barrier : commands_[i]) { // barriers of one command do not chain
            if (counts(i, barrier) && is_awaited(barrier) && is_for(barrier, event, byte)) {
                next[at(barrier.queue)] |= barrier.holds_back;
                if (barrier.queue == queue_) {
                    link(barrier);
                }
            }
        }
        now = next;
    }
    return now[at(queue_)];
}

bool Replay::flushes(const Barrier& barrier, const Event& earlier) {
    if (barrier.is_wait) {
        return barrier.other == earlier.queue && barrier.commands >= earlier.since &&
               earlier.stage != VK_PIPELINE_STAGE_2_HOST_BIT;
    }
    return barrier.queue == earlier.queue && (barrier.source & earlier.stage) != 0 &&
           (earlier.writes & ~barrier.flushes) == 0 &&
           (barrier.image == all || (barrier.image == earlier.resource && !earlier.is_foreign));
}

bool Replay::comes_after(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage) const {
    return (chain(earlier, byte, earlier.since, earlier.stage, 0) & stage) != 0;
}

bool Replay::comes_before(const Event& earlier, std::uint64_t byte, const Barrier& change,
                          const Command& command) const {
    const auto is_awaited = [&](VkPipelineStageFlags2 reached) {
        return (change.waits_for & reached & ~VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    };
    if (earlier.change) {
        return is_awaited(chain(earlier, byte, earlier.since, 0, earlier.change->holds_back));
    }
    const bool follows = (change.queue == earlier.queue && (change.waits_for & earlier.stage) != 0) ||
                         is_awaited(chain(earlier, byte, earlier.since, earlier.stage, 0));
    if (earlier.writes == 0 || !follows) {
        return follows;
    }
    for (std::size_t i = earlier.since; i < commands_.size(); ++i) {
        for (const Barrier& barrier : commands_[i]) {
            if (counts(i, barrier) && flushes(barrier, earlier) &&
                is_awaited(chain(earlier, byte, i + 1, 0, barrier.holds_back))) {
                return true;
            }
        }
    }
    return std::any_of(command.begin(), command.end(), [&](const Barrier& barrier) {
        return (barrier.image == all || barrier.image == change.image) && flushes(barrier, earlier) &&
               (change.destination & ~barrier.holds_back) == 0;
    });
}

bool Replay::sees(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage,
                  VkAccessFlags2 accesses) const {
    VkAccessFlags2 seen = 0;
    const auto show = [&](const Barrier& barrier) {
        const bool is_shown = barrier.queue == queue_ && (barrier.destination & stage) != 0 &&
                              (barrier.image == all || barrier.image == earlier.resource);
        seen |= is_shown ? barrier.shows : 0;
    };
    if (earlier.change) {
        if (counts(earlier.since - 1, *earlier.change)) {
            show(*earlier.change);
        }
        chain(earlier, byte, earlier.since, 0, earlier.change->holds_back, show);
        return (seen & accesses) == accesses;
    }
    for (std::size_t i = earlier.since; i < commands_.size() && (seen & accesses) != accesses; ++i) {
        for (const Barrier& barrier : commands_[i]) {
            if (counts(i, barrier) && flushes(barrier, earlier)) {
                show(barrier);
                chain(earlier, byte, i + 1, 0, barrier.holds_back, show);
            }
        }
    }
    return (seen & accesses) == accesses;
}

bool Replay::is_superseded(std::uint32_t of, const Event& earlier, std::uint64_t byte) const {
    if (earlier.since > forgotten_) {
        return false;
    }
    for (std::uint32_t resource = 0; resource < events_.size(); ++resource) {
        const bool has_it =
            resource == of || (overlap(graph_, *plan_, resource, of) && has_byte(graph_, *plan_, resource, byte));
        for (const Event& later : events_[resource]) {
            const bool is_exclusive = later.is_off && branches_.are_exclusive(earlier.pass, later.pass) &&
                                      !later.after.contains(earlier.serial);
            if (has_it && !is_exclusive && !are_concurrent(earlier, later) && later.serial > earlier.serial &&
                later.command != earlier.command && later.since <= forgotten_ && (later.change || later.writes != 0) &&
                later.stage != VK_PIPELINE_STAGE_2_HOST_BIT) {
                return true;
            }
        }
    }
    return false;
}

/// Returns true if `resource` has arrived for `stages` on the current queue. An import that arrives without a use is
/// synchronized by the application, with a semaphore or a barrier on the queue where it arrives. Other queues must have
/// waited for that queue.
bool Replay::has_arrived(std::uint32_t resource, VkPipelineStageFlags2 stages) const {
    const auto& node = graph_.resources[resource];
    Event arrival;
    arrival.resource = resource;
    arrival.queue = on(node.queues.arrives);
    arrival.since = start_;
    const bool has_use = node.arrives != Access::none && node.arrives != Access::present;
    return node.lifetime != Lifetime::import || has_use || arrival.queue == queue_ ||
           (chain(arrival, 0, start_, device_stages, 0) & stages) != 0;
}

} // namespace weir::tests
