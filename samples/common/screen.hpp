#pragma once

#include <cstdint>
#include <memory>

#include <volk.h>
#include <weir/weir.hpp>

#include "common/swapchain.hpp"
#include "common/window_device.hpp"

namespace samples {

/// A storage image that compute shaders write and Screen shows, with its memory.
class Picture {
public:
    /// Creates the image in the layout of Access::fragment_shader_read, with undefined contents. Waits for the GPU.
    /// Errors: `out_of_memory`, `vulkan`, `device_lost`.
    static weir::Result<std::unique_ptr<Picture>> create(const WindowDevice& device, VkExtent2D size);
    ~Picture();
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;

    [[nodiscard]] weir::ImageView view() const { return {image_, view_}; }
    [[nodiscard]] VkExtent2D size() const { return size_; }

private:
    Picture(const WindowDevice& device, VkExtent2D size) : device_(device), size_(size) {}
    weir::Result<> allocate();
    weir::Result<> change_layout() const;

    const WindowDevice& device_;
    VkExtent2D size_;
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
};

/// Draws a picture and an overlay onto an image of a swapchain, in any format. One pass that draws one triangle.
class Screen {
public:
    static weir::Result<std::unique_ptr<Screen>> create(const WindowDevice& device, const Swapchain& swapchain);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// Sets the picture and the overlay to draw; `overlay` may be null. No frame may be pending.
    void show(const Picture& picture, const Picture* overlay);
    /// Records the drawing. The picture covers the swapchain's image. The overlay is `margin` pixels from the upper
    /// left corner.
    void record(const SwapchainFrame& frame, bool has_overlay, std::int32_t margin) const;

private:
    Screen(const WindowDevice& device, const Swapchain& swapchain) : device_(device), swapchain_(swapchain) {}
    weir::Result<> create_descriptors();
    weir::Result<> create_pipeline();

    const WindowDevice& device_;
    const Swapchain& swapchain_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkExtent2D overlay_{}; ///< pixels
};

} // namespace samples
