#include "tests/graph/hazards.hpp"

#include <algorithm>

#include "tests/graph/meanings.hpp"

namespace weir::tests {

namespace {

using Lifetime = GraphDescription::Lifetime;

/// Calls `visit` with each bit of a mask.
template <class F>
void each_bit(VkFlags64 mask, F visit) {
    for (; mask != 0; mask &= mask - 1) {
        visit(mask & (~mask + 1));
    }
}

/// Whether two resources of the program's own have a byte of memory in common.
bool overlap(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b) {
    const PlanMemory::Place &at = plan.memory.places[a], &bt = plan.memory.places[b];
    return at.block != PlanMemory::none && at.block == bt.block && at.offset < bt.offset + graph.resources[b].bytes &&
           bt.offset < at.offset + graph.resources[a].bytes;
}

/// Whether a resource of the program's own has this byte of its block.
bool has_byte(const GraphDescription& graph, const Plan& plan, std::uint32_t resource, std::uint64_t byte) {
    const std::uint64_t offset = plan.memory.places[resource].offset;
    return offset <= byte && byte < offset + graph.resources[resource].bytes;
}

/// Of the memory that two resources share, or one has: the first byte of each part that is in the same images.
std::vector<std::uint64_t> parts(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint64_t> bytes = {std::max(plan.memory.places[a].offset, plan.memory.places[b].offset)};
    for (std::uint32_t image = 0; image < graph.resources.size(); ++image) {
        if (!graph.resources[image].image || !overlap(graph, plan, a, image) || !overlap(graph, plan, b, image)) {
            continue;
        }
        const std::uint64_t begin = plan.memory.places[image].offset;
        for (const std::uint64_t byte : {begin, begin + graph.resources[image].bytes}) {
            if (byte > bytes.front() && has_byte(graph, plan, a, byte) && has_byte(graph, plan, b, byte)) {
                bytes.push_back(byte);
            }
        }
    }
    return bytes;
}

} // namespace

Replay::Replay(const GraphDescription& graph)
    : graph_(graph), events_(graph.resources.size()), changed_(graph.resources.size(), 0),
      layouts_(graph.resources.size()), filled_(graph.resources.size()) {}

void Replay::barrier(const PlanGroup& group, const std::string& when) {
    Command command;
    const auto add = [&](const Scope& first, const Scope& second, std::uint32_t image) {
        const VkPipelineStageFlags2 source = single_stages(first.stages), destination = single_stages(second.stages);
        command.push_back({source, with_earlier(source), destination, with_later(destination),
                           single_accesses(first.access), single_accesses(second.access), image});
    };
    for (const VkMemoryBarrier2& barrier : group.barriers) {
        add({barrier.srcStageMask, barrier.srcAccessMask}, {barrier.dstStageMask, barrier.dstAccessMask}, all);
    }
    for (const ImageBarrier& image : group.image_barriers) {
        add(image.source, image.destination, image.resource);
    }
    ++command_;
    for (std::size_t i = 0; i < group.image_barriers.size(); ++i) {
        change_layout(group.image_barriers[i], command[group.barriers.size() + i], command, when);
    }
    commands_.push_back(std::move(command));
}

void Replay::change_layout(const ImageBarrier& image, const Barrier& barrier, const Command& command,
                           const std::string& when) {
    const std::uint32_t resource = image.resource;
    const auto report = [&](const std::string& what) {
        hazards_.push_back("layout change of '" + graph_.resources[resource].name + "'" + when + what);
    };
    if (image.old_layout != VK_IMAGE_LAYOUT_UNDEFINED && image.old_layout != layouts_[resource]) {
        report(" from a layout that it is not in");
    }
    if (changed_[resource] != 0 && events_[resource].back().command == command_) {
        report(" twice in one command");
    }
    bool is_first = true;
    for (std::uint32_t other = 0; other < events_.size(); ++other) {
        if (other != resource && !overlap(graph_, *plan_, resource, other)) {
            continue;
        }
        const auto shared = parts(graph_, *plan_, resource, other);
        for (const Event& earlier : events_[other]) {
            is_first = is_first && other != resource;
            const bool is_past = earlier.serial < changed_[resource];
            if (!is_past && earlier.command != command_ &&
                !std::all_of(shared.begin(), shared.end(),
                             [&](std::uint64_t byte) { return comes_before(earlier, byte, barrier, command); })) {
                report(" after " + earlier.who);
            }
        }
    }
    if (is_first && graph_.resources[resource].lifetime == Lifetime::import &&
        (barrier.waits_for & barrier.destination) != barrier.destination) {
        report(" before the semaphore");
    }
    layouts_[resource] = image.new_layout;
    filled_[resource] = filled_[resource] && image.old_layout != VK_IMAGE_LAYOUT_UNDEFINED;
    lose_others(resource);
    Event event;
    event.who = "its layout change" + when;
    event.resource = resource;
    event.command = command_;
    event.serial = changed_[resource] = ++serial_;
    event.since = commands_.size() + 1; // this one
    event.change = barrier;
    events_[resource].push_back(std::move(event));
}

/// Whoever has memory of a resource that is written has nothing in it any more.
void Replay::lose_others(std::uint32_t resource) {
    for (std::uint32_t other = 0; other < events_.size(); ++other) {
        if (other != resource && graph_.resources[other].image && overlap(graph_, *plan_, resource, other)) {
            layouts_[other] = VK_IMAGE_LAYOUT_UNDEFINED;
            filled_[other] = false;
        }
    }
}

bool Replay::is_for(const Barrier& barrier, const Event& event, std::uint64_t byte) const {
    return barrier.image == all || barrier.image == event.resource ||
           (overlap(graph_, *plan_, barrier.image, event.resource) && has_byte(graph_, *plan_, barrier.image, byte));
}

VkPipelineStageFlags2 Replay::chain(const Event& event, std::uint64_t byte, std::size_t from,
                                    VkPipelineStageFlags2 direct, VkPipelineStageFlags2 reached,
                                    const std::function<void(const Barrier&)>& link) const {
    for (std::size_t i = from; i < commands_.size(); ++i) {
        VkPipelineStageFlags2 next = reached;
        for (const Barrier& barrier : commands_[i]) { // those of one command do not follow each other
            // What the host does in between is not known: it may be nothing that waits.
            if (is_for(barrier, event, byte) &&
                (barrier.waits_for & (direct | (reached & ~VK_PIPELINE_STAGE_2_HOST_BIT))) != 0) {
                next |= barrier.holds_back;
                link(barrier);
            }
        }
        reached = next;
    }
    return reached;
}

bool Replay::flushes(const Barrier& barrier, const Event& earlier) {
    return (barrier.source & earlier.stage) != 0 && (earlier.writes & ~barrier.flushes) == 0 &&
           (barrier.image == all || (barrier.image == earlier.resource && !earlier.is_foreign));
}

bool Replay::comes_after(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage) const {
    return (chain(earlier, byte, earlier.since, earlier.stage, 0, [](const Barrier& /*barrier*/) {}) & stage) != 0;
}

bool Replay::comes_before(const Event& earlier, std::uint64_t byte, const Barrier& change,
                          const Command& command) const {
    const auto nothing = [](const Barrier& /*barrier*/) {};
    const auto is_awaited = [&](VkPipelineStageFlags2 reached) {
        return (change.waits_for & reached & ~VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    };
    if (earlier.change) {
        return is_awaited(chain(earlier, byte, earlier.since, 0, earlier.change->holds_back, nothing));
    }
    const bool follows = (change.waits_for & earlier.stage) != 0 ||
                         is_awaited(chain(earlier, byte, earlier.since, earlier.stage, 0, nothing));
    if (earlier.writes == 0 || !follows) {
        return follows;
    }
    for (std::size_t i = earlier.since; i < commands_.size(); ++i) {
        for (const Barrier& barrier : commands_[i]) {
            if (flushes(barrier, earlier) && is_awaited(chain(earlier, byte, i + 1, 0, barrier.holds_back, nothing))) {
                return true;
            }
        }
    }
    return std::any_of(command.begin(), command.end(), [&](const Barrier& barrier) {
        return (barrier.image == all || barrier.image == change.image) && flushes(barrier, earlier) &&
               (change.destination & ~barrier.holds_back) == 0;
    });
}

bool Replay::sees(const Event& earlier, std::uint64_t byte, VkPipelineStageFlags2 stage,
                  VkAccessFlags2 accesses) const {
    VkAccessFlags2 seen = 0;
    const auto show = [&](const Barrier& barrier) {
        const bool is_shown =
            (barrier.destination & stage) != 0 && (barrier.image == all || barrier.image == earlier.resource);
        seen |= is_shown ? barrier.shows : 0;
    };
    if (earlier.change) {
        show(*earlier.change);
        chain(earlier, byte, earlier.since, 0, earlier.change->holds_back, show);
        return (seen & accesses) == accesses;
    }
    for (std::size_t i = earlier.since; i < commands_.size() && (seen & accesses) != accesses; ++i) {
        for (const Barrier& barrier : commands_[i]) {
            if (flushes(barrier, earlier)) {
                show(barrier);
                chain(earlier, byte, i + 1, 0, barrier.holds_back, show);
            }
        }
    }
    return (seen & accesses) == accesses;
}

void Replay::check(std::uint32_t resource, const Event& event) {
    check(resource, event, resource);
    for (std::uint32_t other = 0; other < events_.size(); ++other) {
        if (other != resource && overlap(graph_, *plan_, resource, other)) {
            check(resource, event, other);
        }
    }
}

void Replay::check(std::uint32_t resource, const Event& event, std::uint32_t other) {
    const auto report = [&](const char* kind, const Event& earlier) {
        hazards_.push_back(std::string(kind) + " on '" + graph_.resources[resource].name + "': " + event.who +
                           " after " + earlier.who);
    };
    const auto shared = parts(graph_, *plan_, resource, other);
    const auto everywhere = [&](const auto& holds) { return std::all_of(shared.begin(), shared.end(), holds); };
    for (const Event& earlier : events_[other]) {
        if (earlier.command == event.command || earlier.serial < changed_[resource]) {
            continue;
        }
        if (earlier.writes != 0 || earlier.change) {
            if (!everywhere(
                    [&](std::uint64_t byte) { return sees(earlier, byte, event.stage, event.reads | event.writes); })) {
                report(event.reads != 0 ? "read after write" : "write after write", earlier);
            }
        } else if (event.writes != 0 &&
                   !everywhere([&](std::uint64_t byte) { return comes_after(earlier, byte, event.stage); })) {
            report("write after read", earlier);
        }
    }
}

void Replay::use(std::uint32_t resource, Access access, VkPipelineStageFlags2 moves, const std::string& who,
                 bool checked) {
    const Meaning meaning = meaning_of(access, moves);
    std::vector<Event> events;
    each_bit(meaning.stages, [&](VkPipelineStageFlags2 stage) {
        Event event;
        event.who = who;
        event.resource = resource;
        event.command = command_;
        event.serial = ++serial_;
        event.since = commands_.size();
        event.stage = stage;
        event.reads = meaning.reads;
        event.writes = meaning.writes;
        if (checked) {
            check(resource, event);
        }
        events.push_back(std::move(event));
    });
    events_[resource].insert(events_[resource].end(), events.begin(), events.end());
    if (meaning.writes != 0) {
        filled_[resource] = true;
        lose_others(resource);
    }
}

void Replay::use_image(std::uint32_t image, Access access, const PlanGroup& group, const std::string& who) {
    const auto report = [&](const char* what) {
        hazards_.push_back("'" + graph_.resources[image].name + "' " + what + " for " + who);
    };
    const auto claim = std::find_if(group.layouts.begin(), group.layouts.end(),
                                    [&](const PlanGroup::Layout& layout) { return layout.resource == image; });
    if (claim == group.layouts.end() || claim->layout != layouts_[image]) {
        report("is not in the layout that the plan says");
    }
    const auto fitting = layouts_for(access);
    if (std::find(fitting.begin(), fitting.end(), layouts_[image]) == fitting.end()) {
        report("is in the wrong layout");
    }
    if (needs_contents(access) && !filled_[image]) {
        report("has lost its contents");
    }
}

void Replay::execute(const Plan& plan, const std::vector<bool>& off) {
    ++execution_;
    plan_ = &plan;
    const std::string when = " in execution " + std::to_string(execution_);
    ++command_;
    for (std::uint32_t resource = 0; resource < events_.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        if (node.current < events_.size()) { // what was written as the current one is now the previous one
            events_[resource].swap(events_[node.current]);
        }
        layouts_[resource] = VK_IMAGE_LAYOUT_UNDEFINED;
        filled_[resource] = false;
        if (node.lifetime == Lifetime::import) {
            // The host orders its own uses among each other and after the last execution.
            events_[resource].clear();
            changed_[resource] = 0;
            use(resource, node.arrives, VK_PIPELINE_STAGE_2_COPY_BIT, "the host before" + when, false);
            layouts_[resource] = layouts_for(node.arrives).front();
            filled_[resource] = node.arrives != Access::none;
        }
    }
    for (std::uint32_t buffer = 0; plan.memory.pooled && buffer < events_.size(); ++buffer) {
        if (plan.memory.places[buffer].block != PlanMemory::none) {
            use(buffer, Access::any, VK_PIPELINE_STAGE_2_COPY_BIT, "another program before" + when, false);
            for (Event& event : events_[buffer]) {
                event.is_foreign = event.is_foreign || event.command == command_;
            }
        }
    }
    for (const PlanGroup& group : plan.groups) {
        barrier(group, when);
        for (const std::uint32_t pass : group.passes) {
            if (!off.empty() && off[pass]) {
                for (const auto& touch : graph_.passes[pass].touches) { // what it would have written may be read
                    filled_[touch.resource] = filled_[touch.resource] || is_write(touch.access);
                }
                continue;
            }
            ++command_;
            const auto& node = graph_.passes[pass];
            const std::string who = "'" + node.name + "'" + when;
            const VkPipelineStageFlags2 moves =
                std::holds_alternative<GraphDescription::Fill>(node.work)   ? VK_PIPELINE_STAGE_2_CLEAR_BIT
                : std::holds_alternative<GraphDescription::Copy>(node.work) ? VK_PIPELINE_STAGE_2_COPY_BIT
                                                                            : transfer;
            for (const auto& touch : node.touches) {
                if (graph_.resources[touch.resource].image) {
                    use_image(touch.resource, touch.access, group, who);
                }
                use(touch.resource, touch.access, moves, who, true);
            }
        }
    }
    ++command_;
    for (std::uint32_t resource = 0; resource < events_.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        const std::string who = "the host after" + when;
        if (node.exported) {
            if (node.image && node.leaves != Access::none) {
                use_image(resource, node.leaves, plan.groups.back(), who);
                if (layouts_[resource] != layouts_for(node.leaves).front()) {
                    hazards_.push_back("'" + node.name + "' leaves in the wrong layout");
                }
            }
            use(resource, node.leaves, VK_PIPELINE_STAGE_2_COPY_BIT, who, true);
        }
        const bool lasts = node.lifetime == Lifetime::import || node.exported;
        if (node.image && lasts && plan.final_layouts[resource] != layouts_[resource]) {
            hazards_.push_back("'" + node.name + "' ends in another layout than the plan says");
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
        const auto* recorded = std::get_if<HostPass>(&graph.passes[pass].work);
        needed[pass] = recorded != nullptr && recorded->keep;
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
                            place.offset % buffer.alignment == 0 &&
                            place.offset + buffer.bytes <= plan.memory.blocks[place.block];
        if (ours ? !placed : place.block != PlanMemory::none) {
            mistakes.push_back("'" + buffer.name + "' is in the wrong place");
        }
        if (placed && buffer.image && !plan.memory.with_images.at(place.block)) {
            mistakes.push_back("'" + buffer.name + "' is in a block without images");
        }
        for (std::uint32_t b = 0; b < a; ++b) {
            const bool meet = lives[b].first <= lives[a].last && lives[a].first <= lives[b].last;
            if (meet && overlap(graph, plan, a, b)) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' overlap");
            }
            const auto &low = place.offset < plan.memory.places[b].offset ? a : b, &high = low == a ? b : a;
            const PlanMemory::Place &at = plan.memory.places[low], &bt = plan.memory.places[high];
            const std::uint64_t page = graph.capabilities.image_granularity;
            if (meet && at.block != PlanMemory::none && at.block == bt.block &&
                buffer.image.has_value() != graph.resources[b].image.has_value() &&
                (at.offset + graph.resources[low].bytes - 1) / page == bt.offset / page) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' share a page");
            }
        }
    }
    return mistakes;
}

} // namespace weir::tests
