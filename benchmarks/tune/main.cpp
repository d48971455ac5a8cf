#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <weir/weir.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "engine/text.hpp"
#include "harness/sizes.hpp"
#include "primitives/kernel/shape_table.hpp"
#include "tune/candidates.hpp"
#include "tune/table.hpp"
#include "tune/tuner.hpp"
#include "weir_tune_shaders.hpp"

namespace {

using namespace weir;
using namespace weir::bench;

constexpr const char* name = "weir_tune";

struct Options {
    std::string device;
    std::vector<std::string> kinds;
    std::string sizes;
    bool quick = false;
    std::string output;
    std::string check;
};

Result<> check_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return samples::io_error(path, "is a directory");
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) {
        return samples::io_error(path, "cannot be read");
    }
    const ShapeTable table = read_shapes(text);
    if (!table.mistake.empty()) {
        return samples::io_error(path, concat("line ", table.line, ": ", table.mistake));
    }
    std::printf("%s: %zu rows, no mistake\n", path.c_str(), table.size);
    return {};
}

/// The class whose rows are measured on this device: the narrowest.
Result<std::string_view> class_of(const Capabilities& device) {
    const auto& found = *std::ranges::find_if(device_classes, [&](const auto& c) { return c.holds(device); });
    if (found.vendor == DeviceClass::any && found.kind == DeviceClass::any) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat(device.device_name, " is in no class of devices: vendor 0x", hex(device.vendor_id, 4),
                         " needs a line in primitives/kernel/shape_table.hpp")});
    }
    return found.name;
}

/// Those whose names begin with one of the words; all if there are none.
std::vector<ShapeKernel> kernels_of(const std::vector<std::string>& words) {
    std::vector<ShapeKernel> kernels;
    for (std::size_t i = 0; i < shape_kernel_names.size(); ++i) {
        const std::string_view kernel = shape_kernel_names.at(i);
        if (words.empty() || std::ranges::any_of(words, [&](const auto& word) { return kernel.starts_with(word); })) {
            kernels.push_back(static_cast<ShapeKernel>(i));
        }
    }
    return kernels;
}

void print_choice(ShapeKernel kernel, const Choice& choice, const KernelShape& present,
                  const std::optional<KernelShape>& winner) {
    std::printf("%-15s 2^%-3d %-18s %11.2f", std::string(name_of(kernel)).c_str(), std::countr_zero(choice.words),
                describe(present).c_str(), choice.present_ms * 1e3);
    if (winner) {
        std::printf("  %-18s %11.2f %+7.1f %%", describe(*winner).c_str(), choice.chosen_ms * 1e3,
                    (choice.present_ms / choice.chosen_ms - 1) * 100);
    }
    std::printf("\n");
    std::fflush(stdout);
}

/// The rows that change, as a diff shows them.
void print_changes(std::span<const KernelShape> before, std::span<const KernelShape> after) {
    const auto print_missing = [](std::span<const KernelShape> rows, std::span<const KernelShape> there, char sign) {
        for (const KernelShape& row : rows) {
            const std::string line = line_of(row);
            if (std::ranges::none_of(there, [&](const auto& other) { return line_of(other) == line; })) {
                std::printf("%c%s\n", sign, line.c_str());
            }
        }
    };
    print_missing(before, after, '-');
    print_missing(after, before, '+');
}

/// The best shapes of a kernel, by size. Sizes that the device has no room for are left out.
Result<Winners> measure(Tuner& tuner, const TunedKernel& kernel, const std::vector<std::uint32_t>& sizes,
                        std::span<const KernelShape> present) {
    Winners winners;
    std::optional<Choice> previous;
    for (const std::uint32_t words : sizes) {
        auto progress =
            std::make_optional<samples::Progress>(concat(name_of(kernel.kernel), " 2^", std::countr_zero(words)));
        auto choice = tuner.choose(kernel, words, previous, [&](double done) { progress->show(done); });
        progress.reset();
        if (!choice) {
            const ErrorCode code = choice.error().code;
            if (code == ErrorCode::limit_exceeded || code == ErrorCode::out_of_memory) {
                break; // nor has it for larger ones
            }
            return tl::unexpected(choice.error());
        }
        const KernelShape& row = row_for(present, words);
        std::optional<KernelShape>& winner = winners[static_cast<std::uint32_t>(std::countr_zero(words))];
        if (choice->candidate) {
            winner = kernel.candidates[*choice->candidate];
            winner->max_spins = row.max_spins; // is not tuned
        }
        print_choice(kernel.kernel, *choice, row, winner);
        previous = *choice;
    }
    return winners;
}

