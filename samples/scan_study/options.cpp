#include "scan_study/options.hpp"

#include <filesystem>

#include "common/command_line.hpp"
#include "common/paths.hpp"
#include "scan_study/report.hpp"

namespace samples {

namespace {

/// FIRST:LAST or FIRST:LAST:STEP
bool parse_sizes(const std::string& text, Sizes& sizes) {
    constexpr std::uint32_t most = 31; // a u32 counts the elements
    const auto colon = text.find(':');
    if (colon == std::string::npos) {
        return false;
    }
    const auto second = text.find(':', colon + 1);
    const bool are_numbers =
        parse_number(text.substr(0, colon), sizes.first) &&
        parse_number(text.substr(colon + 1, second == std::string::npos ? second : second - colon - 1), sizes.last) &&
        (second == std::string::npos || parse_number(text.substr(second + 1), sizes.step));
    return are_numbers && sizes.first <= sizes.last && sizes.last <= most && sizes.step != 0;
}

} // namespace

std::vector<NamedFile> written_files(const Options& options) {
    std::vector<NamedFile> files{{"--csv", options.csv}};
    for (const std::string& name : plot_files()) {
        const auto path = path_of(options.plots) / name;
        files.push_back({"--plots", options.plots.empty() ? std::string() : name_of(path)});
    }
    return files;
}

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app(
        "Measures the scan with fallback on a Vulkan device: against copying and other scans at many sizes, and "
        "with tiles that never post. Checks all results.",
        "scan_study");
    add_option(
        app, "--sizes", "FIRST:LAST or FIRST:LAST:STEP with FIRST <= LAST <= 31 and a STEP of at least 1",
        [&](const std::string& text) { return parse_sizes(text, options.sizes.emplace()); },
        "Sums 2^FIRST to 2^LAST numbers, each time 2^STEP times as many; without STEP, twice. Default: 10:28:2 on a "
        "GPU that has the "
        "memory, 10:18:2 on a CPU")
        ->type_name("FIRST:LAST[:STEP]");
    add_option(
        app, "--blocking-size", "a number such as 1000000 or 2^20",
        [&](const std::string& text) {
            return parse_count(text, options.blocking_size.emplace()) && options.blocking_size != 0U;
        },
        "Numbers that are summed while tiles never post, as 1000000 or 2^20. Default: 2^24 on a GPU, "
        "2^18 on a CPU");
    app.add_option("--repeat", options.repeat,
                   "Timed runs, of which the median is reported. Default: 30 on a GPU, 3 on a CPU")
        ->check(CLI::Range(1U, 1000U));
    add_seed(app, options.seed, "the random numbers");
    app.add_option("--csv", options.csv, "Writes the table to this file")->type_name("FILE");
    app.add_option("--plots", options.plots, "Draws SVG files into this folder, which is created if it does not exist")
        ->type_name("FOLDER");
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string { return files_clash({}, written_files(options)); });
    return line;
}

} // namespace samples
