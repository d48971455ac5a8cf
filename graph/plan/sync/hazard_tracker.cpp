#include "graph/plan/sync/hazard_tracker.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "graph/plan/resources.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;
using Role = PassGroup::Role;

constexpr std::uint32_t none = ~0U;
constexpr std::uint32_t acquired = none - 1; ///< an acquisition replaces the image barrier

/// Checks if an image barrier or an acquisition waits, instead of a memory barrier.
bool has_own_barrier(Reason reason) {
    return reason == Reason::layout_change || reason == Reason::ownership_transfer;
}

std::vector<std::uint32_t> sorted_resources(const std::vector<Handovers::Half>& halves) {
    std::vector<std::uint32_t> resources;
    for (const Handovers::Half& half : halves) {
        resources.push_back(half.resource);
    }
    std::sort(resources.begin(), resources.end());
    return resources;
}

/// Removes what a replay without barriers adds to a group. Assignments to the other members keep their memory.
void clear(PlanGroup& group) {
    group.waits.clear();
    group.image_barriers.clear();
    group.acquired.clear();
    group.released.clear();
}

} // namespace

HazardTracker::HazardTracker(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                             const std::vector<PassGroup>& groups, const Layouts& layouts, const Handovers& handovers)
    : graph_(graph), queues_(queues), groups_(groups), wanted_layouts_(layouts), handovers_(handovers), clock_(groups),
      history_(graph, queues, memory, clock_), is_used_(graph.resources.size(), false), concurrent_sets_(graph),
      change_(graph.resources.size(), none), taken_(graph.resources.size(), none) {
    for (const PassGroup& group : groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                is_used_[use.resource] = true;
            }
        }
    }
}

std::vector<PlanGroup> HazardTracker::execute() {
    history_.forget_barriers();
    return replay(true);
}

void HazardTracker::warm_up() {
    static_cast<void>(replay(false));
}

std::vector<PlanGroup> HazardTracker::replay(bool with_barriers) {
    clock_.begin_execution();
    history_.begin_execution();
    std::vector<PlanGroup> placed;
    placed.reserve(with_barriers ? groups_.size() : 1);
    for (std::uint32_t index = 0; index < groups_.size(); ++index) {
        if (with_barriers || placed.empty()) {
            placed.emplace_back();
        } else {
            clear(placed.back());
        }
        replay_group(placed.back(), index, with_barriers);
    }
    return placed;
}

void HazardTracker::replay_group(PlanGroup& group, std::uint32_t index, bool with_barriers) {
    group.queue = groups_[index].queue;
    group.passes = groups_[index].passes;
    group.layouts = wanted_layouts_[index];
    clock_.begin_group(index);
    find_uses(index);
    find_hazards(group, index);
    wait_for_queues(group, index);
    if (with_barriers) {
        find_dependencies(group, index);
        find_barriers(group);
    }
    apply_barriers(group);
    for (const Use& use : uses_) {
        if (groups_[index].role != Role::arriving) { // resources that arrive were used before this group, not in it
            history_.add(
                {.queue = group.queue, .position = clock_.position(), .pass = use.pass, .concurrent = use.concurrent},
                use.resource, use.meaning);
        }
    }
    add_releases(group, index);
}

void HazardTracker::find_uses(std::uint32_t index) {
    const PassGroup& group = groups_[index];
    uses_.clear();
    for (const std::uint32_t pass : group.passes) {
        for (const auto& use : graph_.passes[pass].accesses()) {
            uses_.push_back({pass, use.resource, use.meaning(), concurrent_sets_.of(pass, use)});
        }
    }
    for (std::uint32_t resource = 0; group.role == Role::leaving && resource < graph_.resources.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        if (node.exported && queues_.on(node.queues.leaves) == group.queue) {
            for (const UseScope& use : node.leaves.scopes()) {
                uses_.push_back({Dependency::outside, resource, use});
            }
        }
    }
    // A semaphore does not wait for the host. A barrier here does, and other queues wait for the commands after it.
    const std::vector<std::uint32_t> released =
        group.arriving.empty() ? std::vector<std::uint32_t>() : sorted_resources(handovers_.released[index]);
    for (const std::uint32_t resource : group.arriving) {
        const auto& [writes, reads, before] = history_.of(resource);
        const auto is_on_host = [&](const PastUse& past) { return past.is_host() && past.queue == group.queue; };
        const bool has_host_use = std::any_of(writes.begin(), writes.end(), is_on_host) ||
                                  std::any_of(reads.begin(), reads.end(), is_on_host);
        if (has_host_use && !std::binary_search(released.begin(), released.end(), resource)) {
            uses_.push_back({Dependency::outside, resource, use_scope(Access::any)});
        }
    }
}

