#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <utility>

#include "graph/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;

// Pipeline stages as far as barriers tell them apart: one bit each. `other` is what only all commands together hold.
using Units = std::uint32_t;
constexpr Units indirect = 1, vertex_input = 2, vertex_shader = 4, fragment_shader = 8, compute = 16, transfer = 32,
                other = 64, host = 128,
                all_commands = indirect | vertex_input | vertex_shader | fragment_shader | compute | transfer | other;
constexpr std::size_t unit_count = 8;

Units units_of(VkPipelineStageFlags2 stages) {
    if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
        return all_commands | ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0 ? host : 0);
    }
    Units units = 0;
    const auto add = [&](VkPipelineStageFlags2 stage, Units unit) { units |= (stages & stage) != 0 ? unit : 0; };
    add(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, indirect);
    add(VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, vertex_input);
    add(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, compute);
    add(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, transfer);
    add(VK_PIPELINE_STAGE_2_HOST_BIT, host);
    return units;
}

/// What comes before stages in a pipeline waits with them, and what comes after them does.
Units with_earlier(Units units) {
    units |= (units & fragment_shader) != 0 ? vertex_shader : 0;
    units |= (units & vertex_shader) != 0 ? vertex_input : 0;
    units |= (units & (vertex_input | compute)) != 0 ? indirect : 0;
    return units;
}
Units with_later(Units units) {
    units |= (units & indirect) != 0 ? vertex_input | compute : 0;
    units |= (units & vertex_input) != 0 ? vertex_shader : 0;
    units |= (units & vertex_shader) != 0 ? fragment_shader : 0;
    return units;
}

constexpr VkAccessFlags2 single_writes =
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT;
constexpr VkAccessFlags2 single_reads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
                                        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                                        VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                                        VK_ACCESS_2_HOST_READ_BIT;

