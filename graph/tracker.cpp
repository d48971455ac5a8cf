#include "graph/tracker.hpp"

#include <algorithm>
#include <utility>

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;

constexpr std::uint32_t none = ~0U;
constexpr std::uint32_t acquired = none - 1;   ///< instead of an image barrier
constexpr std::uint32_t round_trip = 1U << 31; ///< a bit of what is in a log

bool is_host(const Event& event) {
    return (event.scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
}

} // namespace

Tracker::Tracker(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
                 const std::vector<PassGroup>& groups, const Layouts& layouts, const Handovers& handovers)
    : graph_(graph), queues_(queues), memory_(memory), groups_(groups), wanted_layouts_(layouts), handovers_(handovers),
      states_(graph.resources.size() + memory.blocks.size()), entered_(graph.resources.size()),
      layouts_(graph.resources.size()), change_(graph.resources.size(), none), is_used_(graph.resources.size(), false),
      follows_host_elsewhere_(graph.resources.size(), false), tenants_(memory.blocks.size()) {
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        on_queue_[static_cast<std::size_t>(groups[group].queue)].push_back(group);
        for (const std::uint32_t pass : groups[group].passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                is_used_[touch.resource] = true;
            }
        }
    }
}

std::vector<PlanGroup> Tracker::execute(const std::vector<PlanGroup>* given) {
    ++execution_;
    given_ = given;
    learned_.clear();
    for (std::uint32_t buffer = 0; buffer < graph_.resources.size(); ++buffer) {
        if (const std::uint32_t previous = graph_.resources[buffer].previous; previous != ResourceId::none) {
            std::swap(states_[buffer], states_[previous]);
        }
    }
    entered_.assign(entered_.size(), false);
    for (std::uint32_t resource = 0; resource < graph_.resources.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        layouts_[resource] = VK_IMAGE_LAYOUT_UNDEFINED;
        if (node.lifetime == Lifetime::import) { // what was before that is the host's to order
            states_[resource] = {};
            arrive(resource, queues_.on(node.queues.arrives), node.arrives);
            layouts_[resource] = node.image ? layout_of(node.arrives) : VK_IMAGE_LAYOUT_UNDEFINED;
        }
        for (auto* events : {&states_[resource].reads, &states_[resource].writes}) {
            for (Event& event : *events) {
                if (event.pass == Dependency::outside && node.exported) { // which goes on until this execution begins
                    event.position = first_position(event.queue);
                }
            }
        }
    }
    for (std::uint32_t block = 0; memory_.pooled && block < memory_.blocks.size(); ++block) {
        const auto others = static_cast<std::uint32_t>(graph_.resources.size()) + block; // as one tenant
        states_[others] = {};
        arrive(others, QueueKind::main, Access::any);
        tenants_.enter(others, {block, 0}, memory_.blocks[block], [](std::uint32_t) {});
    }
    const std::vector<Use> nothing;
    std::vector<PlanGroup> placed;
    placed.reserve(groups_.size());
    for (std::uint32_t index = 0; index < groups_.size(); ++index) {
        PlanGroup& group = placed.emplace_back();
        group.queue = groups_[index].queue;
        group.passes = groups_[index].passes;
        group.layouts = wanted_layouts_[index];
        progress_.begin(group.queue);
        find_uses(index);
        prepare(group, index);
        if (given != nullptr) {
            group.barriers = (*given)[index].barriers;
            group.image_barriers = (*given)[index].image_barriers;
            are_enough_ = are_enough_ && satisfies(group.barriers, group);
        } else {
            find_barriers(group);
        }
        seal(group);
        for (const Use& use : groups_[index].role == PassGroup::Role::arriving ? nothing : uses_) {
            happen({.queue = group.queue, .position = progress_.position(), .pass = use.pass}, use.resource,
                   use.access);
        }
        for (const Handovers::Half& half : handovers_.released[index]) {
            group.released.push_back(release(half.resource, index, half.other));
        }
    }
    return placed;
}

bool Tracker::learn() {
    bool is_new = false;
    for (const std::uint32_t resource : learned_) {
        is_new = is_new || !follows_host_elsewhere_[resource];
        follows_host_elsewhere_[resource] = true;
    }
    return is_new;
}

