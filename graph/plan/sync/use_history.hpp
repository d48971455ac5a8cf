#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/plan/queues.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/sync/alias_tracker.hpp"
#include "graph/plan/sync/sync_state.hpp"
#include "graph/plan/sync/vector_clock.hpp"

namespace weir {

/// The past uses of every resource, through executions that follow each other, and what barriers guarantee about them.
class UseHistory {
public:
    /// The past uses of a buffer or an image that later uses may have to wait for.
    struct Uses {
        std::vector<PastUse> writes; ///< the latest write or layout change, and writes of the host since then
        std::vector<PastUse> reads;  ///< since the latest write
    };

    /// The arguments must outlive the history.
    UseHistory(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory, const VectorClock& clock);

    void begin_execution();

    [[nodiscard]] Uses& of(std::uint32_t resource) { return uses_[resource]; }
    [[nodiscard]] const Uses& of(std::uint32_t resource) const { return uses_[resource]; }
    /// The current layout of an image.
    [[nodiscard]] VkImageLayout layout(std::uint32_t image) const { return layouts_[image]; }

    /// At its first use in an execution, a transient takes its memory from the resources that had it before: calls
    /// `leave` with each. Returns false if it has its memory already. Its past uses are cleared by `enter_all`. The
    /// first piece of an image takes the memory of all; from then on the other pieces have the past uses of who had it
    /// before.
    template <class F>
    bool enter(std::uint32_t resource, const F& leave) {
        const std::uint32_t root = root_of(graph_, resource);
        const PlanMemory::Place& place = memory_.places[root];
        if (place.block == PlanMemory::none || entered_[root]) {
            return false;
        }
        entered_[root] = true;
        std::vector<std::uint32_t> left;
        aliases_.enter(root, place, graph_.resources[root].bytes,
                       [&](std::uint32_t before) { add_left(before, resource, left); });
        if (graph_.resources[root].image) {
            pass_on(root, resource, left);
        }
        std::for_each(left.begin(), left.end(), leave);
        entering_.push_back(resource);
        return true;
    }
    /// The barriers of the current group have come: nothing waits for the past of resources that have entered.
    void enter_all();

    /// A use, with its queue, position and pass.
    void add(PastUse use, std::uint32_t resource, Access access);
    /// A layout change, or the acquisition of a buffer, by a barrier of the current group with such a destination.
    void change_layout(std::uint32_t resource, std::uint32_t pass, const Scope& destination, VkImageLayout layout);

    /// The barriers of one vkCmdPipelineBarrier2 on the current queue.
    void add_barriers(const BarrierCommand& command, bool may_recur);
    /// Brings the state of a past use up to date with the barriers of its queue.
    void catch_up(PastUse& past) const;
    /// A past use as a semaphore leaves it on the current queue: complete, and available to all commands.
    [[nodiscard]] PastUse behind_semaphore(const PastUse& past) const;
    /// From here on, nothing counts on the barriers so far.
    void forget_barriers();

private:
    /// Adds what had memory that `resource` takes: a resource, the pieces of an image, and what had it before the
    /// image.
    void add_left(std::uint32_t before, std::uint32_t resource, std::vector<std::uint32_t>& left) const;
    /// Gives an image that takes its memory, and its pieces but the first, the past uses of those that had it.
    void pass_on(std::uint32_t image, std::uint32_t first, const std::vector<std::uint32_t>& left);
    /// Stands for the buffers that had the memory of an image before it. The barriers of images do not order what was
    /// done to them before what comes after the image.
    [[nodiscard]] std::uint32_t before(std::uint32_t image) const {
        return static_cast<std::uint32_t>(uses_.size() - graph_.resources.size()) + image;
    }
    /// A use by the application before the execution.
    void add_outside(std::uint32_t resource, QueueKind queue, Access access);
    /// The barrier commands of a queue so far, as indices into `distinct_commands_`.
    [[nodiscard]] std::vector<std::uint32_t>& log(QueueKind queue) { return logs_[static_cast<std::size_t>(queue)]; }
    [[nodiscard]] const std::vector<std::uint32_t>& log(QueueKind queue) const {
        return logs_[static_cast<std::size_t>(queue)];
    }

    const GraphDescription& graph_;
    const Queues& queues_;
    const PlanMemory& memory_;
    const VectorClock& clock_;
    /// Per resource; then one per block of a pool, for other programs; then per resource again, see `before`.
    std::vector<Uses> uses_;
    std::vector<VkImageLayout> layouts_;             ///< per resource
    std::vector<std::vector<std::uint32_t>> pieces_; ///< per resource: of an image that is cut
    AliasTracker aliases_;
    std::vector<bool> entered_;           ///< per resource: it has taken its memory in this execution
    std::vector<std::uint32_t> entering_; ///< in the current group
    std::vector<BarrierCommand> distinct_commands_;
    std::array<std::vector<std::uint32_t>, queue_kinds> logs_;
};

} // namespace weir
