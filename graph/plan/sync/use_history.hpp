#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "graph/plan/exclusive.hpp"
#include "graph/plan/queues.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/sync/alias_tracker.hpp"
#include "graph/plan/sync/sync_state.hpp"
#include "graph/plan/sync/vector_clock.hpp"

namespace weir {

/// The past uses of every resource through consecutive executions, and the guarantees of barriers about them.
class UseHistory {
public:
    /// The past uses of a buffer or an image that later uses may need to wait for.
    struct Uses {
        std::vector<PastUse> writes; ///< the latest write or layout change, and later writes by the host; or several
                                     ///< concurrent writes
        std::vector<PastUse> reads;  ///< reads since the latest write
        std::vector<PastUse> before_concurrent; ///< uses that all concurrent writes come after

        void clear() {
            for (auto* pasts : {&writes, &reads, &before_concurrent}) {
                pasts->clear();
            }
        }
    };

    /// The arguments must outlive the history.
    UseHistory(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory, const VectorClock& clock);

    void begin_execution();

    [[nodiscard]] Uses& of(std::uint32_t resource) { return uses_[resource]; }
    [[nodiscard]] const Uses& of(std::uint32_t resource) const { return uses_[resource]; }
    /// Returns the current layout of an image.
    [[nodiscard]] VkImageLayout layout(std::uint32_t image) const { return layouts_[image]; }

    /// Gives a transient its memory at its first use in an execution, and calls `leave` for each resource that used the
    /// memory before. Other uses in the same group do the same. Returns false if it already has its memory, or is in no
    /// memory block. `is_exclusive_write`: later uses come after this one. Otherwise they come after the earlier users
    /// of the memory: `enter_all` makes these the past uses of the resource.
    ///
    /// The first piece of an image takes the memory of all pieces. The other pieces then have the past uses of the
    /// earlier users of the memory.
    template <class F>
    bool enter(std::uint32_t resource, bool is_exclusive_write, const F& leave) {
        const std::uint32_t root = root_of(graph_, resource);
        const PlanMemory::Place& place = memory_.places[root];
        if (place.block == PlanMemory::none) {
            return false;
        }
        if (entered_[root]) {
            const auto known = std::find_if(entering_.begin(), entering_.end(),
                                            [&](const Entering& one) { return one.resource == resource; });
            if (known == entering_.end()) {
                return false;
            }
            const auto left = left_by(*known);
            std::for_each(left.begin(), left.end(), leave);
            return true;
        }
        entered_[root] = true;
        Entering one{resource, is_exclusive_write, left_.size()};
        aliases_.enter(
            root, place, graph_.resources[root].bytes,
            [&](std::uint32_t before) { return entered_at(before) && are_exclusive(before, root); },
            [&](std::uint32_t before) { add_left(before, resource, one.first_left); });
        one.end_left = left_.size();
        entering_.push_back(one);
        const auto left = left_by(one);
        if (graph_.resources[root].image || !pieces_[root].empty()) {
            pass_on(root, resource, left);
        }
        std::for_each(left.begin(), left.end(), leave);
        return true;
    }
    /// Replaces the past uses of resources that entered in the current group: see `enter`. Must follow the group's
    /// barriers, which have waited for these uses.
    void enter_all();
    /// Checks if a write of a set of concurrent writes joins the latest writes of a resource, and needs no order with
    /// them.
    [[nodiscard]] bool joins(std::uint32_t resource, std::uint32_t set) const {
        const std::vector<PastUse>& latest = uses_[resource].writes;
        return !latest.empty() && latest.back().concurrent == set && latest.back().resource == resource &&
               latest.back().execution == clock_.execution();
    }

    /// Adds a use. `use` must have its queue, position and pass.
    void add(PastUse use, std::uint32_t resource, const UseScope& meaning);
    /// Replaces the past uses of a resource by a layout change, or by the acquisition of a buffer. `destination`: scope
    /// of the barrier of the current group.
    void change_layout(std::uint32_t resource, std::uint32_t pass, const Scope& destination, VkImageLayout layout);

