#include "common/picture_window.hpp"

#include <algorithm>

#include "common/propagate.hpp"
#include "common/stopwatch.hpp"

namespace samples {

using weir::Result;

Result<std::unique_ptr<PictureWindow>> PictureWindow::open(const Options& options) {
    std::unique_ptr<PictureWindow> made(new PictureWindow);
    const auto done =
        Window::open(options.title, options.size)
            .and_then([&](std::unique_ptr<Window> window) {
                made->window_ = std::move(window);
                return WindowDevice::create(*made->window_, options.device, options.choose);
            })
            .and_then([&](std::unique_ptr<WindowDevice> device) {
                made->device_ = std::move(device);
                return Swapchain::create(*made->window_, *made->device_, options.frames_in_flight, options.encodes);
            })
            .and_then([&](std::unique_ptr<Swapchain> swapchain) {
                made->swapchain_ = std::move(swapchain);
                return Screen::create(*made->device_, *made->swapchain_);
            })
            .map([&](std::unique_ptr<Screen> screen) { made->screen_ = std::move(screen); });
    SAMPLES_PROPAGATE(done);
    return made;
}

PictureWindow::~PictureWindow() {
    if (device_) {
        wait_until_idle(device_->device());
    }
}

double PictureWindow::frame_ms() const {
    return ms_ / static_cast<double>(std::max<std::uint64_t>(1, frames_));
}

/// Creates the picture in the size of the swapchain.
Result<> PictureWindow::resize(PictureSource& source) {
    wait_until_idle(device_->device());
    picture_.reset();
    auto picture = Picture::create(*device_, swapchain_->extent());
    SAMPLES_PROPAGATE(picture);
    picture_ = std::move(*picture);
    screen_->show(*picture_, source.overlay());
    return source.resize(*picture_);
}

Result<> PictureWindow::draw_frame(PictureSource& source) {
    constexpr std::int32_t overlay_margin = 8; // pixels
    const auto frame = swapchain_->begin();
    SAMPLES_PROPAGATE(frame);
    if (!*frame) {
        return {};
    }
    const VkExtent2D size = swapchain_->extent();
    if (!picture_ || picture_->size().width != size.width || picture_->size().height != size.height) {
        SAMPLES_PROPAGATE(resize(source));
    }
    auto done = source.record((*frame)->commands, *picture_).and_then([&] {
        screen_->record(**frame, source.shows_overlay(), overlay_margin);
        return source.record_above(**frame);
    });
    if (done) {
        ++frames_;
        done = swapchain_->end(**frame);
    }
    return done;
}

Result<> PictureWindow::run(PictureSource& source, std::uint64_t most_frames) {
    window_->show();
    const Stopwatch watch;
    Result<> done;
    while (done && (most_frames == 0 || frames_ < most_frames)) {
        for (const WindowEvent& event : window_->take_events()) {
            source.handle(event);
        }
        if (window_->is_closed()) {
            break;
        }
        done = draw_frame(source);
    }
    ms_ = watch.ms();
    wait_until_idle(device_->device());
    return done;
}

} // namespace samples
