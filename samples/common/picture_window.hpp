#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/screen.hpp"
#include "common/swapchain.hpp"
#include "common/window.hpp"
#include "common/window_device.hpp"

namespace samples {

/// Draws the pictures that a window shows.
class PictureSource {
public:
    virtual ~PictureSource() = default;
    virtual void handle(const WindowEvent& event) = 0;
    /// Sets the picture for the next frames, which has a new size. No frame is pending.
    virtual weir::Result<> resize(const Picture& picture) = 0;
    /// Records the drawing of one frame. The picture is in the layout of Access::fragment_shader_read before and after.
    /// The frame `frames_in_flight` before this one is complete.
    virtual weir::Result<> record(VkCommandBuffer commands, const Picture& picture) = 0;
    /// Records draws on top of the picture. The swapchain's image is a color attachment that contains the picture.
    virtual weir::Result<> record_above(const SwapchainFrame& /*frame*/) { return {}; }
    /// Returns the picture shown in the upper left corner, or null. It must be the same one in every call.
    [[nodiscard]] virtual const Picture* overlay() const { return nullptr; }
    [[nodiscard]] virtual bool shows_overlay() const { return false; }
};

/// A window with its own device that shows pictures of the window's size.
class PictureWindow {
public:
    struct Options {
        std::string title;
        VkExtent2D size{};
        std::string device; ///< see DeviceOptions
        std::uint32_t frames_in_flight = 3;
        bool encodes = false; ///< see Swapchain::create
        FeatureChoice choose; ///< see WindowDevice::create
    };
    /// Opens a hidden window. Errors: those of Window::open, WindowDevice::create and Swapchain::create.
    static weir::Result<std::unique_ptr<PictureWindow>> open(const Options& options);
    /// Waits for all frames.
    ~PictureWindow();
    PictureWindow(const PictureWindow&) = delete;
    PictureWindow& operator=(const PictureWindow&) = delete;

    /// Shows pictures until the window is closed, or until `most_frames` have been shown if that is not 0. Waits for
    /// all frames.
    weir::Result<> run(PictureSource& source, std::uint64_t most_frames);

    [[nodiscard]] const Window& window() const { return *window_; }
    [[nodiscard]] const WindowDevice& device() const { return *device_; }
    [[nodiscard]] const Swapchain& swapchain() const { return *swapchain_; }
    [[nodiscard]] const weir::Context& gpu() const { return device_->gpu(); }
    [[nodiscard]] std::uint64_t frames() const { return frames_; } ///< shown so far
    /// Returns the mean time per frame in `run`, in milliseconds.
    [[nodiscard]] double frame_ms() const;

private:
    PictureWindow() = default;
    weir::Result<> resize(PictureSource& source);
    weir::Result<> draw_frame(PictureSource& source);

    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowDevice> device_;
    std::unique_ptr<Swapchain> swapchain_;
    std::unique_ptr<Screen> screen_;
    std::unique_ptr<Picture> picture_;
    std::uint64_t frames_ = 0;
    double ms_ = 0; ///< duration of `run`
};

} // namespace samples
