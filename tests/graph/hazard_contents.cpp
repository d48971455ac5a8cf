// Replay: contents that passes find, leave and discard, and writes that an execution leaves to the next one.

#include <algorithm>

#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

void Replay::start_contents(std::uint32_t resource) {
    const auto& node = graph_.resources[resource];
    const bool is_empty_image = node.image && node.lifetime == Lifetime::import && node.arrives == Access::none;
    const bool is_current = node.previous < graph_.resources.size();
    written_[resource] = node.lifetime != Lifetime::transient && !is_empty_image && !is_current;
    discarded_[resource] = false;
}

void Replay::check_contents(std::uint32_t pass, const std::vector<bool>& off, const std::string& who) {
    if (plan_->graph == nullptr) { // a plan made by hand
        return;
    }
    const auto report = [&](std::uint32_t resource, const char* what) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' " + what + " " + who);
    };
    const auto is_off = [&](std::uint32_t other) { return !off.empty() && off[other]; };
    const auto& planned = plan_->graph->passes;
    const auto finds_contents = [&](const GraphDescription::PassUse& use) { // by the comment on PassUse::written_by
        const auto& node = graph_.resources[whole_of(*plan_->graph, use.resource)];
        const bool is_current = node.previous < graph_.resources.size();
        bool found = node.lifetime == Lifetime::state
                         ? !is_current
                         : node.lifetime == Lifetime::import && (!node.image || node.arrives != Access::none);
        for (std::uint32_t writer = use.written_by; !found && writer < planned.size();) {
            found = !is_off(writer);
            for (const auto& other : planned[writer].uses) {
                if (other.resource == use.resource && is_write(other)) {
                    writer = other.written_by;
                    break;
                }
            }
        }
        return found;
    };
    for (const auto& touch : graph_.passes[pass].accesses()) {
        bool before = false, needed = false, has_any = false;
        for (const auto& use : planned[pass].accesses()) {
            if (use.named() == touch.named() && use.access == touch.access && use.raw == touch.raw) {
                before = before || finds_contents(use);
                needed = needed || use.needed_after;
            }
        }
        for (const auto& other : graph_.passes[pass].accesses()) { // other mips and layers of the same use
            const bool is_same =
                other.named() == touch.named() && other.access == touch.access && other.raw == touch.raw;
            has_any = has_any || (is_same && written_[other.resource]);
        }
        if (needs_contents(touch) && discarded_[touch.resource]) {
            report(touch.resource, "has been discarded before");
        }
        if (is_write(touch) && !touch.concurrent && before != has_any) {
            report(touch.resource, before ? "has no contents, unlike the plan says, for" : "is cleared by");
        }
        discarded_[touch.resource] = discarded_[touch.resource] || (is_write(touch) && !needed);
    }
}

std::vector<Replay::Event> Replay::left_by_last_execution(std::uint32_t import) {
    const auto& node = graph_.resources[import];
    const QueueKind queue = on(node.queues.leaves);
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 shown = 0;
    const auto is_read = [&](const Accesses& accesses) {
        VkPipelineStageFlags2 all_stages = 0;
        for (const Meaning& meaning : meanings_of(accesses, transfer)) {
            all_stages |= meaning.stages & stages_of(graph_.capabilities, queue);
            if (meaning.writes != 0) {
                return false;
            }
        }
        return all_stages != 0;
    };
    if (reads_ == Reads::take_place || !node.exported || !is_read(node.arrives) || !is_read(node.leaves) ||
        on(node.queues.arrives) != queue ||
        (node.image && layouts_for_all(node.arrives).front() != layouts_for_all(node.leaves).front())) {
        return {};
    }
    std::vector<Event> own = events_[import];
    std::erase_if(own, [&](const Event& event) {
        return event.is_outside || (event.writes == 0 && !event.change) || event.serial < changed_[import];
    });
    const auto last = std::find_if(own.rbegin(), own.rend(), [](const Event& event) { return !event.is_off; });
    if (last == own.rend()) {
        return {};
    }
    for (Event& event : own) {
        if (event.change) { // an acquisition, which is part of the departure
            event.change->is_wait = true;
        }
    }
    for (const Meaning& meaning : meanings_of(node.leaves, transfer)) {
        stages |= meaning.stages & stages_of(graph_.capabilities, queue) & ~VK_PIPELINE_STAGE_2_HOST_BIT;
        shown |= (meaning.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0 ? meaning.reads : 0;
    }
    if (stages == 0) {
        return own; // with writes of passes that are off: `is_superseded` counts them
    }
    Event event = *last; // `leave` and `use` have checked that the write is visible to the application's reads
    event.queue = queue;
    event.command = command_;
    event.serial = ++serial_;
    event.stage = 0;
    event.reads = event.writes = 0;
    for (std::size_t group = 0; group < plan_->groups.size(); ++group) { // the end of the last group there
        event.since = plan_->groups[group].queue == queue ? ends_.at(execution_ - 2).at(group) : event.since;
    }
    event.change = Barrier();
    event.change->is_wait = true; // departures count even if barriers are forgotten
    event.change->destination = stages;
    event.change->holds_back = with_later(stages);
    event.change->shows = shown;
    event.change->queue = queue;
    return {event};
}

} // namespace weir::tests
