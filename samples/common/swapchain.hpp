#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <volk.h>
#include <weir/engine/error.hpp>

#include "common/window_device.hpp"

namespace samples {

/// A frame that is being recorded, between `begin` and `end`.
struct SwapchainFrame {
    VkCommandBuffer commands = VK_NULL_HANDLE; ///< in the recording state
    VkImage image = VK_NULL_HANDLE;            ///< color attachment, undefined contents
    VkImageView view = VK_NULL_HANDLE;         ///< view of the image
};

/// A window's swapchain, presented at the display's rate, with several frames in flight.
class Swapchain {
public:
    /// `encodes`: prefer a format that encodes colors as sRGB on write. If false, prefer one that does not.
    static weir::Result<std::unique_ptr<Swapchain>> create(const Window& window, const WindowDevice& device,
                                                           std::uint32_t frames_in_flight, bool encodes);
    /// Waits for all frames.
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    /// Begins a frame: waits for the frame `frames_in_flight` before it and for an image. If the window's size has
    /// changed, waits for all frames and recreates the swapchain. Returns an empty optional if there is nothing to draw
    /// to, for instance while the window is being minimised.
    weir::Result<std::optional<SwapchainFrame>> begin();
    /// Submits the frame and presents it.
    weir::Result<> end(const SwapchainFrame& frame);

    [[nodiscard]] VkExtent2D extent() const { return extent_; } ///< pixels
    [[nodiscard]] VkFormat format() const { return format_; }
    /// Returns true if the format encodes on write: values written to an image must be linear.
    [[nodiscard]] bool encodes() const;

private:
    /// Objects of a frame in flight.
    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkSemaphore acquired = VK_NULL_HANDLE;
        VkFence done = VK_NULL_HANDLE;
    };
    struct Image {
        VkImage image = VK_NULL_HANDLE;
        VkImageView view = VK_NULL_HANDLE;
        VkSemaphore drawn = VK_NULL_HANDLE; ///< may be reused after the image has been acquired again
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
    VkExtent2D window_size_{}; ///< window size of the current swapchain
    bool is_out_of_date_ = true;
    std::uint64_t frame_ = 0; ///< number of the next frame
    std::uint32_t image_ = 0; ///< image index of the current frame
};

} // namespace samples
