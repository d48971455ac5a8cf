#include <algorithm>

#include <weir/engine/timestamps.hpp>

#include "engine/base/propagate.hpp"
#include "engine/submit/synchronization.hpp"
#include "graph/plan/import_barriers.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/recorder.hpp"

namespace weir {

namespace {

template <class Barrier>
void put_between(Barrier& barrier, const Scope& source, const Scope& destination) {
    barrier.srcStageMask = source.stages;
    barrier.srcAccessMask = source.access;
    barrier.dstStageMask = destination.stages;
    barrier.dstAccessMask = destination.access;
}

} // namespace

Program::Impl::Recorder::Recorder(const Impl& program) : program_(program) {
    push_.resize(program.max_push_words);
    sets_.resize(program.max_bound_sets);
    image_barriers_.reserve(program.max_image_barriers);
    buffer_barriers_.reserve(program.max_buffer_barriers);
}

CommandList::ImageTransition Program::Impl::transition_of(const ImageBarrier& planned) const {
    const ImagePart range = planned.pieces.empty() ? range_of(graph, planned.resource) : planned.range;
    return {
        root_of(graph, planned.resource),
        {aspects_of(graph.resources[planned.resource].image->format), range.mip, range.mips, range.layer, range.layers},
        planned.source,
        planned.destination,
        planned.old_layout,
        planned.new_layout};
}

void Program::Impl::Recorder::add_image_barrier(const ImageBarrier& planned) {
    const CommandList::ImageTransition transition = program_.transition_of(planned);
    VkImageMemoryBarrier2& barrier = image_barriers_.emplace_back();
    barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    put_between(barrier, transition.source, transition.destination);
    barrier.oldLayout = transition.old_layout;
    barrier.newLayout = transition.new_layout;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = program_.resources.images[transition.resource].image;
    barrier.subresourceRange = transition.range;
}

void Program::Impl::Recorder::add_handover(const OwnershipTransfer& handover, const Scope& source,
                                           const Scope& destination) {
    const auto& families = program_.graph.capabilities.queue_families;
    const std::uint32_t from = families[static_cast<std::size_t>(handover.from)];
    const std::uint32_t to = families[static_cast<std::size_t>(handover.to)];
    if (program_.graph.resources[handover.resource].image) {
        add_image_barrier({handover.resource, source, destination, handover.old_layout, handover.new_layout});
        image_barriers_.back().srcQueueFamilyIndex = from;
        image_barriers_.back().dstQueueFamilyIndex = to;
        return;
    }
    const BufferView& view = program_.resources.views[handover.resource];
    VkBufferMemoryBarrier2& barrier = buffer_barriers_.emplace_back();
    barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
    put_between(barrier, source, destination);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    barrier.buffer = view.buffer;
    barrier.offset = view.offset;
    barrier.size = view.size;
}

void Program::Impl::Recorder::record_barriers(VkCommandBuffer commands, const std::vector<VkMemoryBarrier2>& barriers) {
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = static_cast<std::uint32_t>(barriers.size());
    dependency.pMemoryBarriers = barriers.data();
    dependency.bufferMemoryBarrierCount = static_cast<std::uint32_t>(buffer_barriers_.size());
    dependency.pBufferMemoryBarriers = buffer_barriers_.data();
    dependency.imageMemoryBarrierCount = static_cast<std::uint32_t>(image_barriers_.size());
    dependency.pImageMemoryBarriers = image_barriers_.data();
    if (!barriers.empty() || !buffer_barriers_.empty() || !image_barriers_.empty()) {
        pipeline_barrier(program_.device.vk(), commands, dependency);
    }
    buffer_barriers_.clear();
    image_barriers_.clear();
}

void Program::Impl::Recorder::record_start(VkCommandBuffer commands, std::uint32_t batch) {
    if (batch == 0 && program_.recorded == 1 && program_.resources.must_be_cleared()) {
        program_.resources.clear(commands);
    }
    const GraphDescription& graph = program_.graph;
    const Queues queues(graph.capabilities, program_.options.one_queue);
    for (std::uint32_t image = 0; image < program_.arrivals.size(); ++image) {
        const Arrival& arrival = program_.arrivals[image];
        if (arrival.access && arrival.recording == program_.recorded && arrival.batch == batch) {
            add_image_barrier(arrival_barrier(graph, queues, image, *arrival.access));
            record_barriers(commands, {});
        }
    }
}

void Program::Impl::Recorder::record_acquisitions(VkCommandBuffer commands, const PlanGroup& group) {
    for (const ImageBarrier& change : group.image_barriers) {
        add_image_barrier(change);
    }
    for (const OwnershipTransfer& taken : group.acquired) { // a semaphore synchronizes the other side of a handover
        add_handover(taken, {taken.scope.stages, 0}, taken.scope);
    }
    record_barriers(commands, group.barriers);
}

void Program::Impl::Recorder::record_releases(VkCommandBuffer commands, const PlanGroup& group) {
    for (const OwnershipTransfer& given : group.released) {
        add_handover(given, given.scope, {});
    }
    record_barriers(commands, {});
}

Result<> Program::Impl::Recorder::record_group(VkCommandBuffer commands, const PlanGroup& group, std::size_t first,
                                               std::size_t last, const Timestamps* times, std::uint32_t& slot) {
    if (first == 0) {
        record_acquisitions(commands, group);
    }
    for (std::size_t i = first; i < last; ++i) {
        if (program_.is_on(group.passes[i])) {
            WEIR_PROPAGATE(record_pass(commands, group, group.passes[i]));
        }
        if (times != nullptr) {
            times->write(commands, slot++);
        }
    }
    if (last == group.passes.size() && !group.released.empty()) {
        record_releases(commands, group);
    }
    return {};
}

// All barriers of the plan are recorded, also if passes are switched off. Each barrier orders everything before it. A
// pass that waits for another pass waits, through barriers alone, for all that this pass waited for. These barriers
// therefore follow each other without the pass, too.
Result<> Program::Impl::Recorder::record(VkCommandBuffer commands, const RecordingPart& part, const Timestamps* times,
                                         std::uint32_t& slot) {
    const PlanBatch& batch = program_.plan.batches[part.batch];
    const bool can_compute = batch.queue != QueueKind::transfer;
    const bool has_label = can_compute && !program_.label.empty(); // transfer queues have no labels
    image_barriers_.clear();                                       // left by a recording that failed
    buffer_barriers_.clear();
    if (part.first_pass == 0) {
        record_start(commands, part.batch);
    }
    if (can_compute) {
        program_.descriptors->begin(commands, bound_);
    }
    if (has_label) {
        program_.device.begin_label(commands, program_.label.c_str());
    }
    if (times != nullptr) {
        const std::uint32_t needed = program_.timestamps_needed(batch);
        if (can_compute) {
            times->reset(commands, slot, needed);
        } else {
            times->reset(slot, needed); // no command of a transfer queue resets timestamps
        }
        times->write(commands, slot++);
    }
    // A group without passes comes before the pass at its position. After the last pass, it belongs to the last part.
    const std::size_t all = program_.passes_of(batch), begin = part.first_pass, end = begin + part.passes;
    std::size_t position = 0;
    Result<> done;
    for (const std::uint32_t index : batch.groups) {
        const PlanGroup& group = program_.plan.groups[index];
        const std::size_t count = group.passes.size(), after = position + count;
        const bool is_here =
            count == 0 ? position >= begin && (position < end || end == all) : after > begin && position < end;
        if (done && is_here) {
            const std::size_t first = std::max(position, begin) - position, last = std::min(after, end) - position;
            done = record_group(commands, group, count == 0 ? 0 : first, count == 0 ? 0 : last, times, slot);
        }
        position = after;
    }
    if (has_label) {
        program_.device.end_label(commands);
    }
    return done;
}

} // namespace weir
