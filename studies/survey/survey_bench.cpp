// Scans that Weir does not use, for comparison with its own, from "GPU Prefix Sums", a survey by T. Smith: with one
// workgroup, with two dispatches (one reduces parts, one scans them), and in a single pass with persistent workgroups.
// See shaders/survey.comp and survey_loop.comp.

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "common/propagate.hpp"
#include "operations.hpp"
#include "primitives/kernel/kernel.hpp"
#include "studies/survey/running.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t workgroup = 256, vectors = 4; // tiles of 4096 numbers, as in the survey
constexpr std::uint32_t tile = workgroup * vectors * 4;

/// How a scan divides its tiles among workgroups.
struct Survey {
    const char* impl;
    bool single_pass = false; ///< uses survey_loop.comp; otherwise survey.comp
    enum class Parts : std::uint8_t { one, tiles, running } parts = Parts::tiles;
    bool strided = false;
};

struct Buffers {
    BufferRef<std::uint32_t> from, to;
    BufferRef<std::uint32_t> running = {}; ///< if valid, workgroups count themselves in it
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

/// Returns the tile states.
BufferRef<std::uint32_t> add_loop(Graph& graph, const Context& context, std::uint32_t n, const Survey& survey,
                                  const Buffers& buffers, std::uint32_t groups) {
    using namespace weir_bench::shaders;
    const auto states = tile_states(graph, divide_up(n, tile) + 1, 1);
    Pass pass = make_pass(context, "survey loop", survey_loop, survey, buffers, states, false);
    pass.push = {n};
    pass.dispatch = Dispatch::groups(groups);
    graph.add_pass(std::move(pass));
    return states;
}

/// Returns the spine.
BufferRef<std::uint32_t> add_parts(Graph& graph, const Context& context, std::uint32_t n, const Survey& survey,
                                   const Buffers& buffers, std::uint32_t parts) {
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
    return spine;
}

/// Returns the maximum number of workgroups of this kernel that the device runs at the same time.
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
        SAMPLES_PROPAGATE(most);
        groups = std::min(groups, *most);
    }
    Graph graph(data.context());
    const Buffers buffers{graph.import_buffer<std::uint32_t>("from", n), graph.import_buffer<std::uint32_t>("to", n)};
    (survey.single_pass ? add_loop : add_parts)(graph, data.context(), n, survey, buffers, groups);
    return make_program(data.context(), graph,
                        {{buffers.from, data.input(Input::words, n)}, {buffers.to, data.output(0, n)}});
}

/// Returns the entry of a tile as text, such as "prefix 8192 (epoch 3)". shaders/lib/tile_parts.glsl defines its two
/// words.
std::string describe(const std::vector<std::uint32_t>& states, std::uint32_t tile_number) {
    constexpr std::uint32_t aggregate = 1, prefix = 2; // these and the next four as in shaders/lib/tile_state.glsl
    constexpr std::uint32_t payload_bits = 16, payload_mask = (1U << payload_bits) - 1;
    constexpr std::uint32_t state_shift = 30, epoch_mask = (1U << (state_shift - payload_bits)) - 1;
    constexpr std::uint32_t stride = LibraryInterface::WEIR_ENTRY_ALIGNMENT; // both words fit
    const std::uint32_t entry = LibraryInterface::WEIR_FIRST_ENTRY + tile_number * stride;
    const std::uint32_t low = states[entry], high = states[entry + 1];
    const std::uint32_t state = low >> state_shift, epoch = low >> payload_bits & epoch_mask;
    const std::uint32_t value = (low & payload_mask) | high << payload_bits;
    char text[96];
    std::snprintf(text, sizeof text,
                  low >> payload_bits == high >> payload_bits ? "%s %u (epoch %u)" : "%s %u (epoch %u), torn",
                  state == prefix      ? "prefix"
                  : state == aggregate ? "aggregate"
                                       : "not ready",
                  value, epoch);
    return text;
}

std::vector<std::uint32_t> expected(std::uint32_t n) {
    auto words = Data::words(Input::words, n);
    std::partial_sum(words.begin(), words.end(), words.begin());
    return words;
}

} // namespace

Result<std::string> survey_spines(const Context& context, std::uint32_t n) {
    Graph graph(context);
    Buffers buffers{graph.transient_buffer<std::uint32_t>("numbers", n),
                    graph.transient_buffer<std::uint32_t>("sums", n)};
    graph.add_fill("numbers", buffers.from, 1);
    const std::uint32_t tiles = divide_up(n, tile);
    const auto states = add_loop(graph, context, n, {"persistent loop", true}, buffers, std::min(tiles, 2U));
    buffers.to = graph.transient_buffer<std::uint32_t>("other sums", n);
    const auto spine = add_parts(graph, context, n, {"last workgroup"}, buffers, tiles);
    const auto kept_states = graph.transient_buffer<std::uint32_t>("kept states", states.capacity);
    const auto kept_spine = graph.transient_buffer<std::uint32_t>("kept spine", spine.capacity);
    graph.add_copy("keep states", states, kept_states, states.capacity * std::uint64_t{4});
    graph.add_copy("keep spine", spine, kept_spine, spine.capacity * std::uint64_t{4});
    for (const auto& buffer : {kept_states, kept_spine, buffers.to}) {
        graph.export_buffer(buffer);
    }
    auto program = compile(context, graph);
    const auto ran = program ? program->run() : tl::unexpected(program.error());
    SAMPLES_PROPAGATE(ran);
    const auto state_words = context.download<std::uint32_t>(program->view(kept_states), states.capacity);
    const auto spine_words = context.download<std::uint32_t>(program->view(kept_spine), spine.capacity);
    if (!state_words || !spine_words) {
        return tl::unexpected(state_words ? spine_words.error() : state_words.error());
    }
    std::string text = "tile      spine  tile state\n";
    for (std::uint32_t i = 0; i < tiles; ++i) {
        char line[32];
        std::snprintf(line, sizeof line, "%4u %10u  ", i, tiles > 1 ? (*spine_words)[1 + i] : 0);
        text += line + describe(*state_words, i) + "\n";
    }
    return text;
}

Operation survey_operation() {
    using Parts = Survey::Parts;
    Operation operation{.op = "survey",
                        .type = "u32",
                        .bytes_per_item = 8,
                        .memory_per_item = 9,
                        .on_request = true,
                        .expected = [](std::uint32_t n) { return Arrays{expected(n)}; }};
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
