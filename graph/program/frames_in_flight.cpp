#include "graph/program/frames_in_flight.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/base/vulkan_error.hpp"
#include "engine/device/device.hpp"

namespace weir {

namespace {

std::size_t index(QueueKind queue) {
    return static_cast<std::size_t>(queue);
}

VkSemaphoreSubmitInfo semaphore(const Timeline& timeline, std::uint64_t value) {
    VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    info.semaphore = timeline.handle();
    info.value = value;
    info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return info;
}

} // namespace

Result<std::unique_ptr<FramesInFlight>> FramesInFlight::create(std::shared_ptr<Device> device, const Plan& plan,
                                                               std::uint32_t frames, bool clears, std::string name) {
    std::unique_ptr<FramesInFlight> made(new FramesInFlight(std::move(device)));
    made->name_ = std::move(name);
    made->clears_ = clears;
    made->splits_waits_ = plan.batches.size() > 1 && made->device_->capabilities().kind == DeviceKind::cpu;
    for (const PlanBatch& planned : plan.batches) {
        Batch& batch = made->batches_.emplace_back();
        batch.queue = planned.queue;
        batch.value = made->values_[index(planned.queue)] += made->splits_waits_ ? 2 : 1;
        batch.planned = planned.waits;
        batch.waits.reserve(planned.waits.size() + (clears ? 1 : 0));
        batch.commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
        if (auto& timeline = made->timelines_[index(planned.queue)]; timeline == nullptr) {
            auto created =
                Timeline::create(made->device_, named(made->name_, concat(to_string(planned.queue), " batches")));
            WEIR_PROPAGATE(created);
            timeline = std::move(*created);
        }
    }
    made->next_.resize(made->batches_.size());
    made->frames_.resize(std::max(1U, frames));
    return made;
}

FramesInFlight::~FramesInFlight() {
    device_->wait_in_destructor([&](std::chrono::nanoseconds timeout) { // a lost device has no pending work
        return wait_for(accepted_, timeout);
    });
    for (Frame& frame : frames_) {
        destroy(frame);
    }
}

std::uint64_t FramesInFlight::value(std::uint32_t batch, std::uint64_t execution) const {
    return (execution - 1) * values_[index(batches_[batch].queue)] + batches_[batch].value;
}

Result<std::span<const BatchSubmission>> FramesInFlight::next() {
    if (failure_) {
        return tl::unexpected(*failure_);
    }
    ++count_;
    for (std::uint32_t i = 0; i < batches_.size(); ++i) {
        Batch& batch = batches_[i];
        batch.waits.clear();
        for (const PlanBatch::Wait& wait : batch.planned) {
            if (wait.executions_ago < count_) { // otherwise no such execution exists
                batch.waits.push_back(semaphore(*timelines_[index(batches_[wait.batch].queue)],
                                                value(wait.batch, count_ - wait.executions_ago)));
            }
        }
        if (clears_ && count_ == 1 && batch.queue != batches_.front().queue) {
            batch.waits.push_back(semaphore(*timelines_[index(batches_.front().queue)], value(0, 1)));
        }
        batch.own_waits = batch.waits.size();
        batch.signaled.clear();
        batch.signaled.push_back(semaphore(*timelines_[index(batch.queue)], value(i, count_)));
        next_[i] = {batch.queue, batch.waits, batch.signaled};
    }
    return next_;
}

Result<> FramesInFlight::wait_for(std::uint64_t executions) const {
    std::array<std::uint64_t, queue_kinds> values{};
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        values[queue] = executions * values_[queue];
    }
    return wait_for(values);
}

Result<> FramesInFlight::wait_for(const std::array<std::uint64_t, queue_kinds>& values,
                                  std::chrono::nanoseconds timeout) const {
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        if (timelines_[queue] != nullptr) {
            WEIR_PROPAGATE(timelines_[queue]->wait(values[queue], timeout));
        }
    }
    return {};
}

void FramesInFlight::add_pending(std::vector<TimelinePoint>& points) const {
    for (std::size_t queue = 0; queue < queue_kinds; ++queue) {
        if (timelines_[queue] != nullptr && accepted_[queue] != 0) {
            points.push_back({timelines_[queue]->handle(), accepted_[queue]});
        }
    }
}

Result<> FramesInFlight::wait() const {
    if (!failure_) {
        return wait_for(count_);
    }
    return wait_for(accepted_).and_then([&]() -> Result<> { return tl::unexpected(*failure_); });
}

void FramesInFlight::set_name(VkObjectType type, std::uint64_t object, QueueKind queue) const {
    if (device_->has_names()) {
        device_->set_name(type, object, named(name_, concat(to_string(queue), " commands")));
    }
}

VkResult FramesInFlight::make_pools(Frame& frame) {
    for (const Batch& batch : batches_) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
        pool.queueFamilyIndex = device_->queue(batch.queue).family;
        const VkResult status = device_->vk().vkCreateCommandPool(device_->handle(), &pool, device_->callbacks(),
                                                                  &frame.pools.emplace_back());
        if (status != VK_SUCCESS) {
            destroy(frame);
            return status;
        }
        set_name(VK_OBJECT_TYPE_COMMAND_POOL, reinterpret_cast<std::uint64_t>(frame.pools.back()), batch.queue);
    }
    return VK_SUCCESS;
}

VkResult FramesInFlight::make_commands(Frame& frame) {
    std::vector<VkCommandBuffer> made;
    for (const VkCommandPool pool : frame.pools) {
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocate.commandBufferCount = 1;
        const VkResult status =
            device_->vk().vkAllocateCommandBuffers(device_->handle(), &allocate, &made.emplace_back());
        if (status != VK_SUCCESS) {
            return status; // the pools free those that were created
        }
        set_name(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<std::uint64_t>(made.back()),
                 batches_[made.size() - 1].queue);
    }
    frame.commands.push_back(std::move(made));
    return VK_SUCCESS;
}

