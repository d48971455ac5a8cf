#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <weir/paths/cpu.hpp>
#include <weir/paths/profile.hpp>
#include <weir/paths/renderer.hpp>
#include <weir/svg/document.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/plan_files.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "svg/options.hpp"
#include "svg/png.hpp"
#include "svg/window.hpp"

namespace samples {

namespace {

using weir::Result;
using weir::paths::Sizes;
using weir::paths::Transform;
using weir::paths::View;
using weir::svg::Drawing;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30; // of an input file

/// Results of a run.
struct Report {
    std::string device, driver, note;
    double ms = 0;                                      ///< median time per picture
    std::vector<std::pair<std::string, double>> stages; ///< median times of the stages, in ms
    Sizes sizes;
    std::uint32_t tries = 0;
    std::uint64_t memory = 0;
    double bytes_per_line = 0; ///< without the picture and its copy
};

/// Returns the view of a document.
Result<View> view_of(float width_of_document, float height_of_document, const Options& options) {
    const weir::paths::Rect part =
        options.viewport.value_or(weir::paths::Rect{0, 0, width_of_document, height_of_document});
    const float part_width = part.right - part.left, part_height = part.bottom - part.top;
    View view{.tolerance = options.tolerance, .background = options.background, .coverage = options.coverage};
    float scale = options.scale;
    float width = std::ceil(part_width * scale), height = std::ceil(part_height * scale);
    if (options.width != 0) {
        width = static_cast<float>(options.width);
        height = static_cast<float>(options.height);
        scale = std::min(width / part_width, height / part_height);
    }
    const std::uint32_t across = samples_across(options.coverage), samples = across * across;
    const std::uint32_t most = weir::paths::max_pixels / across;
    if (!(width <= static_cast<float>(most) && height <= static_cast<float>(most))) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                          "the picture would have " + number_text(width) + " x " + number_text(height) +
                                              " pixels; at most " + std::to_string(most) + " are supported" +
                                              (samples != 1 ? " with --samples " + std::to_string(samples) : "") +
                                              " (see --size and --scale)"});
    }
    view.width = static_cast<std::uint32_t>(std::max(1.0F, width));
    view.height = static_cast<std::uint32_t>(std::max(1.0F, height));
    view.transform = Transform::scaling(scale, scale) * Transform::translation(-part.left, -part.top);
    return view;
}

std::vector<std::uint32_t> draw_on_cpu(const Drawing& drawing, const View& view, const Options& options,
                                       Report& report) {
    const weir::paths::CpuOptions threads{.threads = options.threads};
    weir::paths::CpuStrips strips;
    std::vector<std::uint32_t> pixels;
    std::vector<double> ms;
    do {
        const auto start = std::chrono::steady_clock::now();
        strips = weir::paths::cpu_strips(drawing.scene, view, threads);
        pixels = weir::paths::cpu_pixels(drawing.scene, view, strips, threads);
        ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    } while (ms.size() < options.repeat);
    report.ms = median(ms);
    report.device = "the CPU";
    report.sizes = {strips.centers, static_cast<std::uint32_t>(strips.lines.size()),
                    static_cast<std::uint32_t>(strips.cuts.size()),
                    static_cast<std::uint32_t>(strips.strips.size() - 1)};
    return pixels;
}

Result<std::vector<std::uint32_t>> draw_on_device(const weir::Context& gpu, const Drawing& drawing, const View& view,
                                                  const Options& options, Report& report, PlanTexts& plan) {
    const weir::Capabilities& device = gpu.capabilities();
    report.device = device.device_name;
    report.driver = device.driver;
    report.note = speed_note(device);
    auto renderer = weir::paths::Renderer::create(gpu, drawing.scene);
    SAMPLES_PROPAGATE(renderer);
    {
        Progress progress("compiling and drawing");
        const auto drawn = renderer->draw(view);
        SAMPLES_PROPAGATE(drawn);
        report.sizes = drawn->needed;
        report.tries = drawn->tries;
        const auto again = renderer->draw(view); // with buffers of the size that the first one needed
        SAMPLES_PROPAGATE(again);
        report.memory = renderer->program().memory();
        const std::uint64_t pictures = std::uint64_t{8} * view.width * view.height;
        report.bytes_per_line =
            static_cast<double>(report.memory - std::min(report.memory, pictures)) / std::max(1U, report.sizes.lines);
    }
    if (device.timestamp_bits != 0) {
        Progress progress("timing");
        const bool cpu = device.kind == weir::DeviceKind::cpu;
        const Timing timing{cpu ? 1.0 : 150.0, options.repeat != 0 ? options.repeat : cpu ? 3U : 20U};
        const auto timed =
            time_programs(gpu, {&renderer->program()}, timing, [&](double done) { progress.show(done); });
        SAMPLES_PROPAGATE(timed);
        report.ms = (*timed)[0];
        const auto profiles = profiles_of(gpu, renderer->program(), timing.repeat);
        SAMPLES_PROPAGATE(profiles);
        for (const auto& stage : weir::paths::stage_times(*profiles)) {
            report.stages.emplace_back(stage.name, median(stage.us) * 1e-3);
        }
    }
    auto texts = plan_texts(renderer->program(), options);
    SAMPLES_PROPAGATE(texts);
    plan = std::move(*texts);
    return renderer->download();
}

