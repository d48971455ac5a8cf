#include "splats/window.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <weir/paths/frames.hpp>

#include "common/swapchain.hpp"
#include "common/timing.hpp"
#include "common/window.hpp"
#include "common/window_device.hpp"
#include "splats/frames.hpp"
#include "splats/path.hpp"
#include "splats/stages.hpp"
#include "svg/overlay.hpp"
#include "svg/screen.hpp"

namespace samples::splats {

namespace {

using weir::Result;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t frames_in_flight = 3;
constexpr std::int32_t overlay_margin = 8; // pixels
constexpr double turns_per_s = 0.05;       // of the camera
constexpr double refresh_ms = 250;         // of the text: faster, nobody could read it

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// How a person moves the camera.
class Orbit {
public:
    void handle(const WindowEvent& event, VkExtent2D size) {
        using Kind = WindowEvent::Kind;
        if (event.kind == Kind::drag || event.kind == Kind::turn) {
            is_moving_ = false;
            turn_ -= (event.at.x - event.from.x) / std::max(1U, size.width);
        } else if (event.kind == Kind::wheel) {
            zoom(std::pow(1.1, event.notches));
        } else if (event.kind == Kind::home || event.letter == '0') {
            *this = {};
        } else if (event.letter == '+' || event.letter == '-') {
            zoom(event.letter == '+' ? 1.25 : 0.8);
        } else if (event.letter == 'p') {
            is_moving_ = !is_moving_;
        }
    }
    void pass(double ms) { turn_ += is_moving_ ? turns_per_s * ms / 1000 : 0; }
    [[nodiscard]] double turn() const { return turn_; }
    [[nodiscard]] double nearness() const { return nearness_; }

private:
    void zoom(double factor) { nearness_ = std::clamp(nearness_ * factor, 0.05, 50.0); }

