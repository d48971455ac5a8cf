#include <algorithm>
#include <bit>
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
#include "common/paths.hpp"
#include "common/program.hpp"
#include "engine/base/strings.hpp"
#include "harness/sizes.hpp"
#include "primitives/kernel/shape_table.hpp"
#include "tune/course.hpp"
#include "tune/report.hpp"
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
    double minutes = 15;
    std::string from;
    bool quick = false, judges = false;
    std::string output;
    std::string check;
};

Result<> check_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(samples::path_of(path), ignored)) {
        return samples::io_error(path, "is a directory");
    }
    std::ifstream file(samples::path_of(path), std::ios::binary);
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

/// The kernels that some of these words name; all, if there are none. A word that is no kernel's name stands for all
/// whose names begin with it.
std::vector<ShapeKernel> kernels_of(const std::vector<std::string>& words) {
    const auto names = [](std::string_view word, std::string_view kernel) {
        return std::ranges::find(shape_kernel_names, word) != shape_kernel_names.end() ? word == kernel
                                                                                       : kernel.starts_with(word);
    };
    std::vector<ShapeKernel> kernels;
    for (std::size_t i = 0; i < shape_kernel_names.size(); ++i) {
        const std::string_view kernel = shape_kernel_names.at(i);
        if (words.empty() || std::ranges::any_of(words, [&](const auto& word) { return names(word, kernel); })) {
            kernels.push_back(static_cast<ShapeKernel>(i));
        }
    }
    return kernels;
}

void print_choice(ShapeKernel kernel, const Choice& choice, const KernelShape& present) {
    std::printf("%-15s 2^%-3d %-28s %11.2f", std::string(name_of(kernel)).c_str(), std::countr_zero(choice.words),
                describe(present).c_str(), choice.present_ms * 1e3);
    if (choice.winner) {
        std::printf("  %-28s %11.2f %+7.1f %%", describe(*choice.winner).c_str(), choice.chosen_ms * 1e3,
                    (choice.present_ms / choice.chosen_ms - 1) * 100);
    }
    std::printf("\n");
    std::fflush(stdout);
}

/// The searches for a kernel, of the sizes that fit the device. The table has to stay.
Course course_of(ShapeKernel kernel, const Options& options, const Tuner& tuner, const ShapeTable& table,
                 std::string_view device_class) {
    const Capabilities& device = tuner.device();
    Course course{.kernel = kernel, .all_rows = table.all(), .quick = options.quick};
    if (options.from.empty()) {
        course.present = rows_of(table.all(), device, kernel);
    } else {
        course.present = rows_of_class(table.all(), options.from, kernel);
        course.present_is_built_in = false;
        course.unseen = options.from == device_class ? std::string_view() : device_class;
    }
    const bool is_cpu = device.kind == DeviceKind::cpu;
    for (const std::uint32_t words : parse_sizes(!options.sizes.empty() ? options.sizes : is_cpu ? "10:20" : "10:28")) {
        if (tuner.fits(kernel, words)) {
            course.sizes.push_back(words);
        }
    }
    return course;
}

