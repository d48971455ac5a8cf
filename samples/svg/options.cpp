#include "svg/options.hpp"

#include <cmath>
#include <vector>

#include <weir/paths/view.hpp>

#include "common/command_line.hpp"
#include "common/plan_files.hpp"
#include "svg/syntax.hpp"

namespace samples {

namespace {

std::string mistake_in(const Options& options) {
    if (options.list_devices) {
        return {};
    }
    if (options.input.empty()) {
        return "which file? --help says more";
    }
    if (options.cpu && (!options.graph.empty() || !options.plan.empty() || !options.trace.empty())) {
        return "with --cpu there is no graph";
    }
    if (!options.window && (options.frames != 0 || options.encoded_window)) {
        return "--frames and --encoded are for a --window";
    }
    if (options.window && (options.cpu || options.json || !options.output.empty() || !options.graph.empty() ||
                           !options.plan.empty() || !options.trace.empty())) {
        return "a --window draws on the device, and writes no file";
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output});
    return files_clash({{"the drawing", options.input}}, written);
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Draws an SVG file on the GPU, as one graph of Weir's primitives.", "svg");
    app.add_option("file", options.input, "the drawing: .svg or .svgz")->type_name("FILE");
    app.add_option("--output", options.output, "write the picture, a PNG")->type_name("FILE");
    add_option(
        app, "--scale", "a number above 0",
        [&](const std::string& text) {
            return parse_number(text, options.scale) && options.scale > 0 && std::isfinite(options.scale);
        },
        "pixels for one of the drawing; 1 by default");
    add_option(
        app, "--size", "WIDTHxHEIGHT",
        [&](const std::string& text) {
            const std::size_t x = text.find('x');
            const auto fits = [](std::uint32_t n) { return n >= 1 && n <= weir::paths::most_pixels; };
            return x != std::string::npos && parse_number(std::string_view(text).substr(0, x), options.width) &&
                   parse_number(std::string_view(text).substr(x + 1), options.height) && fits(options.width) &&
                   fits(options.height);
        },
        "pixels of the picture; the drawing is fitted into it");
    add_option(
        app, "--viewport", "X,Y,WIDTH,HEIGHT",
        [&](const std::string& text) {
            const std::vector<float> v = number_list(text);
            if (v.size() != 4 || !(v[2] > 0 && v[3] > 0)) {
                return false;
            }
            options.viewport = weir::paths::Rect{v[0], v[1], v[0] + v[2], v[1] + v[3]};
            return true;
        },
        "draw this part of the drawing, in its pixels");
    add_option(
        app, "--background", "a color of CSS",
        [&](const std::string& text) {
            Scanner scanner(text);
            const auto color = read_color(scanner);
            options.background = color.value_or(options.background);
            return color && scanner.at_end();
        },
        "behind the drawing; nothing by default");
    add_option(
        app, "--tolerance", "a number above 0",
        [&](const std::string& text) {
            return parse_number(text, options.tolerance) && options.tolerance >= 1e-3F && options.tolerance <= 100;
        },
        "greatest distance of curves from their lines, in pixels; 0.1 by default");
    add_option(
        app, "--repeat", "a number from 1 to 100000",
        [&](const std::string& text) {
            return parse_number(text, options.repeat) && options.repeat >= 1 && options.repeat <= 100000;
        },
        "timed runs");
    app.add_flag("--cpu", options.cpu, "draw on the CPU, in one thread");
    app.add_flag("--json", options.json, "print the report as JSON");
    app.add_flag("--window", options.window,
                 "show the drawing in a window: drag to move it, the wheel or + and - zoom at the pointer, a drag with "
                 "the right button or q and e turn it, 0 or Home resets, i hides the times, Esc ends");
    add_option(
        app, "--frames", "a number from 1 to 1000000",
        [&](const std::string& text) {
            return parse_number(text, options.frames) && options.frames >= 1 && options.frames <= 1000000;
        },
        "close the window after so many frames");
    app.add_flag("--encoded", options.encoded_window, "of a window: let the swapchain encode colors, where it can");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

} // namespace samples
