#include "engine/submissions.hpp"

#include "engine/vulkan_error.hpp"

namespace weir {

Submissions::~Submissions() {
    for (const Slot& slot : free_) {
        destroy(slot);
    }
}

Result<> Submissions::run(const std::function<Result<>(VkCommandBuffer)>& record) {
    if (queue_.get().handle == VK_NULL_HANDLE) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "nothing can be submitted: the device was adopted without a queue"});
    }
    const auto slot = acquire();
    if (!slot) {
        return tl::unexpected(slot.error());
    }
    auto result = run_in(*slot, record);
    release(*slot);
    return result;
}

Result<> Submissions::run_in(const Slot& slot, const std::function<Result<>(VkCommandBuffer)>& record) {
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (const VkResult status = vk_.vkBeginCommandBuffer(slot.commands, &begin); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "beginning a command buffer"));
    }
    if (auto recorded = record(slot.commands); !recorded) {
        return recorded;
    }
    if (const VkResult status = vk_.vkEndCommandBuffer(slot.commands); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "ending a command buffer"));
    }
    if (const VkResult status = submit(slot); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "submitting a command buffer"));
    }
    if (const VkResult status = vk_.vkWaitForFences(device_, 1, &slot.fence, VK_TRUE, UINT64_MAX);
        status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "waiting for submitted commands"));
    }
    return {};
}

VkResult Submissions::submit(const Slot& slot) {
    VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    commands.commandBuffer = slot.commands;
    VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    submit.commandBufferInfoCount = 1;
    submit.pCommandBufferInfos = &commands;
    return queue_.submit({&submit, 1}, slot.fence);
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
    VkResult status = vk_.vkCreateCommandPool(device_, &pool, nullptr, &slot.pool);
    if (status == VK_SUCCESS) {
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = slot.pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocate.commandBufferCount = 1;
        status = vk_.vkAllocateCommandBuffers(device_, &allocate, &slot.commands);
    }
    if (status == VK_SUCCESS) {
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        status = vk_.vkCreateFence(device_, &fence, nullptr, &slot.fence);
    }
    if (status != VK_SUCCESS) {
        destroy(slot);
        return tl::unexpected(vulkan_error(status, "creating a command buffer and its fence"));
    }
    return slot;
}

void Submissions::release(const Slot& slot) {
    // What cannot be reset (after a lost device, or out of memory) is not used again.
    if (vk_.vkResetCommandPool(device_, slot.pool, 0) != VK_SUCCESS ||
        vk_.vkResetFences(device_, 1, &slot.fence) != VK_SUCCESS) {
        destroy(slot);
        return;
    }
    const std::lock_guard lock(slots_mutex_);
    free_.push_back(slot);
}

void Submissions::destroy(const Slot& slot) {
    vk_.vkDestroyFence(device_, slot.fence, nullptr);
    vk_.vkDestroyCommandPool(device_, slot.pool, nullptr);
}

} // namespace weir