void Tracker::forget_barriers() {
    for (State& state : states_) {
        for (auto* events : {&state.writes, &state.reads}) {
            for (Event& event : *events) {
                event.reach = event.first_reach();
                event.without_effect = 0;
                event.since = event.time = log(event.queue).size();
            }
        }
    }
}

void Tracker::find_uses(std::uint32_t index) {
    const PassGroup& group = groups_[index];
    uses_.clear();
    for (const std::uint32_t pass : group.passes) {
        for (const auto& touch : graph_.passes[pass].touches) {
            uses_.push_back({pass, touch.resource, touch.access});
        }
    }
    for (std::uint32_t resource = 0; group.role == PassGroup::Role::leaving && resource < graph_.resources.size();
         ++resource) {
        const auto& node = graph_.resources[resource];
        if (node.exported && node.leaves != Access::none && queues_.on(node.queues.leaves) == group.queue) {
            uses_.push_back({Dependency::outside, resource, node.leaves});
        }
    }
    // What the host itself has done waits for a barrier, not for a semaphore: here it meets all that comes after both.
    for (const std::uint32_t resource : group.arriving) {
        const auto& released = handovers_.released[index];
        const bool is_released = std::any_of(released.begin(), released.end(),
                                             [&](const Handovers::Half& half) { return half.resource == resource; });
        if (!is_released && follows_host_elsewhere_[resource]) {
            uses_.push_back({Dependency::outside, resource, Access::any});
        }
    }
}

Event* Tracker::after_semaphore(const Event& event) {
    Event& seen = by_semaphores_.emplace_back(event);
    seen.kind = event.kind == Event::Kind::read ? Event::Kind::read : Event::Kind::layout_change;
    seen.queue = progress_.queue();
    seen.scope = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
    seen.shows = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    seen.time = log(seen.queue).size();
    seen.reach = seen.first_reach();
    seen.reach.before = units::all_commands;
    seen.without_effect = 0;
    return &seen;
}

bool Tracker::is_known(const Event& event) const {
    const bool has_waited = progress_.has_waited({event.queue, event.position});
    return has_waited && (event.queue != progress_.queue() || !is_host(event));
}

