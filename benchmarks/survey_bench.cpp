// Scans of a whole device as a survey of them has it, beside Weir's: see shaders/bench/survey.comp and
// survey_loop.comp.

#include <algorithm>
#include <numeric>

#include "operations.hpp"
#include "running.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t workgroup = 256, vectors = 4; // the paper's: tiles of 4096 numbers
constexpr std::uint32_t tile = workgroup * vectors * 4;

/// How a scan divides its tiles among workgroups.
struct Survey {
    const char* impl;
    bool single_pass = false; ///< survey_loop.comp, else survey.comp
    enum class Parts : std::uint8_t { one, tiles, running } parts = Parts::tiles;
    bool strided = false;
};

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

struct Buffers {
    BufferRef<std::uint32_t> from, to;
    BufferRef<std::uint32_t> running = {}; ///< if valid: workgroups are counted
};

Pass make_pass(const Context& context, const char* name, std::span<const std::uint32_t> spirv, const Survey& survey,
               const Buffers& buffers, BufferRef<std::uint32_t> between, bool reduces) {
    const Capabilities& device = context.capabilities();
    const bool only_one = device.subgroup_size_min == device.subgroup_size_max;
    const bool known = only_one || device.subgroup_size_selectable;
    return {.name = name,
            .shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, name),
            .bindings = {read(buffers.from), write(buffers.to), read_write(between),
                         buffers.running.valid() ? read_write(buffers.running) : unused(between)},
            .constants = {workgroup, known ? device.subgroup_size : 0, vectors, survey.strided ? 1U : 0U,
                          device.shuffles_need_barriers() ? 1U : 0U, buffers.running.valid() ? 1U : 0U,
                          reduces ? 1U : 0U, 64},
            .subgroup_size = known && !only_one ? device.subgroup_size : 0,
            .full_subgroups = true};
}

void add_loop(Graph& graph, const Context& context, std::uint32_t n, const Survey& survey, const Buffers& buffers,
              std::uint32_t groups) {
    using namespace weir_bench::shaders;
    const auto states = tile_states(graph, divide_up(n, tile) + 1, 1);
    Pass pass = make_pass(context, "survey loop", survey_loop, survey, buffers, states, false);
    pass.push = {n};
    pass.dispatch = Dispatch::groups(groups);
    graph.add_pass(std::move(pass));
}

void add_parts(Graph& graph, const Context& context, std::uint32_t n, const Survey& survey, const Buffers& buffers,
               std::uint32_t parts) {
    using namespace weir_bench::shaders;
    const std::uint32_t part_tiles = divide_up(divide_up(n, tile), parts);
    parts = divide_up(divide_up(n, tile), part_tiles);
    const auto spine = graph.state_buffer<std::uint32_t>("survey spine", 1 + parts);
    for (const bool reduces : {true, false}) {
        if (reduces && parts == 1) {
            continue;
        }
        Pass pass = make_pass(context, reduces ? "survey: reduce" : "survey: scan", weir_bench::shaders::survey, survey,
                              buffers, spine, reduces);
        if (reduces) {
            pass.bindings[1] = unused(spine);
        }
        pass.push = {n, part_tiles, parts};
        pass.dispatch = Dispatch::elements(parts, 1);
        graph.add_pass(std::move(pass));
    }
}

/// How many workgroups of this kernel the device runs at the same time.
Result<std::uint32_t> resident(Data& data, std::uint32_t n, const Survey& survey) {
    const Context& context = data.context();
    return most_running(context, [&](Graph& graph, BufferRef<std::uint32_t> counts) {
        const Buffers buffers{graph.transient_buffer<std::uint32_t>("numbers", n),
                              graph.transient_buffer<std::uint32_t>("sums", n), counts};
        graph.add_fill("numbers", buffers.from, 1);
        const std::uint32_t tiles = divide_up(n, tile);
        (survey.single_pass ? add_loop : add_parts)(graph, context, n, survey, buffers, tiles);
        graph.export_buffer(buffers.to);
    });
}

Result<Program> prepare(Data& data, std::uint32_t n, const Survey& survey) {
    std::uint32_t groups = survey.parts == Survey::Parts::one ? 1 : std::max(1U, divide_up(n, tile));
    if (survey.parts == Survey::Parts::running) {
        const bool cpu = data.context().capabilities().kind == DeviceKind::cpu;
        const auto most = resident(data, cpu ? 1U << 16 : 1U << 24, survey);
        if (!most) {
            return tl::unexpected(most.error());
        }
        groups = std::min(groups, *most);
    }
    Graph graph(data.context());
    const Buffers buffers{graph.import_buffer<std::uint32_t>("from", n), graph.import_buffer<std::uint32_t>("to", n)};
    (survey.single_pass ? add_loop : add_parts)(graph, data.context(), n, survey, buffers, groups);
    return make_program(data.context(), graph,
                        {{buffers.from, data.input(Input::words, n)}, {buffers.to, data.output(0, n)}});
}

std::vector<std::uint32_t> expected(std::uint32_t n) {
    auto words = Data::words(Input::words, n);
    std::partial_sum(words.begin(), words.end(), words.begin());
    return words;
}

} // namespace

Operation survey_operation() {
    using Parts = Survey::Parts;
    Operation operation{
        .op = "survey", .type = "u32", .bytes_per_item = 8, .memory_per_item = 9, .expected = [](std::uint32_t n) {
            return Arrays{expected(n)};
        }};
    for (const Survey& survey : {Survey{"one workgroup", false, Parts::one},
                                 {"last workgroup", false, Parts::tiles},
                                 {"last workgroup strided", false, Parts::tiles, true},
                                 {"persistent parts", false, Parts::running},
                                 {"persistent loop", true, Parts::running},
                                 {"persistent loop strided", true, Parts::running, true}}) {
        operation.variants.push_back(
            {survey.impl, [survey](Data& data, std::uint32_t n) { return prepare(data, n, survey); }});
    }
    return operation;
}

} // namespace weir::bench
