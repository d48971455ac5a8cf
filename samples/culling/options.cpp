#include "culling/options.hpp"

#include <string_view>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "culling/scene.hpp"

namespace samples::culling {

namespace {

constexpr std::uint32_t most_pixels = 8192; // of a side

bool read_size(std::string_view text, Options& options) {
    const std::size_t x = text.find('x');
    const auto fits = [](std::uint32_t n) { return n >= 1 && n <= most_pixels; };
    return x != std::string_view::npos && parse_number(text.substr(0, x), options.width) &&
           parse_number(text.substr(x + 1), options.height) && fits(options.width) && fits(options.height);
}

std::string mistake_in(const Options& options) {
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "a --window writes no file";
    }
    if (options.still && !options.window) {
        return "--still is for a --window";
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output});
    return files_clash({}, written);
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Flies through a city of many instances, of which the GPU finds out what is visible: culling, draws, "
                 "exposure and tone mapping are one graph.",
                 "culling");
    app.add_option("--output", options.output, "write the last frame, a PNG")->type_name("FILE");
    add_option(
        app, "--instances", "a number from 0 to 2^24, as 2^20",
        [&](const std::string& text) {
            std::uint64_t count = 0;
            const bool is_read = parse_count(text, count) && count <= most_instances;
            options.instances = static_cast<std::uint32_t>(is_read ? count : 0);
            options.has_instances = is_read;
            return is_read;
        },
        "instances in the city; 1000000 by default, 20000 where the device is a CPU");
    add_option(
        app, "--size", "WIDTHxHEIGHT, at most 8192x8192",
        [&](const std::string& text) { return read_size(text, options); },
        "pixels of the picture; 1920x1080 by default, 640x360 where the device is a CPU, 1280x720 of a window");
    add_option(
        app, "--frames", "a number from 1 to 1000000",
        [&](const std::string& text) {
            return parse_number(text, options.frames) && options.frames >= 1 && options.frames <= 1000000;
        },
        "frames to draw; 600 by default, which is the whole path, 12 where the device is a CPU; a window is closed "
        "then");
    add_option(
        app, "--first-frame", "a number from 0 to 599",
        [&](const std::string& text) {
            return parse_number(text, options.first_frame) && options.first_frame < path_frames;
        },
        "where on the path to begin");
    const auto add_switch = [&](const char* name, bool& on, const char* help) {
        app.add_flag_callback(
            name, [&on] { on = false; }, help);
    };
    add_switch("--no-frustum", options.switches.frustum, "draw what is outside the view, too");
    add_switch("--no-occlusion", options.switches.occlusion, "draw what is hidden, too");
    add_switch("--no-levels", options.switches.levels, "draw all meshes with all their triangles");
    add_switch("--no-comparison", options.compare, "do not draw the frames again without culling");
    app.add_flag("--json", options.json, "print the report as JSON");
    app.add_flag(
        "--window", options.window,
        "show the flight in a window: p pauses it, the wheel, comma and period move along the path, w, s, a, d, "
        "e and q move freely, a drag looks around, 0 or Home goes back to the path, 1, 2 and 3 switch frustum, "
        "occlusion and levels, i hides the panel, Esc ends");
    app.add_flag("--still", options.still, "of a window: the camera stays at the first frame until p is pressed");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

std::uint32_t instances_of(const Options& options, bool is_cpu) {
    return options.has_instances ? options.instances : is_cpu ? 20000 : 1000000;
}

} // namespace samples::culling
