#include "common/swapchain.hpp"

#include <algorithm>
#include <array>

#include "common/propagate.hpp"

namespace samples {

namespace {

/// Formats that encode linear values as sRGB on write.
constexpr std::array encoding_formats = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB,
                                         VK_FORMAT_A8B8G8R8_SRGB_PACK32};

bool is_encoding(VkFormat format) {
    return std::find(encoding_formats.begin(), encoding_formats.end(), format) != encoding_formats.end();
}

/// Records a layout change that waits only for earlier work in the color attachment stage.
void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
    const bool is_first = from == VK_IMAGE_LAYOUT_UNDEFINED;
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT; // the stage that waits for the semaphore
    barrier.srcAccessMask = is_first ? VK_ACCESS_2_NONE : VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.dstStageMask =
        is_first ? VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstAccessMask = is_first ? VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT : VK_ACCESS_2_NONE;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(commands, &dependency);
}

} // namespace

weir::Result<std::unique_ptr<Swapchain>> Swapchain::create(const Window& window, const WindowDevice& device,
                                                           std::uint32_t frames_in_flight, bool encodes) {
    std::unique_ptr<Swapchain> made(new Swapchain(window, device, encodes));
    auto done = made->choose_format().and_then([&] { return made->create_slots(frames_in_flight); });
    done = done.and_then([&] { return made->build(); });
    SAMPLES_PROPAGATE(done);
    return made;
}

Swapchain::~Swapchain() {
    wait_until_idle(device_.device());
    destroy_images();
    vkDestroySwapchainKHR(device_.device(), swapchain_, nullptr);
    for (const Slot& slot : slots_) {
        vkDestroyFence(device_.device(), slot.done, nullptr);
        vkDestroySemaphore(device_.device(), slot.acquired, nullptr);
        vkDestroyCommandPool(device_.device(), slot.pool, nullptr);
    }
}

bool Swapchain::encodes() const {
    return is_encoding(format_);
}

weir::Result<> Swapchain::create_slots(std::uint32_t frames_in_flight) {
    slots_.resize(frames_in_flight);
    for (Slot& slot : slots_) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = device_.family();
        auto done = checked(vkCreateCommandPool(device_.device(), &pool, nullptr, &slot.pool), "making a command pool");
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = slot.pool;
        allocate.commandBufferCount = 1;
        done = done.and_then([&] {
            return checked(vkAllocateCommandBuffers(device_.device(), &allocate, &slot.commands),
                           "making a command buffer");
        });
        const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        done = done.and_then([&] {
            return checked(vkCreateSemaphore(device_.device(), &semaphore, nullptr, &slot.acquired),
                           "making a semaphore");
        });
        VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
        done = done.and_then(
            [&] { return checked(vkCreateFence(device_.device(), &fence, nullptr, &slot.done), "making a fence"); });
        SAMPLES_PROPAGATE(done);
    }
    return {};
}

