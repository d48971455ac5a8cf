#include "splats/options.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include <weir/splats/graph.hpp>

#include "common/command_line.hpp"
#include "common/plan_files.hpp"

namespace samples::splats {

namespace {

constexpr std::uint64_t most_made_up = 1U << 26;

std::string mistake_in(const Options& options) {
    if (options.list_devices) {
        return {};
    }
    if (!options.input.empty() && options.count != 0) {
        return "--input excludes --count";
    }
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "--window excludes --json, --output, --graph, --plan and --trace";
    }
    std::vector<NamedFile> read;
    if (!options.input.empty()) {
        read.push_back({"--input", options.input});
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output, png_format});
    return files_mistake(read, written);
}

/// Parses three numbers separated by commas. Returns false if `text` is anything else.
bool parse_point(std::string_view text, Vec3& point) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t comma = i == 2 ? text.size() : text.find(',');
        if (comma == std::string_view::npos || !parse_number(text.substr(0, comma), point[i]) ||
            !std::isfinite(point[i])) {
            return false;
        }
        text.remove_prefix(i == 2 ? comma : comma + 1);
    }
    return true;
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Draws a cloud of Gaussian splats on the GPU, as one graph of Weir's primitives.", "splats");
    add_file(app, "--input", options.input, "Draw this cloud: .ply or .splat")->default_str("a generated cloud");
    add_file(app, "--output", options.output, "Write the last picture to this PNG file");
    add_count(app, "--frames", options.frames, {1, 1000000},
              "Number of pictures, spread over one turn around the cloud. A window closes after this many frames")
        ->default_str("1; a window stays open");
    add_size(app, options.width, options.height, most_splat_pixels, "Size of the picture, in pixels")
        ->default_str("1920x1080 on a GPU, 640x360 on a CPU, 1280x720 in a window");
    add_count(app, "--count", options.count, {1, most_made_up}, "Number of generated splats")
        ->default_str("1000000 on a GPU, 100000 on a CPU");
    add_count(app, "--degree", options.degree, {0, 3}, "Degree of the spherical harmonics of generated splats");
    add_option(
        app, "--eye", "X,Y,Z", "X,Y,Z",
        [&](const std::string& text) { return parse_point(text, options.eye.emplace()); },
        "Position of the camera in all pictures")
        ->default_str("a circle around the cloud");
    add_option(
        app, "--target", "X,Y,Z", "X,Y,Z",
        [&](const std::string& text) { return parse_point(text, options.target.emplace()); },
        "Point that the camera looks at")
        ->default_str("the center of the cloud");
    add_count(app, "--repeat", options.repeat, {1, 100000},
              "Number of timed runs of the last picture; the median is reported")
        ->default_str("30 on a GPU, 3 on a CPU");
    add_count(app, "--pairs", options.pairs, {1, 1U << 29},
              "Initial capacity for pairs of a tile and a splat. It grows if a picture has more")
        ->default_str("4 per splat, at least 4096");
    add_seed(app, options.seed, "the generated cloud");
    app.add_flag("--json", options.json, "Print the report as JSON");
    app.add_flag("--window", options.window,
                 "Show the cloud in a window. Drag: orbit. Wheel, + and -: zoom. p: stop or start the camera. 0 "
                 "or Home: reset. i: hide or show the times. Esc: exit");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

weir::Result<Cloud> cloud_of(const Options& options, bool is_cpu) {
    if (!options.input.empty()) {
        return read_cloud(options.input);
    }
    const std::uint64_t count = options.count != 0 ? options.count : is_cpu ? 100'000 : 1'000'000;
    return make_cloud(static_cast<std::uint32_t>(count), options.seed, options.degree);
}

} // namespace samples::splats
