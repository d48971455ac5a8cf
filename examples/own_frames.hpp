#pragma once

// Images and command buffers of an application with its own device.

#include "application.hpp"

/// An image with its memory. Its layout is the one of an access.
class OwnImage {
public:
    OwnImage(const Application& application, const weir::Context& gpu, VkFormat format, VkExtent2D size,
             VkImageUsageFlags usage, weir::Access access, VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT)
        : device_(application.device) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = format;
        info.extent = {size.width, size.height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = usage;
        require(vkCreateImage(device_, &info, nullptr, &image_), "creating an image");
        VkMemoryRequirements needs{};
        vkGetImageMemoryRequirements(device_, image_, &needs);
        VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        allocate.allocationSize = needs.size;
        while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0) {
            ++allocate.memoryTypeIndex;
        }
        require(vkAllocateMemory(device_, &allocate, nullptr, &memory_), "allocating memory");
        require(vkBindImageMemory(device_, image_, memory_, 0), "binding memory");
        VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view.image = image_;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = info.format;
        view.subresourceRange = {aspect, 0, 1, 0, 1};
        require(vkCreateImageView(device_, &view, nullptr, &view_), "creating a view");
        require(gpu.submit([&](VkCommandBuffer commands) {
            VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
            barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
            barrier.newLayout = weir::layout_of(access);
            barrier.image = image_;
            barrier.subresourceRange = view.subresourceRange;
            vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                                 nullptr, 0, nullptr, 1, &barrier);
            return weir::Result<>();
        }));
    }
    ~OwnImage() {
        vkDestroyImageView(device_, view_, nullptr);
        vkDestroyImage(device_, image_, nullptr);
        vkFreeMemory(device_, memory_, nullptr);
    }
    OwnImage(const OwnImage&) = delete;
    OwnImage& operator=(const OwnImage&) = delete;
    [[nodiscard]] weir::ImageView view() const { return {image_, view_}; }

private:
    VkDevice device_;
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
};

/// A command buffer and the fence of its submission.
class Frame {
public:
    explicit Frame(const Application& application) : application_(application) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = application.queue_family;
        require(vkCreateCommandPool(application.device, &pool, nullptr, &pool_), "creating a command pool");
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool_;
        allocate.commandBufferCount = 1;
        require(vkAllocateCommandBuffers(application.device, &allocate, &commands_), "allocating a command buffer");
        VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
        require(vkCreateFence(application.device, &fence, nullptr, &done_), "creating a fence");
    }
    ~Frame() {
        vkDestroyFence(application_.device, done_, nullptr);
        vkDestroyCommandPool(application_.device, pool_, nullptr);
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// Waits for the previous submission and begins the command buffer.
    VkCommandBuffer begin() {
        require(vkWaitForFences(application_.device, 1, &done_, VK_TRUE, UINT64_MAX), "waiting for a frame");
        require(vkResetFences(application_.device, 1, &done_), "resetting a fence");
        require(vkResetCommandPool(application_.device, pool_, 0), "resetting a command pool");
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        require(vkBeginCommandBuffer(commands_, &begin), "beginning a command buffer");
        return commands_;
    }
    /// Ends the command buffer and submits it.
    void submit() {
        require(vkEndCommandBuffer(commands_), "ending a command buffer");
        VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands_;
        require(vkQueueSubmit(application_.queue, 1, &submit, done_), "submitting a frame");
    }

private:
    const Application& application_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence done_ = VK_NULL_HANDLE;
};