void HazardTracker::find_hazards(PlanGroup& group, std::uint32_t index) {
    assert(waits_.empty());
    for (const Handovers::Half& half : handovers_.acquired[index]) {
        change_[half.resource] = acquired;
        taken_[half.resource] = static_cast<std::uint32_t>(group.acquired.size());
        group.acquired.push_back(hand_over(half.resource, half.other, index));
    }
    for (const PlanGroup::Layout& image : group.layouts) {
        if (history_.layout(image.resource) != image.layout && change_[image.resource] != acquired) {
            change_[image.resource] = static_cast<std::uint32_t>(group.image_barriers.size());
            group.image_barriers.push_back({image.resource, {}, {}, history_.layout(image.resource), image.layout});
        }
    }
    first_takers_.assign(group.acquired.size(), Dependency::outside);
    first_users_.assign(group.image_barriers.size(), none);
    hazards_.clear();
    for (const auto& [pass, resource, meaning, concurrent] : uses_) {
        const Scope use = queues_.scope_on(group.queue, meaning.scope);
        const std::uint32_t change = change_[resource];
        if (change == none) {
            add_hazards({pass, resource, meaning, concurrent});
        } else if (change == acquired) {
            Scope& scope = group.acquired[taken_[resource]].scope;
            scope = {scope.stages | use.stages, scope.access | use.access};
            std::uint32_t& taker = first_takers_[taken_[resource]];
            taker = taker == Dependency::outside ? pass : taker;
        } else {
            Scope& destination = group.image_barriers[change].destination;
            destination = {destination.stages | use.stages, destination.access | use.access};
            first_users_[change] = first_users_[change] == none ? pass : first_users_[change];
        }
    }
    for (const Handovers::Half& half : handovers_.released[index]) {
        if (change_[half.resource] != acquired) {
            add_release_hazards(half.resource);
        }
    }
    for (OwnershipTransfer& taken : group.acquired) {
        if (taken.scope.stages == 0) { // no pass uses it; it only leaves
            taken.scope = scope_of(Access::any);
        }
    }
    before_changes_.clear();
    for (const ImageBarrier& barrier : group.image_barriers) {
        add_change_hazards(barrier.resource);
    }
}

bool HazardTracker::is_of_another(const PastUse& past, std::uint32_t resource) const {
    if (past.resource >= graph_.resources.size()) { // another program
        return true;
    }
    return root_of(graph_, past.resource) != root_of(graph_, resource) && !is_history(graph_.resources[resource]);
}

void HazardTracker::add_hazards(const Use& use) {
    const auto& [pass, resource, meaning, concurrent] = use;
    const Scope scope = queues_.scope_on(clock_.queue(), meaning.scope);
    const auto after_one = [&, pass = pass, resource = resource](PastUse& past, const Scope& destination, Reason why) {
        const bool is_change = past.kind == PastUse::Kind::layout_change && past.resource == resource;
        const bool is_other = is_of_another(past, resource); // an earlier user of the memory
        hazards_.push_back({&past, resource, pass,
                            is_change  ? Reason::after_layout_change
                            : is_other ? Reason::memory_reused
                                       : why,
                            destination});
    };
    const auto after = [&](std::vector<PastUse>& pasts, const Scope& destination, Reason why) {
        for (PastUse& past : pasts) {
            after_one(past, destination, why);
        }
    };
    const Scope only_later{scope.stages, 0};
    const auto enter_after = [&, resource = resource, is_write = meaning.writes](std::uint32_t before) {
        const bool same = before == resource;
        after(history_.of(before).writes, scope, same ? Reason::write_after_write : Reason::memory_reused);
        if (is_write) {
            after(history_.of(before).reads, only_later, same ? Reason::write_after_read : Reason::memory_reused);
        }
    };
    if (history_.enter(resource, meaning.writes && concurrent == 0, enter_after)) {
        return;
    }
    auto& [past_writes, past_reads, before] = history_.of(resource);
    const Reason reason = meaning.reads ? Reason::read_after_write : Reason::write_after_write;
    if (concurrent != 0 && history_.joins(resource, concurrent)) {
        for (PastUse& past : before) {
            const bool is_read = past.kind == PastUse::Kind::read;
            after_one(past, is_read ? only_later : scope, is_read ? Reason::write_after_read : reason);
        }
        for (PastUse& past : past_writes) { // in the group of the first of these writes, exclusive with it
            if (past.concurrent != concurrent) {
                after_one(past, scope, reason);
            }
        }
        after(past_reads, only_later, Reason::write_after_read);
        return;
    }
    after(past_writes, scope, reason);
    if (meaning.writes) {
        after(past_reads, only_later, Reason::write_after_read);
    }
}

