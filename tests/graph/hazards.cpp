#include "tests/graph/hazards.hpp"

#include <algorithm>
#include <iterator>

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
      layouts_(graph.resources.size()), filled_(graph.resources.size()), custody_(graph.resources.size()) {}

QueueKind Replay::on(QueueKind kind) const {
    return family(kind) == Capabilities::no_queue ? QueueKind::main : kind;
}

std::uint32_t Replay::family(QueueKind queue) const {
    return graph_.capabilities.queue_families.at(static_cast<std::size_t>(queue));
}

bool Replay::is_exclusive(std::uint32_t resource) const {
    const auto& node = graph_.resources[resource];
    return node.lifetime == Lifetime::import && !node.queues.concurrent;
}

void Replay::wait(const PlanGroup& group, std::size_t index, const std::string& when) {
    Command command;
    for (const GroupWait& wait : group.waits) {
        const auto report = [&](const char* what) {
            hazards_.push_back("group " + std::to_string(index) + when + " waits for group " +
                               std::to_string(wait.group) + " of " + std::to_string(wait.executions_ago) +
                               " executions ago, " + what);
        };
        const bool is_group = wait.group < plan_->groups.size();
        if (!is_group || (wait.executions_ago == 0 && wait.group >= index)) {
            report("which does not come before it");
            continue;
        }
        const QueueKind other = plan_->groups[wait.group].queue;
        if (other == group.queue) {
            report("which is on its own queue");
        }
        if (std::any_of(command.begin(), command.end(), [&](const Barrier& each) { return each.other == other; })) {
            report("and for another of that queue");
        }
        if (wait.executions_ago >= execution_) {
            continue; // there was none
        }
        Barrier semaphore;
        semaphore.source = semaphore.waits_for = semaphore.destination = semaphore.holds_back = device_stages;
        semaphore.flushes = semaphore.shows = ~VkAccessFlags2{0};
        semaphore.queue = group.queue;
        semaphore.is_wait = true;
        semaphore.other = other;
        semaphore.commands = ends_.at(execution_ - 1 - wait.executions_ago).at(wait.group);
        command.push_back(semaphore);
    }
    if (!command.empty()) {
        commands_.push_back(std::move(command));
        waits_ = true;
    }
}

void Replay::barrier(const PlanGroup& group, std::size_t index, const std::string& when) {
    const std::string before = " before group " + std::to_string(index) + when;
    Command command;
    const auto add = [&](const Scope& first, const Scope& second, std::uint32_t image) {
        const VkPipelineStageFlags2 source = single_stages(first.stages), destination = single_stages(second.stages);
        check_masks(first, before);
        check_masks(second, before);
        Barrier& barrier = command.emplace_back();
        barrier = {source,
                   with_earlier(source),
                   destination,
                   with_later(destination),
                   single_accesses(first.access),
                   single_accesses(second.access),
                   image};
        barrier.queue = queue_;
    };
    for (const VkMemoryBarrier2& barrier : group.barriers) {
        add({barrier.srcStageMask, barrier.srcAccessMask}, {barrier.dstStageMask, barrier.dstAccessMask}, all);
    }
    for (const ImageBarrier& image : group.image_barriers) {
        add(image.source, image.destination, image.resource);
    }
    for (const Handover& handover : group.acquired) {
        add({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}, handover.scope, handover.resource);
    }
    ++command_;
    auto made = command.begin() + static_cast<std::ptrdiff_t>(group.barriers.size());
    for (const ImageBarrier& image : group.image_barriers) {
        const std::string who = "layout change of '" + graph_.resources[image.resource].name + "'" + when;
        own(image.resource, who);
        change(image.resource, *made++, command, "layout change", when);
        change_layout(image.resource, image.old_layout, image.new_layout, who);
    }
    for (const Handover& handover : group.acquired) {
        const std::string who = "acquisition of '" + graph_.resources[handover.resource].name + "'" + before;
        Custody& custody = custody_[handover.resource];
        check_handover(handover, who);
        if (handover.to != queue_) {
            hazards_.push_back(who + " on the wrong queue");
        }
        if (!custody.released) {
            hazards_.push_back(who + " without a release");
        } else if (const Handover& other = *custody.released; other.from != handover.from || other.to != handover.to ||
                                                              other.old_layout != handover.old_layout ||
                                                              other.new_layout != handover.new_layout) {
            hazards_.push_back(who + " is not what was released");
        }
        custody.family = family(queue_);
        custody.released.reset();
        change(handover.resource, *made++, command, "acquisition", before);
        if (graph_.resources[handover.resource].image) {
            change_layout(handover.resource, handover.old_layout, handover.new_layout, who);
        }
    }
    commands_.push_back(std::move(command));
}

