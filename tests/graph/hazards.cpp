#include "tests/graph/hazards.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "tests/graph/meanings.hpp"
#include "tests/graph/plan_checks.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

namespace {

/// Calls `visit` with each bit of a mask.
template <class F>
void each_bit(VkFlags64 mask, F visit) {
    for (; mask != 0; mask &= mask - 1) {
        visit(mask & (~mask + 1));
    }
}

/// Divides the memory that two resources share, or that of one, into parts. All bytes of a part are in the same images,
/// or with `buffers` in the same resources. Returns the first byte of each part.
std::vector<std::uint64_t> parts(const GraphDescription& graph, const Plan& plan, std::uint32_t a, std::uint32_t b,
                                 bool buffers) {
    std::vector<std::uint64_t> bytes = {std::max(plan.memory.places[a].offset, plan.memory.places[b].offset)};
    for (std::uint32_t part = 0; part < graph.resources.size(); ++part) {
        if ((!graph.resources[part].image && !buffers) || !overlap(graph, plan, a, part) ||
            !overlap(graph, plan, b, part)) {
            continue;
        }
        const std::uint64_t begin = plan.memory.places[part].offset;
        for (const std::uint64_t byte : {begin, begin + graph.resources[part].bytes}) {
            if (byte > bytes.front() && has_byte(graph, plan, a, byte) && has_byte(graph, plan, b, byte)) {
                bytes.push_back(byte);
            }
        }
    }
    return bytes;
}

} // namespace

Replay::Replay(const GraphDescription& graph, Reads reads)
    : graph_(graph), branches_(graph), reads_(reads), events_(graph.resources.size()),
      changed_(graph.resources.size(), 0), layouts_(graph.resources.size()), filled_(graph.resources.size()),
      written_(graph.resources.size()), discarded_(graph.resources.size()), custody_(graph.resources.size()) {
    std::vector<std::uint32_t> ended(graph.resources.size(), 0); // sets that other uses have ended
    for (std::uint32_t pass = 0; pass < graph.passes.size(); ++pass) {
        for (const auto& touch : graph.passes[pass].accesses()) {
            ended[touch.resource] += touch.concurrent ? 0 : 1;
            sets_[{pass, touch.resource}] = touch.concurrent ? ended[touch.resource] + 1 : 0;
        }
    }
}

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
        const auto shared = parts(graph_, *plan_, resource, other, forgotten_ != 0);
        for (const Event& earlier : events_[other]) {
            if (earlier.is_off) {
                continue;
            }
            is_first = is_first && other != resource;
            const bool is_past = earlier.serial < changed_[resource];
            if (!is_past && earlier.command != command_ &&
                !std::all_of(shared.begin(), shared.end(), [&](std::uint64_t byte) {
                    return comes_before(earlier, byte, barrier, command) || is_superseded(other, earlier, byte);
                })) {
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
        hazards_.push_back(who + " from a layout other than the current one");
    }
    layouts_[resource] = to;
    filled_[resource] = filled_[resource] && from != VK_IMAGE_LAYOUT_UNDEFINED;
    lose_others(resource);
}

/// Discards the contents of all other images that share memory with `resource`, which is written.
void Replay::lose_others(std::uint32_t resource) {
    for (std::uint32_t other = 0; other < events_.size(); ++other) {
        if (other != resource && graph_.resources[other].image && overlap(graph_, *plan_, resource, other)) {
            layouts_[other] = VK_IMAGE_LAYOUT_UNDEFINED;
            filled_[other] = false;
        }
    }
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
    const auto shared = parts(graph_, *plan_, resource, other, forgotten_ != 0);
    const auto everywhere = [&](const auto& holds) { return std::all_of(shared.begin(), shared.end(), holds); };
    for (const Event& earlier : events_[other]) {
        if (earlier.is_off || earlier.command == event.command || earlier.serial < changed_[resource] ||
            are_concurrent(earlier, event)) {
            continue;
        }
        if (earlier.writes != 0 || earlier.change) {
            if (!everywhere([&](std::uint64_t byte) {
                    return sees(earlier, byte, event.stage, event.reads | event.writes) ||
                           is_superseded(other, earlier, byte);
                })) {
                report(event.reads != 0 ? "read after write" : "write after write", earlier);
            }
        } else if (event.writes != 0 && !everywhere([&](std::uint64_t byte) {
                       return comes_after(earlier, byte, event.stage) || is_superseded(other, earlier, byte);
                   })) {
            report("write after read", earlier);
        }
    }
}

void Replay::use_outside(std::uint32_t resource, const Accesses& accesses, const std::string& who, bool checked) {
    for (const Meaning& meaning : meanings_of(accesses, VK_PIPELINE_STAGE_2_COPY_BIT)) {
        use(resource, meaning, who, checked);
    }
}

