#include "graph_bench.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "harness/timer.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

/// A Vulkan command that does nothing.
template <class Function>
struct Nothing;
template <class... Arguments>
struct Nothing<void(VKAPI_PTR*)(Arguments...)> {
    static void VKAPI_CALL call(Arguments...) {}
};
template <class Function>
PFN_vkVoidFunction nothing() {
    return reinterpret_cast<PFN_vkVoidFunction>(&Nothing<Function>::call);
}

PFN_vkGetInstanceProcAddr real_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr real_device_proc = nullptr;

/// Returns a replacement that does nothing, or null for functions that record no command.
PFN_vkVoidFunction silent_command(std::string_view name) {
    const std::pair<std::string_view, PFN_vkVoidFunction> commands[] = {
        {"vkCmdPipelineBarrier2", nothing<PFN_vkCmdPipelineBarrier2>()},
        {"vkCmdBindPipeline", nothing<PFN_vkCmdBindPipeline>()},
        {"vkCmdBindDescriptorSets", nothing<PFN_vkCmdBindDescriptorSets>()},
        {"vkCmdPushDescriptorSetKHR", nothing<PFN_vkCmdPushDescriptorSetKHR>()},
        {"vkCmdBindDescriptorBuffersEXT", nothing<PFN_vkCmdBindDescriptorBuffersEXT>()},
        {"vkCmdSetDescriptorBufferOffsetsEXT", nothing<PFN_vkCmdSetDescriptorBufferOffsetsEXT>()},
        {"vkGetDescriptorEXT", nothing<PFN_vkGetDescriptorEXT>()},
        {"vkCmdPushConstants", nothing<PFN_vkCmdPushConstants>()},
        {"vkCmdDispatch", nothing<PFN_vkCmdDispatch>()},
        {"vkUpdateDescriptorSets", nothing<PFN_vkUpdateDescriptorSets>()},
        {"vkCmdBeginDebugUtilsLabelEXT", nothing<PFN_vkCmdBeginDebugUtilsLabelEXT>()},
        {"vkCmdEndDebugUtilsLabelEXT", nothing<PFN_vkCmdEndDebugUtilsLabelEXT>()},
    };
    const auto found = std::find_if(std::begin(commands), std::end(commands),
                                    [&](const auto& command) { return command.first == name; });
    return found == std::end(commands) ? nullptr : found->second;
}

PFN_vkVoidFunction VKAPI_CALL silent_device_proc(VkDevice device, const char* name) {
    const PFN_vkVoidFunction silent = silent_command(name);
    return silent != nullptr ? silent : real_device_proc(device, name);
}
PFN_vkVoidFunction VKAPI_CALL silent_instance_proc(VkInstance instance, const char* name) {
    if (std::string_view(name) == "vkGetDeviceProcAddr") {
        return reinterpret_cast<PFN_vkVoidFunction>(&silent_device_proc);
    }
    const PFN_vkVoidFunction silent = silent_command(name);
    return silent != nullptr ? silent : real_instance_proc(instance, name);
}

/// Returns a context on the same device whose Vulkan commands do nothing.
Result<Context> silent(const Context& context) {
    real_instance_proc = context.get_instance_proc_addr();
    real_device_proc =
        reinterpret_cast<PFN_vkGetDeviceProcAddr>(real_instance_proc(context.instance(), "vkGetDeviceProcAddr"));
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceVulkan11Features vulkan11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &vulkan12};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan11};
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    if (context.capabilities().descriptor_buffer) {
        vulkan13.pNext = &descriptor_buffer;
    }
    const DeviceRequirements enabled =
        device_requirements(real_instance_proc, context.instance(), context.physical_device());
    return enable_features(enabled, features).and_then([&] {
        AdoptedDevice own;
        own.get_instance_proc_addr = silent_instance_proc;
        own.instance = context.instance();
        own.physical_device = context.physical_device();
        own.device = context.device();
        own.queue = context.queue();
        own.queue_family = context.queue_family();
        own.enabled_features = &features;
        own.enabled_extensions = enabled.recommended_extensions;
        return Context::adopt(own);
    });
}

constexpr std::uint32_t words = 64;

/// A graph of `passes` passes. Each reads the outputs of the `reach` previous passes. With `hops`, every other pass is
/// for the compute queue.
struct PassGraph {
    Graph graph;
    BufferRef<std::uint32_t> in, out;

