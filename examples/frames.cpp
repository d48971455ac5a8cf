// Vector graphics in the frame loop of a renderer with its own device and two frames in flight. Each frame draws a
// moving scene, filled with an image of the application, into another one.

#include <array>

#include "application.hpp"

#include <weir/paths/frames.hpp>

namespace paths = weir::paths;

namespace {

constexpr std::uint32_t width = 320, height = 200, frames = 12, in_flight = 2;
constexpr std::uint32_t video_width = 64, video_height = 36;

/// An image in the layout of an access.
class Picture {
public:
    Picture(const Application& application, const weir::Context& gpu, VkExtent2D size, VkImageUsageFlags usage,
            weir::Access access)
        : device_(application.device) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
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
        view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        require(vkCreateImageView(device_, &view, nullptr, &view_), "creating a view");
        require(gpu.submit([&](VkCommandBuffer commands) {
            VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
            barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
            barrier.newLayout = weir::layout_of(access);
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

/// Returns a wheel with `spokes` spokes, filled with an image.
paths::Scene wheel(int spokes) {
    paths::Scene scene;
    paths::Path path = paths::Path().add_ellipse({0, 0}, 40, 40);
    // [image]
    const auto video = scene.add_external_image({.width = video_width, .height = video_height, .is_opaque = true});
    scene.fill(scene.add_outline(path), scene.add_paint({.bitmap = video, .filter = paths::Filter::cubic}));
    // [/image]
    for (int i = 0; i < spokes; ++i) {
        const paths::Transform turn = paths::Transform::rotation(6.2831853F * static_cast<float>(i) / 40);
        path.move_to({0, 0}).line_to(turn({40, 0}));
    }
    scene.stroke(scene.add_outline(path), scene.add_paint({0.1F, 0.2F, 0.5F, 1}), {.width = 2});
    return scene;
}

/// Stands for a decoder: fills an image with a color.
void decode(VkCommandBuffer commands, std::uint32_t number, VkImage image) {
    const VkClearColorValue color = {{0.5F, static_cast<float>(number) / frames, 0.2F, 1}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(commands, image, weir::layout_of(weir::Access::transfer_write), &color, 1, &all);
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const Picture picture(application, gpu, {width, height},
                              VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              weir::Access::transfer_read);
        const Picture video(application, gpu, {video_width, video_height},
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, weir::Access::transfer_write);
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
        const std::array images = {paths::BoundExternal{video.view(), weir::Access::transfer_write}};
        require(renderer.settle(view_of(0), picture.view(), images)); // the first picture, complete
        // [/create]
        for (std::uint32_t number = 0; number < frames; ++number) {
            const Frame& frame = slots[number % in_flight];
            // [frame]
            require(vkWaitForFences(application.device, 1, &frame.done, VK_TRUE, UINT64_MAX), "waiting for a frame");
            require(vkResetFences(application.device, 1, &frame.done), "resetting a fence");
            require(vkResetCommandPool(application.device, frame.pool, 0), "resetting a command pool");
            VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            require(vkBeginCommandBuffer(frame.commands, &begin), "beginning a command buffer");
            decode(frame.commands, number, video.view().image); // writes the next frame of a video into an image
            require(renderer.record(frame.commands, view_of(number), picture.view(), images));
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
