#include "scan_study/options.hpp"

#include <filesystem>

#include "common/command_line.hpp"
#include "scan_study/report.hpp"

namespace samples {

namespace {

namespace fs = std::filesystem;

/// FIRST:LAST or FIRST:LAST:STEP
std::optional<Sizes> parse_sizes(const std::string& text) {
    constexpr std::uint32_t most = 31; // a u32 counts the elements
    Sizes sizes;
    const auto colon = text.find(':');
    if (colon == std::string::npos) {
        return std::nullopt;
    }
    const auto second = text.find(':', colon + 1);
    const bool are_numbers =
        parse_number(text.substr(0, colon), sizes.first) &&
        parse_number(text.substr(colon + 1, second == std::string::npos ? second : second - colon - 1), sizes.last) &&
        (second == std::string::npos || parse_number(text.substr(second + 1), sizes.step));
    if (!are_numbers || sizes.first > sizes.last || sizes.last > most || sizes.step == 0) {
        return std::nullopt;
    }
    return sizes;
}

} // namespace

CommandLine parse_command_line(int argc, char** argv) {
    CommandLine line;
    Options& options = line.options;
    std::string sizes, blocking_size, seed;
    CLI::App app(
        "Measures the scan with fallback on a Vulkan device: against copying and other scans at many sizes, and "
        "with tiles that never post. Checks all results.",
        "scan_study");
    app.add_option("--sizes", sizes,
                   "Sums 2^FIRST to 2^LAST numbers, 2^STEP times as many each time; without STEP, twice. Default: "
                   "10:28:2 on a GPU, as far as it has the memory, 10:18:2 on a CPU")
        ->type_name("FIRST:LAST[:STEP]");
    app.add_option("--blocking-size", blocking_size,
                   "How many numbers are summed while tiles never post, as 1000000 or 2^20. Default: 2^24 on a GPU, "
                   "2^18 on a CPU");
    app.add_option("--repeat", options.repeat,
                   "Timed runs, of which the median is reported. Default: 30 on a GPU, 3 on a CPU")
        ->check(CLI::Range(1U, 1000U));
    app.add_option("--seed", seed, "Of the random numbers. Default: 1");
    app.add_option("--csv", options.csv, "Writes the table to this file")->type_name("FILE");
    app.add_option("--plots", options.plots, "Draws SVG files into this folder, which is made if need be")
        ->type_name("FOLDER");
    app.add_option("--device", options.device,
                   "Index, part of the name, or kind of the device. Default: WEIR_DEVICE, or the best");
    app.add_flag("--list-devices", options.list_devices, "Lists the devices and ends");
    line.exit_code = parse(app, argc, argv);
    if (line.exit_code) {
        return line;
    }
    const auto refused = [&](const std::string& why) {
        line.exit_code = refuse(app, why);
        return line;
    };
    if (!sizes.empty()) {
        options.sizes = parse_sizes(sizes);
        if (!options.sizes) {
            return refused(
                "--sizes takes FIRST:LAST or FIRST:LAST:STEP with FIRST <= LAST <= 31 and a STEP of at least "
                "1, not '" +
                sizes + "'");
        }
    }
    if (!blocking_size.empty()) {
        std::uint64_t count = 0;
        if (!parse_count(blocking_size, count) || count == 0) {
            return refused("--blocking-size takes a number such as 1000000 or 2^20, not '" + blocking_size + "'");
        }
        options.blocking_size = count;
    }
    if (!seed.empty() && !parse_number(seed, options.seed)) {
        return refused("--seed takes a number from 0 to 2^64 - 1, not '" + seed + "'");
    }
    for (const std::string& name : plot_files()) {
        if (!options.plots.empty() && fs::path(options.plots) / name == fs::path(options.csv)) {
            return refused("--csv and --plots name the same file");
        }
    }
    return line;
}

} // namespace samples