void FramesInFlight::destroy(Frame& frame) {
    for (const VkCommandPool pool : frame.pools) {
        device_->vk().vkDestroyCommandPool(device_->handle(), pool, device_->callbacks());
    }
    frame = {};
}

Result<> FramesInFlight::begin_frame(Frame& frame) {
    VkResult status = frame.pools.empty() ? make_pools(frame) : VK_SUCCESS;
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating the command pools of a program"));
    }
    WEIR_PROPAGATE(wait_for(frame.execution));
    for (const VkCommandPool pool : frame.pools) {
        status = status == VK_SUCCESS ? device_->vk().vkResetCommandPool(device_->handle(), pool, 0) : status;
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "resetting the command pools of a program"));
    }
    frame.used = 0;
    return {};
}

Result<std::span<const VkCommandBuffer>> FramesInFlight::begin(std::optional<std::uint64_t> number) {
    if (failure_) {
        return tl::unexpected(*failure_);
    }
    for (const Batch& batch : batches_) {
        if (device_->queue(batch.queue).handle == VK_NULL_HANDLE) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, concat("nothing can be submitted: the device was adopted without a ",
                                                          to_string(batch.queue), " queue")});
        }
    }
    if (!number || frames_[frame_].number != number) {
        frame_ = (frame_ + 1) % frames_.size();
        frames_[frame_].number.reset(); // until it has begun
        WEIR_PROPAGATE(begin_frame(frames_[frame_]));
        frames_[frame_].number = number;
    }
    Frame& frame = frames_[frame_];
    if (frame.used == frame.commands.size()) {
        if (const VkResult status = make_commands(frame); status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "creating the command buffers of a program"));
        }
    }
    for (const VkCommandBuffer commands : frame.commands[frame.used++]) {
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        if (const VkResult status = device_->vk().vkBeginCommandBuffer(commands, &begin); status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "beginning the command buffers of a program"));
        }
    }
    return frame.commands[frame.used - 1];
}

/// If `splits_waits_`, waits for other batches in a submission of its own, which signals that they are complete. Mesa
/// does not merge a submission that signals with the next one.
VkResult FramesInFlight::submit(const Batch& batch, VkFence fence) {
    const bool splits = splits_waits_ && batch.own_waits != 0;
    std::array<VkSubmitInfo2, 2> submits{};
    VkSubmitInfo2& first = submits.front();
    VkSubmitInfo2& last = splits ? submits.back() : first;
    first.sType = last.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    first.waitSemaphoreInfoCount = static_cast<std::uint32_t>(batch.waits.size());
    first.pWaitSemaphoreInfos = batch.waits.data();
    VkSemaphoreSubmitInfo waited = batch.signaled.front();
    --waited.value; // no other submission signals it
    if (splits) {
        first.waitSemaphoreInfoCount = static_cast<std::uint32_t>(batch.own_waits);
        first.signalSemaphoreInfoCount = 1;
        first.pSignalSemaphoreInfos = &waited;
        last.waitSemaphoreInfoCount = static_cast<std::uint32_t>(batch.waits.size() - batch.own_waits);
        last.pWaitSemaphoreInfos = batch.waits.data() + batch.own_waits;
    }
    last.commandBufferInfoCount = 1;
    last.pCommandBufferInfos = &batch.commands;
    last.signalSemaphoreInfoCount = static_cast<std::uint32_t>(batch.signaled.size());
    last.pSignalSemaphoreInfos = batch.signaled.data();
    return device_->submit(batch.queue, std::span(submits).first(splits ? 2 : 1), fence);
}

Result<> FramesInFlight::submit(const SubmitOptions& options) {
    Frame& frame = frames_[frame_];
    const std::vector<VkCommandBuffer>& ended = frame.commands[frame.used - 1];
    for (const VkCommandBuffer commands : ended) {
        if (const VkResult status = device_->vk().vkEndCommandBuffer(commands); status != VK_SUCCESS) {
            return tl::unexpected(vulkan_error(status, "ending the command buffers of a program"));
        }
    }
    WEIR_PROPAGATE(next());
    const auto is_main = [](const Batch& batch) { return batch.queue == QueueKind::main; };
    const auto first = std::find_if(batches_.begin(), batches_.end(), is_main);
    first->waits.insert(first->waits.end(), options.waits.begin(), options.waits.end());
    const auto last = std::find_if(batches_.rbegin(), batches_.rend(), is_main);
    last->signaled.insert(last->signaled.end(), options.signaled.begin(), options.signaled.end());
    const std::uint64_t before = std::exchange(frame.execution, count_);
    // Submits in the order of the plan. If two kinds are one queue, no batch then waits for a later one. Layers that
    // track ownership see each release before its acquisition.
    for (std::size_t i = 0; i < batches_.size(); ++i) {
        Batch& batch = batches_[i];
        batch.commands.commandBuffer = ended[i];
        const VkFence fence = &batch == &*last ? options.fence : VK_NULL_HANDLE;
        if (const VkResult status = submit(batch, fence); status != VK_SUCCESS) {
            Error error = vulkan_error(
                status, concat("submitting batch ", i, " of a program to the ", to_string(batch.queue), " queue"));
            if (i == 0) {
                take_back(1);
                frame.execution = before;
            } else {
                failure_ = error;
            }
            return tl::unexpected(std::move(error));
        }
        accepted_[index(batch.queue)] = batch.signaled.front().value;
    }
    return {};
}

} // namespace weir
