#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <weir/weir.hpp>

#include "engine/device/device.hpp"
#include "tests/support/device.hpp"
#include "tests/support/own_image.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// An application with frames in flight. Before and after each frame, its picture is in the state of a copy source.
class FrameApplication {
public:
    FrameApplication(std::uint32_t in_flight, VkExtent2D size, const Context& gpu = test_context())
        : gpu_(gpu), vk_(ContextAccess::device(gpu_)->vk()), size_(size),
          image_(VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                 {VK_FORMAT_R8G8B8A8_UNORM, {size.width, size.height, 1}}, gpu_),
          slots_(in_flight) {
        for (Slot& slot : slots_) {
            VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
            pool.queueFamilyIndex = gpu_.queue_family();
            pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
            EXPECT_EQ(vk_.vkCreateCommandPool(gpu_.device(), &pool, nullptr, &slot.pool), VK_SUCCESS);
            VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
            allocate.commandPool = slot.pool;
            allocate.commandBufferCount = 1;
            EXPECT_EQ(vk_.vkAllocateCommandBuffers(gpu_.device(), &allocate, &slot.commands), VK_SUCCESS);
            VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
            fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
            EXPECT_EQ(vk_.vkCreateFence(gpu_.device(), &fence, nullptr, &slot.done), VK_SUCCESS);
        }
        ok(gpu_.submit([&](VkCommandBuffer commands) {
            VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
            barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
            barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
            barrier.image = picture().image;
            barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
            vk_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                                     nullptr, 0, nullptr, 1, &barrier);
            return Result<>();
        }));
    }
    ~FrameApplication() {
        wait();
        for (const Slot& slot : slots_) {
            vk_.vkDestroyFence(gpu_.device(), slot.done, nullptr);
            vk_.vkDestroyCommandPool(gpu_.device(), slot.pool, nullptr);
        }
    }
    FrameApplication(const FrameApplication&) = delete;
    FrameApplication& operator=(const FrameApplication&) = delete;

    [[nodiscard]] ImageView picture() const { return image_.view(); }
    [[nodiscard]] VkExtent2D size() const { return size_; }
    [[nodiscard]] std::uint32_t in_flight() const { return static_cast<std::uint32_t>(slots_.size()); }

    /// Submits a frame that `record` draws, and a copy of the picture. Waits only for the frame that used the same
    /// slot.
    void draw(const std::function<Result<>(VkCommandBuffer)>& record) {
        const Slot& slot = slots_[copies_.size() % slots_.size()];
        EXPECT_EQ(vk_.vkWaitForFences(gpu_.device(), 1, &slot.done, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        copies_.push_back(ok(gpu_.create_buffer(VkDeviceSize{4} * size_.width * size_.height)));
        const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        EXPECT_EQ(vk_.vkBeginCommandBuffer(slot.commands, &begin), VK_SUCCESS);
        ok(record(slot.commands));
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {size_.width, size_.height, 1};
        vk_.vkCmdCopyImageToBuffer(slot.commands, picture().image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                   copies_.back().handle(), 1, &region);
        EXPECT_EQ(vk_.vkEndCommandBuffer(slot.commands), VK_SUCCESS);
        VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &slot.commands;
        // Not earlier: if `record` failed, nothing would signal the fence.
        EXPECT_EQ(vk_.vkResetFences(gpu_.device(), 1, &slot.done), VK_SUCCESS);
        EXPECT_EQ(vk_.vkQueueSubmit(gpu_.queue(), 1, &submit, slot.done), VK_SUCCESS);
    }
    /// Waits for all frames and returns their pictures.
    std::vector<std::vector<std::uint32_t>> pictures() {
        wait();
        std::vector<std::vector<std::uint32_t>> pictures;
        for (const Buffer& copy : copies_) {
            pictures.push_back(ok(gpu_.download<std::uint32_t>(copy, std::size_t{size_.width} * size_.height)));
        }
        return pictures;
    }
    void wait() {
        for (const Slot& slot : slots_) {
            EXPECT_EQ(vk_.vkWaitForFences(gpu_.device(), 1, &slot.done, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        }
    }

private:
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence done = VK_NULL_HANDLE;
    };
    Context gpu_;
    const VolkDeviceTable& vk_;
    VkExtent2D size_;
    OwnImage image_;
    std::vector<Slot> slots_;
    std::vector<Buffer> copies_; ///< the picture after each frame
};

} // namespace weir::tests
