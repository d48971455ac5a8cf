// Vector graphics in the frame loop of a renderer with its own device and two frames in flight. Each frame draws a
// moving scene into an image of the application.

#include <array>

#include "application.hpp"

#include <weir/paths/frames.hpp>

namespace paths = weir::paths;

namespace {

constexpr std::uint32_t width = 320, height = 200, frames = 12, in_flight = 2;

/// An image that shaders can write. Its layout is the one in which it is copied.
class Picture {
public:
    Picture(const Application& application, const weir::Context& gpu) : device_(application.device) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        info.extent = {width, height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
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
        view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        require(vkCreateImageView(device_, &view, nullptr, &view_), "creating a view");
        require(gpu.submit([&](VkCommandBuffer commands) {
            VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
            barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
            barrier.newLayout = weir::layout_of(weir::Access::transfer_read);
            barrier.image = image_;
            barrier.subresourceRange = view.subresourceRange;
            vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                                 nullptr, 0, nullptr, 1, &barrier);
            return weir::Result<>();
        }));
    }
    ~Picture() {
        vkDestroyImageView(device_, view_, nullptr);
        vkDestroyImage(device_, image_, nullptr);
        vkFreeMemory(device_, memory_, nullptr);
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    [[nodiscard]] weir::ImageView view() const { return {image_, view_}; }

private:
    VkDevice device_;
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
};

struct Frame {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence done = VK_NULL_HANDLE;
};

Frame make_frame(const Application& application) {
    Frame frame;
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = application.queue_family;
    require(vkCreateCommandPool(application.device, &pool, nullptr, &frame.pool), "creating a command pool");
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = frame.pool;
    allocate.commandBufferCount = 1;
    require(vkAllocateCommandBuffers(application.device, &allocate, &frame.commands), "allocating a command buffer");
    VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    require(vkCreateFence(application.device, &fence, nullptr, &frame.done), "creating a fence");
    return frame;
}

/// Returns a wheel with `spokes` spokes.
paths::Scene wheel(int spokes) {
    paths::Scene scene;
    paths::Path path = paths::Path().add_ellipse({0, 0}, 40, 40);
    for (int i = 0; i < spokes; ++i) {
        const paths::Transform turn = paths::Transform::rotation(6.2831853F * static_cast<float>(i) / 40);
        path.move_to({0, 0}).line_to(turn({40, 0}));
    }
    scene.stroke(scene.add_outline(path), scene.add_paint({0.1F, 0.2F, 0.5F, 1}), {.width = 2});
    return scene;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const Picture picture(application, gpu);
        std::array<Frame, in_flight> slots;
        for (Frame& slot : slots) {
            slot = make_frame(application);
        }
        const auto view_of = [](std::uint32_t number) {
            const float zoom = 0.2F + 0.2F * static_cast<float>(number);
            return paths::View{.transform = paths::Transform{zoom, 0, 0, zoom, width / 2.0F, height / 2.0F},
                               .width = width,
                               .height = height,
                               .background = {1, 1, 1, 1}};
        };
        // [create]
        auto renderer = require(paths::FrameRenderer::create(gpu, wheel(40),
                                                             {.frames_in_flight = in_flight,
                                                              .arrives = weir::Access::transfer_read,
                                                              .leaves = weir::Access::transfer_read}));
        require(renderer.settle(view_of(0), picture.view())); // the first picture, complete
        // [/create]
        for (std::uint32_t number = 0; number < frames; ++number) {
            const Frame& frame = slots[number % in_flight];
            // [frame]
            require(vkWaitForFences(application.device, 1, &frame.done, VK_TRUE, UINT64_MAX), "waiting for a frame");
            require(vkResetFences(application.device, 1, &frame.done), "resetting a fence");
            require(vkResetCommandPool(application.device, frame.pool, 0), "resetting a command pool");
            VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            require(vkBeginCommandBuffer(frame.commands, &begin), "beginning a command buffer");
            require(renderer.record(frame.commands, view_of(number), picture.view()));
            // ... copy the picture to the screen
            require(vkEndCommandBuffer(frame.commands), "ending a command buffer");
            VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
            submit.commandBufferCount = 1;
            submit.pCommandBuffers = &frame.commands;
            require(vkQueueSubmit(application.queue, 1, &submit, frame.done), "submitting a frame");
            const paths::FrameReport& report = *renderer.report(); // about the frame `in_flight` frames ago
            if (!report.is_complete) {
                std::printf("frame %u kept the previous picture\n", static_cast<unsigned>(report.frame));
            }
            // [/frame]
        }
        require(vkDeviceWaitIdle(application.device), "waiting for all frames"); // before anything is destroyed
        require(renderer.report()->needed.strips > 0, "something was drawn");
        for (const Frame& slot : slots) {
            vkDestroyFence(application.device, slot.done, nullptr);
            vkDestroyCommandPool(application.device, slot.pool, nullptr);
        }
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
