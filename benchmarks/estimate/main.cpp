// Compiles kernels for a GPU that need not be present, with the compiler of Mesa's RADV, and prints its statistics:
// registers, workgroup memory, and estimated cycles. Nothing runs.

#include <algorithm>
#include <bit>
#include <cctype>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <weir/weir.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "engine/base/strings.hpp"
#include "estimate/kernels.hpp"
#include "estimate/null_device.hpp"
#include "estimate/statistics.hpp"
#include "tune/space.hpp"
#include "weir_estimate_shaders.hpp"

namespace {

using namespace weir;
using namespace weir::bench;

constexpr const char* name = "weir_estimate";
constexpr std::uint32_t usual_words = 1U << 22; // input size if neither the table nor the shape limits it

struct Options {
    std::string generation;
    std::vector<std::uint32_t> subgroups;
    std::vector<std::string> classes{"default", "amd"};
    std::vector<std::string> kinds;
    std::string table;
    std::uint32_t sgpr_spills = 0; ///< maximum per pipeline; more are a mistake
    bool grid = false;
    std::string csv;
};

/// A graph to compile with a shape.
struct Request {
    const KernelGraph* graph = nullptr;
    KernelShape shape; ///< the workgroup is 0 if the graph has no shapes
    std::uint32_t words = usual_words;
    std::string chosen_by; ///< classes and sizes that use the shape
};

/// A pipeline compiled for a request.
struct Row {
    const Request* request = nullptr;
    std::uint32_t subgroup = 0;
    PipelineStatistics statistics;
    std::string mistake; ///< why the pipeline fails; empty if it does not
};

Result<std::string> table_text(const std::string& path) {
    if (path.empty()) {
        return std::string(weir_estimate::shaders::shapes);
    }
    std::string text;
    const auto read = samples::append_file(path, 1U << 20U, text);
    return read ? Result<std::string>(std::move(text)) : tl::unexpected(read.error());
}

std::string size_text(std::uint64_t words) {
    return words == KernelShape::any ? "any" : concat("2^", std::countr_zero(words));
}

/// Checks if the name of the graph's operation, or of its kernel in the shape table, begins with a word of --kinds.
bool is_wanted(const KernelGraph& graph, const std::vector<std::string>& kinds) {
    return kinds.empty() || std::ranges::any_of(kinds, [&](const std::string& word) {
               return std::string_view(graph.op).starts_with(word) ||
                      (graph.kernel && name_of(*graph.kernel).starts_with(word));
           });
}

void add_request(std::vector<Request>& requests, const KernelGraph& graph, const KernelShape& shape,
                 std::uint64_t words, const std::string& chosen_by) {
    const auto known = std::ranges::find_if(
        requests, [&](const Request& other) { return other.graph == &graph && same_shape(other.shape, shape); });
    if (known != requests.end()) {
        known->chosen_by += concat(" ", chosen_by);
        return;
    }
    requests.push_back({&graph, shape, static_cast<std::uint32_t>(words), chosen_by});
}

/// Returns one request per graph and distinct shape of the classes. With --grid, the shapes are those of the first grid
/// of ./run tune that have 256 invocations, or 512 for sorts.
std::vector<Request> requests_of(const Options& options, const ShapeTable& table, const Capabilities& device) {
    std::vector<Request> requests;
    for (const KernelGraph& graph : kernel_graphs()) {
        if (!is_wanted(graph, options.kinds)) {
            continue;
        }
        if (!graph.kernel) {
            requests.push_back({&graph, {}, usual_words, "any"});
            continue;
        }
        for (const std::string& device_class : options.grid ? std::vector<std::string>{} : options.classes) {
            std::uint64_t before = 0;
            auto rows = rows_of_class(table.all(), device_class, *graph.kernel);
            if (rows.empty()) {
                rows = rows_of_class(table.all(), "default", *graph.kernel);
            }
            for (const KernelShape& row : rows) {
                const std::uint64_t words =
                    row.up_to != KernelShape::any ? row.up_to : std::max<std::uint64_t>(usual_words, before * 2);
                before = words;
                add_request(requests, graph, as_run(row, device), words,
                            concat(device_class, ":", size_text(row.up_to)));
            }
        }
        if (options.grid) {
            const std::uint32_t spins = is_sort(*graph.kernel) ? 64 : 8;
            for (KernelShape shape : grid_of(*graph.kernel, device, spins, false)) {
                shape = as_run(shape, device);
                if (shape.workgroup != 256 && (shape.workgroup != 512 || !is_sort(*graph.kernel))) {
                    continue;
                }
                if (shape.groups > 1) { // the number of workgroups does not change the kernel
                    shape.groups = 512;
                }
                add_request(requests, graph, shape, shape.sorts_alone() ? shape.workgroup * shape.items : usual_words,
                            "grid");
            }
        }
    }
    return requests;
}

/// Returns the number of words per invocation, for the CSV file. The shape table counts vectors for some kernels.
std::uint32_t words_of_invocation(const Request& request) {
    constexpr std::uint32_t words_per_vector = 4;
    const ShapeKernel kernel = *request.graph->kernel;
    if (request.shape.sorts_alone()) {
        return request.words / request.shape.workgroup; // Weir compiles this kernel for the input size
    }
    return request.shape.items * (is_sort(kernel) || is_compaction(kernel) ? 1 : words_per_vector);
}

Result<> compile_request(const Context& context, const Capabilities& device, const Request& request) {
    Graph graph(device);
    request.graph->build(graph, request.words / request.graph->words, request.shape);
    const auto program = compile(context, graph);
    return program ? Result<>() : tl::unexpected(program.error());
}

std::string mistake_of(const PipelineStatistics& pipeline, const Capabilities& device, const Options& options) {
    if (pipeline.spilled_vgprs != 0 || pipeline.spilled_sgprs > options.sgpr_spills) {
        return concat("spills ", pipeline.spilled_vgprs, " VGPRs and ", pipeline.spilled_sgprs, " SGPRs");
    }
    if (pipeline.workgroup_bytes > device.max_workgroup_memory) {
        return concat("uses ", pipeline.workgroup_bytes, " bytes of workgroup memory; the device has ",
                      device.max_workgroup_memory);
    }
    return {};
}

std::string shape_text(const Request& request) {
    return request.shape.workgroup != 0 ? describe(request.shape) : "-";
}

void print_row(const Row& row) {
    const PipelineStatistics& s = row.statistics;
    std::printf("%2u  %-28s %-7s %-26s %-30s %4" PRIu64 " %4" PRIu64 " %6" PRIu64 " %4" PRIu64 " %6" PRIu64 " %7" PRIu64
                " %7" PRIu64 "%s%s\n",
                row.subgroup, row.request->graph->op, row.request->graph->type, shape_text(*row.request).c_str(),
                s.pass.c_str(), s.vgprs, s.sgprs, s.workgroup_bytes, s.subgroups_per_simd, s.instructions, s.latency,
                s.inverse_throughput, row.mistake.empty() ? "" : "  ", row.mistake.c_str());
    std::fflush(stdout);
}

std::string csv_of(const std::vector<Row>& rows, const std::string& generation, const std::string& driver) {
    std::string text = concat("# ", driver,
                              "\ngeneration,subgroup,op,type,kernel,workgroup,items,groups,rounds,packed,"
                              "words_per_invocation,chosen_by,pass,vgprs,sgprs,lds_bytes,"
                              "subgroups_per_simd,instructions,latency,inverse_throughput,"
                              "spilled_vgprs,spilled_sgprs\n");
    for (const Row& row : rows) {
        const Request& request = *row.request;
        const KernelShape& shape = request.shape;
        const PipelineStatistics& s = row.statistics;
        std::string op = request.graph->op, pass = s.pass;
        std::erase(op, ',');
        std::erase(pass, ',');
        text += concat(generation, ",", row.subgroup, ",", op, ",", request.graph->type, ",");
        text += request.graph->kernel
                    ? concat(name_of(*request.graph->kernel), ",", shape.workgroup, ",", shape.items, ",", shape.groups,
                             ",", shape.rounds, ",", shape.packed, ",", words_of_invocation(request))
                    : std::string(",,,,,,");
        text += concat(",", request.chosen_by, ",", pass, ",", s.vgprs, ",", s.sgprs, ",", s.workgroup_bytes, ",",
                       s.subgroups_per_simd, ",", s.instructions, ",", s.latency, ",", s.inverse_throughput, ",",
                       s.spilled_vgprs, ",", s.spilled_sgprs, "\n");
    }
    return text;
}

Result<> estimate(const Options& options) {
    const auto text = table_text(options.table);
    SAMPLES_PROPAGATE(text);
    const ShapeTable table = read_shapes(*text);
    if (!table.mistake.empty()) {
        return samples::io_error(options.table, concat("line ", table.line, ": ", table.mistake));
    }
    auto files = samples::create_files({options.csv});
    SAMPLES_PROPAGATE(files);
    PipelineLog log;
    const auto gpu = NullDevice::create(options.generation, [&](const char* message) { log.add_error(message); });
    SAMPLES_PROPAGATE(gpu);
    AdoptedDevice adopted = gpu->adopted();
    adopted.log = log.function();
    adopted.log_level = LogLevel::debug;
    // Keep all pipelines, so that a pipeline shared by several shapes is compiled and reported once.
    adopted.compiler.kept_pipelines = 1U << 20U;
    const auto context = Context::adopt(adopted);
    SAMPLES_PROPAGATE(context);
    Capabilities device = context->capabilities();
    if (!device.pipeline_statistics) {
        return tl::unexpected(Error{ErrorCode::unsupported, "the driver has no VK_KHR_pipeline_executable_properties"});
    }
    std::vector<std::uint32_t> subgroups = options.subgroups;
    for (std::uint32_t size = device.subgroup_size_min; options.subgroups.empty() && size <= device.subgroup_size_max;
         size *= 2) {
        subgroups.push_back(size);
    }
    for (const std::uint32_t size : subgroups) {
        if (size < device.subgroup_size_min || size > device.subgroup_size_max) {
            return tl::unexpected(
                Error{ErrorCode::unsupported, concat(options.generation, " has subgroups of ", device.subgroup_size_min,
                                                     " to ", device.subgroup_size_max, ", not of ", size)});
        }
    }
    std::printf("%s, %s; subgroups of %u to %u, usually %u; %u bytes of workgroup memory\n%-2s  %-28s %-7s %-26s %-30s "
                "%4s %4s %6s %4s %6s %7s %7s\n",
                device.device_name.c_str(), device.driver.c_str(), device.subgroup_size_min, device.subgroup_size_max,
                device.subgroup_size, device.max_workgroup_memory, "", "operation", "type", "shape", "pass", "VGPR",
                "SGPR", "LDS", "sub", "instr", "latency", "inverse");
    std::vector<std::vector<Request>> requests; // one vector per subgroup size; rows point into them
    std::vector<Row> rows;
    std::size_t graphs = 0;
    std::vector<std::string> failed;
    for (const std::uint32_t size : subgroups) {
        device.subgroup_size = size; // the subgroup size that kernels use by default
        requests.push_back(requests_of(options, table, device));
        for (const Request& request : requests.back()) {
            ++graphs;
            const auto fail = [&](const std::string& why) {
                failed.push_back(concat(request.graph->op, " of ", request.graph->type, " by ", shape_text(request),
                                        ", subgroups of ", size, ": ", why));
                std::printf("%2u  %s\n", size, failed.back().c_str());
            };
            if (const auto compiled = compile_request(*context, device, request); !compiled) {
                fail(compiled.error().message);
            }
            for (const std::string& error : log.take_errors()) {
                fail(error);
            }
            for (PipelineStatistics& pipeline : log.take()) {
                Row row{&request, size, std::move(pipeline), {}};
                row.mistake = mistake_of(row.statistics, device, options);
                if (!row.mistake.empty()) {
                    failed.push_back(concat(row.statistics.pass, " by ", shape_text(request), ", subgroups of ", size,
                                            ": ", row.mistake));
                }
                print_row(row);
                rows.push_back(std::move(row));
            }
        }
    }
    std::printf("%zu pipelines of %zu graphs; %zu mistakes\n", rows.size(), graphs, failed.size());
    if (auto& csv = files->front()) {
        SAMPLES_PROPAGATE(csv->write(csv_of(rows, options.generation, device.driver)));
    }
    SAMPLES_PROPAGATE(samples::keep_files(*files));
    if (rows.empty() && failed.empty()) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, "no pipelines: nothing was compiled, or the driver reported no statistics"});
    }
    // With --grid, mistakes are printed but do not fail the program, because shapes of the grid may spill.
    if (!failed.empty() && !options.grid) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat(failed.size(), " mistakes; the first: ", failed.front())});
    }
    return {};
}

