#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "graph/progress.hpp"
#include "graph/queues.hpp"
#include "graph/reach.hpp"
#include "graph/stages.hpp"
#include "graph/tenants.hpp"

namespace weir {

/// Whether the barrier of an image, or an acquisition, is what waits, and no memory barrier.
inline bool has_own_barrier(Dependency::Reason reason) {
    return reason == Dependency::Reason::layout_change || reason == Dependency::Reason::handed_over;
}

/// Follows what has happened to each resource through executions of a graph, one after the other, and finds what groups
/// must wait for.
class Tracker {
public:
    using Layouts = std::vector<std::vector<PlanGroup::Layout>>;

    /// What it is given must outlive it.
    Tracker(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
            const std::vector<PassGroup>& groups, const Layouts& layouts, const Handovers& handovers);

    /// One more execution, with waits and barriers that are found, or those that are `given`.
    std::vector<PlanGroup> execute(const std::vector<PlanGroup>* given = nullptr);

    /// Whether all that was given has been.
    [[nodiscard]] bool are_enough() const { return are_enough_; }

    /// Whether the latest execution has found something that the next one is to do otherwise, and will.
    bool learn();

    /// As if no barrier had come since the accesses so far.
    void forget_barriers();

private:
    /// What has happened to a buffer or an image so far.
    struct State {
        std::vector<Event>
            writes;               ///< the latest, if there was one, and the host's since; also if it is a layout change
        std::vector<Event> reads; ///< since
    };
    struct Use {
        std::uint32_t pass = 0, resource = 0;
        Access access = Access::none;
    };
    /// That a use comes after an event.
    struct Need {
        Event* event = nullptr;
        std::uint32_t resource = 0, pass = 0;
        Dependency::Reason reason = Dependency::Reason::read_after_write;
        Scope destination;
        bool in_any_stage = false; ///< that one, or another, of a queue's
    };
    /// What a dependency waits for; if a layout changes, in front of that.
    struct Wait {
        const Event* event = nullptr; ///< none: nothing
        std::uint32_t change = ~0U;   ///< of the group's image barriers
        bool in_any_stage = false;
    };

