#include "tests/graph/hazards.hpp"

#include <algorithm>

namespace weir::tests {

namespace {

using Lifetime = GraphDescription::Lifetime;

constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                                           VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 shaders = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                          VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
                                          VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 vertices =
    VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
/// Of all the stages of a queue, those that buffers are used in here, and one that stands for all others. The host is
/// none of them.
constexpr VkPipelineStageFlags2 device_stages = transfer | shaders | vertices | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
                                                VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkAccessFlags2 all_reads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
                                     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                                     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |
                                     VK_ACCESS_2_HOST_READ_BIT;
constexpr VkAccessFlags2 all_writes =
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_HOST_WRITE_BIT;

/// Calls `visit` with each bit of a mask.
template <class F>
void each_bit(VkFlags64 mask, F visit) {
    for (; mask != 0; mask &= mask - 1) {
        visit(mask & (~mask + 1));
    }
}

/// A first synchronization scope takes in the stages that come logically before those of its mask.
VkPipelineStageFlags2 with_earlier(VkPipelineStageFlags2 stages) {
    if ((stages & VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT) != 0) {
        stages |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    }
    if ((stages & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT) != 0) {
        stages |= vertices;
    }
    if ((stages & (vertices | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)) != 0) {
        stages |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    }
    return stages;
}

/// A second one takes in those that come logically after.
VkPipelineStageFlags2 with_later(VkPipelineStageFlags2 stages) {
    if ((stages & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) != 0) {
        stages |= vertices | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    }
    if ((stages & vertices) != 0) {
        stages |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    }
    if ((stages & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT) != 0) {
        stages |= VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    }
    return stages;
}

struct Meaning {
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 reads = 0, writes = 0;
};

/// What an Access is in Vulkan's terms. Transfers are fills (which run in the stage of clears) or copies.
Meaning meaning_of(Access access, bool clears) {
    const VkPipelineStageFlags2 move = clears ? VK_PIPELINE_STAGE_2_CLEAR_BIT : VK_PIPELINE_STAGE_2_COPY_BIT;
    switch (access) {
    case Access::none: return {};
    case Access::shader_read: return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, 0};
    case Access::shader_write: return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::shader_read_write:
        return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
                VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::indirect_read:
        return {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, 0};
    case Access::transfer_read: return {move, VK_ACCESS_2_TRANSFER_READ_BIT, 0};
    case Access::transfer_write: return {move, 0, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case Access::uniform_read: return {shaders, VK_ACCESS_2_UNIFORM_READ_BIT, 0};
    case Access::vertex_read:
        return {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, 0};
    case Access::index_read: return {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT, 0};
    case Access::host_read: return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT, 0};
    case Access::host_write: return {VK_PIPELINE_STAGE_2_HOST_BIT, 0, VK_ACCESS_2_HOST_WRITE_BIT};
    case Access::any: return {device_stages, all_reads, all_writes};
    }
    return {};
}

bool is_write(Access access) {
    return meaning_of(access, false).writes != 0;
}

/// Whether two buffers of the program's own have a byte of memory in common.
bool overlap(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b) {
    const PlanMemory::Place &at = plan.memory.places[a], &bt = plan.memory.places[b];
    return at.block != PlanMemory::none && at.block == bt.block && at.offset < bt.offset + graph.resources[b].bytes &&
           bt.offset < at.offset + graph.resources[a].bytes;
}

} // namespace

