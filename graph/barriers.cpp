#include <algorithm>

#include "graph/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Reason = Dependency::Reason;

constexpr VkAccessFlags2 write_accesses = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                          VK_ACCESS_2_HOST_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

bool covers(const Scope& outer, const Scope& inner) {
    return (inner.stages & ~outer.stages) == 0 && (inner.access & ~outer.access) == 0;
}

/// What has happened to a buffer so far, and what later barriers have already made of it.
struct State {
    struct Event {
        std::uint32_t pass = Dependency::outside;
        Scope scope;
        std::vector<Scope> visible_to; ///< destinations of barriers whose source held this event
        bool seen_by(const Scope& scope) const {
            return std::any_of(visible_to.begin(), visible_to.end(),
                               [&](const Scope& to) { return covers(to, scope); });
        }
    };
    bool written = false;
    Event write;
    std::vector<Event> reads; ///< since that write
};

class Tracker {
public:
    explicit Tracker(const GraphDescription& graph) : graph_(graph), states_(graph.buffers.size()) {
        std::vector<Scope> within(graph.buffers.size());
        for (const auto& pass : graph.passes) {
            for (const auto& touch : pass.touches) {
                const Scope scope = scope_of(touch.access);
                within[touch.buffer].stages |= scope.stages;
                within[touch.buffer].access |= scope.access;
            }
        }
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const auto& buffer = graph.buffers[i];
            // The program's own buffers were last used by the execution before this one, and by the host if exported.
            Scope before = buffer.lifetime == Lifetime::import ? scope_of(buffer.arrives) : within[i];
            if (buffer.lifetime != Lifetime::import && buffer.exported) {
                const Scope leaves = scope_of(buffer.leaves);
                before = {before.stages | leaves.stages, before.access | leaves.access};
            }
            if (before.stages != 0 && (before.access & write_accesses) != 0) {
                states_[i].written = true;
                states_[i].write.scope = {before.stages, before.access & write_accesses};
            }
            if (before.stages != 0 && !states_[i].written) {
                states_[i].reads.push_back({.scope = {before.stages, 0}});
            }
        }
    }

    /// Adds what `use` of `buffer` by `pass` must wait for.
    void require(PlanGroup& group, std::uint32_t pass, std::uint32_t buffer, const Scope& use, bool reading,
                 bool writing) const {
        const State& state = states_[buffer];
        const bool transient = graph_.buffers[buffer].lifetime == Lifetime::transient;
        const auto add = [&](const State::Event& from, Reason reason, const Scope& source, const Scope& destination) {
            if (!from.seen_by(destination)) {
                group.dependencies.push_back({buffer, from.pass, pass, reason, source, destination});
            }
        };
        if (state.written) {
            // A transient's old contents are of no interest, but the write that made them must not land late.
            const bool needs_value = reading && !(transient && state.write.pass == Dependency::outside);
            add(state.write, needs_value ? Reason::read_after_write : Reason::write_after_write, state.write.scope,
                use);
        }
        if (writing) {
            for (const auto& read : state.reads) {
                add(read, Reason::write_after_read, {read.scope.stages, 0}, {use.stages, 0});
            }
        }
    }

    /// Makes the group's dependencies into barriers: one for each pair of stage masks.
    void seal(PlanGroup& group) {
        for (const Dependency& needed : group.dependencies) {
            auto same =
                std::find_if(group.barriers.begin(), group.barriers.end(), [&](const VkMemoryBarrier2& barrier) {
                    return barrier.srcStageMask == needed.source.stages &&
                           barrier.dstStageMask == needed.destination.stages;
                });
            if (same == group.barriers.end()) {
                VkMemoryBarrier2 barrier{};
                barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
                barrier.srcStageMask = needed.source.stages;
                barrier.dstStageMask = needed.destination.stages;
                same = group.barriers.insert(group.barriers.end(), barrier);
            }
            same->srcAccessMask |= needed.source.access;
            same->dstAccessMask |= needed.destination.access;
        }
        for (const VkMemoryBarrier2& barrier : group.barriers) {
            const Scope source{barrier.srcStageMask, barrier.srcAccessMask};
            const Scope destination{barrier.dstStageMask, barrier.dstAccessMask};
            for (State& state : states_) {
                if (state.written && covers(source, state.write.scope)) {
                    state.write.visible_to.push_back(destination);
                }
                for (auto& read : state.reads) {
                    if ((read.scope.stages & ~source.stages) == 0) {
                        read.visible_to.push_back({destination.stages, 0});
                    }
                }
            }
        }
    }

    void happen(std::uint32_t pass, std::uint32_t buffer, const Scope& use, bool writing) {
        State& state = states_[buffer];
        if (writing) {
            state.written = true;
            state.write = {pass, {use.stages, use.access & write_accesses}, {}};
            state.reads.clear();
        } else {
            state.reads.push_back({pass, {use.stages, 0}, {}});
        }
    }

private:
    const GraphDescription& graph_;
    std::vector<State> states_;
};

} // namespace

std::vector<PlanGroup> place_barriers(const GraphDescription& graph, std::vector<std::vector<std::uint32_t>> groups) {
    Tracker tracker(graph);
    std::vector<PlanGroup> placed;
    placed.reserve(groups.size() + 1);
    for (auto& passes : groups) {
        PlanGroup& group = placed.emplace_back();
        group.passes = std::move(passes);
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                tracker.require(group, pass, touch.buffer, scope_of(touch.access), reads(touch.access),
                                writes(touch.access));
            }
        }
        tracker.seal(group);
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                tracker.happen(pass, touch.buffer, scope_of(touch.access), writes(touch.access));
            }
        }
    }
    PlanGroup& leaving = placed.emplace_back();
    for (std::uint32_t buffer = 0; buffer < graph.buffers.size(); ++buffer) {
        const Access leaves = graph.buffers[buffer].leaves;
        if (graph.buffers[buffer].exported && leaves != Access::none) {
            tracker.require(leaving, Dependency::outside, buffer, scope_of(leaves), reads(leaves), writes(leaves));
        }
    }
    tracker.seal(leaving);
    return placed;
}

} // namespace weir
