#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
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
        if (!drawing) {
            return tl::unexpected(drawing.error());
        }
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
                         path.empty() ? "there is no font; --font names one" : font.error().message.c_str());
        }
    }
    return drawings;
}

weir::Result<> run(const Options& options, const std::vector<std::string>& command) {
    const auto drawings = drawings_of(options);
    if (!drawings) {
        return tl::unexpected(drawings.error());
    }
    auto files = samples::create_files({options.csv});
    if (!files) {
        return tl::unexpected(files.error());
    }
    const auto gpu = weir::Context::create({.device = options.device});
    if (!gpu) {
        return tl::unexpected(gpu.error());
    }
    const weir::Capabilities& device = gpu->capabilities();
    const bool cpu = device.kind == weir::DeviceKind::cpu;
    TimerOptions timing;
    timing.repeats = options.repeats.value_or(timing.repeats);
    timing.warm_up_ms = options.warm_up_ms.value_or(cpu ? 5 : timing.warm_up_ms);
    if (!options.repeats) {
        timing.limit_ms = cpu ? 2000 : 10000;
    }
    auto timer = Timer::create(*gpu, timing);
    if (!timer) {
        return tl::unexpected(timer.error());
    }
    const Conditions conditions{device.device_name, device.driver, utc_now(), command, {}};
    print_header(conditions);
    std::vector<PathRow> rows;
    const auto add = [&](weir::Result<PathRow> row) -> weir::Result<> {
        if (!row) {
            return tl::unexpected(row.error());
        }
        print_row(*row);
        rows.push_back(std::move(*row));
        return {};
    };
    for (const Drawing& drawing : *drawings) {
        if (auto added = add(time_drawing(*gpu, *timer, drawing)); !added) {
            return added;
        }
    }
    if (options.rectangles != 0) {
        MovingRectangles rectangles(options.rectangles);
        auto row = time_drawing(*gpu, *timer, rectangles.drawing());
        if (row) {
            if (auto timed = time_frames(*gpu, timing, rectangles, *row); !timed) {
                return timed;
            }
        }
        if (auto added = add(std::move(row)); !added) {
            return added;
        }
    }
    if ((*files)[0]) {
        if (auto written = (*files)[0]->write(csv_of(conditions, rows)); !written) {
            return written;
        }
    }
    return samples::keep_files(*files);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "Times drawings of weir::paths on the GPU, as a whole and by stage: SVG files, the middle of the first "
        "one enlarged, a page of text, and rectangles that move in every frame. Every time is the median of "
        "timed runs after a warm-up.",
        "weir_bench_paths");
    app.add_option("files", options.files, "drawings, each fitted into a picture of that size")
        ->type_name("FILE[@WIDTHxHEIGHT]");
    app.add_option("--zoom", options.zoom, "how much the first drawing is enlarged; 32 by default, 1: not at all")
        ->check(CLI::Range(1.0, 1e6));
    app.add_option("--font", options.font, "the font of the text; by default one of the system")->type_name("FILE");
    app.add_option("--glyphs", options.glyphs, "of the text; 5000 by default, 0: no text")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--rectangles", options.rectangles, "that move; 10000 by default, 0: none")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--repeat", options.repeats, "timed runs of each drawing; 30 by default, fewer where they take long")
        ->check(CLI::Range(1, 100000));
    app.add_option("--warm-up", options.warm_up_ms,
                   "GPU work before the timed runs, in ms; 150 by default on a GPU, 5 on a CPU")
        ->check(CLI::Range(0.0, 10000.0));
    app.add_option("--device", options.device,
                   "index, part of the name, or kind of the device; by default WEIR_DEVICE");
    app.add_option("--csv", options.csv, "also write all times to this file, as CSV")->type_name("FILE");
    if (const auto status = samples::parse(app, argc, argv)) {
        return *status;
    }
    return samples::run_program("weir_bench_paths",
                                [&] { return run(options, std::vector<std::string>(argv, argv + argc)); });
}
