#include "svg/options.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <weir/paths/view.hpp>
#include <weir/svg/values.hpp>

#include "common/command_line.hpp"
#include "common/plan_files.hpp"

namespace samples {

namespace {

/// Parses X,Y,WIDTH,HEIGHT.
std::optional<weir::paths::Rect> rectangle(std::string_view text) {
    float v[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t end = i < 3 ? text.find(',') : text.size();
        if (end == std::string_view::npos || !parse_number(text.substr(0, end), v[i])) {
            return {};
        }
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return v[2] > 0 && v[3] > 0 ? std::optional(weir::paths::Rect{v[0], v[1], v[0] + v[2], v[1] + v[3]}) : std::nullopt;
}

std::string mistake_in(const Options& options) {
    if (options.list_devices) {
        return {};
    }
    if (options.input.empty()) {
        return "FILE is missing";
    }
    if (options.cpu && (!options.graph.empty() || !options.plan.empty() || !options.trace.empty())) {
        return "--cpu excludes --graph, --plan and --trace";
    }
    if (!options.cpu && options.threads != 0) {
        return "--threads needs --cpu";
    }
    if (!options.window && options.frames != 0) {
        return "--frames needs --window";
    }
    if (!options.window && options.srgb_swapchain) {
        return "--srgb-swapchain needs --window";
    }
    if (options.window && (options.cpu || options.json || !options.output.empty() || !options.graph.empty() ||
                           !options.plan.empty() || !options.trace.empty())) {
        return "--window excludes --cpu, --json, --output, --graph, --plan and --trace";
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output, png_format});
    return files_mistake({{"the drawing", options.input}}, written);
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Draws an SVG file on the GPU, as one graph of Weir's primitives.", "svg");
    app.add_option("FILE", options.input, "Drawing: .svg or .svgz");
    add_file(app, "--output", options.output, "Write the picture to this PNG file");
    add_option(
        app, "--scale", "FACTOR", "a number above 0",
        [&](const std::string& text) {
            return parse_number(text, options.scale) && options.scale > 0 && std::isfinite(options.scale);
        },
        "Output pixels per SVG pixel")
        ->default_str(number_text(options.scale));
    add_size(app, options.width, options.height, weir::paths::max_pixels,
             "Size of the picture, in pixels; the drawing is fitted into it")
        ->default_str("the size of the drawing times --scale");
    add_option(
        app, "--viewport", "X,Y,WIDTH,HEIGHT", "X,Y,WIDTH,HEIGHT with a WIDTH and a HEIGHT above 0",
        [&](const std::string& text) {
            options.viewport = rectangle(text);
            return options.viewport.has_value();
        },
        "Part of the drawing to draw, in SVG pixels")
        ->default_str("the whole drawing");
    add_option(
        app, "--background", "COLOR", "a color of CSS",
        [&](const std::string& text) {
            const auto color = weir::svg::read_color(text);
            options.background = color.value_or(options.background);
            return color.has_value();
        },
        "Color behind the drawing, as in CSS")
        ->default_str("transparent");
    add_number(app, "--tolerance", "PIXELS", options.tolerance, {1e-3, 100},
               "Maximum distance of curves from the lines that replace them, in pixels");
    add_option(
        app, "--samples", "COUNT", "1, 4 or 16",
        [&](const std::string& text) {
            using weir::paths::Coverage;
            options.coverage = text == "4" ? Coverage::samples_4 : text == "16" ? Coverage::samples_16 : Coverage::area;
            return text == "1" || options.coverage != Coverage::area;
        },
        "Samples per pixel: 1, 4 or 16; 1 covers pixels by area")
        ->default_str("1");
    add_count(app, "--repeat", options.repeat, {1, 100000}, "Number of timed runs; the median is reported")
        ->default_str("20 on a GPU, 3 on a driver for CPUs, 1 with --cpu");
    app.add_flag("--cpu", options.cpu, "Draw on the CPU");
    add_count(app, "--threads", options.threads, {1, 1024}, "Maximum number of threads; with --cpu only")
        ->default_str("one per core");
    app.add_flag("--json", options.json, "Print the report as JSON");
    app.add_flag("--window", options.window,
                 "Show the drawing in a window. Drag: move. Wheel, + and -: zoom at the pointer. Drag with "
                 "the right button, q and e: rotate. 0 or Home: reset. i: hide or show the times. Esc: exit");
    add_count(app, "--frames", options.frames, {1, 1000000}, "Close the window after this many frames")
        ->default_str("the window stays open");
    app.add_flag("--srgb-swapchain", options.srgb_swapchain, "Use an sRGB swapchain if available (window only)");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

} // namespace samples