    PassGraph(const Context& context, std::uint32_t passes, std::uint32_t reach, bool hops = false) : graph(context) {
        in = graph.import_buffer<std::uint32_t>("in", words);
        out = graph.import_buffer<std::uint32_t>("out", words);
        std::vector<BufferRef<std::uint32_t>> written{in};
        for (std::uint32_t i = 0; i < passes; ++i) {
            const std::string number = std::to_string(i);
            const auto queue = graph.on_queue(hops && i % 2 != 0 ? QueueKind::compute : QueueKind::main);
            Pass pass;
            pass.name = "pass " + number;
            pass.shader =
                ShaderSource::spirv({weir_bench::shaders::copy.begin(), weir_bench::shaders::copy.end()}, "copy");
            for (std::size_t back = 1; back <= std::min<std::size_t>(reach, written.size()); ++back) {
                pass.bindings.push_back(read(written[written.size() - back]));
            }
            written.push_back(i + 1 == passes ? out : graph.transient_buffer<std::uint32_t>("buffer " + number, words));
            pass.bindings.push_back(write(written.back()));
            pass.push = {words / 4};
            pass.dispatch = Dispatch::elements(words / 4, 256);
            graph.add_pass(std::move(pass));
        }
        graph.export_buffer(out);
    }
};

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times `repeats` runs. A run repeats the call for at least a millisecond; its time is the mean of its calls.
template <class Function>
Times time_calls(std::uint32_t repeats, const Function& call) {
    constexpr double run_ms = 1;
    std::uint32_t calls = 1;
    std::vector<double> runs;
    while (runs.size() < repeats) {
        const double begin = now_ms();
        for (std::uint32_t i = 0; i < calls; ++i) {
            call();
        }
        const double took = now_ms() - begin;
        if (took < run_ms) {
            calls *= 2;
            runs.clear();
        } else {
            runs.push_back(took / calls);
        }
    }
    return {samples::median(runs), *std::min_element(runs.begin(), runs.end()), repeats};
}

Result<Times> time_plan(const Context& context, std::uint32_t passes, std::uint32_t reach, bool hops,
                        std::uint32_t repeats) {
    const PassGraph made(context, passes, reach, hops);
    const GraphDescription& graph = made.graph.description();
    return make_plan(graph).map(
        [&](const Plan&) { return time_calls(repeats, [&] { return make_plan(graph).has_value(); }); });
}

/// The program of a chain of passes, with its imports bound.
struct Chain {
    PassGraph made;
    std::optional<Program> program;
    Buffer buffer;
    BufferView in, out;

    Chain(const Context& context, std::uint32_t passes, bool hops) : made(context, passes, 1, hops) {}

    static Result<std::unique_ptr<Chain>> create(const Context& context, std::uint32_t passes, DescriptorMode mode,
                                                 bool hops = false) {
        auto chain = std::make_unique<Chain>(context, passes, hops);
        auto program = compile(context, chain->made.graph, {.descriptors = mode});
        auto buffer = context.create_buffer(2 * 4 * words * sizeof(std::uint32_t));
        for (const Error* error : {program ? nullptr : &program.error(), buffer ? nullptr : &buffer.error()}) {
            if (error != nullptr) {
                return tl::unexpected(*error);
            }
        }
        chain->program.emplace(std::move(*program));
        chain->buffer = std::move(*buffer);
        chain->in = {chain->buffer.handle(), 0, 4 * words};
        chain->out = {chain->buffer.handle(), 16 * words, 4 * words};
        return chain->program->bind(chain->made.in, chain->in)
            .and_then([&] { return chain->program->bind(chain->made.out, chain->out); })
            .map([&] { return std::move(chain); });
    }
};

/// Times recording. With `is_real`, each run records into a new command buffer of the driver and submits it, which
/// frees it.
Result<Times> time_record(const Context& context, std::uint32_t passes, DescriptorMode mode, bool binds, bool is_real,
                          std::uint32_t repeats) {
    const auto chain = Chain::create(context, passes, mode);
    SAMPLES_PROPAGATE(chain);
    Program& program = *(*chain)->program;
    const auto record = [&](VkCommandBuffer commands) {
        auto bound = binds ? program.bind((*chain)->made.in, (*chain)->in) : Result<>();
        return bound.and_then([&] { return program.record(commands); });
    };
    if (!is_real) {
        return record(VK_NULL_HANDLE).map([&] {
            return time_calls(repeats, [&] { return record(VK_NULL_HANDLE).has_value(); });
        });
    }
    std::vector<double> runs;
    while (runs.size() < repeats) {
        auto done = context.submit([&](VkCommandBuffer commands) {
            const double begin = now_ms();
            auto recorded = record(commands);
            runs.push_back(now_ms() - begin);
            return recorded;
        });
        SAMPLES_PROPAGATE(done);
    }
    return Times{samples::median(runs), *std::min_element(runs.begin(), runs.end()), repeats};
}