/// Prefers 8-bit formats in sRGB, then other formats in sRGB, then any format.
weir::Result<> Swapchain::choose_format() {
    const auto formats = listed<VkSurfaceFormatKHR>("listing the formats of a window", [&](auto* count, auto* out) {
        return vkGetPhysicalDeviceSurfaceFormatsKHR(device_.physical_device(), device_.surface(), count, out);
    });
    SAMPLES_PROPAGATE(formats);
    if (formats->empty()) {
        return tl::unexpected(weir::Error{weir::ErrorCode::unsupported, "the window's surface supports no format"});
    }
    const auto rank = [&](const VkSurfaceFormatKHR& format) {
        const bool is_plain = format.format == VK_FORMAT_B8G8R8A8_UNORM || format.format == VK_FORMAT_R8G8B8A8_UNORM;
        const bool has_8_bits = is_plain || is_encoding(format.format);
        return (format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR ? 4 : 0) + (has_8_bits ? 2 : 0) +
               (is_encoding(format.format) == wants_encoding_ ? 1 : 0);
    };
    const auto best = std::max_element(formats->begin(), formats->end(),
                                       [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    format_ = best->format;
    color_space_ = best->colorSpace;
    return {};
}

void Swapchain::destroy_images() {
    for (const Image& image : images_) {
        vkDestroyImageView(device_.device(), image.view, nullptr);
        vkDestroySemaphore(device_.device(), image.drawn, nullptr);
    }
    images_.clear();
}

/// Recreates the swapchain for the window's current size. If the window has no area, the swapchain stays out of date.
weir::Result<> Swapchain::build() {
    wait_until_idle(device_.device()); // images of the old swapchain may still be presented
    VkSurfaceCapabilitiesKHR can{};
    SAMPLES_PROPAGATE(
        checked(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical_device(), device_.surface(), &can),
                "querying the surface capabilities"));
    window_size_ = window_.size();
    const bool is_free = can.currentExtent.width == ~0U; // the swapchain determines the size
    const VkExtent2D extent = {
        is_free ? std::clamp(window_size_.width, can.minImageExtent.width, can.maxImageExtent.width)
                : can.currentExtent.width,
        is_free ? std::clamp(window_size_.height, can.minImageExtent.height, can.maxImageExtent.height)
                : can.currentExtent.height};
    is_out_of_date_ = true;
    if (extent.width == 0 || extent.height == 0) {
        return {};
    }
    const std::uint32_t most = can.maxImageCount == 0 ? ~0U : can.maxImageCount;
    const VkSwapchainKHR old = swapchain_;
    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = device_.surface();
    info.minImageCount = std::min(can.minImageCount + 1, most);
    info.imageFormat = format_;
    info.imageColorSpace = color_space_;
    info.imageExtent = extent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.preTransform = can.currentTransform;
    for (std::uint32_t bit = 1; info.compositeAlpha == 0; bit *= 2) { // opaque is the lowest bit
        info.compositeAlpha = static_cast<VkCompositeAlphaFlagBitsKHR>(can.supportedCompositeAlpha & bit);
    }
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR; // the display's rate
    info.clipped = VK_TRUE;
    info.oldSwapchain = old;
    const VkResult status = vkCreateSwapchainKHR(device_.device(), &info, nullptr, &swapchain_);
    destroy_images();
    vkDestroySwapchainKHR(device_.device(), old, nullptr);
    if (status != VK_SUCCESS) {
        swapchain_ = VK_NULL_HANDLE;
        return checked(status, "making a swapchain");
    }
    extent_ = extent;
    is_out_of_date_ = false;
    return create_images();
}

weir::Result<> Swapchain::create_images() {
    const auto images = listed<VkImage>("listing the images of a swapchain", [&](auto* count, auto* out) {
        return vkGetSwapchainImagesKHR(device_.device(), swapchain_, count, out);
    });
    SAMPLES_PROPAGATE(images);
    for (const VkImage image : *images) {
        Image& made = images_.emplace_back(Image{.image = image});
        VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view.image = image;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = format_;
        view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        auto done = checked(vkCreateImageView(device_.device(), &view, nullptr, &made.view), "making a view");
        const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        done = done.and_then([&] {
            return checked(vkCreateSemaphore(device_.device(), &semaphore, nullptr, &made.drawn), "making a semaphore");
        });
        SAMPLES_PROPAGATE(done);
    }
    return {};
}

weir::Result<std::optional<SwapchainFrame>> Swapchain::begin() {
    const Slot& slot = slots_[frame_ % slots_.size()];
    SAMPLES_PROPAGATE(checked(vkWaitForFences(device_.device(), 1, &slot.done, VK_TRUE, UINT64_MAX), "waiting"));
    const VkExtent2D size = window_.size();
    if (size.width != window_size_.width || size.height != window_size_.height) {
        is_out_of_date_ = true;
    }
    if (is_out_of_date_) {
        SAMPLES_PROPAGATE(build());
        if (is_out_of_date_) {
            return std::optional<SwapchainFrame>();
        }
    }
    const VkResult status =
        vkAcquireNextImageKHR(device_.device(), swapchain_, UINT64_MAX, slot.acquired, VK_NULL_HANDLE, &image_);
    if (status == VK_ERROR_OUT_OF_DATE_KHR) {
        is_out_of_date_ = true;
        return std::optional<SwapchainFrame>();
    }
    is_out_of_date_ = status == VK_SUBOPTIMAL_KHR; // present this frame, then recreate the swapchain
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    auto done = is_out_of_date_ ? weir::Result<>() : checked(status, "acquiring an image of the window");
    done = done.and_then(
        [&] { return checked(vkResetCommandPool(device_.device(), slot.pool, 0), "resetting a command pool"); });
    done = done.and_then([&] { return checked(vkBeginCommandBuffer(slot.commands, &info), "beginning a frame"); });
    SAMPLES_PROPAGATE(done);
    const Image& image = images_[image_];
    change_layout(slot.commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    return SwapchainFrame{slot.commands, image.image, image.view};
}

weir::Result<> Swapchain::end(const SwapchainFrame& frame) {
    const Slot& slot = slots_[frame_++ % slots_.size()];
    const Image& image = images_[image_];
    change_layout(frame.commands, frame.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                  VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    auto done = checked(vkEndCommandBuffer(frame.commands), "ending a frame");
    done = done.and_then([&] { return checked(vkResetFences(device_.device(), 1, &slot.done), "resetting a fence"); });
    SAMPLES_PROPAGATE(done);
    constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &slot.acquired;
    submit.pWaitDstStageMask = &stage;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &frame.commands;
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &image.drawn;
    if (done = checked(vkQueueSubmit(device_.queue(), 1, &submit, slot.done), "submitting a frame"); !done) {
        return done;
    }
    VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    present.waitSemaphoreCount = 1;
    present.pWaitSemaphores = &image.drawn;
    present.swapchainCount = 1;
    present.pSwapchains = &swapchain_;
    present.pImageIndices = &image_;
    const VkResult status = vkQueuePresentKHR(device_.queue(), &present);
    if (status == VK_ERROR_OUT_OF_DATE_KHR || status == VK_SUBOPTIMAL_KHR) {
        is_out_of_date_ = true;
        return {};
    }
    return checked(status, "presenting a frame");
}

} // namespace samples
