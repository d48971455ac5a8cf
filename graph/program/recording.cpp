#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <weir/engine/timestamps.hpp>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/plan/queues.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/recorder.hpp"

namespace weir {

using Lifetime = GraphDescription::Lifetime;

Result<> Program::Impl::check_imports() {
    const auto& [views, images] = std::tie(resources.views, resources.images);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const bool is_missing = views[i].buffer == VK_NULL_HANDLE && images[i].image == VK_NULL_HANDLE;
        if (plan.used[i] && (is_missing || (needs_view[i] && images[i].view == VK_NULL_HANDLE))) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, "record: import '" + graph.resources[i].name + "' is not bound"});
        }
    }
    return check_overlaps();
}

/// Checks that no import overlaps a resource if one of them is written or released. The plan knows the overlaps of the
/// program's own resources.
Result<> Program::Impl::check_overlaps() {
    ranges.clear();
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        if (plan.used[i] && graph.resources[i].part_of == ResourceId::none) {
            const BufferView& view = resources.views[i];
            ranges.push_back(graph.resources[i].image
                                 ? BoundRange{{}, resources.images[i].image, 0, 1, i}
                                 : BoundRange{view.buffer, {}, view.offset, view.offset + view.size, i});
        }
    }
    std::sort(ranges.begin(), ranges.end(), [](const BoundRange& a, const BoundRange& b) {
        return std::tie(a.buffer, a.image, a.begin) < std::tie(b.buffer, b.image, b.begin);
    });
    // A range overlaps an earlier one that ends after its begin. Of the earlier ranges in a buffer or image, only those
    // that end last count: one per kind, by whether it is an import and whether it is written or released.
    const BoundRange* last[2][2] = {};
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const BoundRange& range = ranges[k];
        if (k == 0 || std::tie(range.buffer, range.image) != std::tie(ranges[k - 1].buffer, ranges[k - 1].image)) {
            last[0][0] = last[0][1] = last[1][0] = last[1][1] = nullptr;
        }
        const bool is_import = graph.resources[range.resource].lifetime == Lifetime::import;
        const bool changes = written[range.resource] || ownership_transfer[range.resource];
        for (const bool other_is_import : {false, true}) {
            for (const bool other_changes : {false, true}) {
                const BoundRange* other = last[other_is_import ? 1 : 0][other_changes ? 1 : 0];
                if (other != nullptr && other->end > range.begin && (is_import || other_is_import) &&
                    (changes || other_changes)) {
                    return overlap_error(range.resource, other->resource);
                }
            }
        }
        const BoundRange*& latest = last[is_import ? 1 : 0][changes ? 1 : 0];
        if (latest == nullptr || range.end > latest->end) {
            latest = &range;
        }
    }
    return {};
}

Result<> Program::Impl::overlap_error(std::uint32_t a, std::uint32_t b) const {
    return tl::unexpected(
        Error{ErrorCode::invalid_argument,
              concat("record: imports '", graph.resources[std::min(a, b)].name, "' and '",
                     graph.resources[std::max(a, b)].name, "' are bound to overlapping memory, and one is ",
                     written[a] || written[b] ? "written" : "released to another queue")});
}

Result<> Program::Impl::check_sets() const {
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (uses_set[i] && sets[i] == VK_NULL_HANDLE) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, "record: descriptor set '" + graph.sets[i].name + "' is not bound"});
        }
    }
    return {};
}

VkImageLayout Program::Impl::layout_in(const PlanGroup& group, std::uint32_t image) const {
    const auto& pieces = graph.resources[image].pieces;
    return group.layout(pieces.empty() ? image : pieces.front()); // all pieces of a use are in one layout
}

VkImageLayout Program::Impl::layout_of_binding(const PlanGroup& group, const Binding& binding) const {
    return binding.access != Access::none ? layout_in(group, binding.resource.index) : VK_IMAGE_LAYOUT_GENERAL;
}

