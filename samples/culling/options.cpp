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

std::string mistake_in(const Options& options) {
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "a --window writes no file";
    }
    if (options.still && !options.window) {
        return "--still needs --window";
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output, png_format});
    return files_mistake({}, written);
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Flies through a city of many instances, of which the GPU finds out what is visible: culling, draws, "
                 "exposure and tone mapping are one graph.",
                 "culling");
    add_file(app, "--output", options.output, "Write the last frame to this PNG file");
    const auto set_instances = [&](std::uint64_t count) {
        options.instances = static_cast<std::uint32_t>(count);
        options.has_instances = true;
    };
    add_count(app, "--instances", {0, most_instances}, set_instances, "Number of instances in the city")
        ->default_str("1000000 on a GPU, 20000 on a CPU");
    add_size(app, options.width, options.height, most_pixels, "Pixels of the picture")
        ->default_str("1920x1080 on a GPU, 640x360 on a CPU, 1280x720 in a window");
    add_count(app, "--frames", options.frames, {1, 1000000},
              "Frames to draw; a window is closed after this many frames")
        ->default_str("600, the whole path, on a GPU, 12 on a CPU; a window stays open");
    add_count(app, "--first-frame", options.first_frame, {0, path_frames - 1}, "Frame of the path to begin with");
    const auto add_switch = [&](const char* name, bool& on, const char* help) {
        app.add_flag_callback(
            name, [&on] { on = false; }, help);
    };
    add_switch("--no-frustum", options.switches.frustum, "Draw what is outside the view, too");
    add_switch("--no-occlusion", options.switches.occlusion, "Draw what is hidden, too");
    add_switch("--no-levels", options.switches.levels, "Draw all meshes with all their triangles");
    add_switch("--no-comparison", options.compare, "Do not draw the frames again without culling");
    app.add_flag("--json", options.json, "Print the report as JSON");
    app.add_flag(
        "--window", options.window,
        "Show the flight in a window: p pauses it, the wheel, comma and period move along the path, w, s, a, d, "
        "e and q move freely, a drag looks around, 0 or Home goes back to the path, 1, 2 and 3 switch frustum, "
        "occlusion and levels, i hides the panel, Esc ends");
    app.add_flag("--still", options.still, "Keep the camera at the first frame until p is pressed (window only)");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

std::uint32_t instances_of(const Options& options, bool is_cpu) {
    return options.has_instances ? options.instances : is_cpu ? 20000 : 1000000;
}

} // namespace samples::culling
