#include "culling/options.hpp"

#include <string_view>
#include <vector>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/plan_files.hpp"
#include "culling/scene.hpp"

namespace samples::culling {

namespace {

constexpr std::uint32_t most_pixels = 8192; // maximum width and height

std::string mistake_in(const Options& options) {
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "--window excludes --json, --output, --graph, --plan and --trace";
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
    CLI::App app("Flies through a city of many instances. The GPU finds the visible ones. Culling, draws, "
                 "exposure and tone mapping are one graph.",
                 "culling");
    add_file(app, "--output", options.output, "Write the last frame to this PNG file");
    const auto set_instances = [&](std::uint64_t count) {
        options.instances = static_cast<std::uint32_t>(count);
        options.has_instances = true;
    };
    add_count(app, "--instances", {0, most_instances}, set_instances, "Number of instances in the city")
        ->default_str("1000000 on a GPU, 20000 on a CPU");
    add_size(app, options.width, options.height, most_pixels, "Size of the picture, in pixels")
        ->default_str("1920x1080 on a GPU, 640x360 on a CPU, 1280x720 in a window");
    add_count(app, "--frames", options.frames, {1, 1000000}, "Number of frames. A window closes after this many")
        ->default_str("600, the whole path, on a GPU, 12 on a CPU; a window stays open");
    add_count(app, "--first-frame", options.first_frame, {0, path_frames - 1}, "First frame of the path");
    const auto add_switch = [&](const char* name, bool& on, const char* help) {
        app.add_flag_callback(
            name, [&on] { on = false; }, help);
    };
    add_switch("--no-frustum", options.switches.frustum, "Also draw instances outside the view");
    add_switch("--no-occlusion", options.switches.occlusion, "Also draw hidden instances");
    add_switch("--no-levels", options.switches.levels, "Draw all meshes with all triangles");
    add_switch("--no-comparison", options.compare, "Do not draw the frames a second time without culling");
    app.add_flag("--json", options.json, "Print the report as JSON");
    app.add_flag("--window", options.window,
                 "Show the flight in a window. p: pause. Wheel, comma and period: move along the path. w, s, a, d, "
                 "e and q: move freely. Drag: look around. 0 or Home: return to the path. 1, 2 and 3: switch frustum, "
                 "occlusion and levels. i: hide or show the panel. Esc: exit");
    app.add_flag("--still", options.still, "Start paused at the first frame; p continues (window only)");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

std::uint32_t instances_of(const Options& options, bool is_cpu) {
    return options.has_instances ? options.instances : is_cpu ? 20000 : 1000000;
}

} // namespace samples::culling