    /// Adds the barriers of one vkCmdPipelineBarrier2 on the current queue.
    void add_barriers(const BarrierCommand& barriers, const std::vector<ImageBarrier>& images);
    /// Brings the state of a past use up to date with the barriers of its queue.
    void catch_up(PastUse& past) const;
    /// Returns a past use as it is after a semaphore wait on the current queue: complete, and available to all
    /// commands.
    [[nodiscard]] PastUse behind_semaphore(const PastUse& past) const;
    /// Removes the effects of all barriers so far.
    void forget_barriers();

private:
    /// A resource that enters its memory.
    struct Entering {
        std::uint32_t resource = 0;
        bool is_exclusive_write = true;
        std::size_t first_left = 0, end_left = 0; ///< range in `left_` of the earlier users of the memory
    };
    [[nodiscard]] std::span<const std::uint32_t> left_by(const Entering& one) const {
        return std::span(left_).subspan(one.first_left, one.end_left - one.first_left);
    }
    /// Adds the earlier users of memory that `resource` takes to `left_`, from index `first` on: resource `before` or
    /// its pieces and, if it is an image, the buffers that had the memory before it. If `before` takes the memory in
    /// the same group, adds those from which it does.
    void add_left(std::uint32_t before, std::uint32_t resource, std::size_t first);
    /// Checks if a resource, and no other program, has taken its memory in this execution.
    [[nodiscard]] bool entered_at(std::uint32_t resource) const {
        return resource < entered_.size() && entered_[resource];
    }
    /// Checks if two resources are never used in the same execution.
    [[nodiscard]] bool are_exclusive(std::uint32_t a, std::uint32_t b) const {
        return !states_.empty() && ExclusivePasses::contradict(states_[a], states_[b]);
    }
    /// Gives the pieces of `image`, except `first`, the past uses of the earlier users of its memory, `left`. Stores
    /// the past uses of earlier buffers at index `before(image)`.
    void pass_on(std::uint32_t image, std::uint32_t first, std::span<const std::uint32_t> left);
    /// Returns the index in `uses_` of the buffers that had the memory of an image before it. Image barriers do not
    /// order uses of these buffers before uses that follow the image.
    [[nodiscard]] std::uint32_t before(std::uint32_t image) const {
        return static_cast<std::uint32_t>(uses_.size() - graph_.resources.size()) + image;
    }
    /// Returns the last writes of an import by the preceding execution, if the application uses the import only to read
    /// it. The application may omit these reads. Then no command of its own comes between two executions.
    [[nodiscard]] std::vector<PastUse> departed(std::uint32_t import) const;
    /// Adds a use by the application before the execution.
    void add_outside(std::uint32_t resource, QueueKind queue, const UseScope& meaning);
    /// The barrier commands of a queue so far.
    struct Log {
        static constexpr std::size_t block = 128;
        std::vector<std::uint32_t> commands; ///< memory barriers, as indices into `distinct_commands_`
        std::vector<std::uint64_t> blocks;   ///< per block of commands: see `bit_of`
    };
    /// An image barrier of a command.
    struct OwnBarrier {
        QueueKind queue = QueueKind::main;
        std::size_t command = 0;
        Barrier barrier;
    };
    [[nodiscard]] Log& log(QueueKind queue) { return logs_[static_cast<std::size_t>(queue)]; }
    [[nodiscard]] const Log& log(QueueKind queue) const { return logs_[static_cast<std::size_t>(queue)]; }
    /// Returns the number of commands of a queue so far.
    [[nodiscard]] std::size_t commands(QueueKind queue) const { return log(queue).commands.size(); }
    /// Returns the bit of a distinct command in a set of commands. The last bit is for all commands without one.
    static std::uint64_t bit_of(std::uint32_t command) {
        return std::uint64_t{1} << std::min<std::uint32_t>(command, 63);
    }
    /// Brings the state of a past use up to date with the first `end` commands of its queue, none of which has an
    /// image barrier for its resource.
    void catch_up_to(PastUse& past, std::size_t end) const;

    const GraphDescription& graph_;
    const Queues& queues_;
    const PlanMemory& memory_;
    const VectorClock& clock_;
    /// Per resource; then one per block of a pool, for other programs; then per resource again: see `before`.
    std::vector<Uses> uses_;
    std::vector<VkImageLayout> layouts_;             ///< per resource
    std::vector<std::vector<std::uint32_t>> pieces_; ///< per resource that is cut: its pieces
    std::vector<ExclusivePasses::States> states_;    ///< see `states_of_buffers`
    AliasTracker aliases_;
    std::vector<bool> entered_;       ///< per resource: it has taken its memory in this execution
    std::vector<Entering> entering_;  ///< resources that enter in the current group
    std::vector<std::uint32_t> left_; ///< earlier users of the memory of each of them
    std::map<BarrierCommand, std::uint32_t> known_commands_; ///< index in `distinct_commands_`
    std::vector<BarrierCommand> distinct_commands_;
    std::array<Log, queue_kinds> logs_;
    std::vector<std::vector<OwnBarrier>> own_barriers_; ///< per image: its image barriers
};

} // namespace weir
