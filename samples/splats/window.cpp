#include "splats/window.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <weir/splats/frames.hpp>
#include <weir/splats/stages.hpp>

#include "common/overlay.hpp"
#include "common/picture_window.hpp"
#include "common/propagate.hpp"
#include "common/stopwatch.hpp"
#include "common/timing.hpp"
#include "splats/path.hpp"

namespace samples::splats {

namespace {

using weir::Result;

constexpr std::uint32_t frames_in_flight = 3;
constexpr double turns_per_s = 0.05; // speed of the camera
constexpr double refresh_ms = 250;   // interval at which the text changes; shorter ones are unreadable

/// Camera movement controlled by the user.
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

/// Data collected since the overlay was last updated.
struct Statistics {
    std::uint32_t frames = 0;
    std::vector<weir::Profile> profiles;
    Stopwatch watch;
};

std::string line_of(const char* format, const std::string& name, double value) {
    char line[64];
    std::snprintf(line, sizeof(line), format, name.c_str(), value);
    return line;
}

/// Viewer of a cloud in a window.
class Viewer final : public PictureSource {
public:
    static Result<std::unique_ptr<Viewer>> create(const Options& options);

    Result<> run(std::uint64_t most_frames) { return window_->run(*this, most_frames); }
    void print() const;

    void handle(const WindowEvent& event) override;
    Result<> resize(const Picture& picture) override;
    Result<> record(VkCommandBuffer commands, const Picture& picture) override;
    [[nodiscard]] const Picture* overlay() const override { return &overlay_->picture(); }
    [[nodiscard]] bool shows_overlay() const override { return has_overlay_; }

private:
    Viewer(std::unique_ptr<PictureWindow> window, const Cloud& cloud, Path path, FrameRenderer frames,
           std::unique_ptr<TextOverlay> overlay)
        : window_(std::move(window)), splats_(cloud.size()), path_(std::move(path)), frames_(std::move(frames)),
          overlay_(std::move(overlay)) {}
    void take_report();
    [[nodiscard]] std::vector<std::string> overlay_text() const;

    std::unique_ptr<PictureWindow> window_;
    std::uint32_t splats_;
    Path path_;
    FrameRenderer frames_;
    std::unique_ptr<TextOverlay> overlay_;
    Orbit orbit_;
    bool has_overlay_ = true;
    Statistics statistics_;
    Stopwatch since_last_frame_;
    std::optional<std::uint64_t> reported_; ///< frame of the latest report
};

Result<std::unique_ptr<Viewer>> Viewer::create(const Options& options) {
    auto window = PictureWindow::open(
        {.title = "splats",
         .size = {options.width != 0 ? options.width : 1280, options.height != 0 ? options.height : 720},
         .device = options.device,
         .frames_in_flight = frames_in_flight});
    SAMPLES_PROPAGATE(window);
    const weir::Context& gpu = (*window)->gpu();
    const auto cloud = cloud_of(options, gpu.capabilities().kind == weir::DeviceKind::cpu);
    SAMPLES_PROPAGATE(cloud);
    auto path = Path::create(options, *cloud);
    SAMPLES_PROPAGATE(path);
    auto uploaded = DeviceCloud::upload(gpu, *cloud);
    SAMPLES_PROPAGATE(uploaded);
    std::vector<PlacedCloud> clouds = {{std::move(*uploaded), {.max_degree = options.degree.value_or(3)}}};
    auto frames = FrameRenderer::create(gpu, std::move(clouds),
                                        {.frames_in_flight = frames_in_flight,
                                         .antialias = options.antialias,
                                         .pair_capacity = options.pairs,
                                         .max_pairs = options.max_pairs});
    SAMPLES_PROPAGATE(frames);
    auto overlay = TextOverlay::create((*window)->device(), (*window)->window().scale(), frames_in_flight);
    SAMPLES_PROPAGATE(overlay);
    return std::unique_ptr<Viewer>(
        new Viewer(std::move(*window), *cloud, std::move(*path), std::move(*frames), std::move(*overlay)));
}

void Viewer::handle(const WindowEvent& event) {
    orbit_.handle(event, window_->window().size());
    has_overlay_ = has_overlay_ != (event.kind == WindowEvent::Kind::letter && event.letter == 'i');
}

Result<> Viewer::resize(const Picture& /*picture*/) {
    statistics_ = {};
    return {};
}

std::vector<std::string> Viewer::overlay_text() const {
    std::vector<std::string> text = {window_->gpu().capabilities().device_name};
    if (const auto& report = frames_.report()) {
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
    text.push_back(line_of("%-12s%9.2f ms", "frame", statistics_.watch.ms() / std::max(1U, statistics_.frames)));
    text.resize(std::min<std::size_t>(text.size(), overlay_rows));
    return text;
}

void Viewer::take_report() {
    const auto& report = frames_.report();
    if (!report || reported_ == report->frame) {
        return;
    }
    reported_ = report->frame;
    if (report->counts.pairs > report->pair_capacity) {
        std::fprintf(stderr, "splats: frame %llu: capacity for %u of %u pairs of a block and a splat\n",
                     static_cast<unsigned long long>(report->frame), report->pair_capacity, report->counts.pairs);
    }
    const bool is_of_same_graph =
        report->times && (statistics_.profiles.empty() || statistics_.profiles[0].graph == report->times->graph);
    if (is_of_same_graph) {
        statistics_.profiles.push_back(*report->times);
    }
}

Result<> Viewer::record(VkCommandBuffer commands, const Picture& picture) {
    orbit_.pass(since_last_frame_.ms());
    since_last_frame_ = {};
    const VkExtent2D size = picture.size();
    View view = path_.view(0, 1, size.width, size.height);
    view.camera = path_.at(orbit_.turn(), orbit_.nearness());
    auto done = frames_.record(commands, view, {.picture = picture.view()});
    take_report();
    ++statistics_.frames;
    if (done && has_overlay_ && statistics_.watch.ms() >= refresh_ms) {
        done = overlay_->record(commands, overlay_text());
        statistics_ = {};
    }
    return done;
}

void Viewer::print() const {
    const weir::Capabilities& device = window_->gpu().capabilities();
    const VkExtent2D size = window_->swapchain().extent();
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("window    %u x %u pixels\n", size.width, size.height);
    std::printf("cloud     %u splats\n", splats_);
    std::printf("frames    %llu, %.2f ms each%s; %llu exceeded the pair capacity\n",
                static_cast<unsigned long long>(window_->frames()), window_->frame_ms(), speed_note(device),
                static_cast<unsigned long long>(frames_.short_frames()));
}

} // namespace

Result<> show_in_window(const Options& options) {
    auto viewer = Viewer::create(options);
    SAMPLES_PROPAGATE(viewer);
    SAMPLES_PROPAGATE((*viewer)->run(options.frames));
    (*viewer)->print();
    return {};
}

} // namespace samples::splats
