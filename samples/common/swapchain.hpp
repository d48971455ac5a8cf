#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <volk.h>
#include <weir/engine/error.hpp>

#include "common/window_device.hpp"

namespace samples {

/// A frame between `begin` and `end`.
struct SwapchainFrame {
    VkCommandBuffer commands = VK_NULL_HANDLE; ///< begun
    VkImage image = VK_NULL_HANDLE;            ///< a color attachment, without contents
    VkImageView view = VK_NULL_HANDLE;         ///< of the image
};

/// The images of a window, shown at the rate of the display, with several frames in flight.
class Swapchain {
public:
    /// `encodes`: colors are to be encoded by the swapchain where the surface has such a format, else better not.
    static weir::Result<std::unique_ptr<Swapchain>> create(const Window& window, const WindowDevice& device,
                                                           std::uint32_t frames_in_flight, bool encodes);
    /// Waits for all frames.
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    /// Begins a frame: waits for the frame `frames_in_flight` before it, and for an image. Makes the swapchain again,
    /// after all frames, where the window has another size. Empty where there is nothing to draw to, as for a window
    /// that is being minimised.
    weir::Result<std::optional<SwapchainFrame>> begin();
    /// Submits the frame and shows it.
    weir::Result<> end(const SwapchainFrame& frame);

    [[nodiscard]] VkExtent2D extent() const { return extent_; } ///< pixels
    [[nodiscard]] VkFormat format() const { return format_; }
    /// Whether what is written to an image is linear light, which is encoded then.
    [[nodiscard]] bool encodes() const;

private:
    /// What a frame has while it is pending.
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkSemaphore acquired = VK_NULL_HANDLE;
        VkFence done = VK_NULL_HANDLE;
    };
    struct Image {
        VkImage image = VK_NULL_HANDLE;
        VkImageView view = VK_NULL_HANDLE;
        VkSemaphore drawn = VK_NULL_HANDLE; ///< of the image: it may be used again once the image is acquired again
    };
    Swapchain(const Window& window, const WindowDevice& device, bool wants_encoding)
        : window_(window), device_(device), wants_encoding_(wants_encoding) {}
    weir::Result<> create_slots(std::uint32_t frames_in_flight);
    weir::Result<> choose_format();
    weir::Result<> build();
    weir::Result<> create_images();
    void destroy_images();

    const Window& window_;
    const WindowDevice& device_;
    bool wants_encoding_;
    std::vector<Slot> slots_;
    std::vector<Image> images_;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkFormat format_ = VK_FORMAT_UNDEFINED;
    VkColorSpaceKHR color_space_ = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    VkExtent2D extent_{};
    VkExtent2D window_size_{}; ///< for which it was made
    bool is_out_of_date_ = true;
    std::uint64_t frame_ = 0; ///< the next one
    std::uint32_t image_ = 0; ///< of the frame that has begun
};

} // namespace samples