VkPipelineStageFlags2 single_stages(VkPipelineStageFlags2 mask) {
    VkPipelineStageFlags2 stages = mask & (device_stages | VK_PIPELINE_STAGE_2_HOST_BIT);
    if ((mask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
        stages |= device_stages;
    }
    if ((mask & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT) != 0) {
        stages |= transfer;
    }
    if ((mask & VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT) != 0) {
        stages |= vertices;
    }
    return stages;
}

VkAccessFlags2 single_accesses(VkAccessFlags2 mask) {
    VkAccessFlags2 accesses = mask & (all_reads | all_writes);
    if ((mask & VK_ACCESS_2_MEMORY_READ_BIT) != 0) {
        accesses |= all_reads;
    }
    if ((mask & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0) {
        accesses |= all_writes;
    }
    return accesses;
}

Replay::Replay(const GraphDescription& graph) : graph_(graph), events_(graph.resources.size()) {}

void Replay::barrier(const std::vector<VkMemoryBarrier2>& barriers) {
    auto& command = commands_.emplace_back();
    for (const VkMemoryBarrier2& barrier : barriers) {
        const VkPipelineStageFlags2 source = single_stages(barrier.srcStageMask);
        const VkPipelineStageFlags2 destination = single_stages(barrier.dstStageMask);
        command.push_back({source, with_earlier(source), destination, with_later(destination),
                           single_accesses(barrier.srcAccessMask), single_accesses(barrier.dstAccessMask)});
    }
}

VkPipelineStageFlags2 Replay::chain(std::size_t from, VkPipelineStageFlags2 direct, VkPipelineStageFlags2 reached,
                                    const std::function<void(const Barrier&)>& link) const {
    for (std::size_t i = from; i < commands_.size(); ++i) {
        VkPipelineStageFlags2 next = reached;
        for (const Barrier& barrier : commands_[i]) { // those of one command do not follow each other
            // What the host does in between is not known: it may be nothing that waits.
            if ((barrier.waits_for & (direct | (reached & ~VK_PIPELINE_STAGE_2_HOST_BIT))) != 0) {
                next |= barrier.holds_back;
                link(barrier);
            }
        }
        reached = next;
    }
    return reached;
}

bool Replay::comes_after(const Event& earlier, VkPipelineStageFlags2 stage) const {
    return (chain(earlier.since, earlier.stage, 0, [](const Barrier& /*barrier*/) {}) & stage) != 0;
}

bool Replay::sees(const Event& earlier, VkPipelineStageFlags2 stage, VkAccessFlags2 accesses) const {
    VkAccessFlags2 seen = 0;
    const auto show = [&](const Barrier& barrier) { seen |= (barrier.destination & stage) != 0 ? barrier.shows : 0; };
    for (std::size_t i = earlier.since; i < commands_.size() && (seen & accesses) != accesses; ++i) {
        for (const Barrier& barrier : commands_[i]) {
            if ((barrier.source & earlier.stage) != 0 && (earlier.writes & ~barrier.flushes) == 0) {
                show(barrier);
                chain(i + 1, 0, barrier.holds_back, show);
            }
        }
    }
    return (seen & accesses) == accesses;
}

void Replay::check(std::uint32_t buffer, const Event& event) {
    check(buffer, event, events_[buffer]);
    for (std::uint32_t other = 0; other < events_.size(); ++other) {
        if (other != buffer && overlap(graph_, *plan_, buffer, other)) {
            check(buffer, event, events_[other]);
        }
    }
}

void Replay::check(std::uint32_t buffer, const Event& event, const std::vector<Event>& before) {
    const auto report = [&](const char* kind, const Event& earlier) {
        hazards_.push_back(std::string(kind) + " on '" + graph_.resources[buffer].name + "': " + event.who + " after " +
                           earlier.who);
    };
    for (const Event& earlier : before) {
        if (earlier.command == event.command) {
            continue;
        }
        if (earlier.writes != 0) {
            if (!sees(earlier, event.stage, event.reads | event.writes)) {
                report(event.reads != 0 ? "read after write" : "write after write", earlier);
            }
        } else if (event.writes != 0 && !comes_after(earlier, event.stage)) {
            report("write after read", earlier);
        }
    }
}

void Replay::use(std::uint32_t buffer, Access access, bool clears, const std::string& who, bool checked) {
    const Meaning meaning = meaning_of(access, clears);
    std::vector<Event> events;
    each_bit(meaning.stages, [&](VkPipelineStageFlags2 stage) {
        Event event;
        event.who = who;
        event.command = command_;
        event.since = commands_.size();
        event.stage = stage;
        event.reads = meaning.reads;
        event.writes = meaning.writes;
        if (checked) {
            check(buffer, event);
        }
        events.push_back(std::move(event));
    });
    events_[buffer].insert(events_[buffer].end(), events.begin(), events.end());
}

void Replay::execute(const Plan& plan, const std::vector<bool>& off) {
    ++execution_;
    plan_ = &plan;
    const std::string when = " in execution " + std::to_string(execution_);
    ++command_;
    for (std::uint32_t buffer = 0; buffer < events_.size(); ++buffer) {
        const std::uint32_t current = graph_.resources[buffer].current;
        if (current < events_.size()) { // what was written as the current one is now the previous one
            events_[buffer].swap(events_[current]);
        }
        if (graph_.resources[buffer].lifetime == Lifetime::import) {
            // The host orders its own uses among each other and after the last execution.
            events_[buffer].clear();
            use(buffer, graph_.resources[buffer].arrives, false, "the host before" + when, false);
        }
    }
    for (std::uint32_t buffer = 0; plan.memory.pooled && buffer < events_.size(); ++buffer) {
        if (plan.memory.places[buffer].block != PlanMemory::none) {
            use(buffer, Access::any, false, "another program before" + when, false);
        }
    }
    for (const PlanGroup& group : plan.groups) {
        barrier(group.barriers);
        for (const std::uint32_t pass : group.passes) {
            if (!off.empty() && off[pass]) {
                continue;
            }
            ++command_;
            const bool clears = std::holds_alternative<GraphDescription::Fill>(graph_.passes[pass].work);
            for (const auto& touch : graph_.passes[pass].touches) {
                use(touch.resource, touch.access, clears, "'" + graph_.passes[pass].name + "'" + when, true);
            }
        }
    }
    ++command_;
    for (std::uint32_t buffer = 0; buffer < events_.size(); ++buffer) {
        if (graph_.resources[buffer].exported) {
            use(buffer, graph_.resources[buffer].leaves, false, "the host after" + when, true);
        }
    }
}

std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan) {
    return find_hazards(graph, plan, {{}, {}, {}});
}

std::vector<std::string> find_hazards(const GraphDescription& graph, const Plan& plan,
                                      const std::vector<std::vector<bool>>& off) {
    Replay replay(graph);
    for (const auto& passes : off) {
        replay.execute(plan, passes);
    }
    return replay.hazards();
}

std::vector<std::string> find_misplaced(const GraphDescription& graph, const Plan& plan) {
    const auto passes = static_cast<std::uint32_t>(graph.passes.size());
    const auto writes_to = [&](std::uint32_t pass, std::uint32_t buffer) {
        const auto& touches = graph.passes[pass].touches;
        return std::any_of(touches.begin(), touches.end(), [&](const GraphDescription::Touch& touch) {
            return touch.resource == buffer && is_write(touch.access);
        });
    };
    /// Whose value of `buffer` a pass finds: that of the latest writer before it, else of a transient's only one.
    const auto source_of = [&](std::uint32_t pass, std::uint32_t buffer) -> std::optional<std::uint32_t> {
        for (std::uint32_t earlier = pass; earlier-- > 0;) {
            if (writes_to(earlier, buffer)) {
                return earlier;
            }
        }
        const auto& node = graph.resources[buffer];
        const bool holds_nothing_at_first =
            node.lifetime == Lifetime::transient || node.previous < graph.resources.size();
        if (holds_nothing_at_first && !writes_to(pass, buffer)) {
            for (std::uint32_t later = pass + 1; later < passes; ++later) {
                if (writes_to(later, buffer)) {
                    return later;
                }
            }
        }
        return {};
    };

    std::vector<std::string> mistakes;
    std::vector<bool> needed(passes, false);
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        for (const auto& touch : graph.passes[pass].touches) {
            const auto& buffer = graph.resources[touch.resource];
            needed[pass] =
                needed[pass] || (is_write(touch.access) && (buffer.lifetime == Lifetime::import || buffer.exported));
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (const auto& touch : graph.passes[pass].touches) {
                const auto source = source_of(pass, touch.resource);
                if (needed[pass] && source && !needed[*source]) {
                    needed[*source] = changed = true;
                }
                // What the last execution left: the last value that the other one got.
                const std::uint32_t current = graph.resources[touch.resource].current;
                const auto left = current < graph.resources.size() ? source_of(passes, current) : std::nullopt;
                if (needed[pass] && left && !needed[*left]) {
                    needed[*left] = changed = true;
                }
            }
        }
    }

    std::vector<std::optional<std::uint32_t>> holds(graph.resources.size()); // the latest writer so far
    std::vector<std::uint32_t> runs(passes, 0);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            ++runs[pass];
            for (const auto& touch : graph.passes[pass].touches) {
                if (holds[touch.resource] != source_of(pass, touch.resource)) {
                    mistakes.push_back("'" + graph.passes[pass].name + "' finds the wrong value of '" +
                                       graph.resources[touch.resource].name + "'");
                }
            }
            for (const auto& touch : graph.passes[pass].touches) {
                if (is_write(touch.access)) {
                    holds[touch.resource] = pass;
                }
            }
        }
    }
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
        const bool dropped = std::find(plan.dropped.begin(), plan.dropped.end(), pass) != plan.dropped.end();
        if (runs[pass] != (needed[pass] ? 1U : 0U) || dropped == needed[pass]) {
            mistakes.push_back("'" + graph.passes[pass].name + "' runs " + std::to_string(runs[pass]) + " times");
        }
    }
    return mistakes;
}