void HazardTracker::add_release_hazards(std::uint32_t import) {
    const QueueKind queue = clock_.queue();
    const Scope shown =
        queues_.scope_on(queue, scope_of(queue == QueueKind::transfer ? Access::transfer_read : Access::shader_read));
    const auto after = [&](std::vector<PastUse>& pasts, const Scope& destination, Reason reason) {
        for (PastUse& past : pasts) {
            if (past.queue == queue && past.is_host()) {
                hazards_.push_back({&past, import, Dependency::outside, reason, destination, true});
            }
        }
    };
    after(history_.of(import).writes, shown, Reason::write_after_write);
    after(history_.of(import).reads, {shown.stages, 0}, Reason::write_after_read);
}

void HazardTracker::add_change_hazards(std::uint32_t image) {
    auto& pasts = before_changes_.emplace_back(); // reads first: writes they waited for need no wait of their own
    std::vector<PastUse*> writes;
    const auto after = [&](std::uint32_t resource) {
        for (PastUse& past : history_.of(resource).reads) {
            pasts.push_back(&past);
        }
        for (PastUse& past : history_.of(resource).writes) {
            writes.push_back(&past);
        }
    };
    if (!history_.enter(image, true, after)) { // later uses come after the change
        after(image);
    }
    std::reverse(pasts.begin(), pasts.end()); // the latest first
    pasts.insert(pasts.end(), writes.begin(), writes.end());
}

void HazardTracker::wait_for_queues(PlanGroup& group, std::uint32_t index) {
    if (!clock_.has_several_queues()) {
        return;
    }
    VectorClock::Positions positions{};
    std::array<std::vector<Dependency>, queue_kinds> reasons;
    const auto wait_for = [&](const VectorClock::Point& point, const Dependency& reason) {
        if (point.queue != group.queue && !clock_.has_waited(point)) {
            const auto queue = static_cast<std::size_t>(point.queue);
            positions[queue] = std::max(positions[queue], point.position);
            reasons[queue].push_back(reason);
        }
    };
    const auto wait_for_use = [&](const PastUse& past, std::uint32_t resource, std::uint32_t pass, Reason reason,
                                  const Scope& destination) {
        wait_for({past.queue, past.position}, {resource, pass_of(past), pass, reason, past.scope, destination});
    };
    const auto wait_for_all = [&](std::uint32_t resource, bool also_outside) {
        for (const auto* pasts : {&history_.of(resource).reads, &history_.of(resource).writes}) {
            for (const PastUse& past : *pasts) {
                if (past.pass != Dependency::outside || also_outside) {
                    wait_for_use(past, resource, Dependency::outside, Reason::ownership_transfer, {});
                }
            }
        }
    };
    for (const Handovers::Half& half : handovers_.acquired[index]) {
        wait_for(clock_.point_of(half.other),
                 {half.resource, Dependency::outside, Dependency::outside, Reason::ownership_transfer, {}, {}});
    }
    for (const Handovers::Half& half : handovers_.released[index]) {
        if (change_[half.resource] != acquired) { // the acquisition has waited for everything before it
            wait_for_all(half.resource, true);
        }
    }
    for (std::uint32_t resource = 0; groups_[index].role == Role::leaving && resource < graph_.resources.size();
         ++resource) {
        const auto& node = graph_.resources[resource];
        if (is_used_[resource] && (node.lifetime == Lifetime::import || node.exported) &&
            queues_.on(node.queues.leaves) == group.queue && change_[resource] != acquired) {
            wait_for_all(resource, false); // the application orders its own uses
        }
    }
    for (std::size_t change = 0; change < before_changes_.size(); ++change) {
        const ImageBarrier& barrier = group.image_barriers[change];
        for (const PastUse* past : before_changes_[change]) {
            wait_for_use(*past, barrier.resource, first_users_[change], Reason::layout_change, barrier.destination);
        }
    }
    for (const Hazard& hazard : hazards_) {
        wait_for_use(*hazard.past, hazard.resource, hazard.pass, hazard.reason, hazard.destination);
    }
    // An import whose arrival has no stages is available when its queue begins. Other queues wait for that.
    for (const auto& [pass, resource, meaning, concurrent] : uses_) {
        const auto& node = graph_.resources[resource];
        const QueueKind queue = queues_.on(node.queues.arrives);
        const Scope use = queues_.scope_on(group.queue, meaning.scope);
        if (node.lifetime == Lifetime::import && (use.stages != 0 || change_[resource] != none) &&
            !queues_.has_stages(queue, node.arrives)) {
            wait_for(clock_.first_point(queue),
                     {resource, Dependency::outside, pass, Reason::ownership_transfer, {}, use});
        }
    }
    for (const VectorClock::Point& point : clock_.wait(positions)) {
        group.waits.push_back({clock_.group_at(point), clock_.executions_ago(point),
                               std::move(reasons[static_cast<std::size_t>(point.queue)])});
    }
}

