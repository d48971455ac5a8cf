#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <weir/weir.hpp>

#include "call_bench.hpp"
#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/paths.hpp"
#include "graph_bench.hpp"
#include "harness/gate.hpp"
#include "harness/peer.hpp"
#include "harness/report.hpp"
#include "harness/runner.hpp"
#include "harness/shape.hpp"
#include "harness/sizes.hpp"
#include "harness/timer.hpp"
#include "latency_bench.hpp"
#include "operations.hpp"
#include "post_bench.hpp"

namespace {

using namespace weir::bench;

struct Options {
    std::string filter;
    std::string sizes;
    std::string counts;
    std::optional<std::uint32_t> repeats;
    std::optional<double> warm_up_ms;
    std::string device;
    std::string json;
    std::string csv;
    std::string gate;
    std::vector<std::string> shapes;
    std::vector<std::string> without;
    bool peers = false;
    bool verify = false;
    bool list = false;
    bool pipelines = false;
    std::uint32_t spines = 0;
};

int fail(const std::string& message) {
    std::fprintf(stderr, "weir_bench: %s\n", message.c_str());
    return 1;
}

/// Returns whether the file can be written. Checked before the measurements, which take long.
bool writable(const std::string& path) {
    return path.empty() || std::ofstream(samples::path_of(path), std::ios::app).is_open();
}

std::string peer_program(const char* own) {
    std::error_code error;
    auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) {
        path = samples::path_of(own);
    }
    const auto extension = path.extension(); // .exe
    return samples::name_of(path.replace_filename("weir_bench_cub").replace_extension(extension));
}

/// Returns whether a selected row describes its kernel. Then the driver must collect statistics when it compiles
/// kernels.
bool describes(const std::vector<Operation>& operations, const std::function<bool(const std::string&)>& selected) {
    return std::any_of(operations.begin(), operations.end(), [&](const Operation& operation) {
        return std::any_of(operation.variants.begin(), operation.variants.end(), [&](const Variant& variant) {
            return variant.describe && selected(operation.op + '/' + operation.type + '/' + variant.impl);
        });
    });
}