void Replay::use(std::uint32_t resource, const Meaning& meaning, const std::string& who, bool checked,
                 std::uint32_t set) {
    const VkPipelineStageFlags2 stages = meaning.stages & stages_of(graph_.capabilities, queue_);
    if (meaning.stages != 0 && stages == 0) {
        hazards_.push_back("the " + std::string(to_string(queue_)) + " queue does not support the use of '" +
                           graph_.resources[resource].name + "' by " + who);
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
        event.execution = execution_;
        event.set = set;
        event.pass = pass_;
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

void Replay::skip(std::uint32_t pass) {
    for (const auto& touch : graph_.passes[pass].accesses()) {
        filled_[touch.resource] = filled_[touch.resource] || is_write(touch); // its writes count as contents
        if (branches_.any() && is_write(touch) && touch.access != Access::none) {
            Event event;
            event.resource = touch.resource;
            event.queue = queue_;
            event.command = all;
            event.serial = ++serial_;
            event.since = commands_.size();
            event.writes = VK_ACCESS_2_MEMORY_WRITE_BIT;
            event.execution = execution_;
            event.pass = pass;
            event.is_off = true;
            const Meaning meaning = meaning_of(touch, transfer);
            const VkPipelineStageFlags2 stages = meaning.stages & stages_of(graph_.capabilities, queue_);
            for (std::uint32_t other = 0; other < events_.size(); ++other) {
                if (other != touch.resource && !overlap(graph_, *plan_, touch.resource, other)) {
                    continue;
                }
                const auto shared = parts(graph_, *plan_, touch.resource, other, true);
                for (const Event& earlier : events_[other]) {
                    if (earlier.is_off || !branches_.are_exclusive(earlier.pass, pass)) {
                        continue;
                    }
                    bool is_after = true;
                    each_bit(stages, [&](VkPipelineStageFlags2 stage) {
                        for (const std::uint64_t byte : shared) {
                            is_after = is_after && (earlier.writes != 0 ? sees(earlier, byte, stage, meaning.writes)
                                                                        : comes_after(earlier, byte, stage));
                        }
                    });
                    if (is_after) {
                        event.after.insert(earlier.serial);
                    }
                }
            }
            events_[touch.resource].push_back(std::move(event));
        }
    }
}

void Replay::use_image(std::uint32_t image, const GraphDescription::PassUse& touch, const PlanGroup& group,
                       const std::string& who) {
    const auto report = [&](const char* what) {
        hazards_.push_back("'" + graph_.resources[image].name + "' " + what + " for " + who);
    };
    const auto claim = std::find_if(group.layouts.begin(), group.layouts.end(),
                                    [&](const PlanGroup::Layout& layout) { return layout.resource == image; });
    if (claim == group.layouts.end() || claim->layout != layouts_[image]) {
        report("is not in the layout that the plan says");
    }
    const auto fitting = layouts_for(touch);
    if (std::find(fitting.begin(), fitting.end(), layouts_[image]) == fitting.end()) {
        report("is in the wrong layout");
    }
    const bool may_have_none = graph_.resources[whole_of(graph_, image)].can_be_undefined && !written_[image];
    if (needs_contents(touch) && !filled_[image] && !may_have_none) {
        report("has lost its contents");
    }
}

/// Checks that accesses of passes to an import or an export come before the end of the queue where it leaves, and that
/// the family of this queue owns it.
void Replay::leave(std::uint32_t resource, const std::string& when) {
    const auto& node = graph_.resources[resource];
    const Custody& custody = custody_[resource];
    for (const Event& event : events_[resource]) {
        const bool is_past = event.serial < changed_[resource];
        if (event.queue != queue_ && !event.is_outside && !event.is_off && !is_past &&
            chain(event, plan_->memory.places[resource].offset, event.since, event.stage,
                  event.change ? event.change->holds_back : 0) == 0) {
            hazards_.push_back("'" + node.name + "' leaves the " + to_string(queue_) + " queue" + when + " before " +
                               event.who);
        }
    }
    bool is_used = custody.is_used; // or another mip or layer of the image is used
    for (std::uint32_t other = 0; other < custody_.size() && !is_used; ++other) {
        is_used = custody_[other].is_used && whole_of(graph_, other) == whole_of(graph_, resource);
    }
    if (is_exclusive(resource) && is_used &&
        (custody.released || custody.family.value_or(family(queue_)) != family(queue_))) {
        hazards_.push_back("'" + node.name + "' leaves" + when + " but belongs to another queue family");
    }
}

void Replay::execute(const Plan& plan, const std::vector<bool>& off) {
    ++execution_;
    plan_ = &plan;
    const std::string when = " in execution " + std::to_string(execution_);
    const auto begin = [&] { // waits for earlier groups must not cover later accesses
        commands_.emplace_back();
        ++command_;
    };
    begin();
    start_ = commands_.size();
    ends_.emplace_back();
    const std::vector<VkImageLayout> left = layouts_;
    for (std::uint32_t resource = 0; resource < events_.size(); ++resource) {
        const auto& node = graph_.resources[resource];
        start_contents(resource);
        layouts_[resource] = VK_IMAGE_LAYOUT_UNDEFINED;
        filled_[resource] = false;
        if (node.current < events_.size()) { // the resource that was written as current becomes the previous one
            events_[resource].swap(events_[node.current]);
            std::swap(changed_[resource], changed_[node.current]);
            layouts_[resource] = execution_ == 1 ? plan.final_layouts[node.current] : left[node.current];
            filled_[resource] = true;
        }
        if (node.per_frame) { // the application has waited for the last frame with this copy
            events_[resource].clear();
            changed_[resource] = 0;
        }
        if (node.lifetime == Lifetime::import) {
            // The application orders its own uses, and orders them after the last execution.
            std::vector<Event> left = left_by_last_execution(resource);
            events_[resource].clear();
            changed_[resource] = 0;
            queue_ = on(node.queues.arrives);
            custody_[resource] = {};
            if (!node.image || node.arrives != Access::none) {
                custody_[resource].family = family(queue_);
            }
            use_outside(resource, node.arrives, "the host before" + when, false);
            for (Event& event : events_[resource]) {
                event.is_outside = true;
            }
            events_[resource].insert(events_[resource].begin(), left.begin(), left.end());
            layouts_[resource] = layouts_for_all(node.arrives).front();
            filled_[resource] = node.arrives != Access::none;
        }
    }
    queue_ = QueueKind::main;
    for (std::uint32_t buffer = 0; plan.memory.pooled && buffer < events_.size(); ++buffer) {
        if (plan.memory.places[buffer].block != PlanMemory::none) {
            use(buffer, meaning_of(Access::any, VK_PIPELINE_STAGE_2_COPY_BIT), "another program before" + when, false);
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
                skip(pass);
                continue;
            }
            ++command_;
            pass_ = pass;
            const auto& node = graph_.passes[pass];
            const std::string who = "'" + node.name + "'" + when;
            if (queue_ == QueueKind::transfer && node.compute_pass() != nullptr) {
                hazards_.push_back(who + " computes on the transfer queue");
            }
            const VkPipelineStageFlags2 moves =
                std::holds_alternative<GraphDescription::Fill>(node.work)   ? VK_PIPELINE_STAGE_2_CLEAR_BIT
                : std::holds_alternative<GraphDescription::Copy>(node.work) ? VK_PIPELINE_STAGE_2_COPY_BIT
                                                                            : transfer;
            // Each declared use has one layout.
            std::map<std::tuple<std::uint32_t, Access, VkImageLayout>, VkImageLayout> views;
            check_contents(pass, off, who);
            for (const auto& touch : node.accesses()) {
                if (touch.access != Access::none) {
                    own(touch.resource, who);
                }
                if (graph_.resources[touch.resource].image) {
                    use_image(touch.resource, touch, group, who);
                    const VkImageLayout layout = layouts_[touch.resource];
                    if (views.emplace(std::tuple(touch.named(), touch.access, layouts_for(touch).front()), layout)
                            .first->second != layout) {
                        hazards_.push_back("'" + graph_.resources[touch.named()].name + "' is in several layouts for " +
                                           who);
                    }
                }
                use(touch.resource, meaning_of(touch, moves), who, true, sets_.at({pass, touch.resource}));
                written_[touch.resource] = written_[touch.resource] || is_write(touch);
            }
        }
        pass_ = all;
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
                for (const Access access : node.leaves) {
                    use_image(resource, {resource, access}, last != plan.groups.rend() ? *last : PlanGroup{}, who);
                }
                for (const UseScope& raw : node.leaves.raw()) {
                    GraphDescription::PassUse touch{resource};
                    touch.raw = raw;
                    use_image(resource, touch, last != plan.groups.rend() ? *last : PlanGroup{}, who);
                }
                if (layouts_[resource] != layouts_for_all(node.leaves).front()) {
                    hazards_.push_back("'" + node.name + "' leaves in the wrong layout");
                }
            }
            const std::size_t own = events_[resource].size();
            use_outside(resource, node.leaves, who, true);
            std::for_each(events_[resource].begin() + static_cast<std::ptrdiff_t>(own), events_[resource].end(),
                          [](Event& event) { event.is_outside = true; });
        }
        const bool lasts = node.lifetime == Lifetime::import || node.exported;
        if (discarded_[resource] && (lasts || node.lifetime == Lifetime::state)) {
            hazards_.push_back("'" + node.name + "' has been discarded before " + who);
        }
        const bool becomes_previous = node.previous < events_.size();
        if (node.image && (lasts || becomes_previous) && plan.final_layouts[resource] != layouts_[resource]) {
            hazards_.push_back("'" + node.name + "' ends in another layout than the plan says");
        }
    }
}

} // namespace weir::tests
