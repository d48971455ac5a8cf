#pragma once

#include <cstdint>
#include <memory>

#include <volk.h>
#include <weir/weir.hpp>

#include "common/swapchain.hpp"
#include "common/window_device.hpp"

namespace samples {

/// An image that compute shaders write and the screen shows, with its memory.
class Picture {
public:
    /// In the layout of Access::fragment_shader_read, without contents. Waits. Errors: `out_of_memory` and others.
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

/// Puts a picture and an overlay onto an image of a swapchain of any format: a pass that draws one triangle.
class Screen {
public:
    static weir::Result<std::unique_ptr<Screen>> create(const WindowDevice& device, const Swapchain& swapchain);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// What is drawn; the overlay may be null. No frame may be pending.
    void show(const Picture& picture, const Picture* overlay);
    /// Records it: the picture as large as the swapchain, the overlay `margin` pixels from the upper left corner.
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
