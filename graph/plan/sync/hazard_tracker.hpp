#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "graph/plan/queues.hpp"
#include "graph/plan/stages.hpp"
#include "graph/plan/sync/concurrent_sets.hpp"
#include "graph/plan/sync/sync_state.hpp"
#include "graph/plan/sync/use_history.hpp"
#include "graph/plan/sync/vector_clock.hpp"

namespace weir {

/// Replays executions of a graph group by group, tracks the uses of each resource, and finds the semaphores and
/// barriers that each group needs before it.
class HazardTracker {
public:
    using Layouts = std::vector<std::vector<PlanGroup::Layout>>;

    /// The arguments must outlive the tracker.
    HazardTracker(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                  const std::vector<PassGroup>& groups, const Layouts& layouts, const Handovers& handovers);

    /// Replays one more execution and returns its groups with their waits and barriers. These do not rely on barriers
    /// of earlier executions.
    std::vector<PlanGroup> execute();
    /// Replays an execution without barriers, which only leaves past uses behind.
    void warm_up();

private:
    struct Use {
        std::uint32_t pass = 0, resource = 0;
        UseScope meaning;
        std::uint32_t concurrent = 0; ///< set of concurrent writes that includes it; 0: none
    };
    /// A use of the group must come after `past`.
    struct Hazard {
        PastUse* past = nullptr;
        std::uint32_t resource = 0, pass = 0;
        Dependency::Reason reason = Dependency::Reason::read_after_write;
        Scope destination;
        bool in_any_stage = false; ///< any stage of the queue may wait, not only those of `destination`
    };
    /// Source of a dependency of the group. With an image barrier, the layout change waits for it.
    struct Wait {
        const PastUse* past = nullptr;     ///< null: nothing
        std::uint32_t image_barrier = ~0U; ///< an index, or `none` or `acquired`
        bool in_any_stage = false;
    };

    /// Returns the groups, or without barriers only the last one.
    std::vector<PlanGroup> replay(bool with_barriers);
    void replay_group(PlanGroup& group, std::uint32_t index, bool with_barriers);
    /// Finds the uses of a group: those of its passes, and those of the application on resources that arrive or leave.
    void find_uses(std::uint32_t index);
    /// Adds the group's image barriers and acquisitions, and finds its hazards.
    void find_hazards(PlanGroup& group, std::uint32_t index);
    /// Makes the group's queue wait for uses, releases and arrivals on other queues that must come before the group.
    void wait_for_queues(PlanGroup& group, std::uint32_t index);
    /// Adds a dependency for each hazard that neither a semaphore nor an earlier barrier resolves.
    void find_dependencies(PlanGroup& group, std::uint32_t index);
    /// Adds memory barriers for the dependencies: one for each pair of stage masks, without those that others make
    /// redundant.
    void find_barriers(PlanGroup& group) const;
    /// Applies the group's barriers to the state of all past uses.
    void apply_barriers(const PlanGroup& group);
    void add_releases(PlanGroup& group, std::uint32_t index) const;

    /// Checks if a semaphore orders a past use before the current group. Only a barrier orders uses by the host on the
    /// group's own queue.
    [[nodiscard]] bool is_after_semaphore(const PastUse& past) const;
    [[nodiscard]] std::uint32_t pass_of(const PastUse& past) const {
        return past.execution == clock_.execution() ? past.pass : Dependency::outside;
    }
    /// Returns either half of a queue family ownership transfer, without scopes, from the current layout to the wanted
    /// one.
    [[nodiscard]] OwnershipTransfer hand_over(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const;
    /// Returns the release of an import to another queue, after all uses of it on this queue.
    [[nodiscard]] OwnershipTransfer release(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const;
    void add_dependency(const Wait& on, std::uint32_t resource, std::uint32_t pass, Dependency::Reason reason,
                        const Scope& destination);
    /// Checks if a past use listed for a resource is one of another resource in the same memory.
    [[nodiscard]] bool is_of_another(const PastUse& past, std::uint32_t resource) const;
    void add_hazards(const Use& use);
    /// Adds the hazards between a release of an import and uses by the host on the same queue.
    void add_release_hazards(std::uint32_t import);
    /// Collects the past uses that must come before the layout of an image changes.
    void add_change_hazards(std::uint32_t image);
    /// Adds the dependencies of a layout change and the source scope of its image barrier. The scope includes each past
    /// use that the barriers so far do not chain to it.
    void wait_to_change(PlanGroup& group, std::uint32_t change);
    /// Checks that `barriers` and the group's image barriers resolve all dependencies of the group.
    [[nodiscard]] bool satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const;

    const GraphDescription& graph_;
    const Queues& queues_;
    const std::vector<PassGroup>& groups_;
    const Layouts& wanted_layouts_;
    const Handovers& handovers_;
    VectorClock clock_;
    UseHistory history_;
    std::vector<bool> is_used_; ///< per resource: a pass uses it
    ConcurrentSets concurrent_sets_;

    // State of the current group.
    std::vector<Use> uses_;
    std::vector<Hazard> hazards_;
    std::vector<std::vector<PastUse*>> before_changes_; ///< per image barrier
    std::vector<std::uint32_t> first_users_;            ///< per image barrier: the first pass that needs it
    std::vector<std::uint32_t> first_takers_;           ///< per acquisition: the first pass that needs it
    std::vector<std::uint32_t> change_;                 ///< per resource: its image barrier, `none` or `acquired`
    std::vector<std::uint32_t> taken_; ///< per resource that is `acquired`: the index of its acquisition
    std::deque<PastUse> behind_semaphores_;
    std::vector<Dependency> dependencies_; ///< dependencies of the group
    std::vector<Wait> waits_;              ///< per dependency
};

} // namespace weir
