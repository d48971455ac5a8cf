#include "engine/submit/submissions.hpp"

#include <chrono>

#include "engine/base/device_handle.hpp"
#include "engine/base/host_callback.hpp"
#include "engine/base/propagate.hpp"
#include "engine/submit/waiting.hpp"

namespace weir {

Submissions::~Submissions() {
    for (const std::vector<Slot>* slots : {&free_, &lost_}) {
        for (const Slot& slot : *slots) {
            destroy(slot);
        }
    }
}

Result<> Submissions::run(const std::function<Result<>(VkCommandBuffer)>& record, bool* submitted) {
    if (queue_.get().handle == VK_NULL_HANDLE) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "nothing can be submitted: the device was adopted without a queue"});
    }
    const auto slot = acquire();
    WEIR_PROPAGATE(slot);
    auto result = submit(*slot, record);
    if (result) {
        if (submitted != nullptr) {
            *submitted = true;
        }
        result = wait(*slot);
    }
    release(*slot);
    return result;
}

Result<> Submissions::submit(const Slot& slot, const std::function<Result<>(VkCommandBuffer)>& record) {
    const auto& vk = device_.vk();
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (const VkResult status = vk.vkBeginCommandBuffer(slot.commands, &begin); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "beginning a command buffer"));
    }
    if (auto recorded =
            call_host([&] { return record(slot.commands); }, [] { return "the function that records commands"; });
        !recorded) {
        return recorded;
    }
    if (const VkResult status = vk.vkEndCommandBuffer(slot.commands); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "ending a command buffer"));
    }
    VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    commands.commandBuffer = slot.commands;
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    if (const VkResult status = queue_.submit({&info, 1}, slot.fence); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "submitting a command buffer"));
    }
    return {};
}

Result<> Submissions::wait(const Slot& slot) {
    const auto& vk = device_.vk();
    const auto ask = [&] { return vk.vkGetFenceStatus(device_.handle(), slot.fence); };
    const VkResult status = wait_or_ask(
        [&](std::uint64_t timeout) {
            // Short work is complete before the system would have put this thread to sleep and woken it up.
            constexpr std::chrono::microseconds wide_awake{100};
            const auto until = std::chrono::steady_clock::now() + wide_awake;
            VkResult seen = VK_NOT_READY;
            while (seen == VK_NOT_READY && std::chrono::steady_clock::now() < until) {
                seen = ask();
            }
            return seen == VK_SUCCESS ? seen : vk.vkWaitForFences(device_.handle(), 1, &slot.fence, VK_TRUE, timeout);
        },
        ask);
    return device_.waited(status, [] { return "waiting for submitted commands"; });
}

Result<Submissions::Slot> Submissions::acquire() {
    {
        const std::lock_guard lock(slots_mutex_);
        if (!free_.empty()) {
            const Slot slot = free_.back();
            free_.pop_back();
            return slot;
        }
    }
    Slot slot;
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool.queueFamilyIndex = queue_.get().family;
    const auto& vk = device_.vk();
    VkResult status = vk.vkCreateCommandPool(device_.handle(), &pool, device_.callbacks(), &slot.pool);
    if (status == VK_SUCCESS) {
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = slot.pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocate.commandBufferCount = 1;
        status = vk.vkAllocateCommandBuffers(device_.handle(), &allocate, &slot.commands);
    }
    if (status == VK_SUCCESS) {
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        status = vk.vkCreateFence(device_.handle(), &fence, device_.callbacks(), &slot.fence);
    }
    if (status != VK_SUCCESS) {
        destroy(slot);
        return tl::unexpected(vulkan_error(status, "creating a command buffer and its fence"));
    }
    device_.set_name(VK_OBJECT_TYPE_COMMAND_POOL, reinterpret_cast<std::uint64_t>(slot.pool), "submission");
    device_.set_name(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<std::uint64_t>(slot.commands), "submission");
    device_.set_name(VK_OBJECT_TYPE_FENCE, reinterpret_cast<std::uint64_t>(slot.fence), "submission");
    return slot;
}

void Submissions::release(const Slot& slot) {
    if (device_.is_abandoned()) { // the GPU may still use it
        const std::lock_guard lock(slots_mutex_);
        lost_.push_back(slot);
        return;
    }
    // A slot that cannot be reset (after a lost device, or out of memory) is not used again.
    const auto& vk = device_.vk();
    if (vk.vkResetCommandPool(device_.handle(), slot.pool, 0) != VK_SUCCESS ||
        vk.vkResetFences(device_.handle(), 1, &slot.fence) != VK_SUCCESS) {
        destroy(slot);
        return;
    }
    const std::lock_guard lock(slots_mutex_);
    free_.push_back(slot);
}

void Submissions::destroy(const Slot& slot) {
    device_.vk().vkDestroyFence(device_.handle(), slot.fence, device_.callbacks());
    device_.vk().vkDestroyCommandPool(device_.handle(), slot.pool, device_.callbacks());
}

} // namespace weir