    double turn_ = 0, nearness_ = 1;
    bool is_moving_ = true;
};

/// What is said about the frames since it was said last.
struct Statistics {
    std::uint32_t frames = 0;
    std::vector<weir::Profile> profiles;
    Clock::time_point start = Clock::now();
};

std::string line_of(const char* format, const std::string& name, double value) {
    char line[64];
    std::snprintf(line, sizeof(line), format, name.c_str(), value);
    return line;
}

/// A cloud in a window.
class Viewer {
public:
    static Result<std::unique_ptr<Viewer>> create(const Options& options);
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    Result<> run(std::uint64_t most_frames);
    void print() const;

private:
    Viewer() = default;
    Result<> open(const Options& options);
    Result<> create_overlay();
    Result<> resize();
    Result<> draw_frame();
    Result<> draw_overlay(VkCommandBuffer commands);
    [[nodiscard]] std::vector<std::string> overlay_text() const;

    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowDevice> device_;
    std::unique_ptr<Swapchain> swapchain_;
    std::unique_ptr<Screen> screen_;
    std::unique_ptr<Picture> picture_, overlay_picture_;
    std::uint32_t splats_ = 0;
    std::unique_ptr<Path> path_;
    std::optional<SplatFrames> frames_;
    std::optional<weir::paths::FrameRenderer> overlay_;
    weir::paths::View overlay_view_;
    Orbit orbit_;
    bool has_overlay_ = true;
    Statistics statistics_;
    std::optional<std::uint64_t> reported_; ///< the frame of the last report
    std::uint64_t drawn_ = 0;
    Clock::time_point start_, last_frame_;
    double ms_ = 0; ///< of all frames
};

Result<std::unique_ptr<Viewer>> Viewer::create(const Options& options) {
    std::unique_ptr<Viewer> viewer(new Viewer);
    auto done = viewer->open(options).and_then([&] { return viewer->create_overlay(); });
    if (!done) {
        return tl::unexpected(done.error());
    }
    return viewer;
}

Result<> Viewer::open(const Options& options) {
    const VkExtent2D size = {options.width != 0 ? options.width : 1280, options.height != 0 ? options.height : 720};
    auto window = Window::open("splats", size);
    if (!window) {
        return tl::unexpected(window.error());
    }
    window_ = std::move(*window);
    auto device = WindowDevice::create(*window_, options.device);
    if (!device) {
        return tl::unexpected(device.error());
    }
    device_ = std::move(*device);
    auto swapchain = Swapchain::create(*window_, *device_, frames_in_flight, false);
    if (!swapchain) {
        return tl::unexpected(swapchain.error());
    }
    swapchain_ = std::move(*swapchain);
    auto screen = Screen::create(*device_, *swapchain_);
    if (!screen) {
        return tl::unexpected(screen.error());
    }
    screen_ = std::move(*screen);
    const weir::Context& gpu = device_->gpu();
    const auto cloud = cloud_of(options, gpu.capabilities().kind == weir::DeviceKind::cpu);
    if (!cloud) {
        return tl::unexpected(cloud.error());
    }
    splats_ = cloud->size();
    path_ = std::make_unique<Path>(options, *cloud);
    auto frames =
        SplatFrames::create(gpu, *cloud, {.frames_in_flight = frames_in_flight, .pair_capacity = options.pairs});
    if (!frames) {
        return tl::unexpected(frames.error());
    }
    frames_ = std::move(*frames);
    return {};
}

Result<> Viewer::create_overlay() {
    const float scale = window_->scale();
    auto overlay = weir::paths::FrameRenderer::create(device_->gpu(), overlay_scene({}, scale),
                                                      {.frames_in_flight = frames_in_flight});
    if (!overlay) {
        return tl::unexpected(overlay.error());
    }
    overlay_ = std::move(*overlay);
    const OverlaySize size = overlay_size(scale);
    overlay_view_ = {.width = size.width, .height = size.height};
    auto picture = Picture::create(*device_, {size.width, size.height});
    if (!picture) {
        return tl::unexpected(picture.error());
    }
    overlay_picture_ = std::move(*picture);
    // Room for the text with the most lines, then nothing.
    for (const char letter : {most_lines_letter, ' '}) {
        const std::vector<std::string> text(overlay_rows, std::string(overlay_columns, letter));
        auto done = overlay_->update(overlay_scene(text, scale));
        done = done.and_then([&] { return overlay_->settle(overlay_view_, overlay_picture_->view()); });
        if (!done) {
            return done;
        }
    }
    return {};
}

Viewer::~Viewer() {
    if (device_) {
        vkDeviceWaitIdle(device_->device());
    }
}

/// Takes the size of the swapchain.
Result<> Viewer::resize() {
    vkDeviceWaitIdle(device_->device());
    picture_.reset();
    auto picture = Picture::create(*device_, swapchain_->extent());
    if (!picture) {
        return tl::unexpected(picture.error());
    }
    picture_ = std::move(*picture);
    screen_->show(*picture_, *overlay_picture_);
    statistics_ = {};
    return {};
}

std::vector<std::string> Viewer::overlay_text() const {
    std::vector<std::string> text = {device_->gpu().capabilities().device_name};
    if (const auto& report = frames_->report()) {
        text.push_back(line_of("%-12s%12.0f", "visible", report->counts.visible));
        text.push_back(line_of("%-12s%12.0f", "in tiles", report->counts.pairs));
    }
    double gpu_ms = 0;
    for (const SplatStage& stage : splat_stages(statistics_.profiles)) {
        const double ms = median(stage.us) * 1e-3;
        gpu_ms += ms;
        text.push_back(line_of("%-12s%9.2f ms", stage.name, ms));
    }
    text.push_back(line_of("%-12s%9.2f ms", "gpu", gpu_ms));
    text.push_back(line_of("%-12s%9.2f ms", "frame", ms_since(statistics_.start) / std::max(1U, statistics_.frames)));
    text.resize(std::min<std::size_t>(text.size(), overlay_rows));
    return text;
}

Result<> Viewer::draw_overlay(VkCommandBuffer commands) {
    auto done = overlay_->update(overlay_scene(overlay_text(), window_->scale()));
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
    const VkCommandBuffer commands = (*frame)->commands;
    if (auto done = frames_->record(commands, {.width = size.width, .height = size.height},
                                    path_->at(orbit_.turn(), orbit_.nearness()), picture_->view());
        !done) {
        return done;
    }
    if (const auto& report = frames_->report(); report && reported_ != report->frame) {
        reported_ = report->frame;
        if (report->counts.pairs > report->pair_capacity) {
            std::fprintf(stderr, "splats: frame %llu had room for %u of %u pairs of a tile and a splat\n",
                         static_cast<unsigned long long>(report->frame), report->pair_capacity, report->counts.pairs);
        }
        const bool is_of_same_graph =
            report->times && (statistics_.profiles.empty() || statistics_.profiles[0].graph == report->times->graph);
        if (is_of_same_graph) {
            statistics_.profiles.push_back(*report->times);
        }
    }
    ++statistics_.frames;
    if (has_overlay_ && ms_since(statistics_.start) >= refresh_ms) {
        if (auto done = draw_overlay(commands); !done) {
            return done;
        }
    }
    screen_->record(**frame, has_overlay_, overlay_margin);
    ++drawn_;
    return swapchain_->end(**frame);
}

Result<> Viewer::run(std::uint64_t most_frames) {
    window_->show();
    start_ = last_frame_ = Clock::now();
    while (most_frames == 0 || drawn_ < most_frames) {
        for (const WindowEvent& event : window_->take_events()) {
            orbit_.handle(event, window_->size());
            has_overlay_ = has_overlay_ != (event.kind == WindowEvent::Kind::letter && event.letter == 'i');
        }
        if (window_->is_closed()) {
            break;
        }
        orbit_.pass(ms_since(last_frame_));
        last_frame_ = Clock::now();
        if (auto done = draw_frame(); !done) {
            return done;
        }
    }
    ms_ = ms_since(start_);
    return {};
}

void Viewer::print() const {
    const weir::Capabilities& device = device_->gpu().capabilities();
    const VkExtent2D size = swapchain_->extent();
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("window    %u x %u pixels\n", size.width, size.height);
    std::printf("cloud     %u splats\n", splats_);
    std::printf("frames    %llu, %.2f ms each%s; %llu short of room\n", static_cast<unsigned long long>(drawn_),
                ms_ / static_cast<double>(std::max<std::uint64_t>(1, drawn_)), speed_note(device),
                static_cast<unsigned long long>(frames_->short_frames()));
}

} // namespace

Result<> show_in_window(const Options& options) {
    auto viewer = Viewer::create(options);
    if (!viewer) {
        return tl::unexpected(viewer.error());
    }
    if (auto done = (*viewer)->run(options.frames); !done) {
        return done;
    }
    (*viewer)->print();
    return {};
}

} // namespace samples::splats