std::vector<std::string> find_overlaps(const GraphDescription& graph, const Plan& plan) {
    struct Life {
        std::uint32_t first = ~0U, last = 0;
    };
    std::vector<Life> lives(graph.resources.size());
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        for (const std::uint32_t pass : plan.groups[group].passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                Life& life = lives[touch.resource];
                life = {std::min(life.first, group), group};
            }
        }
    }
    std::vector<std::string> mistakes;
    for (std::uint32_t a = 0; a < lives.size(); ++a) {
        const auto& buffer = graph.resources[a];
        const bool ours = buffer.lifetime == Lifetime::transient && !buffer.exported;
        if (lives[a].first > lives[a].last) {
            continue;
        }
        const PlanMemory::Place& place = plan.memory.places[a];
        const bool placed = place.block < plan.memory.blocks.size() && place.offset % 256 == 0 &&
                            place.offset + buffer.bytes <= plan.memory.blocks[place.block];
        if (ours ? !placed : place.block != PlanMemory::none) {
            mistakes.push_back("'" + buffer.name + "' is in the wrong place");
        }
        for (std::uint32_t b = 0; b < a; ++b) {
            if (lives[b].first <= lives[a].last && lives[a].first <= lives[b].last && overlap(graph, plan, a, b)) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' overlap");
            }
        }
    }
    return mistakes;
}

} // namespace weir::tests