int measure(const Options& options, const std::vector<Operation>& operations,
            const std::function<bool(const std::string&)>& selected, const std::vector<std::string>& command) {
    weir::ContextOptions context_options{.device = options.device};
    context_options.without_features = options.without;
    if (options.pipelines) {
        context_options.log_level = weir::LogLevel::debug;
    }
    context_options.compiler.statistics = describes(operations, selected);
    const auto context = weir::Context::create(context_options);
    if (!context) {
        return fail(context.error().message);
    }
    const weir::Capabilities& device = context->capabilities();
    const bool cpu = device.kind == weir::DeviceKind::cpu;

    std::optional<GateTable> gate;
    if (!options.gate.empty()) { // before the measurements, which take long
        auto table = read_gate_table(options.gate);
        const auto fits =
            table.and_then([&](const GateTable& read) { return check_gate_device(read, device.device_name); });
        if (!fits) {
            return fail(fits.error().message);
        }
        gate = std::move(*table);
    }

    const std::string sizes = !options.sizes.empty() ? options.sizes : cpu ? "10:20:2" : "10:28:2";
    TimerOptions timing;
    timing.repeats = options.repeats.value_or(timing.repeats);
    timing.warm_up_ms = options.warm_up_ms.value_or(cpu ? 5 : timing.warm_up_ms);
    if (!options.repeats) {
        timing.limit_ms = cpu ? 2000 : 10000;
    }
    auto timer = Timer::create(*context, timing);
    if (!timer) {
        return fail(timer.error().message);
    }

    Conditions conditions{device.device_name, device.driver, utc_now(), command, {}};
    std::vector<Row> peer_rows;
    if (options.peers) {
        std::vector<std::string> arguments{"--filter",  options.filter,
                                           "--repeat",  std::to_string(timing.repeats),
                                           "--warm-up", std::to_string(timing.warm_up_ms)};
        if (!options.sizes.empty()) {
            arguments.insert(arguments.end(), {"--sizes", sizes});
        }
        auto peer = run_peer(peer_program(command[0].c_str()), arguments);
        if (peer) {
            conditions.peer = std::move(peer->about);
            peer_rows = std::move(peer->rows);
        } else {
            fail(peer.error().message);
        }
    }

    std::size_t op_width = 2, impl_width = 4;
    for (const Operation& operation : operations) {
        op_width = std::max(op_width, operation.op.size());
        for (const Variant& variant : operation.variants) {
            impl_width = std::max(impl_width, variant.impl.size());
        }
    }
    for (const Row& row : peer_rows) {
        impl_width = std::max(impl_width, row.impl.size());
    }
    Table table(!peer_rows.empty(), op_width, impl_width);
    table.begin(conditions);
    const bool asks_for_sizes = !options.sizes.empty() || !options.counts.empty();
    const auto numbers = options.counts.empty() ? parse_sizes(sizes) : parse_counts(options.counts);
    Runner runner(*context, *timer, {numbers, asks_for_sizes, selected, options.verify}, table, copy_operation(),
                  std::move(peer_rows));
    for (const Operation& operation : operations) {
        runner.run(operation);
    }
    int status = runner.failed() ? 1 : 0;
    std::vector<Row> rows = runner.rows();
    const auto time_host = [&](const std::vector<std::string>& names, const auto& time) {
        if (std::any_of(names.begin(), names.end(), selected)) {
            auto timed = time(*context, timing.repeats, selected, [&](const Row& row) {
                table.add(row);
                rows.push_back(row);
            });
            if (!timed) {
                status = fail(timed.error().message);
            }
        }
    };
    time_host(graph_row_names(), time_graphs);
    time_host(latency_row_names(), time_latencies);
    if (!options.filter.empty()) { // these rows need a filter
        time_host(post_row_names(), time_posts);
        time_host(call_row_names(), time_one_call);
    }
    const auto fits = fit_lines(rows);
    table.add(fits);
    if (!options.json.empty()) {
        if (auto written = write_json(options.json, conditions, rows, fits); !written) {
            status = fail(written.error().message);
        }
    }
    if (!options.csv.empty()) {
        if (auto written = write_csv(options.csv, conditions, rows); !written) {
            status = fail(written.error().message);
        }
    }
    if (options.verify && status == 0) {
        std::printf("\nall results equal those of the CPU\n");
    }
    if (gate) {
        const auto expected = [&](const Row& row) {
            return selected(row.op + '/' + row.type + '/' + row.impl) &&
                   (!asks_for_sizes || std::ranges::find(numbers, row.n) != numbers.end());
        };
        const GateResult result = compare(rows, *gate, expected);
        std::printf("%s", to_text(result, *gate).c_str());
        if (result.compared == 0) {
            status = fail("no measured row is in " + options.gate);
        } else if (!result.slower.empty()) {
            status = 1;
        }
    }
    return status;
}

