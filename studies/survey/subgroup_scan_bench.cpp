// Compares subgroup scans by native operations with scans by shuffles, and prints the driver's statistics of the
// kernels.

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>

#include "common/propagate.hpp"
#include "operations.hpp"
#include "studies/survey/running.hpp"
#include "studies/survey/scan_again.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t scans = 16;

struct Kernel {
    std::span<const std::uint32_t> spirv;
    std::uint32_t workgroup = 256;
    bool native = true, barriers = false;
};

Pass make_pass(const Capabilities& device, const Kernel& kernel, std::uint32_t n) {
    const bool only_one = device.subgroup_size_min == device.subgroup_size_max;
    return {.name = "subgroup scan",
            .shader = ShaderSource::spirv({kernel.spirv.begin(), kernel.spirv.end()}, "subgroup scan"),
            .push = {n},
            .constants = {kernel.workgroup, device.subgroup_size, kernel.native ? 1U : 0U, scans,
                          kernel.barriers ? 1U : 0U, 0},
            .dispatch = Dispatch::elements(n, kernel.workgroup),
            .subgroup_size = only_one ? 0 : device.subgroup_size,
            .full_subgroups = true};
}

Result<> check_device(const Capabilities& device, const Kernel& kernel) {
    const auto unsupported = [](std::string why) {
        return tl::unexpected(Error{ErrorCode::unsupported, std::move(why)});
    };
    if (device.subgroup_size_min != device.subgroup_size_max && !device.subgroup_size_selectable) {
        return unsupported("results depend on the subgroup size, but the device has several and cannot require one");
    }
    if (kernel.workgroup > device.max_workgroup_invocations) {
        return unsupported("workgroups have at most " + std::to_string(device.max_workgroup_invocations) +
                           " invocations");
    }
    return {};
}

template <class T>
Result<Program> prepare(Data& data, std::uint32_t n, Input kind, const Kernel& kernel) {
    const Capabilities& device = data.context().capabilities();
    SAMPLES_PROPAGATE(check_device(device, kernel));
    Graph graph(data.context());
    auto from = graph.import_buffer<T>("from", n);
    auto to = graph.import_buffer<T>("to", n);
    Pass pass = make_pass(device, kernel, n);
    pass.bindings = {read(from), write(to), unused(from)};
    graph.add_pass(std::move(pass));
    const std::uint32_t words = n * (sizeof(T) / 4);
    return make_program(data.context(), graph, {{from, data.input(kind, words)}, {to, data.output(0, words)}});
}

/// Returns "16 registers, " for "Register Count 16, Binary Size 768". Empty if the driver does not report registers.
std::string registers_in(const std::string& statistics) {
    for (std::size_t begin = 0; begin < statistics.size();) {
        const std::size_t end = std::min(statistics.find(", ", begin), statistics.size());
        const std::string one = statistics.substr(begin, end - begin);
        const std::size_t number = one.rfind(' ');
        if (one.find("egister") != std::string::npos && number != std::string::npos) {
            return one.substr(number + 1) + " registers, ";
        }
        begin = end + 2;
    }
    return {};
}

/// Describes the kernel: registers, if the driver reports them, and the number of invocations that run at the same
/// time.
template <class T>
Result<std::string> describe(Data& data, std::uint32_t n, const Kernel& kernel) {
    const Context& context = data.context();
    auto running = most_running(context, [&](Graph& graph, BufferRef<std::uint32_t> counts) {
        const auto from = graph.transient_buffer<T>("from", n);
        const auto to = graph.transient_buffer<T>("to", n);
        graph.add_fill("elements", from, 0);
        Pass pass = make_pass(context.capabilities(), kernel, n);
        pass.bindings = {read(from), write(to), read_write(counts)};
        pass.constants.back() = 1;
        graph.add_pass(std::move(pass));
        graph.export_buffer(to);
    });
    SAMPLES_PROPAGATE(running);
    auto program = prepare<T>(data, n, Input::words, kernel);
    const auto timestamps = Timestamps::create(context, 2);
    std::string text;
    if (program && timestamps) {
        const auto done =
            context.submit([&](VkCommandBuffer commands) { return program->record(commands, *timestamps); });
        const auto profile = done ? program->profile(*timestamps) : tl::unexpected(done.error());
        text = profile && !profile->statistics.empty() ? registers_in(profile->statistics.front()) : std::string();
    }
    return text + std::to_string(*running * kernel.workgroup) + " invocations at a time";
}

template <class T>
std::vector<std::uint32_t> expected(std::uint32_t n, Input kind, std::uint32_t subgroup) {
    auto words = Data::words(kind, n * static_cast<std::uint32_t>(sizeof(T) / 4));
    std::vector<T> elements(n), scanned(n);
    std::memcpy(elements.data(), words.data(), words.size() * 4);
    for (std::uint32_t scan = 0; scan < scans; ++scan) {
        T sum{};
        for (std::uint32_t i = 0; i < n; ++i) {
            const T value = scan == 0 ? elements[i] : scanned_next(elements[i], scanned[i]);
            sum = i % subgroup == 0 ? value : sum + value;
            scanned[i] = sum;
        }
    }
    std::memcpy(words.data(), scanned.data(), words.size() * 4);
    return words;
}

template <class T>
Operation operation(const char* type, Input kind, std::span<const std::uint32_t> spirv) {
    const auto subgroup = std::make_shared<std::uint32_t>(32); // set when the first program is created
    Operation operation{.op = "subgroup_scan",
                        .type = type,
                        .bytes_per_item = 2 * sizeof(T),
                        .memory_per_item = 4 * sizeof(T),
                        .words_per_item = sizeof(T) / 4,
                        .few_sizes = true,
                        .on_request = true,
                        .expected = [=](std::uint32_t n) { return Arrays{expected<T>(n, kind, *subgroup)}; }};
    for (const std::uint32_t workgroup : {256U, 512U, 1024U}) {
        const std::string size = ' ' + std::to_string(workgroup);
        for (const auto& [impl, native, barriers] :
             {std::tuple{"native", true, false}, {"emulated", false, false}, {"emulated, barriers", false, true}}) {
            const Kernel kernel{spirv, workgroup, native, barriers};
            operation.variants.push_back(
                {.impl = impl + size,
                 .prepare =
                     [=](Data& data, std::uint32_t n) {
                         *subgroup = data.context().capabilities().subgroup_size;
                         return prepare<T>(data, n, kind, kernel);
                     },
                 .describe = [=](Data& data, std::uint32_t n) { return describe<T>(data, n, kernel); }});
        }
    }
    return operation;
}

} // namespace

std::vector<Operation> subgroup_scan_operations() {
    using namespace weir_bench::shaders;
    return {operation<std::uint32_t>("u32", Input::words, subgroup_scan_u32),
            operation<float>("f32", Input::small_floats, subgroup_scan_f32),
            operation<std::uint64_t>("u64", Input::words, subgroup_scan_u64)};
}

} // namespace weir::bench
