#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include <weir/engine/timestamps.hpp>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/submit/synchronization.hpp"
#include "graph/plan/import_barriers.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/program_impl.hpp"

namespace weir {

using Lifetime = GraphDescription::Lifetime;

namespace {

template <class Barrier>
void put_between(Barrier& barrier, const Scope& source, const Scope& destination) {
    barrier.srcStageMask = source.stages;
    barrier.srcAccessMask = source.access;
    barrier.dstStageMask = destination.stages;
    barrier.dstAccessMask = destination.access;
}

} // namespace

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

void Program::Impl::bind_sets(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    if (pass.sets.empty()) {
        return;
    }
    std::transform(pass.sets.begin(), pass.sets.end(), bound_sets.begin(),
                   [&](DescriptorSetId set) { return sets[set.index]; });
    device.vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(), 1,
                                        static_cast<std::uint32_t>(pass.sets.size()), bound_sets.data(), 0, nullptr);
}

VkImageLayout Program::Impl::layout_in(const PlanGroup& group, std::uint32_t image) const {
    const auto& pieces = graph.resources[image].pieces;
    return group.layout(pieces.empty() ? image : pieces.front()); // all pieces of a use are in one layout
}

void Program::Impl::write_descriptors() {
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            if (pipelines[index] == nullptr) {
                continue;
            }
            const auto& pass = std::get<Pass>(graph.passes[index].work);
            for (std::size_t i = 0; i < pass.bindings.size(); ++i) {
                const Binding& binding = pass.bindings[i];
                if (binding.is_sampler) {
                    bindings[i] = {{}, 0, {binding.sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED}};
                    continue;
                }
                const std::uint32_t resource = binding.resource.index;
                bindings[i] = {resources.views[resource], resources.addresses[resource], {}};
                if (graph.resources[resource].image) {
                    const bool is_used = binding.access != Access::none;
                    bindings[i].image = {binding.sampler, resources.images[resource].view,
                                         is_used ? layout_in(group, resource) : VK_IMAGE_LAYOUT_GENERAL};
                }
            }
            descriptors->write(copies.current(), index, {bindings.data(), pass.bindings.size()});
        }
    }
}

void Program::Impl::push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    std::uint32_t* next = push.data();
    for (const Binding& binding : pass.addressed) {
        const VkDeviceAddress address = resources.addresses[binding.resource.index];
        std::memcpy(next, &address, sizeof address);
        next += 2;
    }
    for (const PushWord& word : pass.push) {
        if (const auto* set = std::get_if<HostData>(&word)) {
            next = std::copy(data[set->index].begin(), data[set->index].end(), next);
            continue;
        }
        const auto* count = std::get_if<Count>(&word);
        *next++ = count != nullptr ? value(*count) : std::get<std::uint32_t>(word);
    }
    if (const auto words = static_cast<std::uint32_t>(next - push.data()); words != 0) {
        device.vk().vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, words * 4,
                                       push.data());
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
        const auto* count = std::get_if<Count>(&condition);
        return count != nullptr ? value(*count) != 0 || count->kind == Count::Kind::gpu
                                : switches[std::get<Switch>(condition).index];
    });
}

void Program::Impl::add_image_barrier(const ImageBarrier& planned) {
    VkImageMemoryBarrier2& barrier = image_barriers.emplace_back();
    barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    put_between(barrier, planned.source, planned.destination);
    barrier.oldLayout = planned.old_layout;
    barrier.newLayout = planned.new_layout;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = resources.images[planned.resource].image;
    const ImagePart range = planned.pieces.empty() ? range_of(graph, planned.resource) : planned.range;
    barrier.subresourceRange = {aspects_of(graph.resources[planned.resource].image->format), range.mip, range.mips,
                                range.layer, range.layers};
}

