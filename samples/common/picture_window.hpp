#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/screen.hpp"
#include "common/swapchain.hpp"
#include "common/window.hpp"
#include "common/window_device.hpp"

namespace samples {

/// What draws the pictures of a window.
class PictureSource {
public:
    virtual ~PictureSource() = default;
    virtual void handle(const WindowEvent& event) = 0;
    /// The next pictures are drawn into this one, of another size. No frame is pending.
    virtual weir::Result<> resize(const Picture& picture) = 0;
    /// Records what draws a picture, in the layout of Access::fragment_shader_read before and after. The frame
    /// `frames_in_flight` before it is done.
    virtual weir::Result<> record(VkCommandBuffer commands, const Picture& picture) = 0;
    /// Records draws over the picture, which is on the image of the swapchain, a color attachment, by then.
    virtual weir::Result<> record_above(const SwapchainFrame& /*frame*/) { return {}; }
    /// A picture in the upper left corner; null: none. Always the same one.
    [[nodiscard]] virtual const Picture* overlay() const { return nullptr; }
    [[nodiscard]] virtual bool shows_overlay() const { return false; }
};

/// A window with a device of its own, which shows pictures of its size.
class PictureWindow {
public:
    struct Options {
        std::string title;
        VkExtent2D size{};
        std::string device; ///< as DeviceOptions has it
        std::uint32_t frames_in_flight = 3;
        bool encodes = false; ///< as Swapchain::create has it
        FeatureChoice choose; ///< as WindowDevice::create has it
    };
    /// Opens a window, which is not shown yet. Errors: those of Window::open, WindowDevice::create and
    /// Swapchain::create.
    static weir::Result<std::unique_ptr<PictureWindow>> open(const Options& options);
    /// Waits for all frames.
    ~PictureWindow();
    PictureWindow(const PictureWindow&) = delete;
    PictureWindow& operator=(const PictureWindow&) = delete;

    /// Shows pictures until the window is closed; at most so many, if that is not 0. Waits for all of them.
    weir::Result<> run(PictureSource& source, std::uint64_t most_frames);

    [[nodiscard]] const Window& window() const { return *window_; }
    [[nodiscard]] const WindowDevice& device() const { return *device_; }
    [[nodiscard]] const Swapchain& swapchain() const { return *swapchain_; }
    [[nodiscard]] const weir::Context& gpu() const { return device_->gpu(); }
    [[nodiscard]] std::uint64_t frames() const { return frames_; } ///< shown so far
    /// Milliseconds from picture to picture, of `run`.
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
    double ms_ = 0; ///< of all frames
};

} // namespace samples