void Program::Impl::write_descriptors() {
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            if (pipelines[index] == nullptr) {
                continue;
            }
            const auto& pass = *graph.passes[index].compute_pass();
            for (std::size_t i = 0; i < pass.bindings.size(); ++i) {
                const Binding& binding = pass.bindings[i];
                if (binding.is_sampler) {
                    bindings[i] = {{}, 0, {binding.sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED}};
                    continue;
                }
                const std::uint32_t resource = binding.resource.index;
                bindings[i] = {resources.views[resource], resources.addresses[resource], {}};
                if (graph.resources[resource].image) {
                    bindings[i].image = {binding.sampler, resources.images[resource].view,
                                         layout_of_binding(group, binding)};
                }
            }
            descriptors->write(copies.current(), index, {bindings.data(), pass.bindings.size()});
        }
    }
}

bool Program::Impl::starts_empty(std::uint32_t resource) const {
    const Arrival& arrival = arrivals[root_of(graph, resource)];
    return weir::starts_empty(graph.resources[resource]) ||
           (arrival.recording == recorded && arrival.access == Access::none);
}

bool Program::Impl::is_on(std::uint32_t pass) const {
    const auto& conditions = graph.passes[pass].conditions;
    return std::all_of(conditions.begin(), conditions.end(), [&](const GraphDescription::Condition& condition) {
        if (const auto* count = std::get_if<Count>(&condition)) {
            return value(*count) != 0 || count->kind == Count::Kind::gpu;
        }
        const auto* off = std::get_if<GraphDescription::Off>(&condition);
        return off != nullptr ? !switches[off->which.index] : switches[std::get<Switch>(condition).index];
    });
}

Result<> Program::Impl::begin_recording() {
    WEIR_PROPAGATE(check_sets());
    const bool takes_copy =
        rebound || !histories.empty() || resources.has_copies() || (copies.begins_frame && copies.recordings > 1);
    if (takes_copy && !copies.has_next()) {
        return tl::unexpected(
            Error{ErrorCode::limit_exceeded, concat("record: the frame already has ", copies.taken,
                                                    " recordings, the maximum of CompileOptions::recordings_per_frame; "
                                                    "call Program::next_frame to begin another frame")});
    }
    if (rebound) {
        WEIR_PROPAGATE(check_imports());
        rebound = false;
    }
    for (const auto& [current, previous] : histories) {
        resources.swap(current, previous);
    }
    latest[recorded % latest.size()] = {takes_copy, 0, copies};
    if (takes_copy) {
        copies.take();
        resources.take_copy(copies.current());
        write_descriptors();
    }
    ++recorded;
    undoable = std::min<std::uint64_t>(undoable + 1, latest.size());
    const Queues queues(graph.capabilities, options.one_queue);
    for (std::uint32_t image = 0; image < arrivals.size(); ++image) {
        Arrival& arrival = arrivals[image];
        if (arrival.access && arrival.recording == 0 && plan.used[image]) {
            const QueueKind queue = queues.on(graph.resources[image].queues.arrives);
            const auto first = std::find_if(plan.batches.begin(), plan.batches.end(),
                                            [&](const PlanBatch& batch) { return batch.queue == queue; });
            arrival.recording = recorded;
            arrival.batch = static_cast<std::uint32_t>(first - plan.batches.begin());
        }
    }
    return {};
}

Result<> Program::Impl::record(std::span<const VkCommandBuffer> commands, const Timestamps* times) {
    WEIR_PROPAGATE(check_closed("record"));
    if (commands.size() != plan.batches.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    concat("record: ", commands.size(), " command buffers; the program requires ",
                                           plan.batches.size(), ", one per batch")});
    }
    WEIR_PROPAGATE(begin_recording());
    std::uint32_t slot = 0;
    for (std::uint32_t i = 0; i < commands.size(); ++i) {
        const PlanBatch& batch = plan.batches[i];
        const RecordingPart all{i, 0, static_cast<std::uint32_t>(passes_of(batch))};
        auto done = recorders.front()->record(commands[i], all, has_times(batch) ? times : nullptr, slot);
        if (!done) { // a command pass threw: undoes the recording, so that histories stay as they were
            static_cast<void>(discard());
            return done;
        }
    }
    return {};
}

