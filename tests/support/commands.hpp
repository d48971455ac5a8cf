#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <vulkan/vulkan_core.h>

#include "engine/base/volk.hpp"

namespace weir::tests {

/// A host application's command buffers and their submission.
class Commands {
public:
    Commands(const VolkDeviceTable& vk, VkDevice device, VkQueue queue, std::uint32_t family)
        : vk_(vk), device_(device), queue_(queue) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = family;
        check(vk_.vkCreateCommandPool(device_, &pool, nullptr, &pool_));
        VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        check(vk_.vkCreateFence(device_, &fence, nullptr, &fence_));
    }
    ~Commands() {
        vk_.vkDestroyFence(device_, fence_, nullptr);
        vk_.vkDestroyCommandPool(device_, pool_, nullptr);
    }
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    /// Returns a new command buffer in the recording state. It is freed with this object.
    VkCommandBuffer begin(VkCommandBufferUsageFlags flags = 0,
                          VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool_;
        allocate.level = level;
        allocate.commandBufferCount = 1;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        check(vk_.vkAllocateCommandBuffers(device_, &allocate, &commands));
        const VkCommandBufferInheritanceInfo outside{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
        VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        info.flags = flags;
        info.pInheritanceInfo = level == VK_COMMAND_BUFFER_LEVEL_SECONDARY ? &outside : nullptr;
        check(vk_.vkBeginCommandBuffer(commands, &info));
        return commands;
    }
    /// Returns a new secondary command buffer in the recording state, to be executed outside render passes.
    VkCommandBuffer begin_secondary(VkCommandBufferUsageFlags flags = 0) {
        return begin(flags, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    }
    void end(VkCommandBuffer commands) { check(vk_.vkEndCommandBuffer(commands)); }

    void submit(VkCommandBuffer commands, VkFence fence = VK_NULL_HANDLE,
                std::span<const VkSemaphoreSubmitInfo> waits = {},
                std::span<const VkSemaphoreSubmitInfo> signals = {}) {
        VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
        buffer.commandBuffer = commands;
        VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
        info.waitSemaphoreInfoCount = static_cast<std::uint32_t>(waits.size());
        info.pWaitSemaphoreInfos = waits.data();
        info.commandBufferInfoCount = 1;
        info.pCommandBufferInfos = &buffer;
        info.signalSemaphoreInfoCount = static_cast<std::uint32_t>(signals.size());
        info.pSignalSemaphoreInfos = signals.data();
        check(vk_.vkQueueSubmit2(queue_, 1, &info, fence));
    }
    /// Waits for everything that was submitted.
    void wait() {
        check(vk_.vkQueueSubmit2(queue_, 0, nullptr, fence_));
        check(vk_.vkWaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX));
        check(vk_.vkResetFences(device_, 1, &fence_));
    }

private:
    static void check(VkResult status) {
        if (status != VK_SUCCESS) {
            throw std::runtime_error("a Vulkan call of the host failed");
        }
    }

    const VolkDeviceTable& vk_;
    VkDevice device_;
    VkQueue queue_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
};

} // namespace weir::tests
