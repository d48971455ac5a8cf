// Prints the information for a bug report: the device, the features and limits that Weir uses, the chosen kernel
// shapes, and the results of self-tests.

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <weir/weir.hpp>

#include "common/command_line.hpp"
#include "common/program.hpp"
#include "common/propagate.hpp"
#include "primitives/kernel/shapes.hpp"

namespace {

using namespace weir;
using Words = std::vector<std::uint32_t>;

constexpr const char* name = "weir_info";

std::string version_text(std::uint32_t version) {
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
           std::to_string(VK_API_VERSION_PATCH(version));
}

void print_device(const Capabilities& device) {
    std::printf("device      %s, %s, %04x:%04x\n", device.device_name.c_str(), to_string(device.kind), device.vendor_id,
                device.device_id);
    std::printf("driver      %s, Vulkan %s\n", device.driver.c_str(), version_text(device.api_version).c_str());
    std::printf("subgroups   %u, from %u to %u\n", device.subgroup_size, device.subgroup_size_min,
                device.subgroup_size_max);
    std::printf("workgroups  %u invocations, %u bytes of memory\n", device.max_workgroup_invocations,
                device.max_workgroup_memory);
    std::printf("memory      %" PRIu64 " MiB, %" PRIu64 " MiB in one allocation, %" PRIu64 " MiB in one binding\n",
                device.device_local_memory >> 20U, device.max_allocation >> 20U, device.max_storage_range >> 20U);
}

void print_heaps(const MemoryBudget& budget) {
    for (std::size_t i = 0; i < budget.heaps.size(); ++i) {
        const MemoryHeap& heap = budget.heaps[i];
        std::printf("heap        %zu, %s: %" PRIu64 " MiB, budget %" PRIu64 " MiB%s, %" PRIu64 " KiB used, %" PRIu64
                    " KiB by Weir\n",
                    i, heap.device_local ? "of the device" : "of the host", heap.size >> 20U, heap.budget >> 20U,
                    budget.is_measured ? "" : " (estimated)", heap.usage >> 10U, heap.weir >> 10U);
    }
}

void print_features(const Capabilities& device) {
    const struct {
        const char* feature;
        bool is_there;
    } list[] = {
        {"subgroup_size_selectable", device.subgroup_size_selectable},
        {"full_subgroups", device.full_subgroups},
        {"subgroup_arithmetic", device.subgroup_arithmetic},
        {"uniform_control_flow", device.uniform_control_flow},
        {"workgroups_start_in_order", device.workgroups_start_in_order},
        {"atomics_in_lane_order", device.atomics_in_lane_order},
        {"ordered_atomics_are_barriers", device.ordered_atomics_are_barriers},
        {"int64", device.int64},
        {"int64_atomics", device.int64_atomics},
        {"float64", device.float64},
        {"narrow_storage", device.narrow_storage},
        {"synchronization2", device.synchronization2},
        {"maintenance4", device.maintenance4},
        {"memory_model", device.memory_model},
        {"memory_model_device_scope", device.memory_model_device_scope},
        {"timeline_semaphores", device.timeline_semaphores},
        {"host_query_reset", device.host_query_reset},
        {"descriptor_buffer", device.descriptor_buffer},
        {"descriptor_indexing", device.descriptor_indexing},
        {"buffer_address", device.buffer_address},
        {"pipeline_statistics", device.pipeline_statistics},
        {"memory_budget", device.memory_budget},
        {"unified_image_layouts", device.unified_image_layouts},
    };
    for (const bool wanted : {true, false}) {
        std::printf("%s", wanted ? "has        " : "lacks      ");
        for (const auto& [feature, is_there] : list) {
            if (is_there == wanted) {
                std::printf(" %s", feature);
            }
        }
        std::printf("\n");
    }
}

void print_shapes(const Capabilities& device) {
    for (std::size_t i = 0; i < shape_kernel_names.size(); ++i) {
        const auto kernel = static_cast<ShapeKernel>(i);
        std::printf("shape       %-15s", std::string(shape_kernel_names.at(i)).c_str());
        for (const std::uint32_t log : {12U, 20U, 28U}) {
            const KernelShape& shape = kernel_shape(device, kernel, std::uint64_t{1} << log);
            std::printf("  2^%u %u x %u", log, shape.workgroup, shape.items);
        }
        std::printf("  (%s)\n", std::string(kernel_shape(device, kernel, 1).device).c_str());
    }
}

/// Runs the primitive that `build` adds for the input, and downloads the buffer that `build` returns.
Result<Words> output_of(const Context& gpu, const Words& input,
                        const std::function<BufferRef<std::uint32_t>(Graph&, BufferRef<std::uint32_t>)>& build,
                        std::size_t count) {
    Graph graph(gpu);
    const auto in = graph.import_buffer<std::uint32_t>("input", static_cast<std::uint32_t>(input.size()));
    const auto out = build(graph, in);
    graph.export_buffer(out);
    auto memory = gpu.create_buffer(input.size() * sizeof(std::uint32_t));
    SAMPLES_PROPAGATE(memory);
    auto program = compile(gpu, graph);
    SAMPLES_PROPAGATE(program);
    return gpu.upload(*memory, input)
        .and_then([&] { return program->bind(in, *memory); })
        .and_then([&] { return program->run(); })
        .and_then([&](const RunReport&) { return gpu.download<std::uint32_t>(program->view(out), count); });
}

struct SelfTest {
    const char* primitive;
    Words expected;
    std::function<BufferRef<std::uint32_t>(Graph&, BufferRef<std::uint32_t>)> build;
};

std::vector<SelfTest> self_tests(const Words& input) {
    Words sums(input.size()), sorted = input, small, lengths;
    std::partial_sum(input.begin(), input.end(), sums.begin());
    std::sort(sorted.begin(), sorted.end());
    std::copy_if(input.begin(), input.end(), std::back_inserter(small), [](std::uint32_t x) { return x < 1U << 31U; });
    Words unique = sorted;
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    return {
        {"scan", sums, [](Graph& graph, auto in) { return scan(graph, in); }},
        {"reduce", {sums.back()}, [](Graph& graph, auto in) { return reduce(graph, in); }},
        {"select_if", small, [](Graph& graph, auto in) { return select_if(graph, in, "x < 0x80000000u").items; }},
        {"radix_sort", sorted, [](Graph& graph, auto in) { return radix_sort(graph, in).keys; }},
        {"unique", unique, [](Graph& graph, auto in) { return weir::unique(graph, radix_sort(graph, in).keys).items; }},
    };
}

Result<> run_self_tests(const Context& gpu) {
    std::mt19937 random(1);
    Words input(100'000);
    std::generate(input.begin(), input.end(), [&] { return static_cast<std::uint32_t>(random()) & 0xFFFF000FU; });
    std::string wrong;
    for (const SelfTest& test : self_tests(input)) {
        const auto output = output_of(gpu, input, test.build, test.expected.size());
        const std::string outcome = !output                    ? output.error().message
                                    : *output == test.expected ? "right"
                                                               : "wrong results";
        std::printf("self-test   %s: %s\n", test.primitive, outcome.c_str());
        if (outcome != "right") {
            wrong += (wrong.empty() ? "" : ", ") + std::string(test.primitive);
        }
    }
    return wrong.empty() ? Result<>()
                         : tl::unexpected(Error{ErrorCode::unsupported, "these primitives fail: " + wrong});
}

Result<> run(const std::string& device) {
    const auto gpu = Context::create({.device = device});
    SAMPLES_PROPAGATE(gpu);
    std::printf("weir        %s\n", WEIR_INFO_VERSION);
    print_device(gpu->capabilities());
    print_heaps(gpu->memory_budget());
    print_features(gpu->capabilities());
    print_shapes(gpu->capabilities());
    return run_self_tests(*gpu);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Prints the information about a device for a bug report: the features and limits that Weir uses, the "
                 "kernel shapes, and the results of self-tests of primitives.",
                 name);
    samples::DeviceOptions options;
    samples::add_device_options(app, options);
    if (const auto exit_code = samples::parse(app, argc, argv)) {
        return *exit_code;
    }
    return samples::run_program(name,
                                [&] { return options.list_devices ? samples::list_devices() : run(options.device); });
}