void print(const Options& options, const Drawing& drawing, const View& view, const Report& report) {
    const auto& scene = drawing.scene;
    if (options.json) {
        nlohmann::json not_drawn = nlohmann::json::object();
        for (const auto& [what, count] : drawing.not_drawn) {
            not_drawn[what] = count;
        }
        nlohmann::json stages = nlohmann::json::object();
        for (const auto& [name, ms] : report.stages) {
            stages[name] = ms;
        }
        const nlohmann::json object = {{"device", report.device},
                                       {"driver", report.driver},
                                       {"width", view.width},
                                       {"height", view.height},
                                       {"draws", scene.draws().size()},
                                       {"segments", scene.instances().size()},
                                       {"layers", scene.layers().size() - 1},
                                       {"path_lines", report.sizes.centers},
                                       {"lines", report.sizes.lines},
                                       {"cuts", report.sizes.cuts},
                                       {"strips", report.sizes.strips},
                                       {"ms", report.ms},
                                       {"stages_ms", stages},
                                       {"tries", report.tries},
                                       {"memory_bytes", report.memory},
                                       {"bytes_per_line", report.bytes_per_line},
                                       {"not_drawn", not_drawn}};
        std::printf("%s\n", object.dump(2).c_str());
        return;
    }
    std::printf("device    %s\n", report.device.c_str());
    if (!report.driver.empty()) {
        std::printf("driver    %s\n", report.driver.c_str());
    }
    std::printf("picture   %u x %u pixels\n", view.width, view.height);
    std::printf("scene     %zu draws, %zu segments\n", scene.draws().size(), scene.instances().size());
    std::printf("made      %u lines, %u cuts, %u strips\n", report.sizes.lines, report.sizes.cuts, report.sizes.strips);
    if (report.ms > 0) {
        std::printf("time      %.3f ms%s\n", report.ms, report.note.c_str());
    }
    for (std::size_t i = 0; i < report.stages.size(); ++i) {
        std::printf("%s%s %.3f%s", i == 0 ? "stages    " : ", ", report.stages[i].first.c_str(),
                    report.stages[i].second, i + 1 == report.stages.size() ? " ms\n" : "");
    }
    if (report.memory > 0) {
        std::printf("memory    %.3f MB; %.1f bytes per line without the picture and its copy\n",
                    static_cast<double>(report.memory) * 1e-6, report.bytes_per_line);
    }
}

Result<> run(const Options& options) {
    std::string bytes;
    const auto read = append_file(options.input, most_bytes, bytes);
    SAMPLES_PROPAGATE(read);
    if (!*read) {
        return io_error(options.input, "it is larger than 1 GiB");
    }
    const auto scale_of = [&](float width, float height) {
        const auto view = view_of(width, height, options);
        return view ? view->transform.xx : 1.0F; // the error is returned below
    };
    const auto drawing = weir::svg::read(
        bytes, {.name = options.input, .folder = path_of(options.input).parent_path() / ".", .scale_of = scale_of});
    SAMPLES_PROPAGATE(drawing);
    if (!drawing->not_drawn.empty()) {
        std::string all;
        for (const auto& [what, count] : drawing->not_drawn) {
            all += (all.empty() ? "" : ", ") + std::to_string(count) + " x " + what;
        }
        std::fprintf(stderr, "svg: not drawn: %s\n", all.c_str());
    }
    auto view = view_of(drawing->width, drawing->height, options);
    SAMPLES_PROPAGATE(view);
    if (options.window) {
        return show_in_window(*drawing, options, *view);
    }
    view->margin = weir::paths::effect_margin(drawing->scene, *view);
    auto files = create_files({options.output, options.graph, options.plan, options.trace});
    SAMPLES_PROPAGATE(files);
    Report report;
    PlanTexts plan = no_plan();
    std::vector<std::uint32_t> pixels;
    if (options.cpu) {
        pixels = draw_on_cpu(*drawing, *view, options, report);
    } else {
        const auto gpu = weir::Context::create({.device = options.device});
        SAMPLES_PROPAGATE(gpu);
        auto drawn = draw_on_device(*gpu, *drawing, *view, options, report, plan);
        SAMPLES_PROPAGATE(drawn);
        pixels = std::move(*drawn);
    }
    std::string png;
    if (!options.output.empty()) {
        auto made = to_png(pixels, view->width, view->height);
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
    print(options, *drawing, *view, report);
    return {};
}

} // namespace

} // namespace samples

int main(int argc, char** argv) {
    return samples::run_sample("svg", samples::parse_command_line(argc, argv), samples::run);
}