void Tracker::prepare(PlanGroup& group, std::uint32_t index) {
    for (const Handovers::Half& half : handovers_.acquired[index]) {
        change_[half.resource] = acquired;
        group.acquired.push_back(hand_over(half.resource, half.other, index));
    }
    std::vector<std::uint32_t> takers(group.acquired.size(), Dependency::outside);
    for (const PlanGroup::Layout& image : group.layouts) {
        if (layouts_[image.resource] != image.layout && change_[image.resource] != acquired) {
            change_[image.resource] = static_cast<std::uint32_t>(group.image_barriers.size());
            group.image_barriers.push_back({image.resource, {}, {}, layouts_[image.resource], image.layout});
        }
    }
    first_users_.assign(group.image_barriers.size(), none);
    needs_.clear();
    for (const auto& [pass, resource, access] : uses_) {
        const Scope use = queues_.scope_on(group.queue, access);
        const std::uint32_t change = change_[resource];
        if (change == none) {
            require({pass, resource, access});
        } else if (change == acquired) {
            const auto of =
                std::find_if(group.acquired.begin(), group.acquired.end(),
                             [wanted = resource](const Handover& taken) { return taken.resource == wanted; });
            of->scope = {of->scope.stages | use.stages, of->scope.access | use.access};
            std::uint32_t& taker = takers[static_cast<std::size_t>(of - group.acquired.begin())];
            taker = taker == Dependency::outside ? pass : taker;
        } else {
            Scope& destination = group.image_barriers[change].destination;
            destination = {destination.stages | use.stages, destination.access | use.access};
            first_users_[change] = first_users_[change] == none ? pass : first_users_[change];
        }
    }
    for (const Handovers::Half& half : handovers_.released[index]) {
        if (change_[half.resource] != acquired) {
            require_release(half.resource);
        }
    }
    for (Handover& taken : group.acquired) {
        if (taken.scope.stages == 0) { // it only leaves
            taken.scope = scope_of(Access::any);
        }
    }
    before_changes_.clear();
    for (const ImageBarrier& barrier : group.image_barriers) {
        require_change(barrier.resource);
    }
    wait_for_queues(group, index);
    for (std::size_t i = 0; i < takers.size(); ++i) {
        wait(group, {nullptr, acquired}, group.acquired[i].resource, takers[i], Reason::handed_over,
             group.acquired[i].scope);
    }
    for (std::uint32_t change = 0; change < group.image_barriers.size(); ++change) {
        wait_to_change(group, change);
    }
    by_semaphores_.clear();
    for (const Need& need : needs_) {
        Event* event = need.event;
        if (groups_[index].role == PassGroup::Role::arriving && !is_host(*event)) {
            continue; // semaphores do
        }
        if (is_known(*event)) {
            if ((need.destination.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) {
                continue;
            }
            event = after_semaphore(*event); // which the host does not see
        }
        catch_up(*event);
        if (need.in_any_stage ? !event->is_before_something(event->reach)
                              : !event->is_before(need.destination, event->reach)) {
            wait(group, {event, none, need.in_any_stage}, need.resource, need.pass, need.reason, need.destination);
        }
    }
}

void Tracker::wait_for_queues(PlanGroup& group, std::uint32_t index) {
    if (!has_several()) {
        return;
    }
    std::array<std::uint32_t, queue_kinds> positions{};
    std::array<std::vector<Dependency>, queue_kinds> reasons;
    const auto need = [&](const Event& event, std::uint32_t resource, std::uint32_t pass, Reason reason,
                          const Scope& destination) {
        const auto queue = static_cast<std::size_t>(event.queue);
        if (event.queue != group.queue && !progress_.has_waited({event.queue, event.position})) {
            positions[queue] = std::max(positions[queue], event.position);
            reasons[queue].push_back({resource, pass_of(event), pass, reason, event.scope, destination});
        }
    };
    const auto need_all = [&](std::uint32_t resource, bool also_outside) {
        for (const auto* events : {&states_[resource].reads, &states_[resource].writes}) {
            for (const Event& event : *events) {
                if (event.pass == Dependency::outside && !also_outside) {
                    continue;
                }
                need(event, resource, Dependency::outside, Reason::handed_over, {});
            }
        }
    };
    for (const Handovers::Half& half : handovers_.acquired[index]) {
        const QueueKind from = groups_[half.other].queue;
        need({.queue = from, .position = position_of(half.other)}, half.resource, Dependency::outside,
             Reason::handed_over, {});
    }
    for (const Handovers::Half& half : handovers_.released[index]) {
        if (change_[half.resource] != acquired) { // else what was before is known by that
            need_all(half.resource, true);
        }
    }
    for (std::uint32_t resource = 0;
         groups_[index].role == PassGroup::Role::leaving && resource < graph_.resources.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        if (is_used_[resource] && (node.lifetime == Lifetime::import || node.exported) &&
            queues_.on(node.queues.leaves) == group.queue && change_[resource] != acquired) {
            need_all(resource, false); // the host's own uses are the host's to order
        }
    }
    for (std::size_t change = 0; change < before_changes_.size(); ++change) {
        const ImageBarrier& barrier = group.image_barriers[change];
        for (const Event* event : before_changes_[change]) {
            need(*event, barrier.resource, first_users_[change], Reason::layout_change, barrier.destination);
        }
    }
    for (const Need& one : needs_) {
        need(*one.event, one.resource, one.pass, one.reason, one.destination);
    }
    // What arrives without a use to wait for is there when its queue begins: for others that is something to wait
    // for.
    for (const auto& [pass, resource, access] : uses_) {
        const auto& node = graph_.resources[resource];
        const QueueKind queue = queues_.on(node.queues.arrives);
        const bool does_something = queues_.scope_on(group.queue, access).stages != 0 || change_[resource] != none;
        if (node.lifetime == Lifetime::import && does_something && queue != group.queue &&
            queues_.scope_on(queue, node.arrives).stages == 0) {
            need({.queue = queue, .position = first_position(queue)}, resource, pass, Reason::handed_over,
                 queues_.scope_on(group.queue, access));
        }
    }
    const std::uint32_t known = progress_.known(group.queue);
    const std::vector<Progress::Point> points =
        progress_.wait(given_ != nullptr ? positions_of((*given_)[index].waits) : positions);
    for (const QueueKind queue : {QueueKind::main, QueueKind::compute, QueueKind::transfer}) {
        are_enough_ = are_enough_ && positions[static_cast<std::size_t>(queue)] <= progress_.known(queue);
    }
    if (progress_.known(group.queue) > known) {
        log(group.queue).push_back(round_trip | static_cast<std::uint32_t>(round_trips_.size()));
        round_trips_.push_back(log_end(group.queue));
    }
    const auto follow = [&](const Event& event, std::uint32_t resource) {
        if (event.queue == group.queue || !is_host(event)) {
            return;
        }
        if (!event.is_before_something(reach_after(event, log_end(event.queue)))) {
            learned_.push_back(resource);
        }
    };
    for (const Need& one : needs_) {
        follow(*one.event, one.resource);
    }
    for (const Handovers::Half& half : handovers_.released[index]) {
        if (change_[half.resource] == acquired) {
            continue;
        }
        for (const auto* events : {&states_[half.resource].reads, &states_[half.resource].writes}) {
            for (const Event& event : *events) {
                follow(event, half.resource);
            }
        }
    }
    for (const Progress::Point& point : points) {
        const auto& on_queue = on_queue_[static_cast<std::size_t>(point.queue)];
        const auto each = static_cast<std::uint32_t>(on_queue.size());
        group.waits.push_back({on_queue[(point.position - 1) % each], execution_ - 1 - (point.position - 1) / each,
                               std::move(reasons[static_cast<std::size_t>(point.queue)])});
    }
}

std::uint32_t Tracker::position_of(std::uint32_t group) const {
    const auto& on_queue = on_queue_[static_cast<std::size_t>(groups_[group].queue)];
    const auto at = std::lower_bound(on_queue.begin(), on_queue.end(), group) - on_queue.begin();
    return static_cast<std::uint32_t>((execution_ - 1) * on_queue.size() + static_cast<std::size_t>(at) + 1);
}

std::array<std::uint32_t, queue_kinds> Tracker::positions_of(const std::vector<GroupWait>& waits) const {
    std::array<std::uint32_t, queue_kinds> positions{};
    for (const GroupWait& wait : waits) {
        if (wait.executions_ago < execution_) { // else it was never
            const auto queue = static_cast<std::size_t>(groups_[wait.group].queue);
            const auto each = static_cast<std::uint32_t>(on_queue_[queue].size());
            positions[queue] = position_of(wait.group) - wait.executions_ago * each;
        }
    }
    return positions;
}

Handover Tracker::hand_over(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
    const VkImageLayout layout = layouts_[resource];
    Handover handover{resource, groups_[from].queue, groups_[to].queue, {}, layout, layout};
    for (const PlanGroup::Layout& image : wanted_layouts_[to]) {
        handover.new_layout = image.resource == resource ? image.layout : handover.new_layout;
    }
    return handover;
}

Handover Tracker::release(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
    Handover given = hand_over(resource, from, to);
    for (const auto* events : {&states_[resource].reads, &states_[resource].writes}) {
        for (const Event& event : *events) {
            if (event.queue == given.from && is_host(event)) {
                given.scope.stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT; // what waits for it, whatever that does
            } else if (event.queue == given.from) {
                given.scope = {given.scope.stages | event.scope.stages, given.scope.access | event.scope.access};
            }
        }
    }
    if (given.scope.stages == 0) {
        given.scope.stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    }
    return given;
}

void Tracker::wait(PlanGroup& group, const Wait& on, std::uint32_t resource, std::uint32_t pass, Reason reason,
                   const Scope& destination) {
    const Event* event = on.event;
    group.dependencies.push_back({resource, event != nullptr ? pass_of(*event) : Dependency::outside, pass, reason,
                                  event != nullptr ? event->scope : Scope{}, destination});
    waits_.push_back(on);
}

template <class F>
bool Tracker::enter(std::uint32_t resource, const F& leave) {
    const PlanMemory::Place& place = memory_.places[resource];
    if (place.block == PlanMemory::none || entered_[resource]) {
        return false;
    }
    entered_[resource] = true;
    tenants_.enter(resource, place, graph_.resources[resource].bytes, leave);
    fresh_.push_back(resource);
    return true;
}

void Tracker::require(const Use& needs) {
    const std::uint32_t pass = needs.pass, resource = needs.resource;
    const Access access = needs.access;
    const Scope use = queues_.scope_on(progress_.queue(), access);
    const auto after = [&](std::vector<Event>& events, const Scope& destination, Reason reason) {
        for (Event& event : events) {
            const bool is_change = event.kind == Event::Kind::layout_change && event.resource == resource;
            needs_.push_back({&event, resource, pass, is_change ? Reason::after_layout_change : reason, destination});
        }
    };
    const Scope only_later{use.stages, 0};
    const bool has_entered = enter(resource, [&](std::uint32_t before) {
        const bool same = before == resource;
        after(states_[before].writes, use, same ? Reason::write_after_write : Reason::memory_reused);
        after(states_[before].reads, only_later, same ? Reason::write_after_read : Reason::memory_reused);
    });
    if (has_entered) {
        return;
    }
    State& state = states_[resource];
    after(state.writes, use, reads(access) ? Reason::read_after_write : Reason::write_after_write);
    if (writes(access)) {
        after(state.reads, only_later, Reason::write_after_read);
    }
}

void Tracker::require_release(std::uint32_t import) {
    const QueueKind queue = progress_.queue();
    const Scope shown =
        queues_.scope_on(queue, queue == QueueKind::transfer ? Access::transfer_read : Access::shader_read);
    const auto follow = [&](std::vector<Event>& events, const Scope& destination, Reason reason) {
        for (Event& event : events) {
            if (event.queue == queue && is_host(event)) {
                needs_.push_back({&event, import, Dependency::outside, reason, destination, true});
            }
        }
    };
    follow(states_[import].writes, shown, Reason::write_after_write);
    follow(states_[import].reads, {shown.stages, 0}, Reason::write_after_read);
}

void Tracker::require_change(std::uint32_t image) {
    auto& events = before_changes_.emplace_back(); // reads first: what they have waited for needs no wait of its own
    const auto before = [&](std::uint32_t resource) {
        State& state = states_[resource];
        for (Event& event : state.reads) {
            events.insert(events.begin(), &event);
        }
        for (Event& event : state.writes) {
            events.push_back(&event);
        }
    };
    if (!enter(image, before)) {
        before(image);
    }
}

void Tracker::wait_to_change(PlanGroup& group, std::uint32_t change) {
    ImageBarrier& barrier = group.image_barriers[change];
    const std::uint32_t pass = first_users_[change];
    std::vector<Event*>& events = before_changes_[change];
    std::erase_if(events, [&](const Event* event) { return is_known(*event); });
    for (Event* event : events) {
        catch_up(*event);
        Reason reason = Reason::layout_change;
        Scope destination = barrier.destination;
        if (!event->is_before_change(barrier.source.stages)) {
            barrier.source.stages |= event->scope.stages;
            barrier.source.access |= event->scope.access;
            if (event->resource != barrier.resource && event->kind == Event::Kind::write) {
                // It is not said that a barrier of the image does for what was there through another: that takes a
                // memory barrier too.
                reason = Reason::memory_reused;
                destination.access = 0;
            }
        }
        wait(group, {event, change}, barrier.resource, pass, reason, destination);
    }
    // If what reads is off, the next thing before this is the write: that its barrier takes it in, too, costs
    // nothing, and is clear to whoever looks at what happens alone.
    const bool is_read_for_sure = std::any_of(events.begin(), events.end(), [&](const Event* event) {
        return event->kind == Event::Kind::read &&
               (event->pass == Dependency::outside || graph_.passes[event->pass].conditions.empty());
    });
    for (const Event* event : events) {
        if (event->kind == Event::Kind::write && !is_read_for_sure &&
            (event->scope.stages & ~barrier.source.stages) == 0) {
            barrier.source.access |= event->scope.access;
        }
    }
    if (events.empty()) {
        wait(group, {nullptr, change}, barrier.resource, pass, Reason::layout_change, barrier.destination);
    }
    if (barrier.source.stages == 0) { // to follow the semaphore that these stages wait for
        barrier.source.stages =
            barrier.destination.stages != 0 ? barrier.destination.stages : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    }
}

void Tracker::find_barriers(PlanGroup& group) const {
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

void Tracker::seal(const PlanGroup& group) {
    waits_.clear();
    if (!group.barriers.empty() || !group.image_barriers.empty()) {
        const Command command = command_of(group.barriers, group.image_barriers);
        // That of an image is hardly ever seen again.
        const auto known =
            group.image_barriers.empty() ? std::find(kinds_.begin(), kinds_.end(), command) : kinds_.end();
        log(group.queue).push_back(static_cast<std::uint32_t>(known - kinds_.begin()));
        if (known == kinds_.end()) {
            kinds_.push_back(command);
        }
    }
    log_ends_[static_cast<std::size_t>(group.queue)].push_back(log(group.queue).size());
    for (const std::uint32_t resource : fresh_) {
        states_[resource] = {};
    }
    fresh_.clear();
    const auto change = [&](std::uint32_t resource, std::uint32_t pass, const Scope& scope, VkImageLayout layout) {
        Event event{.kind = Event::Kind::layout_change,
                    .queue = group.queue,
                    .position = progress_.position(),
                    .resource = resource,
                    .pass = pass,
                    .execution = execution_,
                    .scope = {scope.stages, 0},
                    .shows = scope.access,
                    .time = log(group.queue).size()};
        states_[resource] = {};
        states_[resource].writes.push_back(event);
        layouts_[resource] = layout;
        change_[resource] = none;
    };
    for (const ImageBarrier& barrier : group.image_barriers) {
        change(barrier.resource, first_users_[change_[barrier.resource]], barrier.destination, barrier.new_layout);
    }
    for (const Handover& taken : group.acquired) {
        change(taken.resource, Dependency::outside, taken.scope, taken.new_layout);
    }
}

void Tracker::catch_up(Event& event, std::size_t until) const {
    const std::vector<std::uint32_t>& commands = log(event.queue);
    for (; event.time < std::min(until, commands.size()); ++event.time) {
        const std::uint32_t kind = commands[event.time];
        if ((kind & round_trip) != 0) {
            if (is_host(event)) {
                take_round_trip(event, round_trips_[kind & ~round_trip]);
            }
            continue;
        }
        const std::uint64_t bit = kind < 64 ? std::uint64_t{1} << kind : 0;
        if ((event.without_effect & bit) == 0) {
            const Reach next = event.after(kinds_[kind]);
            event.without_effect = next != event.reach ? 0 : event.without_effect | bit;
            event.reach = next;
        }
    }
}

Reach Tracker::reach_after(Event event, std::size_t commands) const {
    event.reach = event.first_reach();
    event.without_effect = 0;
    event.time = event.since;
    catch_up(event, commands);
    return event.reach;
}

void Tracker::take_round_trip(Event& event, std::size_t until) const {
    const Reach early = reach_after(event, until);
    if ((early.before & ~units::host) != 0) {
        event.reach.before |= units::all_commands;
        event.without_effect = 0;
    }
    if ((early.available & ~units::host) != 0) {
        event.reach.available |= units::all_commands;
        event.reach.show(units::all_commands, single_reads | single_writes);
    }
}

bool Tracker::satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const {
    const Command command = command_of(barriers, group.image_barriers);
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        const Wait& wait = waits_[i];
        const bool is_met =
            wait.in_any_stage ? wait.event->is_before_something(wait.event->after(command))
            : wait.change == none
                ? wait.event->is_before(group.dependencies[i].destination, wait.event->after(command))
                : wait.event == nullptr || wait.event->is_before_change(group.image_barriers[wait.change], command);
        if (!is_met) {
            return false;
        }
    }
    return true;
}

void Tracker::happen(Event event, std::uint32_t resource, Access access) {
    Scope use = queues_.scope_on(event.queue, access);
    if (use.stages == 0) {
        return;
    }
    State& state = states_[resource];
    use.access &= single_writes | VK_ACCESS_2_MEMORY_WRITE_BIT;
    event.resource = resource;
    event.execution = execution_;
    event.scope = use;
    event.since = event.time = log(event.queue).size();
    if (writes(access)) {
        if (units_of(use.stages) != units::host) { // whoever comes after this comes after what was before it
            state = {};
        }
        event.kind = Event::Kind::write;
        state.writes.push_back(event);
        return;
    }
    // What draws and what computes can be waited for in different ways.
    constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    for (const VkPipelineStageFlags2 part : {use.stages & ~compute, use.stages & compute}) {
        if (part != 0) {
            event.scope.stages = part;
            state.reads.push_back(event);
        }
    }
}

} // namespace weir
