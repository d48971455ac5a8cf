#include "svg/window.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weir/paths/frames.hpp>

#include "common/swapchain.hpp"
#include "common/timing.hpp"
#include "common/window.hpp"
#include "common/window_device.hpp"
#include "svg/camera.hpp"
#include "svg/overlay.hpp"
#include "svg/screen.hpp"

namespace samples {

namespace {

using weir::Result;
using weir::paths::FrameRenderer;
using weir::paths::FrameReport;
using weir::paths::View;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t frames_in_flight = 2;
constexpr std::uint32_t least_width = 480, least_height = 360; // of a window, where nobody says how large it is
constexpr std::int32_t overlay_margin = 8;                     // pixels

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Stages of the overlay, each with the passes that end it: the time of a pass belongs to the first stage that has not
/// ended before it.
struct StageName {
    const char* name;
    std::array<const char*, 2> last_passes;
};
constexpr std::array<StageName, 5> stages = {{{"lines", {"flatten", "outline strokes"}},
                                              {"cuts", {"cut", ""}},
                                              {"strips", {"strips", ""}},
                                              {"tiles", {"report", ""}},
                                              {"fine", {"fine", ""}}}};
using StageTimes = std::array<double, stages.size()>; // milliseconds

StageTimes stage_times(const weir::Profile& profile) {
    StageTimes times{};
    std::size_t stage = 0;
    for (const weir::PassTime& pass : profile.passes) {
        times[stage] += (pass.end_us - pass.begin_us) / 1000;
        const std::string& name = profile.graph->passes[pass.pass].name;
        for (std::size_t i = stage; i < stages.size(); ++i) {
            if (name == stages[i].last_passes[0] || name == stages[i].last_passes[1]) {
                stage = std::min(i + 1, stages.size() - 1);
                break;
            }
        }
    }
    return times;
}

/// What is said about the frames since it was said last.
struct Statistics {
    std::uint32_t frames = 0, timed = 0;
    StageTimes gpu_ms{};
    Clock::time_point start = Clock::now();

