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
    SplatView view;
    SplatCounts counts;                                 ///< counts of the last picture
    std::uint32_t frames = 0, short_frames = 0;         ///< number of frames, and of those with missing pairs
    double frame_ms = 0;                                ///< mean time per picture, including waits
    double ms = 0;                                      ///< median GPU time of the last picture
    std::vector<std::pair<std::string, double>> stages; ///< median GPU times of the stages, in ms
    std::uint64_t memory = 0;                           ///< bytes allocated for the graph
    std::uint64_t cloud_bytes = 0;
};

Result<> time_picture(const weir::Context& gpu, const Options& options, SplatRenderer& renderer, Report& report) {
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

Result<std::vector<std::uint32_t>> draw(const weir::Context& gpu, const Cloud& cloud, const Options& options,
                                        Report& report, PlanTexts& plan) {
    auto renderer = SplatRenderer::create(gpu, cloud, options.pairs);
    SAMPLES_PROPAGATE(renderer);
    report.frames = std::max(1U, options.frames);
    const Path path(options, cloud);
    {
        // The first picture compiles the pipelines.
        std::optional<Progress> progress(std::in_place, "compiling and drawing");
        const auto start = std::chrono::steady_clock::now();
        for (std::uint32_t frame = 0; frame < report.frames;) {
            const auto counts = renderer->draw(report.view, path.at(static_cast<double>(frame) / report.frames));
            SAMPLES_PROPAGATE(counts);
            report.counts = *counts;
            if (renderer->is_short()) {
                ++report.short_frames;
                std::fprintf(stderr, "splats: frame %u: capacity for %u of %u pairs of a tile and a splat\n", frame,
                             renderer->pair_capacity(), counts->pairs);
            }
            // The last picture is repeated if pairs are missing.
            frame += renderer->is_short() && frame + 1 == report.frames ? 0 : 1;
            if (frame == 1) {
                progress.emplace("drawing");
            }
            progress->show(static_cast<double>(frame) / report.frames);
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
                                       {"width", report.view.width},
                                       {"height", report.view.height},
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
    std::printf("picture   %u x %u pixels\n", report.view.width, report.view.height);
    std::printf("cloud     %u splats of degree %u, %.0f bytes each\n", report.splats, report.degree,
                cloud_bytes_per_splat);
    std::printf("visible   %u splats, in %u pairs of a tile and a splat\n", report.counts.visible, report.counts.pairs);
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
    report.view = {.width = options.width != 0 ? options.width
                            : is_cpu           ? 640U
                                               : 1920U,
                   .height = options.height != 0 ? options.height
                             : is_cpu            ? 360U
                                                 : 1080U};
    report.cloud_bytes = cloud->places.size() * (sizeof(SplatPlace) + sizeof(SplatShape)) +
                         cloud->harmonics.size() * sizeof(std::uint32_t);
    PlanTexts plan = no_plan();
    const auto pixels = draw(*gpu, *cloud, options, report, plan);
    SAMPLES_PROPAGATE(pixels);
    std::string png;
    if (!options.output.empty()) {
        auto made = to_png(*pixels, report.view.width, report.view.height);
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