bool HazardTracker::is_after_semaphore(const PastUse& past) const {
    return clock_.has_waited({past.queue, past.position}) && (past.queue != clock_.queue() || !past.is_host());
}

void HazardTracker::find_dependencies(PlanGroup& group, std::uint32_t index) {
    dependencies_.clear();
    for (std::size_t i = 0; i < group.acquired.size(); ++i) {
        add_dependency({nullptr, acquired}, group.acquired[i].resource, first_takers_[i], Reason::ownership_transfer,
                       group.acquired[i].scope);
    }
    for (std::uint32_t change = 0; change < group.image_barriers.size(); ++change) {
        wait_to_change(group, change);
    }
    behind_semaphores_.clear();
    for (const Hazard& hazard : hazards_) {
        PastUse* past = hazard.past;
        if (groups_[index].role == Role::arriving && !past->is_host()) {
            continue; // a semaphore waits for everything except the host
        }
        if (is_after_semaphore(*past)) {
            if ((hazard.destination.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) {
                continue;
            }
            // A semaphore makes nothing visible to the host.
            past = &behind_semaphores_.emplace_back(history_.behind_semaphore(*past));
        }
        history_.catch_up(*past);
        if (hazard.in_any_stage ? !past->is_before_something(past->state)
                                : !past->is_before(hazard.destination, past->state)) {
            add_dependency({past, none, hazard.in_any_stage}, hazard.resource, hazard.pass, hazard.reason,
                           hazard.destination);
        }
    }
    group.dependencies.assign(dependencies_.begin(), dependencies_.end());
}

void HazardTracker::add_dependency(const Wait& on, std::uint32_t resource, std::uint32_t pass, Reason reason,
                                   const Scope& destination) {
    const PastUse* past = on.past;
    dependencies_.push_back({resource, past != nullptr ? pass_of(*past) : Dependency::outside, pass, reason,
                             past != nullptr ? past->scope : Scope{}, destination});
    waits_.push_back(on);
}

void HazardTracker::wait_to_change(PlanGroup& group, std::uint32_t change) {
    ImageBarrier& barrier = group.image_barriers[change];
    const std::uint32_t pass = first_users_[change];
    std::vector<PastUse*>& pasts = before_changes_[change];
    std::erase_if(pasts, [&](const PastUse* past) { return is_after_semaphore(*past); });
    for (PastUse* past : pasts) {
        history_.catch_up(*past);
        Reason reason = Reason::layout_change;
        Scope destination = barrier.destination;
        if (!past->is_before_change(barrier.source.stages)) {
            barrier.source.stages |= past->scope.stages;
            barrier.source.access |= past->scope.access;
            if (past->resource != barrier.resource && past->kind == PastUse::Kind::write) {
                // Vulkan does not guarantee that an image barrier makes writes to its memory through another resource
                // available. That takes a memory barrier.
                reason = Reason::memory_reused;
                destination.access = 0;
            }
        }
        add_dependency({past, change}, barrier.resource, pass, reason, destination);
    }
    // If the passes that read are switched off, this change directly follows the write. Including the write costs
    // nothing.
    const bool is_surely_read = std::any_of(pasts.begin(), pasts.end(), [&](const PastUse* past) {
        return past->kind == PastUse::Kind::read &&
               (past->pass == Dependency::outside || graph_.passes[past->pass].conditions.empty());
    });
    for (const PastUse* past : pasts) {
        if (past->kind == PastUse::Kind::write && !is_surely_read &&
            (past->scope.stages & ~barrier.source.stages) == 0) {
            barrier.source.access |= past->scope.access;
        }
    }
    if (pasts.empty()) {
        add_dependency({nullptr, change}, barrier.resource, pass, Reason::layout_change, barrier.destination);
    }
    if (barrier.source.stages == 0) { // chains to the semaphore that these stages wait for
        barrier.source.stages =
            barrier.destination.stages != 0 ? barrier.destination.stages : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    }
}

void HazardTracker::find_barriers(PlanGroup& group) const {
    auto& barriers = group.barriers;
    for (const Dependency& needed : group.dependencies) {
        if (has_own_barrier(needed.reason)) {
            continue;
        }
        auto same = std::find_if(barriers.begin(), barriers.end(), [&](const VkMemoryBarrier2& barrier) {
            return barrier.srcStageMask == needed.source.stages && barrier.dstStageMask == needed.destination.stages;
        });
        if (same == barriers.end()) {
            VkMemoryBarrier2 barrier{};
            barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
            barrier.srcStageMask = needed.source.stages;
            barrier.dstStageMask = needed.destination.stages;
            same = barriers.insert(barriers.end(), barrier);
        }
        same->srcAccessMask |= needed.source.access;
        same->dstAccessMask |= needed.destination.access;
    }
    for (std::size_t i = 0; i < barriers.size() && barriers.size() + group.image_barriers.size() > 1;) {
        std::vector<VkMemoryBarrier2> others = barriers;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        if (satisfies(others, group)) {
            barriers = std::move(others);
        } else {
            ++i;
        }
    }
}

bool HazardTracker::satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const {
    const BarrierCommand command(barriers.begin(), barriers.end());
    const auto after = [&](const PastUse& past) {
        const std::uint32_t change = past.resource < change_.size() ? change_[past.resource] : none;
        if (change >= group.image_barriers.size()) {
            return past.after(command);
        }
        const Barrier own(group.image_barriers[change]);
        return past.after(command, &own);
    };
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        const auto& [past, image_barrier, in_any_stage] = waits_[i];
        const bool is_met =
            in_any_stage ? past->is_before_something(after(*past))
            : image_barrier == none
                ? past->is_before(group.dependencies[i].destination, after(*past))
                : past == nullptr || past->is_before_change(group.image_barriers[image_barrier], command);
        if (!is_met) {
            return false;
        }
    }
    return true;
}

void HazardTracker::apply_barriers(const PlanGroup& group) {
    if (!group.dependencies.empty()) {
        history_.add_barriers({group.barriers.begin(), group.barriers.end()}, group.image_barriers);
    }
    waits_.clear();
    history_.enter_all();
    for (std::size_t i = 0; i < group.image_barriers.size(); ++i) {
        const ImageBarrier& barrier = group.image_barriers[i];
        history_.change_layout(barrier.resource, first_users_[i], barrier.destination, barrier.new_layout);
        change_[barrier.resource] = none;
    }
    for (const OwnershipTransfer& taken : group.acquired) {
        history_.change_layout(taken.resource, Dependency::outside, taken.scope, taken.new_layout);
        change_[taken.resource] = none;
    }
}

} // namespace weir
