#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "graph/reach.hpp"
#include "graph/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;
using Layouts = std::vector<std::vector<PlanGroup::Layout>>;

constexpr std::uint32_t none = ~0U;

/// What has happened to a buffer or an image so far.
struct State {
    std::vector<Event> writes; ///< the latest, if there was one, and the host's since; also if it is a layout change
    std::vector<Event> reads;  ///< since
};

/// Which transient was the last to use each byte of the blocks.
class Tenants {
public:
    explicit Tenants(std::size_t blocks) : blocks_(blocks) {}

    /// Lets a resource in; `leave` is told who was there before it, once each.
    template <class F>
    void enter(std::uint32_t resource, const PlanMemory::Place& place, std::uint64_t bytes, const F& leave) {
        auto& tenants = blocks_[place.block];
        const std::uint64_t begin = place.offset, end = begin + bytes;
        auto at = tenants.upper_bound(begin);
        if (at != tenants.begin()) {
            --at;
        }
        left_.clear();
        while (at != tenants.end() && at->first < end) {
            const std::uint64_t from = at->first, to = at->second.end;
            const std::uint32_t before = at->second.resource;
            if (to <= begin) {
                ++at;
                continue;
            }
            if (std::find(left_.begin(), left_.end(), before) == left_.end()) {
                left_.push_back(before);
            }
            at = tenants.erase(at);
            if (from < begin) {
                tenants.emplace(from, Tenant{begin, before});
            }
            if (to > end) {
                tenants.emplace(end, Tenant{to, before});
            }
        }
        tenants.emplace(begin, Tenant{end, resource});
        for (const std::uint32_t before : left_) {
            leave(before);
        }
    }

private:
    struct Tenant {
        std::uint64_t end = 0;
        std::uint32_t resource = 0;
    };
    std::vector<std::map<std::uint64_t, Tenant>> blocks_; ///< by where they begin
    std::vector<std::uint32_t> left_;
};

/// How far queues have waited for each other: all that a semaphore makes wait comes after all that came before it.
class Progress {
public:
    /// A group of a queue, counted from 1 through all executions.
    struct Point {
        QueueKind queue = QueueKind::main;
        std::uint32_t position = 0;
    };

    /// The next group of a queue comes.
    void begin(QueueKind queue) {
        queue_ = queue;
        const auto& known = known_[index(queue)];
        passed_[index(queue)].push_back(known);
    }
    [[nodiscard]] QueueKind queue() const { return queue_; }
    [[nodiscard]] std::uint32_t position() const { return position(queue_); }
    /// Of the latest group of a queue; 0: there was none.
    [[nodiscard]] std::uint32_t position(QueueKind queue) const {
        return static_cast<std::uint32_t>(passed_[index(queue)].size());
    }
    /// Whether the queue has waited for such a point.
    [[nodiscard]] bool has_waited(Point point) const {
        return point.position <= known_[index(queue_)][index(point.queue)];
    }

    /// The queue waits for points of others; returns for which, without those that others make up for.
    [[nodiscard]] std::vector<Point> wait(const std::array<std::uint32_t, queue_kinds>& positions) {
        std::vector<Point> points;
        for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
            const Point point{static_cast<QueueKind>(queue), positions[queue]};
            if (point.queue != queue_ && !has_waited(point)) {
                points.push_back(point);
            }
        }
        std::erase_if(points, [&](const Point& point) {
            return std::any_of(points.begin(), points.end(), [&](const Point& other) {
                return other.queue != point.queue && known_at(other)[index(point.queue)] >= point.position;
            });
        });
        Known& known = known_[index(queue_)];
        for (const Point& point : points) {
            const Known& others = known_at(point);
            for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
                known[queue] = std::max(known[queue], others[queue]);
            }
            known[index(point.queue)] = std::max(known[index(point.queue)], point.position);
        }
        passed_[index(queue_)].back() = known;
        return points;
    }

