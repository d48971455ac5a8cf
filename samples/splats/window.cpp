#include "splats/window.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <weir/splats/frames.hpp>
#include <weir/splats/renderer.hpp>

#include "common/files.hpp"
#include "common/picture_window.hpp"
#include "common/propagate.hpp"
#include "common/stopwatch.hpp"
#include "common/timing.hpp"
#include "splats/camera_file.hpp"
#include "splats/panel.hpp"
#include "splats/pictures.hpp"

namespace samples::splats {

namespace {

using weir::Result;

constexpr std::uint32_t frames_in_flight = 3;

/// Viewer of clouds in a window.
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
    Viewer(std::unique_ptr<PictureWindow> window, std::unique_ptr<Panel> panel, FrameRenderer frames, Controls controls,
           const Options& options)
        : options_(options), window_(std::move(window)), panel_(std::move(panel)), frames_(std::move(frames)),
          controls_(std::move(controls)), drawn_(controls_.picture) {}
    [[nodiscard]] View view(VkExtent2D size) const;
    Result<> apply_controls();
    [[nodiscard]] Result<std::string> write_screenshot(VkExtent2D size) const;
    Result<std::string> write_path();
    void tell(const Result<std::string>& file);
    void write_files(VkExtent2D size);

    Options options_;
    std::unique_ptr<PictureWindow> window_;
    std::unique_ptr<Panel> panel_; ///< null if not available
    FrameRenderer frames_;
    Controls controls_;
    PictureControl drawn_;  ///< settings of the latest frame
    bool has_panel_ = true; ///< false while hidden
    StageTimer timer_;
    Stopwatch since_last_frame_;
    std::uint64_t short_frames_ = 0;     ///< number of frames with missing pairs that were reported
    std::uint64_t written_revision_ = 0; ///< revision of the recorded path in `path_file_`
    std::string path_file_;              ///< empty before the first key frame
    std::string message_;                ///< line about the latest file
};

Result<std::unique_ptr<Viewer>> Viewer::create(const Options& options) {
    auto window = PictureWindow::open(
        {.title = "splats",
         .size = {options.width != 0 ? options.width : 1280, options.height != 0 ? options.height : 720},
         .device = options.device,
         .frames_in_flight = frames_in_flight});
    SAMPLES_PROPAGATE(window);
    const weir::Context& gpu = (*window)->gpu();
    const auto clouds = clouds_of(options, gpu.capabilities().kind == weir::DeviceKind::cpu);
    SAMPLES_PROPAGATE(clouds);
    auto path = Path::create(options, *clouds);
    SAMPLES_PROPAGATE(path);
    PictureControl picture{.antialias = options.antialias, .background = options.background};
    std::vector<PlacedCloud> placed;
    for (const auto& [name, cloud] : *clouds) {
        auto uploaded = DeviceCloud::upload(gpu, cloud, {.harmonics = format_of_harmonics(options)});
        SAMPLES_PROPAGATE(uploaded);
        placed.push_back({std::move(*uploaded), {.max_degree = cloud.degree}});
        picture.clouds.push_back({.name = name, .splats = cloud.size()});
        picture.max_degree = std::max(picture.max_degree, static_cast<int>(cloud.degree));
    }
    picture.degree = picture.max_degree;
    auto frames = FrameRenderer::create(gpu, std::move(placed),
                                        {.frames_in_flight = frames_in_flight,
                                         .antialias = options.antialias,
                                         .pair_capacity = options.pairs,
                                         .max_pairs = options.max_pairs});
    SAMPLES_PROPAGATE(frames);
    auto panel = Panel::create(**window, frames_in_flight);
    SAMPLES_PROPAGATE(panel);
    return std::unique_ptr<Viewer>(
        new Viewer(std::move(*window), std::move(*panel), std::move(*frames),
                   {.camera = CameraControl(std::move(*path), options), .picture = std::move(picture)}, options));
}

void Viewer::handle(const WindowEvent& event) {
    if (panel_ && has_panel_ && panel_->takes(event)) {
        return;
    }
    switch (event.letter) {
    case 'i': has_panel_ = !has_panel_; return;
    case 'c': controls_.wants_picture = true; return;
    default: break;
    }
    if (!controls_.picture.handle(event)) {
        controls_.camera.handle(event, window_->window().size());
    }
}

Result<> Viewer::resize(const Picture& /*picture*/) {
    timer_.restart();
    return {};
}

View Viewer::view(VkExtent2D size) const {
    const Vec3& back = controls_.picture.background;
    return {.width = size.width,
            .height = size.height,
            .camera = controls_.camera.camera(size),
            .depths = {options_.near_plane, options_.far_plane},
            .background = {back[0], back[1], back[2], 1}};
}

/// Passes changed settings to the renderer.
Result<> Viewer::apply_controls() {
    const PictureControl& picture = controls_.picture;
    if (picture == drawn_) {
        return {};
    }
    std::vector<PlacedCloud> clouds = frames_.clouds();
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        const CloudControl& cloud = picture.clouds[i];
        const auto& [red, green, blue] = cloud.tint;
        clouds[i].placement.tint = {red, green, blue, cloud.is_visible ? cloud.opacity : 0};
        clouds[i].placement.max_degree = std::min(clouds[i].cloud.degree(), static_cast<std::uint32_t>(picture.degree));
    }
    frames_.set_antialias(picture.antialias);
    drawn_ = picture;
    return frames_.set_clouds(std::move(clouds));
}

