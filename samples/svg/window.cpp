#include "svg/window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weir/paths/frames.hpp>

#include "common/overlay.hpp"
#include "common/picture_window.hpp"
#include "common/propagate.hpp"
#include "common/stopwatch.hpp"
#include "common/timing.hpp"
#include "svg/camera.hpp"

namespace samples {

namespace {

using weir::Result;
using weir::paths::FrameRenderer;
using weir::paths::FrameReport;
using weir::paths::View;
using weir::svg::Drawing;

constexpr std::uint32_t frames_in_flight = 2;
constexpr std::uint32_t least_width = 480, least_height = 360; // minimum size of a window whose size is not specified

/// Stages of the overlay, each with the passes that end it. A pass belongs to the first stage that has not ended before
/// it.
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

/// Data collected since the overlay was last updated.
struct Statistics {
    std::uint32_t frames = 0, timed = 0;
    StageTimes gpu_ms{};
    Stopwatch watch;

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

/// Viewer of a drawing in a window.
class Viewer final : public PictureSource {
public:
    static Result<std::unique_ptr<Viewer>> create(const Drawing& drawing, const Options& options, const View& view);

    Result<> run(std::uint64_t most_frames) { return window_->run(*this, most_frames); }
    void print() const;

    void handle(const WindowEvent& event) override;
    Result<> resize(const Picture& picture) override;
    Result<> record(VkCommandBuffer commands, const Picture& picture) override;
    [[nodiscard]] const Picture* overlay() const override { return &overlay_->picture(); }
    [[nodiscard]] bool shows_overlay() const override { return has_overlay_; }

private:
    Viewer(std::unique_ptr<PictureWindow> window, FrameRenderer renderer, std::unique_ptr<TextOverlay> overlay,
           const weir::paths::Rect& part, const View& view)
        : window_(std::move(window)), renderer_(std::move(renderer)), overlay_(std::move(overlay)), view_(view),
          camera_(part, {view.width, view.height}) {}
    [[nodiscard]] std::vector<std::string> overlay_text() const;

    std::unique_ptr<PictureWindow> window_;
    FrameRenderer renderer_;
    std::unique_ptr<TextOverlay> overlay_;
    View view_;
    Camera camera_;
    bool has_overlay_ = true;
    Statistics statistics_;
    std::optional<std::uint64_t> reported_; ///< frame of the latest report
    std::uint64_t late_ = 0;                ///< number of frames that kept an earlier picture
};

/// Composites the background onto white, because a window is opaque.
View opaque(View view) {
    weir::paths::Color& ground = view.background;
    for (float* component : {&ground.red, &ground.green, &ground.blue}) {
        *component = *component * ground.alpha + 1 - ground.alpha;
    }
    ground.alpha = 1;
    return view;
}

Result<std::unique_ptr<Viewer>> Viewer::create(const Drawing& drawing, const Options& options, const View& view) {
    const bool is_free = options.width == 0;
    auto window = PictureWindow::open({.title = options.input,
                                       .size = {is_free ? std::max(view.width, least_width) : view.width,
                                                is_free ? std::max(view.height, least_height) : view.height},
                                       .device = options.device,
                                       .frames_in_flight = frames_in_flight,
                                       .encodes = options.srgb_swapchain});
    SAMPLES_PROPAGATE(window);
    auto renderer =
        FrameRenderer::create((*window)->gpu(), drawing.scene, {.frames_in_flight = frames_in_flight, .times = true});
    SAMPLES_PROPAGATE(renderer);
    auto overlay = TextOverlay::create((*window)->device(), (*window)->window().scale(), frames_in_flight);
    SAMPLES_PROPAGATE(overlay);
    const weir::paths::Rect part = options.viewport.value_or(weir::paths::Rect{0, 0, drawing.width, drawing.height});
    return std::unique_ptr<Viewer>(
        new Viewer(std::move(*window), std::move(*renderer), std::move(*overlay), part, opaque(view)));
}

void Viewer::handle(const WindowEvent& event) {
    camera_.handle(event);
    if (event.kind == WindowEvent::Kind::letter && event.letter == 'i') {
        has_overlay_ = !has_overlay_;
    }
}

/// Draws the complete picture for the new size before it is shown.
Result<> Viewer::resize(const Picture& picture) {
    const VkExtent2D size = picture.size();
    camera_.resize(size);
    view_.width = size.width;
    view_.height = size.height;
    view_.transform = camera_.transform();
    auto done = renderer_.settle(view_, picture.view());
    statistics_ = {}; // discard frames of other sizes
    return done;
}

std::vector<std::string> Viewer::overlay_text() const {
    const weir::paths::Sizes sizes = renderer_.report()->needed;
    std::array<std::string, stages.size()> counts = {std::to_string(sizes.lines), std::to_string(sizes.cuts),
                                                     std::to_string(sizes.strips)};
    std::vector<std::string> text = {window_->gpu().capabilities().device_name};
    double gpu_ms = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const double ms = statistics_.timed == 0 ? 0 : statistics_.gpu_ms[i] / statistics_.timed;
        gpu_ms += ms;
        text.push_back(in_columns(stages[i].name, counts[i], with_unit("%.2f ms", ms)));
    }
    const double frame_ms = statistics_.watch.ms() / std::max(1U, statistics_.frames);
    text.push_back(in_columns("gpu", "", with_unit("%.2f ms", gpu_ms)));
    text.push_back(in_columns("frame", with_unit("%.0f/s", 1000 / frame_ms), with_unit("%.2f ms", frame_ms)));
    text.push_back(in_columns("zoom", with_unit("%.4g", camera_.zoom()),
                              std::to_string(view_.width) + "x" + std::to_string(view_.height)));
    text.push_back(in_columns("late", std::to_string(late_), "i hides"));
    return text;
}

Result<> Viewer::record(VkCommandBuffer commands, const Picture& picture) {
    view_.transform = camera_.transform();
    SAMPLES_PROPAGATE(renderer_.record(commands, view_, picture.view()));
    if (const FrameReport& report = *renderer_.report(); reported_ != report.frame) {
        reported_ = report.frame;
        late_ += report.is_complete ? 0 : 1;
        statistics_.add(report);
    }
    ++statistics_.frames;
    constexpr double refresh_ms = 250; // shorter intervals are unreadable
    if (!has_overlay_ || statistics_.watch.ms() < refresh_ms) {
        return {};
    }
    auto done = overlay_->record(commands, overlay_text());
    statistics_ = {};
    return done;
}

void Viewer::print() const {
    const weir::Capabilities& device = window_->gpu().capabilities();
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("window    %u x %u pixels, %s\n", view_.width, view_.height,
                window_->swapchain().encodes() ? "encoded by the swapchain" : "shown as they are");
    std::printf("frames    %llu, %.2f ms each%s; %llu late\n", static_cast<unsigned long long>(window_->frames()),
                window_->frame_ms(), speed_note(device), static_cast<unsigned long long>(late_));
}

} // namespace

Result<> show_in_window(const Drawing& drawing, const Options& options, const View& view) {
    auto viewer = Viewer::create(drawing, options, view);
    SAMPLES_PROPAGATE(viewer);
    SAMPLES_PROPAGATE((*viewer)->run(options.frames));
    (*viewer)->print();
    return {};
}

} // namespace samples