/// Times execution on the GPU. Each pass is one workgroup, so its time is mostly the synchronization between dependent
/// passes.
Result<Times> time_execution(const Context& context, std::uint32_t passes, DescriptorMode mode, std::uint32_t repeats) {
    constexpr double warm_up_ms = 150;
    const auto chain = Chain::create(context, passes, mode);
    SAMPLES_PROPAGATE(chain);
    std::vector<double> runs;
    for (double warm = 0; runs.size() < repeats;) {
        const auto run = (*chain)->program->run();
        SAMPLES_PROPAGATE(run);
        if (!run->gpu_ms) {
            return tl::unexpected(Error{ErrorCode::unsupported, "the queue has no timestamps"});
        }
        if (warm < warm_up_ms) {
            warm += *run->gpu_ms;
        } else {
            runs.push_back(*run->gpu_ms);
        }
    }
    return Times{samples::median(runs), *std::min_element(runs.begin(), runs.end()), repeats};
}

/// Times an execution on the host, from the submit call until it is complete: recording, submission and waiting.
Result<Times> time_submission(const Context& context, std::uint32_t passes, bool hops, std::uint32_t repeats) {
    constexpr double warm_up_ms = 150;
    const auto chain = Chain::create(context, passes, DescriptorMode::sets, hops);
    SAMPLES_PROPAGATE(chain);
    Program& program = *(*chain)->program;
    std::vector<double> runs;
    for (double warm = 0; runs.size() < repeats;) {
        const double begin = now_ms();
        SAMPLES_PROPAGATE(program.submit().and_then([&] { return program.wait(); }));
        const double took = now_ms() - begin;
        if (warm < warm_up_ms) {
            warm += took;
        } else {
            runs.push_back(took);
        }
    }
    return Times{samples::median(runs), *std::min_element(runs.begin(), runs.end()), repeats};
}

struct GraphRow {
    std::string op, type, impl;
    std::function<Result<Times>(const Context& context, const Context& silent, std::uint32_t passes,
                                std::uint32_t repeats)>
        time;
    DescriptorMode mode = DescriptorMode::sets; ///< measured if the device supports it
};

bool has(const Capabilities& device, DescriptorMode mode) {
    return (mode != DescriptorMode::push || device.max_push_descriptors > 0) &&
           (mode != DescriptorMode::buffer || device.descriptor_buffer);
}

std::vector<GraphRow> graph_rows() {
    std::vector<GraphRow> rows;
    for (const bool hops : {false, true}) {
        const std::string impl = hops ? "two queues" : "weir";
        for (const auto& [type, reach] : {std::pair{"chain", 1U}, std::pair{"local", 3U}}) {
            rows.push_back({"make_plan", type, impl,
                            [reach = reach, hops](const Context& context, const Context&, std::uint32_t passes,
                                                  std::uint32_t repeats) {
                                return time_plan(context, passes, reach, hops, repeats);
                            }});
        }
        rows.push_back({"submit", "chain", impl,
                        [hops](const Context& context, const Context&, std::uint32_t passes, std::uint32_t repeats) {
                            return time_submission(context, passes, hops, repeats);
                        }});
    }
    for (const DescriptorMode mode : {DescriptorMode::sets, DescriptorMode::push, DescriptorMode::buffer}) {
        const std::string name = to_string(mode);
        for (const bool binds : {false, true}) {
            for (const bool is_real : {true, false}) {
                rows.push_back(
                    {binds ? "bind_and_record" : "record", "chain", is_real ? name : name + " alone",
                     [=](const Context& context, const Context& silent, std::uint32_t passes, std::uint32_t repeats) {
                         return time_record(is_real ? context : silent, passes, mode, binds, is_real, repeats);
                     },
                     mode});
            }
        }
        rows.push_back({"execute", "chain", name,
                        [=](const Context& context, const Context&, std::uint32_t passes, std::uint32_t repeats) {
                            return time_execution(context, passes, mode, repeats);
                        },
                        mode});
    }
    return rows;
}

std::string name_of(const GraphRow& row) {
    return row.op + '/' + row.type + '/' + row.impl;
}

} // namespace

std::vector<std::string> graph_row_names() {
    std::vector<std::string> names;
    for (const GraphRow& row : graph_rows()) {
        names.push_back(name_of(row));
    }
    return names;
}

Result<> time_graphs(const Context& context, std::uint32_t repeats,
                     const std::function<bool(const std::string& name)>& selected,
                     const std::function<void(const Row& row)>& report) {
    const auto silenced = silent(context);
    SAMPLES_PROPAGATE(silenced);
    for (const GraphRow& row : graph_rows()) {
        if (!selected(name_of(row)) || !has(context.capabilities(), row.mode)) {
            continue;
        }
        for (const std::uint32_t passes : {10U, 100U, 1000U}) {
            const auto times = row.time(context, *silenced, passes, repeats);
            SAMPLES_PROPAGATE(times);
            report({.op = row.op,
                    .type = row.type,
                    .n = passes,
                    .impl = row.impl,
                    .median_ms = times->median_ms,
                    .min_ms = times->min_ms,
                    .repeats = times->repeats,
                    .items_per_s = passes / times->median_ms * 1e3});
        }
    }
    return {};
}

} // namespace weir::bench
