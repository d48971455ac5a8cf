#include "scan_study/options.hpp"

#include <filesystem>

#include "common/command_line.hpp"
#include "common/paths.hpp"
#include "scan_study/report.hpp"

namespace samples {

namespace {

/// Parses FIRST:LAST or FIRST:LAST:STEP.
bool parse_sizes(const std::string& text, Sizes& sizes) {
    constexpr std::uint32_t most = 31; // elements are counted in a u32
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
    std::vector<NamedFile> files{{"--csv", options.csv, csv_format}};
    for (const std::string& name : plot_files()) {
        const auto path = path_of(options.plots) / name;
        files.push_back({"--plots", options.plots.empty() ? std::string() : name_of(path)});
    }
    return files;
}

CommandLine<Options> parse_command_line(int argc, char** argv) {
    CommandLine<Options> line;
    Options& options = line.options;
    CLI::App app("Measures the scan with fallback on a Vulkan device: compares it with copying and other scans at many "
                 "sizes, and makes some tiles never post. Checks all results.",
                 "scan_study");
    add_option(
        app, "--sizes", "FIRST:LAST[:STEP]",
        "FIRST:LAST or FIRST:LAST:STEP with FIRST <= LAST <= 31 and a STEP of at least 1",
        [&](const std::string& text) { return parse_sizes(text, options.sizes.emplace()); },
        "Sum 2^FIRST to 2^LAST numbers; each size is 2^STEP times the previous one. Without STEP, it is twice the "
        "previous one")
        ->default_str("10:28:2 on a GPU with enough memory, 10:18:2 on a CPU");
    add_count(app, "--blocking-size", options.blocking_size, {1, std::uint64_t{1} << 40},
              "Number of elements while some tiles never post")
        ->default_str("2^24 on a GPU, 2^18 on a CPU");
    add_count(app, "--repeat", options.repeat, {1, 1000}, "Number of timed runs; the median is reported")
        ->default_str("30 on a GPU, 3 on a CPU");
    add_seed(app, options.seed, "the random numbers");
    add_file(app, "--csv", options.csv, "Write the table to this CSV file");
    app.add_option("--plots", options.plots, "Draw SVG files into this folder, which is created if it does not exist")
        ->option_text("FOLDER")
        ->default_str("none");
    add_device_options(app, options);
    line.exit_code = parse(app, argc, argv, [&]() -> std::string { return files_mistake({}, written_files(options)); });
    return line;
}

} // namespace samples