    /// What the passes of a group do, or what the world does with what arrives or leaves on its queue.
    void find_uses(std::uint32_t index);
    /// Whether a semaphore has seen to it that the queue comes after an event.
    [[nodiscard]] bool is_known(const Event& event) const;
    /// What that makes of it: as if it had just happened on this queue, and were available.
    Event* after_semaphore(const Event& event);
    /// Adds what the group must wait for.
    void prepare(PlanGroup& group, std::uint32_t index);
    /// Lets the queue wait for others: for events that what the group does comes after.
    void wait_for_queues(PlanGroup& group, std::uint32_t index);
    [[nodiscard]] bool has_several() const { return on_queue_[0].size() != groups_.size(); }
    /// Of a group in this execution.
    [[nodiscard]] std::uint32_t position_of(std::uint32_t group) const;
    /// Of what waits are for.
    [[nodiscard]] std::array<std::uint32_t, queue_kinds> positions_of(const std::vector<GroupWait>& waits) const;
    /// Of the first group of a queue in this execution.
    [[nodiscard]] std::uint32_t first_position(QueueKind queue) const {
        const auto each = on_queue_[static_cast<std::size_t>(queue)].size();
        return static_cast<std::uint32_t>((execution_ - 1) * each) + 1;
    }
    [[nodiscard]] std::uint32_t pass_of(const Event& event) const {
        return event.execution == execution_ ? event.pass : Dependency::outside;
    }
    /// Both halves of a handover, but for their scopes: in the layout in which the image is, to that which is wanted.
    [[nodiscard]] Handover hand_over(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const;
    /// Gives an import to another queue, after all that was done to it on this one.
    [[nodiscard]] Handover release(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const;
    void wait(PlanGroup& group, const Wait& on, std::uint32_t resource, std::uint32_t pass, Dependency::Reason reason,
              const Scope& destination);
    /// A transient takes its memory; `leave` is told who was there. What is there is of no interest, but what made it
    /// must not land late.
    template <class F>
    bool enter(std::uint32_t resource, const F& leave);
    /// What a use must wait for.
    void require(const Use& needs);
    /// What a release must wait for beforehand: of the host's own uses, which none follows, a stage that it does.
    void require_release(std::uint32_t import);
    /// What the layout of an image must wait for before it changes.
    void require_change(std::uint32_t image);
    /// Adds what of that is still to be waited for, and finds the source of the image's barrier: that takes in whatever
    /// is not yet chained to it. Only what was done to the image itself is sure to be available then.
    void wait_to_change(PlanGroup& group, std::uint32_t change);
    /// Makes the group's dependencies into barriers: one for each pair of stage masks, but none that the others make
    /// up for.
    void find_barriers(PlanGroup& group) const;
    /// The group's barriers come.
    void seal(const PlanGroup& group);
    /// Up to so many commands of its queue's log.
    void catch_up(Event& event, std::size_t until = ~std::size_t{0}) const;
    /// Another queue, for which its own has waited, had waited for its own after so many commands: what had been
    /// reached then comes before all that comes now. Of what the host does this is all that semaphores know.
    void take_round_trip(Event& event, std::size_t until) const;
    /// What its reach was after so many commands of its queue's log.
    [[nodiscard]] Reach reach_after(Event event, std::size_t commands) const;
    /// How long a queue's log was at the end of what the queue of now knows of it.
    [[nodiscard]] std::size_t log_end(QueueKind queue) const {
        const std::uint32_t known = progress_.known(queue);
        return known == 0 ? 0 : log_ends_[static_cast<std::size_t>(queue)][known - 1];
    }
    [[nodiscard]] bool satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const;
    /// The host's use, before the first group of its queue.
    void arrive(std::uint32_t resource, QueueKind queue, Access access) {
        happen({.queue = queue, .position = first_position(queue), .pass = Dependency::outside}, resource, access);
    }
    void happen(Event event, std::uint32_t resource, Access access);
    /// Of all barriers that came so far on a queue, the kinds; and round trips.
    [[nodiscard]] std::vector<std::uint32_t>& log(QueueKind queue) { return logs_[static_cast<std::size_t>(queue)]; }
    [[nodiscard]] const std::vector<std::uint32_t>& log(QueueKind queue) const {
        return logs_[static_cast<std::size_t>(queue)];
    }

    const GraphDescription& graph_;
    const Queues& queues_;
    const PlanMemory& memory_;
    const std::vector<PassGroup>& groups_;
    const Layouts& wanted_layouts_;
    const Handovers& handovers_;
    std::array<std::vector<std::uint32_t>, queue_kinds> on_queue_; ///< groups
    Progress progress_;
    std::vector<State> states_;          ///< per resource; then per block, of the others that use it
    std::vector<bool> entered_;          ///< per resource: into its memory, in this execution
    std::vector<VkImageLayout> layouts_; ///< per resource: that of an image now
    std::vector<std::uint32_t> change_;  ///< per resource: which of the group's image barriers is its own
    std::vector<bool> is_used_;          ///< per resource: by passes
    /// Per resource: whether another queue waits for what the host itself did, and so the group that arrives does.
    std::vector<bool> follows_host_elsewhere_;
    std::vector<std::uint32_t> learned_; ///< for which that is missing
    Tenants tenants_;
    std::vector<Command> kinds_; ///< commands that differ
    std::array<std::vector<std::uint32_t>, queue_kinds> logs_;
    std::array<std::vector<std::size_t>, queue_kinds> log_ends_; ///< per group that came: how long the log was then
    std::vector<std::size_t> round_trips_;                       ///< how long the log was that they know of
    std::uint32_t execution_ = 0;
    std::vector<Use> uses_;                           ///< of the group
    std::deque<Event> by_semaphores_;                 ///< of the group: what it knows of by way of them
    std::vector<Need> needs_;                         ///< of the group
    std::vector<std::vector<Event*>> before_changes_; ///< per image barrier of the group
    std::vector<Wait> waits_;                         ///< what the group's dependencies wait for
    std::vector<std::uint32_t> first_users_;          ///< per image barrier of the group: the first pass that needs it
    std::vector<std::uint32_t> fresh_;                ///< resources that enter in the group
    const std::vector<PlanGroup>* given_ = nullptr;
    bool are_enough_ = true;
};

} // namespace weir
