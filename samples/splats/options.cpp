#include "splats/options.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <weir/splats/graph.hpp>

#include "common/command_line.hpp"
#include "common/plan_files.hpp"
#include "splats/convert.hpp"

namespace samples::splats {

namespace {

constexpr std::uint64_t most_made_up = 1U << 26;

std::string mistake_in(const Options& options) {
    if (options.list_devices) {
        return {};
    }
    if (!options.inputs.empty() && options.count != 0) {
        return "--input excludes --count";
    }
    if (options.eye && options.eye == options.target) {
        return "--eye and --target are the same point";
    }
    if (!options.camera.empty() && (options.eye || options.target)) {
        return "--camera excludes --eye and --target";
    }
    if (options.camera.empty() && options.at) {
        return "--at needs --camera";
    }
    if (options.at && options.frames > 1 && !options.window) {
        return "--at excludes --frames";
    }
    if (options.near_plane > 0 && options.far_plane > 0 && options.near_plane >= options.far_plane) {
        return "--near must be less than --far";
    }
    if (options.inputs.empty() && options.morton) {
        return "--morton needs --input";
    }
    if (writes_cloud(options) &&
        (options.json || !options.graph.empty() || !options.plan.empty() || !options.trace.empty())) {
        return "--output of a .ply or .spz file excludes --json, --graph, --plan and --trace";
    }
    if (writes_cloud(options) && options.inputs.size() > 1) {
        return "--output of a .ply or .spz file takes one --input, not " + std::to_string(options.inputs.size());
    }
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "--window excludes --json, --output, --graph, --plan and --trace";
    }
    std::vector<NamedFile> read;
    for (const std::string& input : options.inputs) {
        read.push_back({"--input", input});
    }
    read.push_back({"--camera", options.camera});
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output, output_format});
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

/// Parses an axis with an optional sign. Returns false if `text` is anything else.
bool parse_axis(std::string_view text, Vec3& axis) {
    const float sign = text.starts_with('-') ? -1.0F : 1.0F;
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const std::size_t number = std::string_view("xyz").find(text);
    if (text.size() != 1 || number == std::string_view::npos) {
        return false;
    }
    axis = {};
    axis[number] = sign;
    return true;
}

/// Adds the options of the camera.
void add_camera_options(CLI::App& app, Options& options) {
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
    add_option(
        app, "--up", "AXIS", "x, y or z, with or without a minus sign",
        [&](const std::string& text) { return parse_axis(text, options.up.emplace()); },
        "Axis that points upwards in the picture: x, y or z, or -x, -y or -z")
        ->default_str("-y for --input, as in COLMAP, y for a generated cloud");
    add_file(
        app, "--camera", options.camera,
        "Draw along this camera path, a JSON file of key frames or the cameras.json of the original training, whose "
        "cameras are one second apart");
    add_number(app, "--at", "SECONDS", options.at, {-1e9, 1e9}, "Draw one picture at this time of --camera")
        ->default_str("the whole path");
    add_number(app, "--near", "DEPTH", options.near_plane, {0, 1e30},
               "Minimum distance of visible splats from the plane of the camera")
        ->default_str("1/200 of the extent of the cloud");
    add_number(app, "--far", "DEPTH", options.far_plane, {0, 1e30},
               "Maximum distance of visible splats from the plane of the camera")
        ->default_str("behind all splats");
}

} // namespace

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Draws a cloud of Gaussian splats on the GPU, as one graph of Weir's primitives.", "splats");
    app.add_option("--input", options.inputs,
                   "Draw these clouds: .ply (also compressed), .splat, .spz, .sog or .ksplat. More than one file may "
                   "follow")
        ->option_text("FILE")
        ->default_str("a generated cloud");
    add_file(app, "--output", options.output,
             "Write the last picture to this PNG file, or all pictures if the name has %d or %03d in place of their "
             "number, or only the cloud to this .ply or .spz file");
    add_count(
        app, "--frames", options.frames, {1, 1000000},
        "Number of pictures, spread over one turn around the cloud, or from the beginning to the end of --camera. "
        "A window closes after this many frames")
        ->default_str("1; a window stays open");
    add_size(app, options.width, options.height, max_pixels, "Size of the picture, in pixels")
        ->default_str("1920x1080 on a GPU, 640x360 on a CPU, 1280x720 in a window");
    add_count(app, "--count", options.count, {1, most_made_up}, "Number of generated splats")
        ->default_str("1000000 on a GPU, 100000 on a CPU");
    add_count(app, "--degree", options.degree, {0, 3}, "Maximum degree of the spherical harmonics")
        ->default_str("1 for a generated cloud, that of the file for --input");
    add_camera_options(app, options);
    add_option(
        app, "--background", "R,G,B", "three numbers from 0 to 1, as R,G,B",
        [&](const std::string& text) {
            const auto is_valid = [](float value) { return value >= 0 && value <= 1; };
            return parse_point(text, options.background) &&
                   std::all_of(options.background.begin(), options.background.end(), is_valid);
        },
        "Color behind the splats, each component from 0 to 1")
        ->default_str("0,0,0");
    app.add_flag("--antialias", options.antialias,
                 "Filter splats with the area of a pixel and keep their opacity in total, for clouds that are trained "
                 "this way and for small pictures");
    app.add_flag("--compact-harmonics", options.compact_harmonics,
                 "Keep the harmonics with 8 bits instead of 16 in device memory");
    add_count(app, "--repeat", options.repeat, {1, 100000},
              "Number of timed runs of the last picture; the median is reported")
        ->default_str("30 on a GPU, 3 on a CPU");
    add_count(app, "--pairs", options.pairs, {1, 1U << 29},
              "Initial capacity for pairs of a block and a splat. It grows if a picture has more")
        ->default_str("4 per splat, at least 4096");
    add_count(app, "--max-pairs", options.max_pairs, {1, (1U << 30) - 1},
              "Maximum capacity for pairs. The farthest splats are dropped if a picture has more")
        ->default_str("what the device supports");
    add_seed(app, options.seed, "the generated cloud");
    app.add_flag("--morton", options.morton, "Sort the splats of --input along a Morton curve");
    app.add_flag("--json", options.json, "Print the report as JSON");
    app.add_flag(
        "--window", options.window,
        "Show the clouds in a window. Drag: orbit. Drag with the right button: move the picture. Wheel, + and -: "
        "zoom. w, a, s, d, q and e: fly. f: orbit or look around when dragging. p: play or stop the path. Comma "
        "and period: key frames of --camera. 0 or Home: beginning of the path. c: write a picture. k: add a key "
        "frame and write the path. t: anti-aliasing. h: degree of the harmonics. b: background. 1 to 9: hide or "
        "show a cloud. i: hide or show the panel. Esc: exit");
    add_plan_options(app, options);
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&] { return mistake_in(options); });
    return line;
}

} // namespace samples::splats
