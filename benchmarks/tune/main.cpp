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
#include "common/propagate.hpp"
#include "engine/base/strings.hpp"
#include "harness/post.hpp"
#include "harness/sizes.hpp"
#include "primitives/kernel/shape_table.hpp"
#include "tune/course.hpp"
#include "tune/report.hpp"
#include "tune/space.hpp"
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
    std::printf("%s: %zu rows, no mistakes\n", path.c_str(), table.size);
    return {};
}

/// Returns the class whose rows are measured on this device: the narrowest that contains it.
Result<std::string_view> class_of(const Capabilities& device) {
    const auto& found = *std::ranges::find_if(device_classes, [&](const auto& c) { return c.holds(device); });
    if (found.vendor == DeviceClass::any && found.kind == DeviceClass::any) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat(device.device_name, " belongs to no device class: vendor 0x", hex(device.vendor_id, 4),
                         " needs a line in primitives/kernel/shape_table.hpp")});
    }
    return found.name;
}

/// Returns the kernels that the words name; all kernels if there are no words. A word that is not the name of a kernel
/// is a prefix of names.
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

/// Returns the max_spins with which searches begin on a device without rows of its own: the minimum that exceeds the
/// failed polls of 99 % of the posts between two workgroups. Returns 0 if these cannot be measured: two workgroups did
/// not run at the same time.
Result<std::uint32_t> measured_spins(const Context& context) {
    constexpr std::uint32_t runs = 20;
    const auto posts = measure_posts(context, weir_tune::shaders::post, runs);
    SAMPLES_PROPAGATE(posts);
    if (posts->polls.empty()) {
        std::printf("max_spins: not measured, because two workgroups did not run at the same time\n");
        return 0U;
    }
    const std::uint32_t failed = posts->quantile(0.99), spins = spins_for(failed);
    std::printf("max_spins: %u, because 99 %% of posts were seen after at most %u failed polls\n", spins, failed);
    return spins;
}

/// Returns the searches for a kernel, for the sizes that fit the device. `table` must outlive the result.
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
                SAMPLES_PROPAGATE(choice);
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
        // Reported before the measurements, which take long.
        SAMPLES_PROPAGATE(samples::NewFile::create(options.output));
    }
    // Does not fill the user's cache with thousands of pipelines that are not needed again.
    const auto context = Context::create({.device = options.device, .pipeline_cache_directory = "none"});
    SAMPLES_PROPAGATE(context);
    const Capabilities& device = context->capabilities();
    const auto device_class = class_of(device);
    SAMPLES_PROPAGATE(device_class);
    auto tuner = Tuner::create(*context, options.quick);
    SAMPLES_PROPAGATE(tuner);
    const bool is_whole = options.sizes.empty();
    const std::string own_class(*device_class);
    std::printf("%s, %s: class %s\n", device.device_name.c_str(), device.driver.c_str(), own_class.c_str());
    std::string text(weir_tune::shaders::shapes);
    const ShapeTable table = read_shapes(weir_tune::shaders::shapes);
    const bool is_limited = options.minutes > 0;
    std::vector<CourseRun> runs;
    double weight = 0;
    std::optional<std::uint32_t> spins; // measured once
    for (const ShapeKernel kernel : kernels_of(options.kinds)) {
        Course course = course_of(kernel, options, *tuner, table, *device_class);
        // Sorts poll once per digit and do not compare with these posts.
        if (kernel != ShapeKernel::reduce && !is_sort(kernel) && course.present.front().device != *device_class) {
            if (!spins) {
                auto measured = measured_spins(*context);
                SAMPLES_PROPAGATE(measured);
                spins = *measured;
            }
            course.max_spins = *spins;
        }
        runs.emplace_back(*tuner, std::move(course));
        weight += runs.back().course().weight(is_limited);
    }
    std::printf("%-15s %-5s %-28s %11s  %-28s %11s %9s\n", "kernel", "words", "shape now", "us", "better", "us",
                "gain");
    Budget budget(is_limited ? std::optional(options.minutes * 60) : std::nullopt, weight);
    SAMPLES_PROPAGATE(search_all(runs, budget));
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
        // If nothing is better, the class keeps its rows; with --from it gets the rows of that class.
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
    std::printf("\ntook %.1f minutes: %zu sizes measured with %zu shapes; no time for %zu sizes, which take the shape "
                "of the next larger size\n",
                budget.passed() / 60, measured, tried, untimed);
    if (options.output.empty() || options.judges) {
        return {};
    }
    std::printf("%s: %zu lines changed; rebuild the library to use them\n", options.output.c_str(), changed.size());
    return samples::NewFile::create(options.output).and_then([&](samples::NewFile file) {
        return file.write(text).and_then([&] { return file.keep(); });
    });
}

std::string tuned_sizes_mistake(const std::string& text) {
    const std::string mistake = sizes_mistake(text);
    return mistake.empty() && parse_sizes(text).front() == 1
               ? "sizes begin with 2^1, not 2^0, because some elements have two words"
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
    CLI::App app("Finds the fastest kernel shapes for a device and writes them to the table of shapes.", name);
    samples::add_device(app, options.device);
    app.add_option("--kinds", options.kinds,
                   "Kernels to tune, or prefixes of their names, separated by commas: scan_light, scan_shuffled, "
                   "scan_rounding, scan_segmented, reduce_by_key, select, partition, runs, reduce, sort_keys, "
                   "sort_wide_keys, sort_pairs")
        ->delimiter(',')
        ->check(kinds_mistake)
        ->option_text("KERNELS")
        ->default_str("all");
    app.add_option("--sizes", options.sizes,
                   "Sizes of the input in words, as powers of two from 2^1. Sizes between two measured sizes take the "
                   "shape of the larger one. Rows for smaller and larger sizes do not change")
        ->check(tuned_sizes_mistake)
        ->option_text("FROM[:TO[:STEP]]")
        ->default_str("10:28 on a GPU, 10:20 on a CPU, up to the memory of the device; writes rows for all sizes");
    samples::add_number(app, "--minutes", "MINUTES", options.minutes, {0, 1e4},
                        "Approximate time limit; less time tries fewer shapes. 0: try all shapes at every size");
    app.add_option("--from", options.from,
                   "Start with the rows of this class, such as default, and ignore those of the device's own class. "
                   "Shows the results of a search for an unknown device")
        ->check(from_mistake)
        ->option_text("CLASS")
        ->default_str("the class of the device");
    app.add_flag("--judge", options.judges,
                 "Write nothing; print for each row that it is the best, or how far it is behind the best");
    app.add_flag("--quick", options.quick, "Try few candidates with few measurements");
    samples::add_file(app, "--output", options.output,
                      "Write the table to this CSV file, with the rows of the device's class replaced. Without it, "
                      "the rows are only printed")
        ->take_last();
    samples::add_file(app, "--check", options.check, "Measure nothing; check this file and print its first mistake");
    const auto mistake = [&] {
        return samples::files_mistake({{"--check", options.check}},
                                      {{"--output", options.output, samples::csv_format}});
    };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }
    return samples::run_program(name, [&] { return tune(options); });
}