std::size_t Program::Impl::passes_of(const PlanBatch& batch) const {
    std::size_t count = 0;
    for (const std::uint32_t group : batch.groups) {
        count += plan.groups[group].passes.size();
    }
    return count;
}

Result<> Program::Impl::begin_parts(std::uint32_t count) {
    WEIR_PROPAGATE(check_closed("begin_recording"));
    if (count == 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "begin_recording: 0 parts; at least 1 is required"});
    }
    WEIR_PROPAGATE(begin_recording());
    std::size_t all = 0;
    for (const PlanBatch& batch : plan.batches) {
        all += passes_of(batch);
    }
    const std::size_t most = std::max<std::size_t>((all + count - 1) / count, 1); // passes in a part
    for (std::uint32_t batch = 0; batch < plan.batches.size(); ++batch) {
        const std::size_t passes = passes_of(plan.batches[batch]),
                          in = std::max<std::size_t>((passes + most - 1) / most, 1);
        for (std::size_t part = 0; part < in; ++part) {
            const std::size_t begin = passes * part / in, end = passes * (part + 1) / in;
            parts.push_back({batch, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)});
        }
    }
    part_states.assign(parts.size(), {});
    while (recorders.size() < parts.size()) {
        recorders.push_back(std::make_unique<Recorder>(*this));
    }
    return {};
}

Result<> Program::Impl::record_part(std::size_t part, VkCommandBuffer commands) {
    const auto refuse = [&](const char* why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat("record: part ", part, why)});
    };
    if (commands == VK_NULL_HANDLE) {
        return refuse(" has a null command buffer");
    }
    if (std::exchange(part_states[part].is_recorded, true)) {
        return refuse(" is already recorded");
    }
    std::uint32_t slot = 0;
    auto done = recorders[part]->record(commands, parts[part], nullptr, slot);
    if (!done) {
        part_states[part].error = done.error();
    }
    return done;
}

Result<> Program::Impl::end_parts() {
    Result<> done;
    for (std::size_t part = 0; done && part < parts.size(); ++part) {
        if (part_states[part].error) {
            done = tl::unexpected(*part_states[part].error);
        } else if (!part_states[part].is_recorded) {
            done = tl::unexpected(Error{ErrorCode::invalid_argument,
                                        concat("end: part ", part, " of ", parts.size(), " is not recorded")});
        }
    }
    parts.clear();
    if (!done) {
        static_cast<void>(discard());
    }
    return done;
}

Result<> Program::Impl::discard() {
    const auto refuse = [](const char* why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat("discard: ", why)});
    };
    if (undoable == 0) {
        return refuse("no recording can be discarded");
    }
    const Recording& last = latest[(recorded - 1) % latest.size()];
    if (last.executions > 1) {
        return refuse("the recording was already submitted");
    }
    if (last.executions == 1) {
        frames->take_back(1);
    }
    for (const auto& [current, previous] : histories) {
        resources.swap(current, previous);
    }
    if (last.took_copy) {
        copies.discard(last.before);
        resources.take_copy(copies.current());
        rebound = true; // the next recording takes the copy again
    }
    for (Arrival& arrival : arrivals) {
        arrival.recording = arrival.recording == recorded ? 0 : arrival.recording;
    }
    --recorded;
    --undoable;
    return {};
}

void Program::Impl::settle(std::uint64_t before, bool submitted) {
    if (submitted) {
        undoable = 0;
    } else if (recorded != before) {
        static_cast<void>(discard());
    }
}

} // namespace weir
