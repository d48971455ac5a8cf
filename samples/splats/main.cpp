#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <weir/splats/renderer.hpp>
#include <weir/splats/stages.hpp>

#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/stopwatch.hpp"
#include "common/timing.hpp"
#include "splats/clouds.hpp"
#include "splats/convert.hpp"
#include "splats/options.hpp"
#include "splats/path.hpp"
#include "splats/pictures.hpp"
#include "splats/report.hpp"
#include "splats/window.hpp"
#include "svg/png.hpp"

namespace samples::splats {

namespace {

using weir::Result;

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

Result<Renderer> renderer_of(const weir::Context& gpu, std::span<const NamedCloud> clouds, const Options& options) {
    std::vector<PlacedCloud> placed;
    for (const NamedCloud& named : clouds) {
        auto uploaded = DeviceCloud::upload(gpu, named.cloud, {.harmonics = format_of_harmonics(options)});
        SAMPLES_PROPAGATE(uploaded);
        placed.push_back({std::move(*uploaded), {.max_degree = options.degree.value_or(3)}});
    }
    return Renderer::create(
        gpu, std::move(placed),
        {.antialias = options.antialias, .pair_capacity = options.pairs, .max_pairs = options.max_pairs});
}

/// Draws picture `frame`, and writes it if all pictures are written.
Result<> draw_frame(Renderer& renderer, const Options& options, const Path& path, std::uint32_t frame, Report& report) {
    const double time = options.at.value_or(path.time_of(frame, report.frames));
    const Vec3& back = options.background;
    const Stopwatch watch;
    const auto counts = renderer.draw({.width = report.width,
                                       .height = report.height,
                                       .camera = path.camera(time, report.width, report.height),
                                       .depths = {options.near_plane, options.far_plane},
                                       .background = {back[0], back[1], back[2], 1}});
    SAMPLES_PROPAGATE(counts);
    report.frame_ms += watch.ms() / report.frames;
    report.counts = *counts;
    report.short_frames += renderer.is_short() ? 1 : 0;
    warn(frame, renderer, *counts);
    if (!has_number(options.output)) {
        return {};
    }
    const auto pixels = renderer.pixels();
    SAMPLES_PROPAGATE(pixels);
    return write_picture(numbered(options.output, frame), *pixels, report.width, report.height);
}

Result<std::vector<std::uint32_t>> draw(const weir::Context& gpu, std::span<const NamedCloud> clouds,
                                        const Options& options, const Path& path, Report& report, PlanTexts& plan) {
    auto renderer = renderer_of(gpu, clouds, options);
    SAMPLES_PROPAGATE(renderer);
    report.frames = std::max(1U, options.frames);
    {
        // The first picture compiles the pipelines.
        std::optional<Progress> progress(std::in_place, "compiling and drawing");
        for (std::uint32_t frame = 0; frame < report.frames; ++frame) {
            SAMPLES_PROPAGATE(draw_frame(*renderer, options, path, frame, report));
            if (frame == 0) {
                progress.emplace("drawing");
            }
            progress->show(static_cast<double>(frame + 1) / report.frames);
        }
    }
    report.memory = renderer->program().memory();
    SAMPLES_PROPAGATE(time_picture(gpu, options, *renderer, report));
    weir::Program& program = renderer->program();
    auto texts = plan_texts(program, options, {.stages = stages_of_passes(*program.plan().graph), .overview = true});
    SAMPLES_PROPAGATE(texts);
    plan = std::move(*texts);
    return renderer->pixels();
}

Report report_of(std::span<const NamedCloud> clouds, const Options& options) {
    Report report{.clouds = static_cast<std::uint32_t>(clouds.size())};
    for (const auto& [name, cloud] : clouds) {
        report.splats += cloud.size();
        report.degree = std::max(report.degree, cloud.degree);
        const std::size_t harmonics =
            harmonic_words(cloud.degree, format_of_harmonics(options)) * sizeof(std::uint32_t);
        report.cloud_bytes += cloud.places.size() * (sizeof(SplatPlace) + sizeof(SplatShape) + harmonics);
    }
    return report;
}

Result<> run(const Options& options) {
    if (writes_cloud(options)) {
        return convert(options);
    }
    if (options.window) {
        return show_in_window(options);
    }
    const bool is_one_file = !has_number(options.output);
    auto files = create_files({is_one_file ? options.output : "", options.graph, options.plan, options.trace});
    SAMPLES_PROPAGATE(files);
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const bool is_cpu = gpu->capabilities().kind == weir::DeviceKind::cpu;
    const auto clouds = clouds_of(options, is_cpu);
    SAMPLES_PROPAGATE(clouds);
    Report report = report_of(*clouds, options);
    const auto path = Path::create(options, *clouds);
    SAMPLES_PROPAGATE(path);
    const VkExtent2D photograph = path->size(options.at.value_or(path->first_time()));
    const VkExtent2D usual = photograph.width != 0 ? photograph
                             : is_cpu              ? VkExtent2D{640, 360}
                                                   : VkExtent2D{1920, 1080};
    report.width = options.width != 0 ? options.width : usual.width;
    report.height = options.height != 0 ? options.height : usual.height;
    PlanTexts plan = no_plan();
    const auto pixels = draw(*gpu, *clouds, options, *path, report, plan);
    SAMPLES_PROPAGATE(pixels);
    std::string png;
    if ((*files)[0]) {
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