/// Draws the view again, because frames of the window may lack pairs and show the panel.
Result<std::string> Viewer::write_screenshot(VkExtent2D size) const {
    auto renderer = Renderer::create(window_->gpu(), frames_.clouds(),
                                     {.antialias = controls_.picture.antialias, .max_pairs = options_.max_pairs});
    SAMPLES_PROPAGATE(renderer);
    SAMPLES_PROPAGATE(renderer->draw(view(size)));
    const auto pixels = renderer->pixels();
    SAMPLES_PROPAGATE(pixels);
    std::string file = unused_name("splats-%d.png");
    SAMPLES_PROPAGATE(write_picture(file, *pixels, size.width, size.height));
    return file;
}

/// Writes the recorded key frames, the first time to a new file.
Result<std::string> Viewer::write_path() {
    path_file_ = path_file_.empty() ? unused_name("splats-path-%d.json") : path_file_;
    auto file = NewFile::create(path_file_);
    SAMPLES_PROPAGATE(file);
    SAMPLES_PROPAGATE(file->write(camera_path_text(controls_.camera.recorded())));
    SAMPLES_PROPAGATE(file->keep());
    return path_file_;
}

/// Shows the name of a written file, or the error. The window stays open after an error.
void Viewer::tell(const Result<std::string>& file) {
    message_ = file ? "wrote " + *file : file.error().message;
    std::fprintf(stderr, "splats: %s\n", message_.c_str());
}

void Viewer::write_files(VkExtent2D size) {
    if (std::exchange(controls_.wants_picture, false)) {
        tell(write_screenshot(size));
    }
    const std::uint64_t revision = controls_.camera.revision();
    if (std::exchange(written_revision_, revision) != revision) {
        tell(write_path());
    }
}

Result<> Viewer::record(VkCommandBuffer commands, const Picture& picture) {
    if (!panel_ || !has_panel_ || !panel_->takes_keys()) {
        controls_.camera.pass(since_last_frame_.ms(), window_->window());
    }
    since_last_frame_ = {};
    SAMPLES_PROPAGATE(apply_controls());
    write_files(picture.size());
    SAMPLES_PROPAGATE(frames_.record(commands, view(picture.size()), {.picture = picture.view()}));
    const auto& report = frames_.report();
    if (report && std::exchange(short_frames_, frames_.short_frames()) != frames_.short_frames()) {
        std::fprintf(stderr, "splats: frame %llu: capacity for %u of %u pairs of a block and a splat\n",
                     static_cast<unsigned long long>(report->frame), report->pair_capacity, report->counts.pairs);
    }
    timer_.add(report);
    return {};
}

Result<> Viewer::record_above(const SwapchainFrame& frame) {
    if (!panel_ || !has_panel_) {
        return {};
    }
    return panel_->record(frame,
                          {.device = window_->gpu().capabilities(),
                           .report = frames_.report(),
                           .times = timer_.latest(),
                           .message = message_},
                          controls_);
}

void Viewer::print() const {
    const weir::Capabilities& device = window_->gpu().capabilities();
    const VkExtent2D size = window_->swapchain().extent();
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("window    %u x %u pixels\n", size.width, size.height);
    for (const CloudControl& cloud : controls_.picture.clouds) {
        std::printf("cloud     %u splats, %s\n", cloud.splats, cloud.name.c_str());
    }
    if (const auto& report = frames_.report()) {
        std::printf("visible   %u splats, in %u pairs of a block and a splat\n", report->counts.visible,
                    report->counts.pairs);
    }
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