void Replay::release(const PlanGroup& group, const std::string& when) {
    Command command;
    for (const Handover& handover : group.released) {
        check_masks(handover.scope, when);
        Barrier& barrier = command.emplace_back();
        barrier.source = single_stages(handover.scope.stages);
        barrier.waits_for = with_earlier(barrier.source);
        barrier.flushes = single_accesses(handover.scope.access);
        barrier.image = handover.resource;
        barrier.queue = queue_;
    }
    if (command.empty()) {
        return;
    }
    ++command_;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const Handover& handover = group.released[i];
        const std::string who = "release of '" + graph_.resources[handover.resource].name + "'" + when;
        check_handover(handover, who);
        if (handover.from != queue_) {
            hazards_.push_back(who + " on the wrong queue");
        }
        const VkImageLayout layout = layouts_[handover.resource];
        if (handover.old_layout != VK_IMAGE_LAYOUT_UNDEFINED && handover.old_layout != layout) {
            hazards_.push_back(who + " from a layout that it is not in");
        }
        own(handover.resource, who);
        change(handover.resource, command[i], command, "release", when);
        custody_[handover.resource].released = handover;
    }
    commands_.push_back(std::move(command));
}

void Replay::check_masks(const Scope& scope, const std::string& where) {
    const VkPipelineStageFlags2 everything = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    const VkPipelineStageFlags2 moves = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | everything;
    const VkPipelineStageFlags2 computes = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | everything;
    struct Kind {
        VkAccessFlags2 access;
        VkPipelineStageFlags2 stages; ///< of which it needs one
    };
    const Kind kinds[] = {
        {VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT, moves},
        {VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT, VK_PIPELINE_STAGE_2_HOST_BIT},
        {VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT, ~VkPipelineStageFlags2{0}},
        {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | everything},
        {VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT,
         computes},
    };
    if (draws(graph_.capabilities, queue_)) {
        return;
    }
    VkPipelineStageFlags2 known = moves | VK_PIPELINE_STAGE_2_HOST_BIT;
    if (queue_ != QueueKind::transfer) {
        known |= computes | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    }
    VkAccessFlags2 accesses = 0;
    for (const Kind& kind : kinds) {
        accesses |= (scope.stages & known & kind.stages) != 0 ? kind.access : 0;
    }
    if (queue_ == QueueKind::transfer) {
        accesses &= kinds[0].access | kinds[1].access | kinds[2].access;
    }
    if ((scope.stages & ~known) != 0 || (scope.access & ~accesses) != 0) {
        hazards_.push_back("a barrier" + where + " has stages or accesses that the " + to_string(queue_) +
                           " queue has not");
    }
}

void Replay::check_handover(const Handover& handover, const std::string& who) {
    if (!is_exclusive(handover.resource) || on(handover.from) != handover.from || on(handover.to) != handover.to ||
        family(handover.from) == family(handover.to)) {
        hazards_.push_back(who + ", which no family has to give to another");
    }
    if ((handover.scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) {
        hazards_.push_back(who + " with a stage of the host's"); // VUID-VkBufferMemoryBarrier2-srcStageMask-03851
    }
    if (graph_.resources[handover.resource].image ? handover.new_layout == VK_IMAGE_LAYOUT_UNDEFINED
                                                  : handover.old_layout != handover.new_layout) {
        hazards_.push_back(who + " into no layout");
    }
}

void Replay::own(std::uint32_t resource, const std::string& who) {
    Custody& custody = custody_[resource];
    custody.is_used = true;
    if (!is_exclusive(resource)) {
        return;
    }
    if (custody.released) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' is released: " + who);
    } else if (custody.family.value_or(family(queue_)) != family(queue_)) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' belongs to another queue family: " + who);
    }
    custody.family = custody.family.value_or(family(queue_));
}

void Replay::change(std::uint32_t resource, const Barrier& barrier, const Command& command, const char* what,
                    const std::string& when) {
    const auto& node = graph_.resources[resource];
    const auto report = [&](const std::string& mistake) {
        hazards_.push_back(std::string(what) + " of '" + node.name + "'" + when + mistake);
    };
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
    if (is_first && node.image && node.lifetime == Lifetime::import &&
        (!has_arrived(resource, barrier.waits_for) || barrier.waits_for == 0 ||
         (barrier.waits_for & barrier.destination) != barrier.destination)) {
        report(" before the semaphore");
    }
    Event event;
    event.who = std::string("its ") + what + when;
    event.resource = resource;
    event.queue = queue_;
    event.command = command_;
    event.serial = changed_[resource] = ++serial_;
    event.since = commands_.size() + 1; // this one
    event.change = barrier;
    events_[resource].push_back(std::move(event));
}

