#include <algorithm>
#include <bit>
#include <span>

#include "operations.hpp"
#include "studies/survey/scan_again.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t workgroup = 256, scans = 4;
constexpr std::uint32_t brent_kung_levels = workgroup_scans; // BRENT_KUNG_LEVELS of workgroup_scan.comp

template <class T>
Result<Program> prepare(Data& data, std::uint32_t n, Input kind, std::span<const std::uint32_t> spirv,
                        std::uint32_t scan) {
    const Capabilities& device = data.context().capabilities();
    const bool only_one = device.subgroup_size_min == device.subgroup_size_max;
    const bool known = only_one || device.subgroup_size_selectable;
    Graph graph(data.context());
    auto from = graph.import_buffer<T>("from", n);
    auto to = graph.import_buffer<T>("to", n);
    graph.add_pass({.name = "workgroup scan",
                    .shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, "workgroup scan"),
                    .bindings = {read(from), write(to)},
                    .push = {n},
                    .constants = {workgroup, known ? device.subgroup_size : 0, scan, scans,
                                  device.shuffles_need_barriers() ? 1U : 0U},
                    .dispatch = Dispatch::elements(n, workgroup),
                    .subgroup_size = known && !only_one ? device.subgroup_size : 0,
                    .full_subgroups = true});
    return make_program(data.context(), graph, {{from, data.input(kind, n)}, {to, data.output(0, n)}});
}

template <class T>
std::vector<std::uint32_t> expected(std::uint32_t n, Input kind) {
    auto words = Data::words(kind, n);
    std::vector<T> elements(workgroup), scanned(workgroup);
    for (std::uint32_t first = 0; first < n; first += workgroup) {
        const std::uint32_t count = std::min(workgroup, n - first);
        for (std::uint32_t i = 0; i < count; ++i) {
            elements[i] = std::bit_cast<T>(words[first + i]);
        }
        for (std::uint32_t scan = 0; scan < scans; ++scan) {
            T sum{};
            for (std::uint32_t i = 0; i < count; ++i) {
                sum += scan == 0 ? elements[i] : scanned_next(elements[i], scanned[i]);
                scanned[i] = sum;
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            words[first + i] = std::bit_cast<std::uint32_t>(scanned[i]);
        }
    }
    return words;
}

template <class T>
Operation operation(const char* type, Input kind, std::span<const std::uint32_t> spirv) {
    Operation operation{.op = "workgroup_scan",
                        .type = type,
                        .bytes_per_item = 8,
                        .memory_per_item = 8,
                        .expected = [kind](std::uint32_t n) { return Arrays{expected<T>(n, kind)}; }};
    for (std::uint32_t i = 0; i <= brent_kung_levels; ++i) {
        operation.variants.push_back(
            {i < workgroup_scans ? to_string(WorkgroupScan{i}) : "brent_kung_levels",
             [=](Data& data, std::uint32_t n) { return prepare<T>(data, n, kind, spirv, i); }});
    }
    return operation;
}

} // namespace

std::vector<Operation> workgroup_scan_operations() {
    using namespace weir_bench::shaders;
    return {operation<std::uint32_t>("u32", Input::words, workgroup_scan_u32),
            operation<float>("f32", Input::small_floats, workgroup_scan_f32)};
}

} // namespace weir::bench
