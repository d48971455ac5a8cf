#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <weir/splats/renderer.hpp>
#include <weir/splats/stages.hpp>

#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "splats/convert.hpp"
#include "splats/options.hpp"
#include "splats/path.hpp"
#include "splats/window.hpp"
#include "svg/png.hpp"

namespace samples::splats {

namespace {

using weir::Result;

/// Results of a run.
struct Report {
    std::uint32_t splats = 0, degree = 0;
    std::uint32_t width = 0, height = 0;                ///< pixels
    Counts counts;                                      ///< counts of the last picture
    std::uint32_t frames = 0, short_frames = 0;         ///< number of frames, and of those with missing pairs
    double frame_ms = 0;                                ///< mean time per picture, including waits
    double ms = 0;                                      ///< median GPU time of the last picture
    std::vector<std::pair<std::string, double>> stages; ///< median GPU times of the stages, in ms
    std::uint64_t memory = 0;                           ///< bytes allocated for the graph
    std::uint64_t cloud_bytes = 0;
};

Result<> time_picture(const weir::Context& gpu, const Options& options, Renderer& renderer, Report& report) {
    const weir::Capabilities& device = gpu.capabilities();
    if (device.timestamp_bits == 0) {
        return {};
    }
    Progress progress("timing");
    const bool is_cpu = device.kind == weir::DeviceKind::cpu;
    const Timing timing{is_cpu ? 1.0 : 150.0, options.repeat != 0 ? options.repeat : is_cpu ? 3U : 30U};
    const auto timed = time_programs(gpu, {&renderer.program()}, timing, [&](double done) { progress.show(done); });
    SAMPLES_PROPAGATE(timed);
    report.ms = (*timed)[0];
    const auto profiles = profiles_of(gpu, renderer.program(), timing.repeat);
    SAMPLES_PROPAGATE(profiles);
    for (const auto& stage : splat_stages(*profiles)) {
        report.stages.emplace_back(stage.name, median(stage.us) * 1e-3);
    }
    return {};
}

/// Reports a picture that is not what the user expects.
void warn(std::uint32_t frame, const Renderer& renderer, const Counts& counts) {
    if (renderer.is_short()) {
        std::fprintf(stderr,
                     "splats: frame %u: capacity for %u of %u pairs of a block and a splat; the farthest are missing\n",
                     frame, renderer.pair_capacity(), counts.pairs);
    }
    if (counts.visible == 0) {
        std::fprintf(stderr, "splats: frame %u: no splat is visible between the depths %g and %g\n", frame,
                     static_cast<double>(renderer.depths().near_plane),
                     static_cast<double>(renderer.depths().far_plane));
    }
}

Result<Renderer> renderer_of(const weir::Context& gpu, const Cloud& cloud, const Options& options) {
    auto uploaded = DeviceCloud::upload(gpu, cloud);
    SAMPLES_PROPAGATE(uploaded);
    std::vector<PlacedCloud> clouds = {{std::move(*uploaded), {.max_degree = options.degree.value_or(3)}}};
    return Renderer::create(
        gpu, std::move(clouds),
        {.antialias = options.antialias, .pair_capacity = options.pairs, .max_pairs = options.max_pairs});
}

Result<std::vector<std::uint32_t>> draw(const weir::Context& gpu, const Cloud& cloud, const Options& options,
                                        const Path& path, Report& report, PlanTexts& plan) {
    auto renderer = renderer_of(gpu, cloud, options);
    SAMPLES_PROPAGATE(renderer);
    report.frames = std::max(1U, options.frames);
    {
        // The first picture compiles the pipelines.
        std::optional<Progress> progress(std::in_place, "compiling and drawing");
        const auto start = std::chrono::steady_clock::now();
        for (std::uint32_t frame = 0; frame < report.frames; ++frame) {
            const auto counts = renderer->draw(path.view(frame, report.frames, report.width, report.height));
            SAMPLES_PROPAGATE(counts);
            report.counts = *counts;
            report.short_frames += renderer->is_short() ? 1 : 0;
            warn(frame, *renderer, *counts);
            if (frame == 0) {
                progress.emplace("drawing");
            }
            progress->show(static_cast<double>(frame + 1) / report.frames);
        }
        report.frame_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / report.frames;
    }
    report.memory = renderer->program().memory();
    SAMPLES_PROPAGATE(time_picture(gpu, options, *renderer, report));
    weir::Program& program = renderer->program();
    auto texts = plan_texts(program, options, {.stages = stages_of_passes(*program.plan().graph), .overview = true});
    SAMPLES_PROPAGATE(texts);
    plan = std::move(*texts);
    return renderer->pixels();
}

void print(const weir::Capabilities& device, const Options& options, const Report& report) {
    const double bytes_per_splat = static_cast<double>(report.memory) / report.splats;
    const double cloud_bytes_per_splat = static_cast<double>(report.cloud_bytes) / report.splats;
    if (options.json) {
        nlohmann::json stages = nlohmann::json::object();
        for (const auto& [name, ms] : report.stages) {
            stages[name] = ms;
        }
        const nlohmann::json object = {{"device", device.device_name},
                                       {"driver", device.driver},
                                       {"splats", report.splats},
                                       {"degree", report.degree},
                                       {"width", report.width},
                                       {"height", report.height},
                                       {"visible", report.counts.visible},
                                       {"pairs", report.counts.pairs},
                                       {"frames", report.frames},
                                       {"short_frames", report.short_frames},
                                       {"frame_ms", report.frame_ms},
                                       {"ms", report.ms},
                                       {"stages_ms", stages},
                                       {"memory_bytes", report.memory},
                                       {"bytes_per_splat", bytes_per_splat},
                                       {"cloud_bytes_per_splat", cloud_bytes_per_splat}};
        std::printf("%s\n", object.dump(2).c_str());
        return;
    }
    std::printf("device    %s\n", device.device_name.c_str());
    std::printf("driver    %s\n", device.driver.c_str());
    std::printf("picture   %u x %u pixels\n", report.width, report.height);
    std::printf("cloud     %u splats of degree %u, %.0f bytes each\n", report.splats, report.degree,
                cloud_bytes_per_splat);
    std::printf("visible   %u splats, in %u pairs of a block and a splat\n", report.counts.visible,
                report.counts.pairs);
    if (report.ms > 0) {
        std::printf("time      %.3f ms%s\n", report.ms, speed_note(device));
    }
    for (std::size_t i = 0; i < report.stages.size(); ++i) {
        std::printf("%s%s %.3f%s", i == 0 ? "stages    " : ", ", report.stages[i].first.c_str(),
                    report.stages[i].second, i + 1 == report.stages.size() ? " ms\n" : "");
    }
    if (report.frames > 1) {
        std::printf("frames    %u, %.3f ms each including waits; %u exceeded the pair capacity\n", report.frames,
                    report.frame_ms, report.short_frames);
    }
    std::printf("memory    %.1f MB, %.1f bytes per splat\n", static_cast<double>(report.memory) * 1e-6,
                bytes_per_splat);
}

Result<> run(const Options& options) {
    if (writes_cloud(options)) {
        return convert(options);
    }
    if (options.window) {
        return show_in_window(options);
    }
    auto files = create_files({options.output, options.graph, options.plan, options.trace});
    SAMPLES_PROPAGATE(files);
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const bool is_cpu = gpu->capabilities().kind == weir::DeviceKind::cpu;
    const auto cloud = cloud_of(options, is_cpu);
    SAMPLES_PROPAGATE(cloud);
    Report report{.splats = cloud->size(), .degree = cloud->degree};
    const auto path = Path::create(options, *cloud);
    SAMPLES_PROPAGATE(path);
    const VkExtent2D usual = path->size().width != 0 ? path->size()
                             : is_cpu                ? VkExtent2D{640, 360}
                                                     : VkExtent2D{1920, 1080};
    report.width = options.width != 0 ? options.width : usual.width;
    report.height = options.height != 0 ? options.height : usual.height;
    report.cloud_bytes = cloud->places.size() * (sizeof(SplatPlace) + sizeof(SplatShape)) +
                         cloud->harmonics.size() * sizeof(std::uint32_t);
    PlanTexts plan = no_plan();
    const auto pixels = draw(*gpu, *cloud, options, *path, report, plan);
    SAMPLES_PROPAGATE(pixels);
    std::string png;
    if (!options.output.empty()) {
        auto made = to_png(*pixels, report.width, report.height);
        SAMPLES_PROPAGATE(made);
        png = std::move(*made);
    }
    const std::string_view contents[] = {png, plan[0], plan[1], plan[2]};
    for (std::size_t i = 0; i < files->size(); ++i) {
        if ((*files)[i]) {
            SAMPLES_PROPAGATE((*files)[i]->write(contents[i]));
        }
    }
    SAMPLES_PROPAGATE(keep_files(*files));
    print(gpu->capabilities(), options, report);
    return {};
}

} // namespace

} // namespace samples::splats

int main(int argc, char** argv) {
    return samples::run_sample("splats", samples::splats::parse_command_line(argc, argv), samples::splats::run);
}
