#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "paths/measure.hpp"
#include "paths/report.hpp"

namespace {

using namespace weir::bench;

struct Options {
    std::vector<std::string> files;
    float zoom = 32;
    std::string font;
    std::uint32_t glyphs = 5000;
    std::uint32_t rectangles = 10000;
    std::optional<std::uint32_t> repeats;
    std::optional<double> warm_up_ms;
    std::string device;
    std::string csv;
};

weir::Result<std::vector<Drawing>> drawings_of(const Options& options) {
    std::vector<Drawing> drawings;
    for (const std::string& file : options.files) {
        auto drawing = drawing_of(file);
        SAMPLES_PROPAGATE(drawing);
        drawings.push_back(std::move(*drawing));
    }
    if (!drawings.empty() && options.zoom != 1) {
        drawings.push_back(zoomed(drawings.front(), options.zoom));
    }
    if (options.glyphs != 0) {
        const std::string path = options.font.empty() ? find_font() : options.font;
        const auto font = read_font(path);
        if (font) {
            drawings.push_back(text_page(*font, options.glyphs));
        } else if (!options.font.empty()) {
            return tl::unexpected(font.error());
        } else {
            std::fprintf(stderr, "weir_bench_paths: no text: %s\n",
                         path.empty() ? "no font found; use --font" : font.error().message.c_str());
        }
    }
    return drawings;
}

weir::Result<> run(const Options& options, const std::vector<std::string>& command) {
    const auto drawings = drawings_of(options);
    SAMPLES_PROPAGATE(drawings);
    auto files = samples::create_files({options.csv});
    SAMPLES_PROPAGATE(files);
    const auto gpu = weir::Context::create({.device = options.device});
    SAMPLES_PROPAGATE(gpu);
    const weir::Capabilities& device = gpu->capabilities();
    const bool cpu = device.kind == weir::DeviceKind::cpu;
    TimerOptions timing;
    timing.repeats = options.repeats.value_or(timing.repeats);
    timing.warm_up_ms = options.warm_up_ms.value_or(cpu ? 5 : timing.warm_up_ms);
    if (!options.repeats) {
        timing.limit_ms = cpu ? 2000 : 10000;
    }
    auto timer = Timer::create(*gpu, timing);
    SAMPLES_PROPAGATE(timer);
    const Conditions conditions{device.device_name, device.driver, utc_now(), command, {}};
    print_header(conditions);
    std::vector<PathRow> rows;
    const auto add = [&](weir::Result<PathRow> row) -> weir::Result<> {
        SAMPLES_PROPAGATE(row);
        print_row(*row);
        rows.push_back(std::move(*row));
        return {};
    };
    for (const Drawing& drawing : *drawings) {
        SAMPLES_PROPAGATE(add(time_drawing(*gpu, *timer, drawing)));
    }
    if (options.rectangles != 0) {
        MovingRectangles rectangles(options.rectangles);
        auto row = time_drawing(*gpu, *timer, rectangles.drawing());
        if (row) {
            SAMPLES_PROPAGATE(time_frames(*gpu, timing, rectangles, *row));
        }
        SAMPLES_PROPAGATE(add(std::move(row)));
    }
    if ((*files)[0]) {
        SAMPLES_PROPAGATE((*files)[0]->write(csv_of(conditions, rows)));
    }
    return samples::keep_files(*files);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "Measures drawings of weir::paths on the GPU, in total and by stage: SVG files, the enlarged middle of the "
        "first file, a page of text, and rectangles that move in every frame. Every time is the median of timed "
        "runs after a warm-up.",
        "weir_bench_paths");
    app.add_option("FILE", options.files, "SVG files, each fitted into a picture of the given size")
        ->option_text("[@WIDTHxHEIGHT]");
    samples::add_number(app, "--zoom", "FACTOR", options.zoom, {1, 1e6},
                        "Enlargement of the first drawing. 1: do not measure it enlarged");
    samples::add_file(app, "--font", options.font, "Font of the text")->default_str("a font of the system");
    samples::add_count(app, "--glyphs", options.glyphs, {0, 1000000}, "Number of glyphs of the text. 0: no text");
    samples::add_count(app, "--rectangles", options.rectangles, {0, 1000000}, "Number of moving rectangles. 0: none");
    samples::add_count(app, "--repeat", options.repeats, {1, 100000}, "Timed runs of each drawing")
        ->default_str("30, fewer if they take long");
    samples::add_number(app, "--warm-up", "MS", options.warm_up_ms, {0, 10000},
                        "GPU work before the timed runs, in milliseconds")
        ->default_str("150 on a GPU, 5 on a CPU");
    samples::add_device(app, options.device);
    samples::add_file(app, "--csv", options.csv, "Also write all times to this CSV file");
    const auto mistake = [&] { return samples::files_mistake({}, {{"--csv", options.csv, samples::csv_format}}); };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }
    return samples::run_program("weir_bench_paths",
                                [&] { return run(options, std::vector<std::string>(argv, argv + argc)); });
}