/// Masks that stand for several taken apart.
VkAccessFlags2 single(VkAccessFlags2 access) {
    return (access & (single_reads | single_writes)) |
           ((access & VK_ACCESS_2_MEMORY_READ_BIT) != 0 ? single_reads : 0) |
           ((access & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0 ? single_writes : 0);
}

struct Barrier {
    friend bool operator==(const Barrier&, const Barrier&) = default;
    Units source = 0, destination = 0;
    VkAccessFlags2 flushes = 0, shows = 0;

    explicit Barrier(const VkMemoryBarrier2& barrier)
        : source(units_of(barrier.srcStageMask)), destination(units_of(barrier.dstStageMask)),
          flushes(single(barrier.srcAccessMask)), shows(single(barrier.dstAccessMask)) {}
};

using Command = std::vector<Barrier>; ///< of which none follows another

/// What barriers have made of an access since it happened.
struct Reach {
    Units before = 0;                                 ///< commands to come run after it in these stages
    Units available = 0;                              ///< and in these after it was made available, if it is a write
    std::array<VkAccessFlags2, unit_count> visible{}; ///< a write, to accesses to come, by stage

    /// By one more command. Returns whether it changed anything.
    bool extend(const Scope& access, const Command& barriers) {
        const Reach was = *this;
        const Units stages = units_of(access.stages);
        for (const Barrier& barrier : barriers) {
            // Nothing is chained through the host, which need not have waited for what it is shown.
            const Units source = with_earlier(barrier.source), after = source & ~host;
            if ((after & was.before) == 0 && (stages & ~source) != 0) {
                continue;
            }
            before |= with_later(barrier.destination);
            const bool flushed = access.access != 0 && (stages & ~barrier.source) == 0 &&
                                 (single(access.access) & ~barrier.flushes) == 0;
            if (flushed || (after & was.available) != 0) {
                available |= with_later(barrier.destination);
                for (Units left = barrier.destination; left != 0; left &= left - 1) {
                    visible[static_cast<std::size_t>(std::countr_zero(left))] |= barrier.shows;
                }
            }
        }
        return before != was.before || available != was.available || visible != was.visible;
    }

    /// Whether `use` comes after the access; if that is a write, whether it sees it.
    [[nodiscard]] bool covers(const Scope& access, const Scope& use) const {
        const Units stages = units_of(use.stages);
        if (access.access == 0) {
            return (stages & ~before) == 0;
        }
        const VkAccessFlags2 wanted = single(use.access);
        for (Units left = stages; left != 0; left &= left - 1) {
            if ((wanted & ~visible[static_cast<std::size_t>(std::countr_zero(left))]) != 0) {
                return false;
            }
        }
        return true;
    }
};

/// An access of which something may have to wait: a write, or, without accesses in its scope, a read.
struct Event {
    std::uint32_t pass = Dependency::outside;
    std::uint32_t execution = 0;
    Scope scope;
    std::size_t time = 0; ///< how many commands with barriers its reach knows of
    Reach reach;
    std::uint64_t without_effect = 0; ///< of the first 64 kinds of commands: those that add nothing to the reach
};

/// What has happened to a buffer so far.
struct State {
    std::vector<Event> writes; ///< the latest, if there was one, and the host's since
    std::vector<Event> reads;  ///< since
};

/// Which transient was the last to use each byte of the blocks.
class Tenants {
public:
    explicit Tenants(std::size_t blocks) : blocks_(blocks) {}

    /// Lets a buffer in; `leave` is told who was there before it, once each.
    template <class F>
    void enter(std::uint32_t buffer, const PlanMemory::Place& place, std::uint64_t bytes, const F& leave) {
        auto& tenants = blocks_[place.block];
        const std::uint64_t begin = place.offset, end = begin + bytes;
        auto at = tenants.upper_bound(begin);
        if (at != tenants.begin()) {
            --at;
        }
        left_.clear();
        while (at != tenants.end() && at->first < end) {
            const std::uint64_t from = at->first, to = at->second.end;
            const std::uint32_t before = at->second.buffer;
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
        tenants.emplace(begin, Tenant{end, buffer});
        for (const std::uint32_t before : left_) {
            leave(before);
        }
    }

private:
    struct Tenant {
        std::uint64_t end = 0;
        std::uint32_t buffer = 0;
    };
    std::vector<std::map<std::uint64_t, Tenant>> blocks_; ///< by where they begin
    std::vector<std::uint32_t> left_;
};

/// Executions of the graph, one after the other.
class Tracker {
public:
    Tracker(const GraphDescription& graph, const PlanMemory& memory)
        : graph_(graph), memory_(memory), states_(graph.resources.size()), entered_(graph.resources.size()),
          tenants_(memory.blocks.size()) {}

    /// With barriers that are found, or those that are `given`.
    std::vector<PlanGroup> execute(const std::vector<std::vector<std::uint32_t>>& groups,
                                   const std::vector<PlanGroup>* given = nullptr) {
        const auto place = [&](PlanGroup& group) {
            if (given != nullptr) {
                group.barriers = (*given)[next_given_++].barriers;
                are_enough_ = are_enough_ && satisfies(group.barriers, group);
            } else {
                find_barriers(group);
            }
            seal(group);
        };
        next_given_ = 0;
        ++execution_;
        for (std::uint32_t buffer = 0; buffer < states_.size(); ++buffer) {
            if (const std::uint32_t previous = graph_.resources[buffer].previous; previous != ResourceId::none) {
                std::swap(states_[buffer], states_[previous]);
            }
        }
        entered_.assign(entered_.size(), false);
        for (std::uint32_t buffer = 0; buffer < states_.size(); ++buffer) {
            if (graph_.resources[buffer].lifetime == Lifetime::import) { // what was before that is the host's to order
                states_[buffer] = {};
                happen(Dependency::outside, buffer, graph_.resources[buffer].arrives);
            }
        }
        std::vector<PlanGroup> placed;
        placed.reserve(groups.size() + 1);
        for (const auto& passes : groups) {
            PlanGroup& group = placed.emplace_back();
            group.passes = passes;
            for (const std::uint32_t pass : passes) {
                for (const auto& touch : graph_.passes[pass].touches) {
                    require(group, pass, touch.resource, touch.access);
                }
            }
            place(group);
            for (const std::uint32_t pass : passes) {
                for (const auto& touch : graph_.passes[pass].touches) {
                    happen(pass, touch.resource, touch.access);
                }
            }
        }
        PlanGroup& leaving = placed.emplace_back();
        const auto for_exports = [&](const auto& f) {
            for (std::uint32_t buffer = 0; buffer < states_.size(); ++buffer) {
                if (graph_.resources[buffer].exported && graph_.resources[buffer].leaves != Access::none) {
                    f(buffer, graph_.resources[buffer].leaves);
                }
            }
        };
        for_exports(
            [&](std::uint32_t buffer, Access leaves) { require(leaving, Dependency::outside, buffer, leaves); });
        place(leaving);
        for_exports([&](std::uint32_t buffer, Access leaves) { happen(Dependency::outside, buffer, leaves); });
        return placed;
    }

    /// Whether all barriers that were given have been.
    [[nodiscard]] bool are_enough() const { return are_enough_; }

    /// As if no barrier had come since the accesses so far.
    void forget_barriers() {
        for (State& state : states_) {
            for (auto* events : {&state.writes, &state.reads}) {
                for (Event& event : *events) {
                    event.reach = {};
                    event.without_effect = 0;
                    event.time = log_.size();
                }
            }
        }
    }

private:
    /// Adds what a use of `buffer` by `pass` must wait for.
    void require(PlanGroup& group, std::uint32_t pass, std::uint32_t buffer, Access access) {
        const Scope use = scope_of(access);
        const auto after = [&](std::vector<Event>& events, const Scope& destination, Reason reason) {
            for (Event& event : events) {
                catch_up(event);
                if (!event.reach.covers(event.scope, destination)) {
                    const std::uint32_t from = event.execution == execution_ ? event.pass : Dependency::outside;
                    group.dependencies.push_back({buffer, from, pass, reason, event.scope, destination});
                    waits_.push_back(&event);
                }
            }
        };
        const Scope only_later{use.stages, 0};
        const PlanMemory::Place& place = memory_.places[buffer];
        if (place.block != PlanMemory::none && !entered_[buffer]) {
            // A transient takes its memory. What is there is of no interest, but what made it must not land late.
            entered_[buffer] = true;
            tenants_.enter(buffer, place, graph_.resources[buffer].bytes, [&](std::uint32_t before) {
                const bool same = before == buffer;
                after(states_[before].writes, use, same ? Reason::write_after_write : Reason::memory_reused);
                after(states_[before].reads, only_later, same ? Reason::write_after_read : Reason::memory_reused);
            });
            fresh_.push_back(buffer);
            return;
        }
        State& state = states_[buffer];
        after(state.writes, use, reads(access) ? Reason::read_after_write : Reason::write_after_write);
        if (writes(access)) {
            after(state.reads, only_later, Reason::write_after_read);
        }
    }

    /// Makes the group's dependencies into barriers: one for each pair of stage masks, but none that the others make
    /// up for.
    void find_barriers(PlanGroup& group) const {
        auto& barriers = group.barriers;
        for (const Dependency& needed : group.dependencies) {
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
        for (std::size_t i = 0; i < barriers.size() && barriers.size() > 1;) {
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
        if (!group.barriers.empty()) {
            const Command command(group.barriers.begin(), group.barriers.end());
            const auto known = std::find(kinds_.begin(), kinds_.end(), command);
            log_.push_back(static_cast<std::uint32_t>(known - kinds_.begin()));
            if (known == kinds_.end()) {
                kinds_.push_back(command);
            }
        }
        for (const std::uint32_t buffer : fresh_) {
            states_[buffer] = {};
        }
        fresh_.clear();
    }

    void catch_up(Event& event) const {
        for (; event.time < log_.size(); ++event.time) {
            const std::uint32_t kind = log_[event.time];
            const std::uint64_t bit = kind < 64 ? std::uint64_t{1} << kind : 0;
            if ((event.without_effect & bit) == 0) {
                event.without_effect = event.reach.extend(event.scope, kinds_[kind]) ? 0 : event.without_effect | bit;
            }
        }
    }

    [[nodiscard]] bool satisfies(const std::vector<VkMemoryBarrier2>& barriers, const PlanGroup& group) const {
        const Command command(barriers.begin(), barriers.end());
        for (std::size_t i = 0; i < waits_.size(); ++i) {
            Reach reach = waits_[i]->reach;
            reach.extend(waits_[i]->scope, command);
            if (!reach.covers(waits_[i]->scope, group.dependencies[i].destination)) {
                return false;
            }
        }
        return true;
    }

    void happen(std::uint32_t pass, std::uint32_t buffer, Access access) {
        Scope use = scope_of(access);
        if (use.stages == 0) {
            return;
        }
        State& state = states_[buffer];
        use.access &= single_writes | VK_ACCESS_2_MEMORY_WRITE_BIT;
        const Event event{.pass = pass, .execution = execution_, .scope = use, .time = log_.size()};
        if (writes(access)) {
            if (units_of(use.stages) != host) { // whoever comes after this comes after what was before it
                state = {};
            }
            state.writes.push_back(event);
        } else {
            state.reads.push_back(event);
        }
    }

    const GraphDescription& graph_;
    const PlanMemory& memory_;
    std::vector<State> states_; ///< per buffer
    std::vector<bool> entered_; ///< per buffer: into its memory, in this execution
    Tenants tenants_;
    std::vector<Command> kinds_;     ///< commands that differ
    std::vector<std::uint32_t> log_; ///< of all that came so far, the kinds
    std::uint32_t execution_ = 0;
    std::vector<const Event*> waits_;  ///< what the group's dependencies wait for
    std::vector<std::uint32_t> fresh_; ///< buffers that enter in the group
    std::size_t next_given_ = 0;
    bool are_enough_ = true;
};

bool same_barriers(const std::vector<PlanGroup>& a, const std::vector<PlanGroup>& b) {
    const auto same = [](const VkMemoryBarrier2& x, const VkMemoryBarrier2& y) {
        return x.srcStageMask == y.srcStageMask && x.srcAccessMask == y.srcAccessMask &&
               x.dstStageMask == y.dstStageMask && x.dstAccessMask == y.dstAccessMask;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const PlanGroup& x, const PlanGroup& y) {
        return std::equal(x.barriers.begin(), x.barriers.end(), y.barriers.begin(), y.barriers.end(), same);
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
                return needed.source.stages == barrier.srcStageMask &&
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
                    return group.barriers.empty() || (is_served(needed) && !is_kept(needed));
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
    Tracker tracker(graph, memory);
    if (has_history) {
        tracker.execute(groups);
    }
    std::vector<PlanGroup> before = tracker.execute(groups);
    for (std::uint32_t same = 0; tries > 0; --tries) {
        std::vector<PlanGroup> placed = tracker.execute(groups);
        same = same_barriers(placed, before) ? same + 1 : 0;
        if (same == (has_history ? 2 : 1)) {
            return placed;
        }
        before = std::move(placed);
    }
    // They take turns. Barriers that do for whatever was before do for themselves too, and some of them make up for
    // others in the next execution.
    tracker.forget_barriers();
    std::vector<PlanGroup> placed = tracker.execute(groups);
    drop_more(graph, placed, [&] {
        Tracker again(graph, memory);
        again.execute(groups, &placed);
        again.execute(groups, &placed);
        if (has_history) {
            again.execute(groups, &placed);
        }
        return again.are_enough();
    });
    return placed;
}

} // namespace weir