void Replay::change_layout(std::uint32_t resource, VkImageLayout from, VkImageLayout to, const std::string& who) {
    if (from != VK_IMAGE_LAYOUT_UNDEFINED && from != layouts_[resource]) {
        hazards_.push_back(who + " from a layout that it is not in");
    }
    layouts_[resource] = to;
    filled_[resource] = filled_[resource] && from != VK_IMAGE_LAYOUT_UNDEFINED;
    lose_others(resource);
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
    // What the host does in between is not known: it may be nothing that waits.
    constexpr VkPipelineStageFlags2 waiting = ~VK_PIPELINE_STAGE_2_HOST_BIT;
    const auto at = [](QueueKind queue) { return static_cast<std::size_t>(queue); };
    Reached now{};
    now[at(from == event.since ? event.queue : commands_[from - 1].front().queue)] = reached;
    past_.clear();
    const auto is_awaited = [&](const Barrier& barrier) {
        if (!barrier.is_wait) {
            const VkPipelineStageFlags2 own = barrier.queue == event.queue ? direct : 0;
            return (barrier.waits_for & (own | (now[at(barrier.queue)] & waiting))) != 0;
        }
        const bool is_held = event.change || (direct & waiting) != 0;
        return (is_held && barrier.other == event.queue && barrier.commands >= event.since) ||
               (barrier.commands >= from && (past_[barrier.commands - from][at(barrier.other)] & waiting) != 0);
    };
    for (std::size_t i = from; i < commands_.size(); ++i) {
        if (waits_) {
            past_.push_back(now);
        }
        Reached next = now;
        for (const Barrier& barrier : commands_[i]) { // those of one command do not follow each other
            if (is_for(barrier, event, byte) && is_awaited(barrier)) {
                next[at(barrier.queue)] |= barrier.holds_back;
                if (barrier.queue == queue_) {
                    link(barrier);
                }
            }
        }
        now = next;
    }
    return now[at(queue_)];
}