Result<> tune(const Options& options) {
    if (!options.check.empty()) {
        return check_file(options.check);
    }
    if (!options.output.empty()) {
        // Said before the measurements rather than after them.
        if (auto file = samples::NewFile::create(options.output); !file) {
            return tl::unexpected(file.error());
        }
    }
    // Thousands of pipelines that nobody needs again do not belong in the user's cache.
    const auto context = Context::create({.device = options.device, .pipeline_cache_directory = "none"});
    if (!context) {
        return tl::unexpected(context.error());
    }
    const Capabilities& device = context->capabilities();
    const auto device_class = class_of(device);
    if (!device_class) {
        return tl::unexpected(device_class.error());
    }
    auto tuner = Tuner::create(*context, options.quick);
    if (!tuner) {
        return tl::unexpected(tuner.error());
    }
    const bool is_whole = options.sizes.empty();
    const auto sizes = parse_sizes(!is_whole ? options.sizes : device.kind == DeviceKind::cpu ? "10:20" : "10:28");

    std::printf("%s, %s: class %s\n%-15s %-5s %-18s %11s  %-18s %11s %9s\n", device.device_name.c_str(),
                device.driver.c_str(), std::string(*device_class).c_str(), "kernel", "words", "shape now", "us",
                "better", "us", "gain");
    std::string text(weir_tune::shaders::shapes);
    const ShapeTable table = read_shapes(weir_tune::shaders::shapes);
    std::vector<std::pair<std::vector<KernelShape>, std::vector<KernelShape>>> changes;
    for (const ShapeKernel kernel : kernels_of(options.kinds)) {
        const auto present = rows_of(table.all(), device, kernel);
        auto winners = measure(*tuner, tuned_kernel(kernel, device, options.quick), sizes, present);
        if (!winners) {
            return tl::unexpected(winners.error());
        }
        if (winners->empty()) {
            continue;
        }
        auto rows = with_winners(present, *winners, is_whole);
        for (KernelShape& row : rows) {
            row.device = *device_class;
        }
        text = replace_rows(text, rows, concat("Measured on ", device.device_name, ", ", device.driver, "."));
        const bool is_own = present.front().device == *device_class;
        changes.emplace_back(is_own ? std::vector(present.begin(), present.end()) : std::vector<KernelShape>{}, rows);
    }

    std::printf("\n");
    for (const auto& [before, after] : changes) {
        print_changes(before, after);
    }
    if (options.output.empty()) {
        return {};
    }
    std::printf("\n%s has them; the library does when it is built again\n", options.output.c_str());
    return samples::NewFile::create(options.output).and_then([&](samples::NewFile file) {
        return file.write(text).and_then([&] { return file.keep(); });
    });
}

std::string tuned_sizes_mistake(const std::string& text) {
    const std::string mistake = sizes_mistake(text);
    return mistake.empty() && parse_sizes(text).front() == 1
               ? "sizes begin with 2^1, not 2^0: some elements are two words"
               : mistake;
}

std::string kinds_mistake(const std::string& word) {
    return kernels_of({word}).empty() ? concat("no kernel's name begins with '", word, "'") : std::string();
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Finds the kernel shapes that are best on a device and writes them to the table of shapes.", name);
    app.add_option("--device", options.device, "Index, part of the name, or kind of the device. Default: WEIR_DEVICE");
    app.add_option(
           "--kinds", options.kinds,
           "Only kernels whose names begin so, separated by commas: scan_light, scan_shuffled, scan_segmented,\n"
           "select, partition, runs, reduce, sort_keys, sort_wide_keys, sort_pairs")
        ->delimiter(',')
        ->check(kinds_mistake);
    app.add_option("--sizes", options.sizes,
                   "FROM:TO:STEP, words as powers of two, 2^1 at least. Rows for sizes between them change too: these "
                   "go with the next larger one. Rows for smaller and larger sizes stay as they are. Default: 10:28 "
                   "on a GPU, 10:20 on a CPU, and rows for all sizes are written")
        ->check(tuned_sizes_mistake);
    app.add_flag("--quick", options.quick, "Few candidates, few measurements: a trial");
    app.add_option(
           "--output", options.output,
           "Writes the table to this file, with the rows of the device's class replaced; without it they are only "
           "printed")
        ->take_last();
    app.add_option("--check", options.check, "Measures nothing; says whether this file is a table without mistakes");
    const auto mistake = [&] {
        return samples::files_clash({{"--check", options.check}}, {{"--output", options.output}});
    };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }
    return samples::run_program(name, [&] { return tune(options); });
}