std::string generation_mistake(const std::string& text) {
    const bool good = !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0; });
    return good ? std::string() : "the generation must be a name such as navi21";
}

std::string class_mistake(const std::string& text) {
    return std::ranges::find(device_classes, text, &DeviceClass::name) == std::ranges::end(device_classes)
               ? concat("no class '", text, "' of devices exists")
               : std::string();
}

std::string kinds_mistake(const std::string& word) {
    return std::ranges::none_of(kernel_graphs(), [&](const KernelGraph& graph) { return is_wanted(graph, {word}); })
               ? concat("no kernel's name begins with '", word, "'")
               : std::string();
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Compiles kernels for an AMD GPU, which need not be present, with the compiler of Mesa's "
                 "RADV, and prints registers, workgroup memory, subgroups per SIMD, instructions, and "
                 "estimated cycles. Nothing runs. Fails if a kernel cannot be compiled, spills, or "
                 "needs more workgroup memory than the device has.",
                 name);
    app.add_option("generation", options.generation,
                   "Name in RADV: polaris10, vega10, navi10, navi21, navi31 (Mesa 23), gfx1201 (Mesa 25)")
        ->required()
        ->check(generation_mistake);
    app.add_option("--subgroup", options.subgroups, "Subgroup sizes: 32, 64, or both, separated by a comma")
        ->delimiter(',')
        ->check(CLI::IsMember({32, 64}))
        ->option_text("SIZES")
        ->default_str("all sizes of the generation");
    app.add_option("--kinds", options.kinds,
                   "Prefixes of names of operations, or of kernels in the shape table, separated by commas")
        ->delimiter(',')
        ->check(kinds_mistake)
        ->option_text("KERNELS")
        ->default_str("all");
    app.add_option(
           "--classes", options.classes,
           "Use the shapes of these device classes, separated by commas. If a class has no shapes for a kernel, "
           "use those of default")
        ->delimiter(',')
        ->check(class_mistake)
        ->option_text("CLASSES")
        ->default_str("default,amd");
    app.add_flag("--grid", options.grid,
                 "Use the shapes of the first grid of ./run tune with workgroups of 256 (sorts: also 512), instead of "
                 "--classes. Mistakes are printed, but do not fail the program");
    samples::add_file(app, "--table", options.table, "Read shapes from this file")
        ->default_str("the table that Weir was built with");
    samples::add_count(
        app, "--sgpr-spills", options.sgpr_spills, {0, 1024},
        "Maximum number of spilled scalar registers. They go to lanes of vector registers, not to memory");
    samples::add_file(app, "--csv", options.csv, "Write the table to this CSV file");
    const auto mistake = [&] {
        return samples::files_mistake({{"--table", options.table}}, {{"--csv", options.csv, samples::csv_format}});
    };
    if (const auto status = samples::parse(app, argc, argv, mistake)) {
        return *status;
    }
    const int status = samples::run_program(name, [&] { return estimate(options); });
    std::fflush(stdout);
    std::_Exit(status); // because destroying the NullDevice crashes the driver
}
