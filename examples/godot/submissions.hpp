#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <weir/weir.hpp>

/// Command buffers that are submitted to Godot's queue, one after the other, with at most two pending. The device must
/// be idle when they are destroyed.
class Submissions {
public:
    static constexpr std::uint32_t in_flight = 2; ///< maximum number of pending submissions

    Submissions(VkDevice device, VkQueue queue, std::uint32_t family) : device_(device), queue_(queue) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        pool.queueFamilyIndex = family;
        vkCreateCommandPool(device_, &pool, nullptr, &pool_);
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool_;
        allocate.commandBufferCount = in_flight;
        vkAllocateCommandBuffers(device_, &allocate, commands_.data());
        for (VkFence& fence : done_) {
            VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
            vkCreateFence(device_, &info, nullptr, &fence);
        }
    }
    ~Submissions() {
        for (const VkFence fence : done_) {
            vkDestroyFence(device_, fence, nullptr);
        }
        vkDestroyCommandPool(device_, pool_, nullptr);
    }
    Submissions(const Submissions&) = delete;
    Submissions& operator=(const Submissions&) = delete;

    /// Waits until the submission before the last one is complete, and submits what `record` records.
    template <class Record>
    weir::Result<> submit(const Record& record) {
        const std::size_t at = number_++ % in_flight;
        if (pending_[at]) {
            vkWaitForFences(device_, 1, &done_[at], VK_TRUE, UINT64_MAX);
            vkResetFences(device_, 1, &done_[at]);
            pending_[at] = false;
        }
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        vkBeginCommandBuffer(commands_[at], &begin);
        weir::Result<> recorded = record(commands_[at]);
        vkEndCommandBuffer(commands_[at]);
        if (recorded) {
            VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
            submit.commandBufferCount = 1;
            submit.pCommandBuffers = &commands_[at];
            if (const VkResult result = vkQueueSubmit(queue_, 1, &submit, done_[at]); result != VK_SUCCESS) {
                return tl::unexpected(
                    weir::Error{weir::ErrorCode::vulkan, "vkQueueSubmit of submission " + std::to_string(number_) +
                                                             " returned VkResult " + std::to_string(result)});
            }
            pending_[at] = true;
        }
        return recorded;
    }

private:
    VkDevice device_;
    VkQueue queue_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::array<VkCommandBuffer, in_flight> commands_{};
    std::array<VkFence, in_flight> done_{};
    std::array<bool, in_flight> pending_{};
    std::size_t number_ = 0;
};