int print_spines(const Options& options) {
    const auto context = weir::Context::create({.device = options.device});
    const auto text = context ? survey_spines(*context, options.spines) : tl::unexpected(context.error());
    if (!text) {
        return fail(text.error().message);
    }
    std::printf("%s", text->c_str());
    return 0;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Measures Weir's primitives on the GPU and its graphs on the CPU. Every row is the median of timed "
                 "runs after a "
                 "warm-up.");
    app.name("weir_bench");
    auto* peers =
        app.add_flag("--peers", options.peers, "Also run the CUB benchmark, which must be built, and compare with it");
    app.add_option("--filter", options.filter,
                   "Measure only rows whose name \"op/type/impl\" matches this regular expression. The rows survey, "
                   "subgroup_scan and post take long and are measured only with a filter")
        ->option_text("REGEX")
        ->default_str("all rows except survey, subgroup_scan and post");
    app.add_option("--sizes", options.sizes, "Numbers of items, as powers of two")
        ->check(sizes_mistake)
        ->option_text("FROM[:TO[:STEP]]")
        ->default_str("10:28:2 on a GPU, 10:20:2 on a CPU; only every other size for sorts of keys that are not "
                      "random");
    app.add_option("--counts", options.counts, "Numbers of items; 3072:6143 means every number in this range")
        ->check(counts_mistake)
        ->excludes("--sizes")
        ->excludes(peers)
        ->option_text("FROM[:TO[:STEP]]")
        ->default_str("--sizes");
    samples::add_count(app, "--repeat", options.repeats, {1, 100000}, "Timed runs of each row")
        ->default_str("30, fewer if they take long");
    samples::add_number(app, "--warm-up", "MS", options.warm_up_ms, {0, 10000},
                        "GPU work before the timed runs, in milliseconds")
        ->default_str("150 on a GPU, 5 on a CPU");
    samples::add_device(app, options.device);
    app.add_option(
           "--without", options.without,
           "Device features to leave unused, separated by commas, such as synchronization2. Shows the cost on a "
           "device without them")
        ->delimiter(',')
        ->option_text("FEATURES")
        ->default_str("none");
    samples::add_file(app, "--json", options.json, "Also write the rows to this JSON file");
    samples::add_file(app, "--csv", options.csv, "Also write the rows to this CSV file");
    samples::add_file(
        app, "--gate", options.gate,
        "Compare the times with this CSV file of an earlier run on the same device. Names each row that is "
        "slower beyond noise, and then fails");
    app.add_option("--shape", options.shapes, Shapes::help)
        ->expected(1)
        ->take_all()
        ->option_text("SHAPE")
        ->default_str("none");
    app.add_flag("--verify", options.verify, "Compare each result with that of the CPU, and fail if they differ");
    app.add_flag("--list", options.list, "List the rows that would be measured and exit; with --filter . all rows");
    app.add_flag("--pipelines", options.pipelines,
                 "Log the driver's statistics of each pipeline (registers, workgroup memory), if available");
    samples::add_count(app, "--spines", options.spines, {1, 1U << 24},
                       "Measure nothing. Print the spine and the tile states of the rows survey for N ones")
        ->default_str("none");
    const auto mistake = [&] {
        return samples::files_mistake({{"--gate", options.gate}}, {{"--json", options.json, samples::json_format},
                                                                   {"--csv", options.csv, samples::csv_format}});
    };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }

    if (options.spines != 0) {
        return print_spines(options);
    }
    const auto shapes = Shapes::parse(options.shapes);
    if (!shapes) {
        return fail(shapes.error().message);
    }
    std::regex filter;
    try {
        filter = std::regex(options.filter);
    } catch (const std::regex_error&) {
        return fail("'" + options.filter + "' is not a regular expression");
    }
    const auto selected = [&](const std::string& name) { return std::regex_search(name, filter); };

    std::vector<Operation> operations{copy_operation()};
    for (auto& more : {scan_operations(shapes->scan), scan_columns_operations(), compaction_operations(shapes->compact),
                       reduce_operations(shapes->reduce), reduce_by_key_operations(shapes->scan),
                       histogram_operations(), elementwise_operations(), radix_sort_operations(shapes->sort),
                       segmented_sort_operations(), top_k_operations(), segmented_top_k_operations(),
                       merge_sort_operations(shapes->merge_sort), merge_operations(), search_operations(),
                       set_operations(), workgroup_scan_operations(), subgroup_scan_operations()}) {
        operations.insert(operations.end(), more.begin(), more.end());
    }
    operations.push_back(survey_operation());
    if (options.filter.empty()) {
        std::erase_if(operations, [](const Operation& operation) { return operation.on_request; });
    }
    std::vector<std::string> names;
    for (const Operation& operation : operations) {
        for (const Variant& variant : operation.variants) {
            names.push_back(operation.op + '/' + operation.type + '/' + variant.impl);
        }
    }
    std::vector<std::vector<std::string>> others{graph_row_names(), latency_row_names()};
    if (!options.filter.empty()) {
        others.insert(others.end(), {post_row_names(), call_row_names()});
    }
    for (const std::vector<std::string>& more : others) {
        names.insert(names.end(), more.begin(), more.end());
    }
    bool any = false;
    for (const std::string& name : names) {
        any |= selected(name);
        if (options.list && selected(name)) {
            std::printf("%s\n", name.c_str());
        }
    }
    if (options.list) {
        return 0;
    }
    if (!any && !options.peers) {
        return fail("no row matches --filter '" + options.filter + "'; --filter . --list prints all names");
    }
    for (const std::string& path : {options.json, options.csv}) {
        if (!writable(path)) {
            return fail("cannot write '" + path + "'");
        }
    }
    return measure(options, operations, selected, std::vector<std::string>(argv, argv + argc));
}

} // namespace

int main(int argc, char** argv) {
    // Weir does not throw. The standard library throws if memory runs out.
    try {
        return run(argc, argv);
    } catch (const std::exception& exception) {
        return fail(exception.what());
    }
}