    void add(const FrameReport& report) {
        if (report.times) {
            const StageTimes times = stage_times(*report.times);
            for (std::size_t i = 0; i < times.size(); ++i) {
                gpu_ms[i] += times[i];
            }
            ++timed;
        }
    }
};

std::string in_columns(const std::string& name, const std::string& count, const std::string& time) {
    char line[64];
    std::snprintf(line, sizeof(line), "%-7s%11s%10s", name.c_str(), count.c_str(), time.c_str());
    return line;
}

std::string with_unit(const char* format, double value) {
    char text[32];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

/// A drawing in a window.
class Viewer {
public:
    static Result<std::unique_ptr<Viewer>> create(const Drawing& drawing, const Options& options, const View& view);
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    Result<> run(std::uint64_t most_frames);
    void print() const;

private:
    Viewer(const weir::paths::Rect& part, const View& view) : view_(view), camera_(part, {view.width, view.height}) {}
    Result<> draw_frame();
    Result<> resize();
    Result<> draw_overlay(VkCommandBuffer commands);
    [[nodiscard]] std::vector<std::string> overlay_text() const;

    View view_;
    Camera camera_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowDevice> device_;
    std::unique_ptr<Swapchain> swapchain_;
    std::unique_ptr<Screen> screen_;
    std::unique_ptr<Picture> picture_, overlay_picture_;
    std::optional<FrameRenderer> renderer_, overlay_;
    View overlay_view_;
    float scale_ = 1;
    bool has_overlay_ = true;
    Statistics statistics_;
    std::optional<std::uint64_t> reported_; ///< the frame of the last report
    std::uint64_t frames_ = 0, late_ = 0;   ///< all frames, and those that kept the picture before them
    Clock::time_point start_;
    double ms_ = 0; ///< of all frames
};

Result<std::unique_ptr<Viewer>> Viewer::create(const Drawing& drawing, const Options& options, const View& view) {
    const weir::paths::Rect part = options.viewport.value_or(weir::paths::Rect{0, 0, drawing.width, drawing.height});
    std::unique_ptr<Viewer> viewer(new Viewer(part, view));
    weir::paths::Color& ground = viewer->view_.background; // a window is opaque: on white
    for (float* component : {&ground.red, &ground.green, &ground.blue}) {
        *component = *component * ground.alpha + 1 - ground.alpha;
    }
    ground.alpha = 1;
    const bool is_free = options.width == 0;
    auto window = Window::open(options.input, {is_free ? std::max(view.width, least_width) : view.width,
                                               is_free ? std::max(view.height, least_height) : view.height});
    if (!window) {
        return tl::unexpected(window.error());
    }
    viewer->window_ = std::move(*window);
    auto device = WindowDevice::create(*viewer->window_, options.device);
    if (!device) {
        return tl::unexpected(device.error());
    }
    viewer->device_ = std::move(*device);
    auto swapchain = Swapchain::create(*viewer->window_, *viewer->device_, frames_in_flight, options.encoded_window);
    if (!swapchain) {
        return tl::unexpected(swapchain.error());
    }
    viewer->swapchain_ = std::move(*swapchain);
    auto screen = Screen::create(*viewer->device_, *viewer->swapchain_);
    if (!screen) {
        return tl::unexpected(screen.error());
    }
    viewer->screen_ = std::move(*screen);

    const weir::Context& gpu = viewer->device_->gpu();
    auto renderer = FrameRenderer::create(gpu, drawing.scene, {.frames_in_flight = frames_in_flight, .times = true});
    viewer->scale_ = viewer->window_->scale();
    auto overlay =
        FrameRenderer::create(gpu, overlay_scene({}, viewer->scale_), {.frames_in_flight = frames_in_flight});
    if (!renderer || !overlay) {
        return tl::unexpected(!renderer ? renderer.error() : overlay.error());
    }
    viewer->renderer_ = std::move(*renderer);
    viewer->overlay_ = std::move(*overlay);
    const OverlaySize size = overlay_size(viewer->scale_);
    viewer->overlay_view_ = {.width = size.width, .height = size.height};
    auto picture = Picture::create(*viewer->device_, {size.width, size.height});
    if (!picture) {
        return tl::unexpected(picture.error());
    }
    viewer->overlay_picture_ = std::move(*picture);
    return viewer;
}

Viewer::~Viewer() {
    if (device_) {
        vkDeviceWaitIdle(device_->device());
    }
}

/// Takes the size of the swapchain, with a picture for it that is complete before it is shown.
Result<> Viewer::resize() {
    const VkExtent2D size = swapchain_->extent();
    vkDeviceWaitIdle(device_->device());
    picture_.reset();
    auto picture = Picture::create(*device_, size);
    if (!picture) {
        return tl::unexpected(picture.error());
    }
    picture_ = std::move(*picture);
    screen_->show(*picture_, *overlay_picture_);
    camera_.resize(size);
    view_.width = size.width;
    view_.height = size.height;
    view_.transform = camera_.transform();
    auto done = renderer_->settle(view_, picture_->view());
    statistics_ = {}; // those of frames of this size
    return done;
}

std::vector<std::string> Viewer::overlay_text() const {
    const weir::paths::Sizes sizes = renderer_->report()->needed;
    std::array<std::string, stages.size()> counts = {std::to_string(sizes.lines), std::to_string(sizes.cuts),
                                                     std::to_string(sizes.strips)};
    std::vector<std::string> text = {device_->gpu().capabilities().device_name};
    double gpu_ms = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const double ms = statistics_.timed == 0 ? 0 : statistics_.gpu_ms[i] / statistics_.timed;
        gpu_ms += ms;
        text.push_back(in_columns(stages[i].name, counts[i], with_unit("%.2f ms", ms)));
    }
    const double frame_ms = ms_since(statistics_.start) / std::max(1U, statistics_.frames);
    text.push_back(in_columns("gpu", "", with_unit("%.2f ms", gpu_ms)));
    text.push_back(in_columns("frame", with_unit("%.0f/s", 1000 / frame_ms), with_unit("%.2f ms", frame_ms)));
    text.push_back(in_columns("zoom", with_unit("%.4g", camera_.zoom()),
                              std::to_string(view_.width) + "x" + std::to_string(view_.height)));
    text.push_back(in_columns("late", std::to_string(late_), "i hides"));
    return text;
}

Result<> Viewer::draw_overlay(VkCommandBuffer commands) {
    auto done = overlay_->update(overlay_scene(overlay_text(), scale_));
    if (done) {
        done = overlay_->record(commands, overlay_view_, overlay_picture_->view());
    }
    statistics_ = {};
    return done;
}

Result<> Viewer::draw_frame() {
    const auto frame = swapchain_->begin();
    if (!frame) {
        return tl::unexpected(frame.error());
    }
    if (!*frame) {
        return {};
    }
    const VkExtent2D size = swapchain_->extent();
    if (!picture_ || picture_->size().width != size.width || picture_->size().height != size.height) {
        if (auto done = resize(); !done) {
            return done;
        }
    }
    view_.transform = camera_.transform();
    const VkCommandBuffer commands = (*frame)->commands;
    if (auto done = renderer_->record(commands, view_, picture_->view()); !done) {
        return done;
    }
    if (const FrameReport& report = *renderer_->report(); reported_ != report.frame) {
        reported_ = report.frame;
        late_ += report.is_complete ? 0 : 1;
        statistics_.add(report);
    }
    ++statistics_.frames;
    constexpr double refresh_ms = 250; // faster, nobody could read it
    if (has_overlay_ && ms_since(statistics_.start) >= refresh_ms) {
        if (auto done = draw_overlay(commands); !done) {
            return done;
        }
    }
    screen_->record(**frame, has_overlay_, overlay_margin);
    ++frames_;
    return swapchain_->end(**frame);
}

Result<> Viewer::run(std::uint64_t most_frames) {
    // First the most that a text can need, so that no text is late.
    for (const char letter : {most_lines_letter, ' '}) {
        const std::vector<std::string> text(overlay_rows, std::string(overlay_columns, letter));
        auto done = overlay_->update(overlay_scene(text, scale_));
        done = done.and_then([&] { return overlay_->settle(overlay_view_, overlay_picture_->view()); });
        if (!done) {
            return done;
        }
    }
    window_->show();
    start_ = Clock::now();
    statistics_ = {};
    while (most_frames == 0 || frames_ < most_frames) {
        for (const WindowEvent& event : window_->take_events()) {
            camera_.handle(event);
            if (event.kind == WindowEvent::Kind::letter && event.letter == 'i') {
                has_overlay_ = !has_overlay_;
            }
        }
        if (window_->is_closed()) {
            break;
        }
        if (auto done = draw_frame(); !done) {
            return done;
        }
    }
    ms_ = ms_since(start_);
    return {};
}

void Viewer::print() const {
    const weir::Capabilities& device = device_->gpu().capabilities();
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("window    %u x %u pixels, %s\n", view_.width, view_.height,
                swapchain_->encodes() ? "encoded by the swapchain" : "shown as they are");
    std::printf("frames    %llu, %.2f ms each%s; %llu late\n", static_cast<unsigned long long>(frames_),
                ms_ / static_cast<double>(std::max<std::uint64_t>(1, frames_)), speed_note(device),
                static_cast<unsigned long long>(late_));
}

} // namespace

Result<> show_in_window(const Drawing& drawing, const Options& options, const View& view) {
    auto viewer = Viewer::create(drawing, options, view);
    if (!viewer) {
        return tl::unexpected(viewer.error());
    }
    if (auto done = (*viewer)->run(options.frames); !done) {
        return done;
    }
    (*viewer)->print();
    return {};
}

} // namespace samples