void Program::Impl::add_handover(const OwnershipTransfer& handover, const Scope& source, const Scope& destination) {
    const auto& families = graph.capabilities.queue_families;
    const std::uint32_t from = families[static_cast<std::size_t>(handover.from)];
    const std::uint32_t to = families[static_cast<std::size_t>(handover.to)];
    if (graph.resources[handover.resource].image) {
        add_image_barrier({handover.resource, source, destination, handover.old_layout, handover.new_layout});
        image_barriers.back().srcQueueFamilyIndex = from;
        image_barriers.back().dstQueueFamilyIndex = to;
        return;
    }
    const BufferView& view = resources.views[handover.resource];
    VkBufferMemoryBarrier2& barrier = buffer_barriers.emplace_back();
    barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
    put_between(barrier, source, destination);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    barrier.buffer = view.buffer;
    barrier.offset = view.offset;
    barrier.size = view.size;
}

/// Records `barriers` and the collected image and buffer barriers, and clears the collected ones.
void Program::Impl::record_barriers(VkCommandBuffer commands, const std::vector<VkMemoryBarrier2>& barriers) {
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = static_cast<std::uint32_t>(barriers.size());
    dependency.pMemoryBarriers = barriers.data();
    dependency.bufferMemoryBarrierCount = static_cast<std::uint32_t>(buffer_barriers.size());
    dependency.pBufferMemoryBarriers = buffer_barriers.data();
    dependency.imageMemoryBarrierCount = static_cast<std::uint32_t>(image_barriers.size());
    dependency.pImageMemoryBarriers = image_barriers.data();
    if (!barriers.empty() || !buffer_barriers.empty() || !image_barriers.empty()) {
        pipeline_barrier(device.vk(), commands, dependency);
    }
    buffer_barriers.clear();
    image_barriers.clear();
}

/// Records the barriers of imports that arrive with another access than declared.
void Program::Impl::record_arrivals(std::span<const VkCommandBuffer> commands) {
    const Queues queues(graph.capabilities, options.one_queue);
    for (std::uint32_t image = 0; image < arrivals.size(); ++image) {
        if (!arrivals[image].access || arrivals[image].recording != 0 || !plan.used[image]) {
            continue;
        }
        arrivals[image].recording = recorded;
        const auto first = std::find_if(plan.batches.begin(), plan.batches.end(), [&](const PlanBatch& batch) {
            return batch.queue == queues.on(graph.resources[image].queues.arrives);
        });
        if (first != plan.batches.end()) {
            add_image_barrier(arrival_barrier(graph, queues, image, *arrivals[image].access));
            record_barriers(commands[static_cast<std::size_t>(first - plan.batches.begin())], {});
        }
    }
}

Result<> Program::Impl::record(std::span<const VkCommandBuffer> commands, const Timestamps* times) {
    if (commands.size() != plan.batches.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    concat("record: ", commands.size(), " command buffers; the program requires ",
                                           plan.batches.size(), ", one per batch")});
    }
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
    if (recorded == 0 && resources.must_be_cleared()) {
        resources.clear(commands.front());
    }
    ++recorded;
    undoable = std::min<std::uint64_t>(undoable + 1, latest.size());
    record_arrivals(commands);
    // All barriers of the plan are recorded, also if passes are switched off. Each barrier orders everything before it.
    // A pass that waits for another pass waits, through barriers alone, for all that this pass waited for. These
    // barriers therefore follow each other without the pass, too.
    std::uint32_t slot = 0;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const PlanBatch& batch = plan.batches[i];
        const Timestamps* its_times = has_times(batch) ? times : nullptr;
        const bool can_compute = batch.queue != QueueKind::transfer;
        if (can_compute) {
            descriptors->begin(commands[i]);
        }
        const bool has_label = can_compute && !label.empty(); // transfer queues have no labels
        if (has_label) {
            device.begin_label(commands[i], label.c_str());
        }
        if (its_times != nullptr) {
            if (batch.queue == QueueKind::transfer) {
                times->reset(slot, timestamps_needed(batch));
            } else {
                times->reset(commands[i], slot, timestamps_needed(batch));
            }
            times->write(commands[i], slot++);
        }
        Result<> done;
        for (auto group = batch.groups.begin(); done && group != batch.groups.end(); ++group) {
            done = record_group(commands[i], plan.groups[*group], its_times, slot);
        }
        if (has_label) {
            device.end_label(commands[i]);
        }
        if (!done) { // a command pass threw: undoes the recording, so that histories stay as they were
            static_cast<void>(discard());
            return done;
        }
    }
    return {};
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
