#include "culling/window.hpp"

#include <cstdio>
#include <memory>

#include "common/picture_window.hpp"
#include "common/propagate.hpp"
#include "common/stopwatch.hpp"
#include "common/timing.hpp"
#include "culling/device.hpp"
#include "culling/frames.hpp"
#include "culling/panel.hpp"

namespace samples::culling {

namespace {

using weir::Result;

/// Viewer of the city in a window.
class Viewer final : public PictureSource {
public:
    static Result<std::unique_ptr<Viewer>> create(const Options& options);

    Result<> run(std::uint64_t most_frames) { return window_->run(*this, most_frames); }
    void print() const;

    void handle(const WindowEvent& event) override;
    Result<> resize(const Picture& picture) override;
    Result<> record(VkCommandBuffer commands, const Picture& picture) override;
    Result<> record_above(const SwapchainFrame& frame) override;

private:
    Viewer(std::unique_ptr<PictureWindow> window, std::unique_ptr<Panel> panel, DrawFeatures features,
           const Options& options)
        : window_(std::move(window)), panel_(std::move(panel)),
          features_(features), controls_{.flight = Flight(options.first_frame, options.still),
                                         .switches = options.switches} {}

    std::unique_ptr<PictureWindow> window_;
    std::unique_ptr<Panel> panel_; ///< null if not available
    DrawFeatures features_;
    std::uint32_t instances_ = 0;
    std::unique_ptr<Frames> frames_; ///< null until the window's size is known
    Controls controls_;
    bool has_panel_ = true; ///< false while hidden
    FrameTimer timer_;
    Stopwatch since_last_frame_;
};

Result<std::unique_ptr<Viewer>> Viewer::create(const Options& options) {
    DrawFeatures features;
    auto window = PictureWindow::open(
        {.title = "culling",
         .size = {options.width != 0 ? options.width : 1280, options.height != 0 ? options.height : 720},
         .device = options.device,
         .frames_in_flight = Frames::in_flight,
         .choose = [&](const DeviceFeatures& can, DeviceFeatures& enabled) {
             return enable_draws(can, enabled).map([&](DrawFeatures draws) { features = draws; });
         }});
    SAMPLES_PROPAGATE(window);
    auto panel = Panel::create(**window, Frames::in_flight);
    SAMPLES_PROPAGATE(panel);
    const bool is_cpu = (*window)->gpu().capabilities().kind == weir::DeviceKind::cpu;
    std::unique_ptr<Viewer> made(new Viewer(std::move(*window), std::move(*panel), features, options));
    made->instances_ = instances_of(options, is_cpu);
    return made;
}

void Viewer::handle(const WindowEvent& event) {
    if (panel_ && has_panel_ && panel_->takes(event)) {
        return;
    }
    Switches& switches = controls_.switches;
    switch (event.letter) {
    case 'i': has_panel_ = !has_panel_; break;
    case '1': switches.frustum = !switches.frustum; break;
    case '2': switches.occlusion = !switches.occlusion; break;
    case '3': switches.levels = !switches.levels; break;
    default: controls_.flight.handle(event, window_->window().size());
    }
}

Result<> Viewer::resize(const Picture& picture) {
    const VkExtent2D size = picture.size();
    timer_.restart();
    if (frames_) {
        return frames_->resize(size.width, size.height);
    }
    return Frames::create(
               window_->gpu(), features_, make_scene(instances_),
               {.width = size.width, .height = size.height, .times = true, .image = weir::Access::fragment_shader_read})
        .map([&](std::unique_ptr<Frames> made) { frames_ = std::move(made); });
}

Result<> Viewer::record(VkCommandBuffer commands, const Picture& picture) {
    if (!panel_ || !has_panel_ || !panel_->takes_keys()) {
        controls_.flight.pass(since_last_frame_.ms(), window_->window());
    }
    since_last_frame_ = {};
    Camera camera = controls_.flight.camera();
    camera.stops = controls_.stops;
    auto done = frames_->record(commands, camera, controls_.switches, picture.view());
    timer_.add(frames_->done(), frames_->cpu_ms());
    return done;
}

Result<> Viewer::record_above(const SwapchainFrame& frame) {
    if (!panel_ || !has_panel_) {
        return {};
    }
    const Report counts = frames_->done() ? frames_->done()->counts : Report{};
    return panel_->record(
        frame,
        {.device = window_->gpu().capabilities(), .instances = instances_, .counts = counts, .times = timer_.latest()},
        controls_);
}

void Viewer::print() const {
    const weir::Capabilities& device = window_->gpu().capabilities();
    const VkExtent2D size = window_->swapchain().extent();
    std::printf("device    %s\ndriver    %s\n", device.device_name.c_str(), device.driver.c_str());
    std::printf("window    %u x %u pixels, %u frames in flight\n", size.width, size.height, Frames::in_flight);
    std::printf("frames    %llu, %.2f ms each%s\n", static_cast<unsigned long long>(window_->frames()),
                window_->frame_ms(), speed_note(device));
    if (frames_ && frames_->done()) {
        std::printf("drawn     %s\n", to_text(frames_->done()->counts).c_str());
    }
}

} // namespace

Result<> show_in_window(const Options& options) {
    auto viewer = Viewer::create(options);
    SAMPLES_PROPAGATE(viewer);
    SAMPLES_PROPAGATE((*viewer)->run(options.frames));
    (*viewer)->print();
    return {};
}

} // namespace samples::culling