private:
    using Known = std::array<std::uint32_t, queue_kinds>; ///< per queue a position
    static std::size_t index(QueueKind queue) { return static_cast<std::size_t>(queue); }
    [[nodiscard]] const Known& known_at(const Point& point) const {
        return passed_[index(point.queue)][point.position - 1];
    }

    QueueKind queue_ = QueueKind::main;
    std::array<Known, queue_kinds> known_{};               ///< per queue: what it has waited for
    std::array<std::vector<Known>, queue_kinds> passed_{}; ///< per queue and group: the same when the group came
};

/// Executions of the graph, one after the other.
class Tracker {
public:
    Tracker(const GraphDescription& graph, const Queues& queues, const PlanMemory& memory,
            const std::vector<PassGroup>& groups, const Layouts& layouts, const Handovers& handovers)
        : graph_(graph), queues_(queues), memory_(memory), groups_(groups), wanted_layouts_(layouts),
          handovers_(handovers), states_(graph.resources.size() + memory.blocks.size()),
          entered_(graph.resources.size()), layouts_(graph.resources.size()), change_(graph.resources.size(), none),
          tenants_(memory.blocks.size()) {
        for (std::uint32_t group = 0; group < groups.size(); ++group) {
            on_queue_[static_cast<std::size_t>(groups[group].queue)].push_back(group);
        }
    }

    /// With barriers that are found, or those that are `given`.
    std::vector<PlanGroup> execute(const std::vector<PlanGroup>* given = nullptr) {
        ++execution_;
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
        }
        for (std::uint32_t block = 0; memory_.pooled && block < memory_.blocks.size(); ++block) {
            const auto others = static_cast<std::uint32_t>(graph_.resources.size()) + block; // as one tenant
            states_[others] = {};
            arrive(others, QueueKind::main, Access::any);
            tenants_.enter(others, {block, 0}, memory_.blocks[block], [](std::uint32_t) {});
        }
        std::vector<PlanGroup> placed;
        placed.reserve(groups_.size());
        for (std::uint32_t index = 0; index < groups_.size(); ++index) {
            PlanGroup& group = placed.emplace_back();
            group.queue = groups_[index].queue;
            group.passes = groups_[index].passes;
            group.layouts = wanted_layouts_[index];
            progress_.begin(group.queue);
            const auto each_use = [&](const auto& f) {
                for (const std::uint32_t pass : group.passes) {
                    for (const auto& touch : graph_.passes[pass].touches) {
                        f(pass, touch.resource, touch.access);
                    }
                }
                for (std::uint32_t resource = 0;
                     groups_[index].role == PassGroup::Role::leaving && resource < graph_.resources.size();
                     ++resource) {
                    const auto& node = graph_.resources[resource];
                    if (node.exported && node.leaves != Access::none && queues_.on(node.queues.leaves) == group.queue) {
                        f(Dependency::outside, resource, node.leaves);
                    }
                }
            };
            prepare(group, index, each_use);
            if (given != nullptr) {
                group.barriers = (*given)[index].barriers;
                group.image_barriers = (*given)[index].image_barriers;
                are_enough_ = are_enough_ && satisfies(group.barriers, group);
            } else {
                find_barriers(group);
            }
            seal(group);
            each_use([&](auto... use) { happen(use...); });
            for (const Handovers::Half& half : handovers_.released[index]) {
                group.released.push_back(release(half.resource, index, half.other));
            }
        }
        return placed;
    }

    /// Whether all barriers that were given have been.
    [[nodiscard]] bool are_enough() const { return are_enough_; }

    /// As if no barrier had come since the accesses so far.
    void forget_barriers() {
        for (State& state : states_) {
            for (auto* events : {&state.writes, &state.reads}) {
                for (Event& event : *events) {
                    event.reach = event.first_reach();
                    event.without_effect = 0;
                    event.time = log(event.queue).size();
                }
            }
        }
    }