Result<> search_all(std::vector<CourseRun>& runs, Budget& budget) {
    for (std::uint32_t turn = 0; turn <= Course::last_turn; ++turn) {
        for (CourseRun& run : runs) {
            const Course& course = run.course();
            for (std::size_t i = 0; i < course.sizes.size(); ++i) {
                if (course.turn_of(i, budget.is_limited()) != turn) {
                    continue;
                }
                const auto choice = run.search(i, budget);
                if (!choice) {
                    return tl::unexpected(choice.error());
                }
                if (*choice != nullptr) {
                    print_choice(course.kernel, **choice, row_for(course.present, course.sizes[i]));
                }
            }
        }
    }
    return {};
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
    const std::string own_class(*device_class);
    std::printf("%s, %s: class %s\n%-15s %-5s %-28s %11s  %-28s %11s %9s\n", device.device_name.c_str(),
                device.driver.c_str(), own_class.c_str(), "kernel", "words", "shape now", "us", "better", "us", "gain");
    std::string text(weir_tune::shaders::shapes);
    const ShapeTable table = read_shapes(weir_tune::shaders::shapes);
    const bool is_limited = options.minutes > 0;
    std::vector<CourseRun> runs;
    double weight = 0;
    for (const ShapeKernel kernel : kernels_of(options.kinds)) {
        runs.emplace_back(*tuner, course_of(kernel, options, *tuner, table, *device_class));
        weight += runs.back().course().weight(is_limited);
    }
    Budget budget(is_limited ? std::optional(options.minutes * 60) : std::nullopt, weight);
    if (auto searched = search_all(runs, budget); !searched) {
        return searched;
    }
    std::vector<std::string> judged, changed;
    std::size_t measured = 0, tried = 0, untimed = 0;
    for (const CourseRun& run : runs) {
        const Course& course = run.course();
        const Outcome outcome = run.outcome();
        measured += outcome.choices.size();
        tried += outcome.tried;
        untimed += outcome.untimed;
        std::ranges::move(verdicts(course.present, outcome.choices), std::back_inserter(judged));
        const bool any_won = std::ranges::any_of(outcome.winners, [](const auto& at) { return at.second.has_value(); });
        const bool is_own = course.present.front().device == *device_class;
        const auto own_rows = rows_of_class(table.all(), *device_class, course.kernel);
        // Where nothing is better, the class keeps its lines; with --from it gets those that it is compared with.
        if (!any_won && (is_own || own_rows.empty())) {
            continue;
        }
        auto rows = with_winners(course.present, outcome.winners, is_whole);
        for (KernelShape& row : rows) {
            row.device = *device_class;
        }
        text = replace_rows(text, rows, concat("Measured on ", device.device_name, ", ", device.driver, "."));
        std::ranges::move(changes(own_rows, rows), std::back_inserter(changed));
    }

    std::printf("\n");
    for (const std::string& line : options.judges ? judged : changed) {
        std::printf("%s\n", line.c_str());
    }
    std::printf("\ntook %.1f minutes: %zu sizes measured with %zu shapes; no time for %zu sizes, which go with the "
                "next larger one\n",
                budget.passed() / 60, measured, tried, untimed);
    if (options.output.empty() || options.judges) {
        return {};
    }
    std::printf("%s has %zu lines that changed; the library does when it is built again\n", options.output.c_str(),
                changed.size());
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

std::string from_mistake(const std::string& name) {
    const ShapeTable table = read_shapes(weir_tune::shaders::shapes);
    for (std::size_t i = 0; i < shape_kernel_names.size(); ++i) {
        if (rows_of_class(table.all(), name, static_cast<ShapeKernel>(i)).empty()) {
            return concat("no class '", name, "' has rows for every kernel");
        }
    }
    return {};
}

std::string kinds_mistake(const std::string& word) {
    return kernels_of({word}).empty() ? concat("no kernel's name begins with '", word, "'") : std::string();
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Finds the kernel shapes that are best on a device and writes them to the table of shapes.", name);
    samples::add_device(app, options.device);
    app.add_option("--kinds", options.kinds,
                   "Kernels to tune, or beginnings of their names, separated by commas: scan_light, scan_shuffled, "
                   "scan_rounding, scan_segmented, reduce_by_key, select, partition, runs, reduce, sort_keys, "
                   "sort_wide_keys, sort_pairs")
        ->delimiter(',')
        ->check(kinds_mistake)
        ->option_text("KERNELS")
        ->default_str("all");
    app.add_option("--sizes", options.sizes,
                   "Words of the input as powers of two, 2^1 at least. Rows for sizes between them change too: these "
                   "go with the next larger one. Rows for smaller and larger sizes stay as they are")
        ->check(tuned_sizes_mistake)
        ->option_text("FROM[:TO[:STEP]]")
        ->default_str("10:28 on a GPU, 10:20 on a CPU, as far as they fit the device, and rows for all sizes are "
                      "written");
    samples::add_number(app, "--minutes", "MINUTES", options.minutes, {0, 1e4},
                        "Time to take, about: less time tries fewer shapes. 0 tries all shapes at every size");
    app.add_option("--from", options.from,
                   "Begin with the rows of this class, such as default, in place of the device's own, and look at "
                   "none of those: to see what the search makes of an unknown device")
        ->check(from_mistake)
        ->option_text("CLASS")
        ->default_str("the class of the device");
    app.add_flag("--judge", options.judges,
                 "Write nothing; print for each row whether it is the best, or how far behind the best it is");
    app.add_flag("--quick", options.quick, "Try few candidates with few measurements");
    samples::add_file(app, "--output", options.output,
                      "Write the table to this CSV file, with the rows of the device's class replaced. Without it, "
                      "the rows are only printed")
        ->take_last();
    samples::add_file(app, "--check", options.check,
                      "Measure nothing; print whether this file is a table without mistakes");
    const auto mistake = [&] {
        return samples::files_mistake({{"--check", options.check}},
                                      {{"--output", options.output, samples::csv_format}});
    };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }
    return samples::run_program(name, [&] { return tune(options); });
}