bool Replay::flushes(const Barrier& barrier, const Event& earlier) {
    if (barrier.is_wait) {
        return barrier.other == earlier.queue && barrier.commands >= earlier.since &&
               earlier.stage != VK_PIPELINE_STAGE_2_HOST_BIT;
    }
    return barrier.queue == earlier.queue && (barrier.source & earlier.stage) != 0 &&
           (earlier.writes & ~barrier.flushes) == 0 &&
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
    const bool follows = (change.queue == earlier.queue && (change.waits_for & earlier.stage) != 0) ||
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
        const bool is_shown = barrier.queue == queue_ && (barrier.destination & stage) != 0 &&
                              (barrier.image == all || barrier.image == earlier.resource);
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

/// What arrives without a use, for which the host's own semaphore or barrier has seen to it, is there when its queue
/// begins; others must have waited for that.
bool Replay::has_arrived(std::uint32_t resource, VkPipelineStageFlags2 stages) const {
    const auto& node = graph_.resources[resource];
    Event arrival;
    arrival.resource = resource;
    arrival.queue = on(node.queues.arrives);
    arrival.since = start_;
    const bool has_use = node.arrives != Access::none && node.arrives != Access::present;
    return node.lifetime != Lifetime::import || has_use || arrival.queue == queue_ ||
           (chain(arrival, 0, start_, device_stages, 0, [](const Barrier& /*barrier*/) {}) & stages) != 0;
}

void Replay::check(std::uint32_t resource, const Event& event) {
    if (!has_arrived(resource, event.stage == VK_PIPELINE_STAGE_2_HOST_BIT ? device_stages : event.stage)) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' has not arrived for " + event.who);
    }
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
    const VkPipelineStageFlags2 stages = meaning.stages & stages_of(graph_.capabilities, queue_);
    if (meaning.stages != 0 && stages == 0) {
        hazards_.push_back("the " + std::string(to_string(queue_)) + " queue cannot do with '" +
                           graph_.resources[resource].name + "' what is for " + who);
    }
    std::vector<Event> events;
    each_bit(stages, [&](VkPipelineStageFlags2 stage) {
        Event event;
        event.who = who;
        event.resource = resource;
        event.queue = queue_;
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

/// What passes have done to an import or an export is done before the end of the queue where it leaves.
void Replay::leave(std::uint32_t resource, const std::string& when) {
    const auto& node = graph_.resources[resource];
    const Custody& custody = custody_[resource];
    for (const Event& event : events_[resource]) {
        const bool is_past = event.serial < changed_[resource];
        if (event.queue != queue_ && !event.is_outside && !is_past &&
            chain(event, plan_->memory.places[resource].offset, event.since, event.stage,
                  event.change ? event.change->holds_back : 0, [](const Barrier& /*barrier*/) {}) == 0) {
            hazards_.push_back("'" + node.name + "' leaves the " + to_string(queue_) + " queue" + when + " before " +
                               event.who);
        }
    }
    if (is_exclusive(resource) && custody.is_used &&
        (custody.released || custody.family.value_or(family(queue_)) != family(queue_))) {
        hazards_.push_back("'" + node.name + "' leaves" + when + " but belongs to another queue family");
    }
}

void Replay::execute(const Plan& plan, const std::vector<bool>& off) {
    ++execution_;
    plan_ = &plan;
    const std::string when = " in execution " + std::to_string(execution_);
    const auto begin = [&] { // no wait for what came before holds back what comes now
        commands_.emplace_back();
        ++command_;
    };
    begin();
    start_ = commands_.size();
    ends_.emplace_back();
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
            queue_ = on(node.queues.arrives);
            custody_[resource] = {};
            if (!node.image || node.arrives != Access::none) {
                custody_[resource].family = family(queue_);
            }
            use(resource, node.arrives, VK_PIPELINE_STAGE_2_COPY_BIT, "the host before" + when, false);
            for (Event& event : events_[resource]) {
                event.is_outside = true;
            }
            layouts_[resource] = layouts_for(node.arrives).front();
            filled_[resource] = node.arrives != Access::none;
        }
    }
    queue_ = QueueKind::main;
    for (std::uint32_t buffer = 0; plan.memory.pooled && buffer < events_.size(); ++buffer) {
        if (plan.memory.places[buffer].block != PlanMemory::none) {
            use(buffer, Access::any, VK_PIPELINE_STAGE_2_COPY_BIT, "another program before" + when, false);
            for (Event& event : events_[buffer]) {
                event.is_foreign = event.is_foreign || event.command == command_;
            }
        }
    }
    for (std::size_t index = 0; index < plan.groups.size(); ++index) {
        const PlanGroup& group = plan.groups[index];
        queue_ = group.queue;
        wait(group, index, when);
        barrier(group, index, when);
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
            if (queue_ == QueueKind::transfer && std::holds_alternative<Pass>(node.work)) {
                hazards_.push_back(who + " computes on the transfer queue");
            }
            const VkPipelineStageFlags2 moves =
                std::holds_alternative<GraphDescription::Fill>(node.work)   ? VK_PIPELINE_STAGE_2_CLEAR_BIT
                : std::holds_alternative<GraphDescription::Copy>(node.work) ? VK_PIPELINE_STAGE_2_COPY_BIT
                                                                            : transfer;
            for (const auto& touch : node.touches) {
                if (touch.access != Access::none) {
                    own(touch.resource, who);
                }
                if (graph_.resources[touch.resource].image) {
                    use_image(touch.resource, touch.access, group, who);
                }
                use(touch.resource, touch.access, moves, who, true);
            }
        }
        release(group, " after group " + std::to_string(index) + when);
        ends_.back().push_back(commands_.size());
    }
    begin();
    for (std::uint32_t resource = 0; resource < events_.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        const std::string who = "the host after" + when;
        queue_ = on(node.queues.leaves);
        if (node.exported && node.leaves != Access::none) {
            own(resource, who);
        }
        if (node.lifetime == Lifetime::import || node.exported) {
            leave(resource, when);
        }
        if (node.exported) {
            if (node.image && node.leaves != Access::none) {
                const auto last = std::find_if(plan.groups.rbegin(), plan.groups.rend(),
                                               [&](const PlanGroup& group) { return group.queue == queue_; });
                use_image(resource, node.leaves, last != plan.groups.rend() ? *last : PlanGroup{}, who);
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
    std::size_t executions = 3;
    for (const PlanGroup& group : plan.groups) {
        for (const GroupWait& wait : group.waits) {
            executions = std::max<std::size_t>(executions, wait.executions_ago + 2);
        }
    }
    return find_hazards(graph, plan, std::vector<std::vector<bool>>(executions));
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
                // What the last execution left: of a state the last value that it got; writers of this execution may
                // have left parts of that alone. Of a history, the last value that the other one got.
                const auto& node = graph.resources[touch.resource];
                const bool is_previous = node.current < graph.resources.size();
                const bool lasts = node.lifetime == Lifetime::state && node.previous >= graph.resources.size();
                const auto left = lasts && needs_contents(touch.access)
                                      ? source_of(passes, is_previous ? node.current : touch.resource)
                                      : std::nullopt;
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
            const QueueKind kind = graph.passes[pass].queue;
            const bool is_there =
                graph.capabilities.queue_families.at(static_cast<std::size_t>(kind)) != Capabilities::no_queue;
            if (group.queue != (is_there ? kind : QueueKind::main)) {
                mistakes.push_back("'" + graph.passes[pass].name + "' is on the wrong queue");
            }
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
        std::uint32_t queues = 0; ///< a bit for each
    };
    std::vector<Life> lives(graph.resources.size());
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        for (const std::uint32_t pass : plan.groups[group].passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                Life& life = lives[touch.resource];
                life = {std::min(life.first, group), group,
                        life.queues | (1U << static_cast<std::uint32_t>(plan.groups[group].queue))};
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
            const bool shared = lives[b].first <= lives[b].last && overlap(graph, plan, a, b);
            if (meet && shared) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name + "' overlap");
            }
            const std::uint32_t queues = lives[a].queues | lives[b].queues;
            if (shared && (queues & (queues - 1)) != 0) {
                mistakes.push_back("'" + graph.resources[b].name + "' and '" + buffer.name +
                                   "' overlap on several queues");
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

std::vector<std::string> find_misbatched(const Plan& plan) {
    std::vector<std::string> mistakes;
    const auto report = [&](const char* kind, std::size_t index, const std::string& what) {
        mistakes.push_back(kind + std::to_string(index) + what);
    };
    std::vector<std::uint32_t> batch_of(plan.groups.size(), ~0U);
    std::array<std::vector<std::uint32_t>, queue_kinds> submitted, planned;
    for (std::uint32_t index = 0; index < plan.batches.size(); ++index) {
        const PlanBatch& batch = plan.batches[index];
        if (batch.groups.empty()) {
            report("batch ", index, " is empty");
        }
        for (const std::uint32_t group : batch.groups) {
            if (group >= plan.groups.size() || batch_of[group] != ~0U) {
                report("group ", group, " is in two batches, or is none");
                continue;
            }
            batch_of[group] = index;
            if (plan.groups[group].queue != batch.queue) {
                report("group ", group, " is not on the queue of its batch");
            }
            submitted.at(static_cast<std::size_t>(batch.queue)).push_back(group);
        }
    }
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        planned.at(static_cast<std::size_t>(plan.groups[group].queue)).push_back(group);
        if (batch_of[group] == ~0U) {
            report("group ", group, " is in no batch");
        }
    }
    if (!mistakes.empty()) {
        return mistakes;
    }
    if (submitted != planned) {
        mistakes.emplace_back("groups of one queue are submitted in another order");
    }
    std::size_t queues = 0;
    for (const auto& groups : planned) {
        queues += groups.empty() ? 0 : 1;
    }
    if (queues == 1 && plan.batches.size() != 1) {
        mistakes.emplace_back("one queue, but several batches");
    }
    for (std::uint32_t index = 0; index < plan.groups.size(); ++index) {
        const PlanGroup& group = plan.groups[index];
        const PlanBatch& batch = plan.batches[batch_of[index]];
        const bool is_first = batch.groups.front() == index;
        if (!group.waits.empty() && !is_first) {
            report("group ", index, " waits, but is not the first of its batch");
        }
        std::vector<PlanBatch::Wait> waits;
        for (const GroupWait& wait : group.waits) {
            const std::uint32_t other = wait.group < batch_of.size() ? batch_of[wait.group] : ~0U;
            if (other == ~0U || plan.batches[other].groups.back() != wait.group) {
                report("group ", index,
                       " waits for group " + std::to_string(wait.group) + ", which no batch ends with");
            }
            if (wait.executions_ago == 0 && other >= batch_of[index]) {
                report("batch ", batch_of[index], " waits for a later one");
            }
            waits.push_back({other, wait.executions_ago});
        }
        if (is_first && (waits.size() != batch.waits.size() ||
                         !std::is_permutation(waits.begin(), waits.end(), batch.waits.begin()))) {
            report("batch ", batch_of[index], " does not wait for what its groups do");
        }
    }
    return mistakes;
}

GraphDescription with_one_queue(GraphDescription graph) {
    auto& families = graph.capabilities.queue_families;
    families = {families[0], Capabilities::no_queue, Capabilities::no_queue};
    return graph;
}

} // namespace weir::tests