private:
    /// What a dependency waits for; if a layout changes, in front of that.
    struct Wait {
        const Event* event = nullptr; ///< none: nothing
        std::uint32_t change = none;  ///< of the group's image barriers
    };
    /// That a use comes after an event.
    struct Need {
        Event* event = nullptr;
        std::uint32_t resource = 0, pass = 0;
        Reason reason = Reason::read_after_write;
        Scope destination;
    };
    static constexpr std::uint32_t acquired = none - 1; ///< instead of an image barrier

    /// Adds what the group must wait for.
    template <class F>
    void prepare(PlanGroup& group, std::uint32_t index, const F& each_use) {
        for (const Handovers::Half& half : handovers_.acquired[index]) {
            change_[half.resource] = acquired;
            group.acquired.push_back(hand_over(half.resource, half.other, index));
        }
        for (const PlanGroup::Layout& image : group.layouts) {
            if (layouts_[image.resource] != image.layout && change_[image.resource] != acquired) {
                change_[image.resource] = static_cast<std::uint32_t>(group.image_barriers.size());
                group.image_barriers.push_back({image.resource, {}, {}, layouts_[image.resource], image.layout});
            }
        }
        first_users_.assign(group.image_barriers.size(), none);
        needs_.clear();
        each_use([&](std::uint32_t pass, std::uint32_t resource, Access access) {
            const Scope use = scope_on(group.queue, access);
            const std::uint32_t change = change_[resource];
            if (change == none) {
                require(pass, resource, access);
            } else if (change == acquired) {
                const auto of = std::find_if(group.acquired.begin(), group.acquired.end(),
                                             [&](const Handover& taken) { return taken.resource == resource; });
                of->scope = {of->scope.stages | use.stages, of->scope.access | use.access};
            } else {
                Scope& destination = group.image_barriers[change].destination;
                destination = {destination.stages | use.stages, destination.access | use.access};
                first_users_[change] = first_users_[change] == none ? pass : first_users_[change];
            }
        });
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
        for (std::uint32_t change = 0; change < group.image_barriers.size(); ++change) {
            wait_to_change(group, change);
        }
        for (const Need& need : needs_) {
            if (progress_.has_waited({need.event->queue, need.event->position})) {
                continue;
            }
            catch_up(*need.event);
            if (!need.event->is_before(need.destination, need.event->reach)) {
                wait(group, {need.event}, need.resource, need.pass, need.reason, need.destination);
            }
        }
    }

    /// Lets the queue wait for others: for events that what the group does comes after.
    void wait_for_queues(PlanGroup& group, std::uint32_t index) {
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
        const auto need_all = [&](std::uint32_t resource) {
            for (const auto* events : {&states_[resource].reads, &states_[resource].writes}) {
                for (const Event& event : *events) {
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
            need_all(half.resource);
        }
        for (std::uint32_t resource = 0;
             groups_[index].role == PassGroup::Role::leaving && resource < graph_.resources.size(); ++resource) {
            const auto& node = graph_.resources[resource];
            if ((node.lifetime == Lifetime::import || node.exported) && queues_.on(node.queues.leaves) == group.queue &&
                change_[resource] != acquired) {
                need_all(resource);
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
        for (const Progress::Point& point : progress_.wait(positions)) {
            const auto& on_queue = on_queue_[static_cast<std::size_t>(point.queue)];
            const auto each = static_cast<std::uint32_t>(on_queue.size());
            group.waits.push_back({on_queue[(point.position - 1) % each], execution_ - 1 - (point.position - 1) / each,
                                   std::move(reasons[static_cast<std::size_t>(point.queue)])});
        }
    }

    [[nodiscard]] bool has_several() const { return on_queue_[0].size() != groups_.size(); }

    /// Of a group in this execution.
    [[nodiscard]] std::uint32_t position_of(std::uint32_t group) const {
        const auto& on_queue = on_queue_[static_cast<std::size_t>(groups_[group].queue)];
        const auto at = std::lower_bound(on_queue.begin(), on_queue.end(), group) - on_queue.begin();
        return static_cast<std::uint32_t>((execution_ - 1) * on_queue.size() + static_cast<std::size_t>(at) + 1);
    }

    [[nodiscard]] std::uint32_t pass_of(const Event& event) const {
        return event.execution == execution_ ? event.pass : Dependency::outside;
    }

    /// Both halves of a handover, but for their scopes: in the layout in which the image is, to that which is wanted.
    [[nodiscard]] Handover hand_over(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
        const VkImageLayout layout = layouts_[resource];
        Handover handover{resource, groups_[from].queue, groups_[to].queue, {}, layout, layout};
        for (const PlanGroup::Layout& image : wanted_layouts_[to]) {
            handover.new_layout = image.resource == resource ? image.layout : handover.new_layout;
        }
        return handover;
    }

    /// Gives an import to another queue, after all that was done to it on this one.
    [[nodiscard]] Handover release(std::uint32_t resource, std::uint32_t from, std::uint32_t to) const {
        Handover given = hand_over(resource, from, to);
        for (const auto* events : {&states_[resource].reads, &states_[resource].writes}) {
            for (const Event& event : *events) {
                if (event.queue == given.from) {
                    given.scope = {given.scope.stages | event.scope.stages, given.scope.access | event.scope.access};
                }
            }
        }
        if (given.scope.stages == 0) {
            given.scope.stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        }
        return given;
    }

    void wait(PlanGroup& group, const Wait& on, std::uint32_t resource, std::uint32_t pass, Reason reason,
              const Scope& destination) {
        const Event* event = on.event;
        group.dependencies.push_back({resource, event != nullptr ? pass_of(*event) : Dependency::outside, pass, reason,
                                      event != nullptr ? event->scope : Scope{}, destination});
        waits_.push_back(on);
    }

    /// A transient takes its memory; `leave` is told who was there. What is there is of no interest, but what made it
    /// must not land late.
    template <class F>
    bool enter(std::uint32_t resource, const F& leave) {
        const PlanMemory::Place& place = memory_.places[resource];
        if (place.block == PlanMemory::none || entered_[resource]) {
            return false;
        }
        entered_[resource] = true;
        tenants_.enter(resource, place, graph_.resources[resource].bytes, leave);
        fresh_.push_back(resource);
        return true;
    }

    /// What a use of `resource` by `pass` must wait for.
    void require(std::uint32_t pass, std::uint32_t resource, Access access) {
        const Scope use = scope_on(progress_.queue(), access);
        const auto after = [&](std::vector<Event>& events, const Scope& destination, Reason reason) {
            for (Event& event : events) {
                const bool is_change = event.kind == Event::Kind::layout_change && event.resource == resource;
                needs_.push_back(
                    {&event, resource, pass, is_change ? Reason::after_layout_change : reason, destination});
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

    /// What the layout of an image must wait for before it changes.
    void require_change(std::uint32_t image) {
        auto& events =
            before_changes_.emplace_back(); // reads first: what they have waited for needs no wait of its own
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

    /// Adds what of that is still to be waited for, and finds the source of the image's barrier: that takes in whatever
    /// is not yet chained to it. Only what was done to the image itself is sure to be available then.
    void wait_to_change(PlanGroup& group, std::uint32_t change) {
        ImageBarrier& barrier = group.image_barriers[change];
        const std::uint32_t pass = first_users_[change];
        std::vector<Event*>& events = before_changes_[change];
        std::erase_if(events, [&](const Event* event) {
            return progress_.has_waited({event->queue, event->position});
        });
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
            barrier.source.stages = barrier.destination.stages;
        }
    }

    /// Makes the group's dependencies into barriers: one for each pair of stage masks, but none that the others make
    /// up for.
    void find_barriers(PlanGroup& group) const {
        auto& barriers = group.barriers;
        for (const Dependency& needed : group.dependencies) {
            if (needed.reason == Reason::layout_change) {
                continue; // the image's barrier waits
            }
            auto same = std::find_if(barriers.begin(), barriers.end(), [&](const VkMemoryBarrier2& barrier) {
                return barrier.srcStageMask == needed.source.stages &&
                       barrier.dstStageMask == needed.destination.stages;
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

    /// The group's barriers come.
    void seal(const PlanGroup& group) {
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

    void catch_up(Event& event) const {
        const std::vector<std::uint32_t>& commands = log(event.queue);
        for (; event.time < commands.size(); ++event.time) {
            const std::uint32_t kind = commands[event.time];
            const std::uint64_t bit = kind < 64 ? std::uint64_t{1} << kind : 0;
            if ((event.without_effect & bit) == 0) {
                const Reach next = event.after(kinds_[kind]);
                event.without_effect = next != event.reach ? 0 : event.without_effect | bit;
                event.reach = next;
            }
        }
    }

    [[nodiscard]] bool satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const {
        const Command command = command_of(barriers, group.image_barriers);
        for (std::size_t i = 0; i < waits_.size(); ++i) {
            const Wait& wait = waits_[i];
            const bool is_met =
                wait.change == none
                    ? wait.event->is_before(group.dependencies[i].destination, wait.event->after(command))
                    : wait.event == nullptr || wait.event->is_before_change(group.image_barriers[wait.change], command);
            if (!is_met) {
                return false;
            }
        }
        return true;
    }

    void happen(std::uint32_t pass, std::uint32_t resource, Access access) {
        happen({.queue = progress_.queue(), .position = progress_.position(), .pass = pass}, resource, access);
    }

    /// The host's use, before the first group of its queue.
    void arrive(std::uint32_t resource, QueueKind queue, Access access) {
        happen({.queue = queue, .position = progress_.position(queue) + 1, .pass = Dependency::outside}, resource,
               access);
    }

    void happen(Event event, std::uint32_t resource, Access access) {
        Scope use = scope_on(event.queue, access);
        if (use.stages == 0) {
            return;
        }
        State& state = states_[resource];
        use.access &= single_writes | VK_ACCESS_2_MEMORY_WRITE_BIT;
        event.resource = resource;
        event.execution = execution_;
        event.scope = use;
        event.time = log(event.queue).size();
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

    /// Of all barriers that came so far on a queue, the kinds.
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
    Tenants tenants_;
    std::vector<Command> kinds_; ///< commands that differ
    std::array<std::vector<std::uint32_t>, queue_kinds> logs_;
    std::uint32_t execution_ = 0;
    std::vector<Need> needs_;                         ///< of the group
    std::vector<std::vector<Event*>> before_changes_; ///< per image barrier of the group
    std::vector<Wait> waits_;                         ///< what the group's dependencies wait for
    std::vector<std::uint32_t> first_users_;          ///< per image barrier of the group: the first pass that needs it
    std::vector<std::uint32_t> fresh_;                ///< resources that enter in the group
    bool are_enough_ = true;
};

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
                return needed.reason != Reason::layout_change && needed.source.stages == barrier.srcStageMask &&
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
    const Layouts layouts = find_layouts(graph, queues, groups);
    const Handovers handovers = find_handovers(graph, queues, groups);
    Tracker tracker(graph, queues, memory, groups, layouts, handovers);
    if (has_history) {
        tracker.execute();
    }
    std::vector<PlanGroup> before = tracker.execute();
    for (std::uint32_t same = 0; tries > 0; --tries) {
        std::vector<PlanGroup> placed = tracker.execute();
        same = same_barriers(placed, before) ? same + 1 : 0;
        if (same == (has_history ? 2 : 1)) {
            return placed;
        }
        before = std::move(placed);
    }
    // They take turns. Barriers that do for whatever was before do for themselves too, and some of them make up for
    // others in the next execution.
    tracker.forget_barriers();
    std::vector<PlanGroup> placed = tracker.execute();
    drop_more(graph, placed, [&] {
        Tracker again(graph, queues, memory, groups, layouts, handovers);
        again.execute(&placed);
        again.execute(&placed);
        if (has_history) {
            again.execute(&placed);
        }
        return again.are_enough();
    });
    return placed;
}

} // namespace weir
