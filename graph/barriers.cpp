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

/// Executions of the graph, one after the other.
class Tracker {
public:
    Tracker(const GraphDescription& graph, const PlanMemory& memory)
        : graph_(graph), memory_(memory), states_(graph.resources.size() + memory.blocks.size()),
          entered_(graph.resources.size()), layouts_(graph.resources.size()), change_(graph.resources.size(), none),
          tenants_(memory.blocks.size()) {}

    /// With barriers that are found, or those that are `given`.
    std::vector<PlanGroup> execute(const std::vector<std::vector<std::uint32_t>>& groups, const Layouts& layouts,
                                   const std::vector<PlanGroup>* given = nullptr) {
        const auto place = [&](PlanGroup& group) {
            if (given != nullptr) {
                group.barriers = (*given)[next_given_].barriers;
                group.image_barriers = (*given)[next_given_++].image_barriers;
                are_enough_ = are_enough_ && satisfies(group.barriers, group);
            } else {
                find_barriers(group);
            }
            seal(group);
        };
        next_given_ = 0;
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
                happen(Dependency::outside, resource, node.arrives);
                layouts_[resource] = node.image ? layout_of(node.arrives) : VK_IMAGE_LAYOUT_UNDEFINED;
            }
        }
        for (std::uint32_t block = 0; memory_.pooled && block < memory_.blocks.size(); ++block) {
            const auto others = static_cast<std::uint32_t>(graph_.resources.size()) + block; // as one tenant
            states_[others] = {};
            happen(Dependency::outside, others, Access::any);
            tenants_.enter(others, {block, 0}, memory_.blocks[block], [](std::uint32_t) {});
        }
        std::vector<PlanGroup> placed;
        placed.reserve(groups.size() + 1);
        for (const auto& passes : groups) {
            PlanGroup& group = placed.emplace_back();
            group.passes = passes;
            group.layouts = layouts[placed.size() - 1];
            const auto each_touch = [&](const auto& f) {
                for (const std::uint32_t pass : passes) {
                    for (const auto& touch : graph_.passes[pass].touches) {
                        f(pass, touch.resource, touch.access);
                    }
                }
            };
            prepare(group, each_touch);
            place(group);
            each_touch([&](auto... use) { happen(use...); });
        }
        PlanGroup& leaving = placed.emplace_back();
        leaving.layouts = layouts.back();
        const auto each_export = [&](const auto& f) {
            for (std::uint32_t resource = 0; resource < graph_.resources.size(); ++resource) {
                if (graph_.resources[resource].exported && graph_.resources[resource].leaves != Access::none) {
                    f(Dependency::outside, resource, graph_.resources[resource].leaves);
                }
            }
        };
        prepare(leaving, each_export);
        place(leaving);
        each_export([&](auto... use) { happen(use...); });
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
                    event.time = log_.size();
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

    /// Adds what uses must wait for.
    template <class F>
    void prepare(PlanGroup& group, const F& each_use) {
        for (const PlanGroup::Layout& image : group.layouts) {
            if (layouts_[image.resource] != image.layout) {
                change_[image.resource] = static_cast<std::uint32_t>(group.image_barriers.size());
                group.image_barriers.push_back({image.resource, {}, {}, layouts_[image.resource], image.layout});
            }
        }
        if (!group.image_barriers.empty()) {
            first_users_.assign(group.image_barriers.size(), none);
            each_use([&](std::uint32_t pass, std::uint32_t resource, Access access) {
                if (const std::uint32_t change = change_[resource]; change != none) {
                    const Scope use = scope_of(access);
                    Scope& destination = group.image_barriers[change].destination;
                    destination = {destination.stages | use.stages, destination.access | use.access};
                    first_users_[change] = first_users_[change] == none ? pass : first_users_[change];
                }
            });
            for (std::uint32_t change = 0; change < group.image_barriers.size(); ++change) {
                require_change(group, change);
            }
        }
        each_use([&](std::uint32_t pass, std::uint32_t resource, Access access) {
            if (change_[resource] == none) {
                require(group, pass, resource, access);
            }
        });
    }

    void wait(PlanGroup& group, const Wait& on, std::uint32_t resource, std::uint32_t pass, Reason reason,
              const Scope& destination) {
        const Event* event = on.event;
        const std::uint32_t from =
            event != nullptr && event->execution == execution_ ? event->pass : Dependency::outside;
        group.dependencies.push_back(
            {resource, from, pass, reason, event != nullptr ? event->scope : Scope{}, destination});
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

    /// Adds what a use of `resource` by `pass` must wait for.
    void require(PlanGroup& group, std::uint32_t pass, std::uint32_t resource, Access access) {
        const Scope use = scope_of(access);
        const auto after = [&](std::vector<Event>& events, const Scope& destination, Reason reason) {
            for (Event& event : events) {
                catch_up(event);
                if (!event.is_before(destination, event.reach)) {
                    const bool is_change = event.kind == Event::Kind::layout_change && event.resource == resource;
                    wait(group, {&event}, resource, pass, is_change ? Reason::after_layout_change : reason,
                         destination);
                }
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

    /// Adds what the layout of an image must wait for before it changes, and finds the source of the barrier: that
    /// takes in whatever is not yet chained to it. Only what was done to the image itself is sure to be available then.
    void require_change(PlanGroup& group, std::uint32_t change) {
        ImageBarrier& barrier = group.image_barriers[change];
        const std::uint32_t pass = first_users_[change];
        std::vector<Event*> events; // reads first: what they have waited for needs no wait of its own
        const auto before = [&](std::uint32_t resource) {
            State& state = states_[resource];
            for (Event& event : state.reads) {
                events.insert(events.begin(), &event);
            }
            for (Event& event : state.writes) {
                events.push_back(&event);
            }
        };
        if (!enter(barrier.resource, before)) {
            before(barrier.resource);
        }
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
            log_.push_back(static_cast<std::uint32_t>(known - kinds_.begin()));
            if (known == kinds_.end()) {
                kinds_.push_back(command);
            }
        }
        for (const std::uint32_t resource : fresh_) {
            states_[resource] = {};
        }
        fresh_.clear();
        for (const ImageBarrier& barrier : group.image_barriers) {
            Event event{.kind = Event::Kind::layout_change,
                        .resource = barrier.resource,
                        .pass = first_users_[change_[barrier.resource]],
                        .execution = execution_,
                        .scope = {barrier.destination.stages, 0},
                        .shows = barrier.destination.access,
                        .time = log_.size()};
            states_[barrier.resource] = {};
            states_[barrier.resource].writes.push_back(event);
            layouts_[barrier.resource] = barrier.new_layout;
            change_[barrier.resource] = none;
        }
    }

    void catch_up(Event& event) const {
        for (; event.time < log_.size(); ++event.time) {
            const std::uint32_t kind = log_[event.time];
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
        Scope use = scope_of(access);
        if (use.stages == 0) {
            return;
        }
        State& state = states_[resource];
        use.access &= single_writes | VK_ACCESS_2_MEMORY_WRITE_BIT;
        Event event{.resource = resource, .pass = pass, .execution = execution_, .scope = use, .time = log_.size()};
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

    const GraphDescription& graph_;
    const PlanMemory& memory_;
    std::vector<State> states_;          ///< per resource; then per block, of the others that use it
    std::vector<bool> entered_;          ///< per resource: into its memory, in this execution
    std::vector<VkImageLayout> layouts_; ///< per resource: that of an image now
    std::vector<std::uint32_t> change_;  ///< per resource: which of the group's image barriers is its own
    Tenants tenants_;
    std::vector<Command> kinds_;     ///< commands that differ
    std::vector<std::uint32_t> log_; ///< of all that came so far, the kinds
    std::uint32_t execution_ = 0;
    std::vector<Wait> waits_;                ///< what the group's dependencies wait for
    std::vector<std::uint32_t> first_users_; ///< per image barrier of the group: the first pass that needs it
    std::vector<std::uint32_t> fresh_;       ///< resources that enter in the group
    std::size_t next_given_ = 0;
    bool are_enough_ = true;
};

bool same_barriers(const std::vector<PlanGroup>& a, const std::vector<PlanGroup>& b) {
    const auto same = [](const VkMemoryBarrier2& x, const VkMemoryBarrier2& y) {
        return x.srcStageMask == y.srcStageMask && x.srcAccessMask == y.srcAccessMask &&
               x.dstStageMask == y.dstStageMask && x.dstAccessMask == y.dstAccessMask;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const PlanGroup& x, const PlanGroup& y) {
        return x.image_barriers == y.image_barriers &&
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
                // Without any, the others, which it made up for, are seen to as well.
                std::erase_if(group.dependencies, [&](const Dependency& needed) {
                    return needed.reason != Reason::layout_change &&
                           (group.barriers.empty() || (is_served(needed) && !is_kept(needed)));
                });
            } else {
                group.barriers.insert(group.barriers.begin() + at, barrier);
                ++i;
            }
        }
    }
}

} // namespace

std::vector<PlanGroup> place_barriers(const GraphDescription& graph, const PlanMemory& memory,
                                      const std::vector<std::vector<std::uint32_t>>& groups, std::uint32_t tries) {
    // An execution waits for the one before it, as far as the barriers of that have not seen to it: those that are to
    // be found. The first execution has nothing to wait for; what an execution finds after one by the same barriers is
    // what it always finds. With a history, it also waits for the one before that: the first two have nothing to wait
    // for, and three must be the same.
    const bool has_history = std::any_of(graph.resources.begin(), graph.resources.end(), is_history);
    const Layouts layouts = find_layouts(graph, groups);
    Tracker tracker(graph, memory);
    if (has_history) {
        tracker.execute(groups, layouts);
    }
    std::vector<PlanGroup> before = tracker.execute(groups, layouts);
    for (std::uint32_t same = 0; tries > 0; --tries) {
        std::vector<PlanGroup> placed = tracker.execute(groups, layouts);
        same = same_barriers(placed, before) ? same + 1 : 0;
        if (same == (has_history ? 2 : 1)) {
            return placed;
        }
        before = std::move(placed);
    }
    // They take turns. Barriers that do for whatever was before do for themselves too, and some of them make up for
    // others in the next execution.
    tracker.forget_barriers();
    std::vector<PlanGroup> placed = tracker.execute(groups, layouts);
    drop_more(graph, placed, [&] {
        Tracker again(graph, memory);
        again.execute(groups, layouts, &placed);
        again.execute(groups, layouts, &placed);
        if (has_history) {
            again.execute(groups, layouts, &placed);
        }
        return again.are_enough();
    });
    return placed;
}

} // namespace weir
