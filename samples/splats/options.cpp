#include "splats/options.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include "common/command_line.hpp"
#include "common/plan_files.hpp"
#include "splats/graph.hpp"

namespace samples::splats {

namespace {

constexpr std::uint64_t most_made_up = 1U << 26;

std::string mistake_in(const Options& options) {
    if (options.list_devices) {
        return {};
    }
    if (!options.input.empty() && options.count != 0) {
        return "--count is for a cloud that is made up";
    }
    if (options.window && (options.json || !options.output.empty() || !options.graph.empty() || !options.plan.empty() ||
                           !options.trace.empty())) {
        return "a --window writes no file";
    }
    std::vector<NamedFile> read;
    if (!options.input.empty()) {
        read.push_back({"--input", options.input});
    }
    std::vector<NamedFile> written = plan_files(options);
    written.push_back({"--output", options.output});
    return files_clash(read, written);
}

/// Whether the text is three numbers with commas between them.
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
    app.add_option("--input", options.input, "the cloud: .ply or .splat; made up by default")->type_name("FILE");
    app.add_option("--output", options.output, "write the last picture, a PNG")->type_name("FILE");
    add_option(
        app, "--frames", "a number from 1 to 1000000",
        [&](const std::string& text) {
            return parse_number(text, options.frames) && options.frames >= 1 && options.frames <= 1000000;
        },
        "pictures, once around the cloud; of a window, which is closed then");
    add_option(
        app, "--size", "WIDTHxHEIGHT",
        [&](const std::string& text) {
            const std::size_t x = text.find('x');
            const auto fits = [](std::uint32_t n) { return n >= 1 && n <= most_splat_pixels; };
            return x != std::string::npos && parse_number(std::string_view(text).substr(0, x), options.width) &&
                   parse_number(std::string_view(text).substr(x + 1), options.height) && fits(options.width) &&
                   fits(options.height);
        },
        "pixels of the picture");
    add_option(
        app, "--count", "a number from 1 to 2^26",
        [&](const std::string& text) {
            return parse_count(text, options.count) && options.count >= 1 && options.count <= most_made_up;
        },
        "splats to make up");
    add_option(
        app, "--degree", "a number from 0 to 3",
        [&](const std::string& text) { return parse_number(text, options.degree) && options.degree <= 3; },
        "of their spherical harmonics; 1 by default");
    add_option(
        app, "--eye", "X,Y,Z", [&](const std::string& text) { return parse_point(text, options.eye.emplace()); },
        "look from here, always; on a circle by default");
    add_option(
        app, "--target", "X,Y,Z", [&](const std::string& text) { return parse_point(text, options.target.emplace()); },
        "look at this point; the middle of the cloud by default");
    add_option(
        app, "--repeat", "a number from 1 to 100000",
        [&](const std::string& text) {
            return parse_number(text, options.repeat) && options.repeat >= 1 && options.repeat <= 100000;
        },
        "timed runs of the last picture");
    add_option(
        app, "--pairs", "a number from 1 to 2^29",
        [&](const std::string& text) {
            std::uint64_t pairs = 0;
            const bool fits = parse_count(text, pairs) && pairs >= 1 && pairs <= 1U << 29;
            options.pairs = fits ? static_cast<std::uint32_t>(pairs) : 0;
            return fits;
        },
        "room for so many pairs of a tile and a splat at first");
    add_seed(app, options.seed, "the made-up cloud");
    app.add_flag("--json", options.json, "print the report as JSON");
    app.add_flag(
        "--window", options.window,
        "show the cloud in a window: drag to go around it, the wheel or + and - zoom, p stops the camera, 0 or "
        "Home resets, i hides the times, Esc ends");
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
