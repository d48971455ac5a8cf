#include "graph/describe/indirect_arguments.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <weir/graph/plan.hpp>

#include "graph/describe/conditions.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

bool writes_to(const GraphDescription::PassNode& node, BufferId buffer) {
    return std::any_of(node.uses.begin(), node.uses.end(), [&](const GraphDescription::PassUse& use) {
        return use.resource == buffer.index && use.writes();
    });
}

bool writes_to(const GraphDescription::PassNode& node, const Count& count) {
    return writes_to(node, count.buffer);
}

/// Limits of shaders/graph/dispatch_arguments.comp: the maximum number of dispatches in a pass, and the layout of its
/// push constants. Each dispatch has four words. The upper two bits of the first word have the Source.
constexpr std::uint64_t max_dispatches = 7;
constexpr std::size_t first_dispatch = 4, dispatch_words = 4;
enum Source : std::uint32_t { counted, given_count, given_groups, given_arguments };
constexpr std::uint64_t arguments_bytes = 12;

bool is_counted(const Dispatch& dispatch) {
    return dispatch.kind == Dispatch::Kind::elements && dispatch.count.kind == Count::Kind::gpu;
}

/// Returns the buffer from which the arguments are computed, or the buffer of the gate if they depend on nothing else.
BufferId source_of(const Dispatch& dispatch, const std::optional<Count>& gate) {
    const BufferId source = is_counted(dispatch) ? dispatch.count.buffer : dispatch.arguments;
    return source.valid() ? source : gate->buffer;
}

std::array<PushWord, dispatch_words> push_of(const Dispatch& dispatch) {
    const auto first = [](Source source, std::uint32_t word) { return source << 30U | word; };
    switch (dispatch.kind) {
    case Dispatch::Kind::elements:
        if (is_counted(dispatch)) {
            return {first(counted, dispatch.count.word), dispatch.count.max, dispatch.per_group, dispatch.at_least};
        }
        return {first(given_count, 0), dispatch.count, dispatch.per_group, dispatch.at_least};
    case Dispatch::Kind::indirect: return {first(given_arguments, dispatch.word), 0U, 0U, 0U};
    default: return {first(given_groups, 0), dispatch.x, dispatch.y, dispatch.z};
    }
}

/// Makes `pass` compute the arguments of a dispatch after those of `index` other dispatches.
void add_dispatch(Pass& pass, std::uint32_t index, const Dispatch& dispatch) {
    const auto words = push_of(dispatch);
    pass.push[0] = index + 1;
    std::copy(words.begin(), words.end(), pass.push.begin() + first_dispatch + index * dispatch_words);
}

/// Adds a pass that computes the arguments of a dispatch from the contents of `source`. Returns the buffer of the
/// arguments.
BufferId add_arguments_pass(GraphDescription& graph, BufferId source, const std::optional<Count>& gate,
                            const std::vector<Condition>& under, const Dispatch& dispatch) {
    constexpr const char* of = "dispatch arguments of ";
    const BufferId gate_buffer = gate ? gate->buffer : source; // each binding needs a buffer
    const BufferId arguments{{static_cast<std::uint32_t>(graph.resources.size()), graph.identity.get()}};
    std::string name = graph.resources[gate_buffer.index].name;
    name = name.find(of) != std::string::npos ? name : of + name;
    graph.resources.push_back({.name = name, .bytes = arguments_bytes, .where = graph.caller});
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::packed(shaders::dispatch_arguments, "dispatch_arguments");
    pass.bindings = {read(source), write(arguments), read(gate_buffer)};
    pass.push = {0U, graph.capabilities.max_workgroup_count_x, gate ? 1U : 0U, gate ? gate->word : 0U};
    pass.push.resize(first_dispatch + max_dispatches * dispatch_words);
    pass.dispatch = Dispatch::groups(1);
    add_dispatch(pass, 0, dispatch);
    GraphDescription::PassNode node;
    node.name = name;
    node.uses = {{source.index, Access::shader_read}, {arguments.index, Access::shader_write}};
    if (gate_buffer.index != source.index) {
        node.uses.push_back({gate_buffer.index, Access::shader_read});
    }
    node.work = std::make_shared<const Pass>(std::move(pass));
    node.conditions = under;
    node.computes_arguments = true;
    node.queue = graph.queue;
    node.where = graph.caller;
    graph.passes.push_back(std::move(node));
    return arguments;
}

/// Finds or adds the arguments as `indirect_arguments` does, for a pass that runs under the conditions `under`.
IndirectDispatch find_or_compute(GraphDescription& graph, const Dispatch& dispatch, const std::optional<Count>& gate,
                                 const std::vector<Condition>& under) {
    const BufferId source = source_of(dispatch, gate);
    const GraphDescription::IndirectArguments* with_capacity = nullptr;
    for (const auto& known : graph.indirect_arguments) {
        // Known arguments can be shared only if they are computed whenever this pass runs: their conditions must be
        // among its own.
        const bool always = std::all_of(known.conditions.begin(), known.conditions.end(), [&](const Condition& one) {
            return std::find(under.begin(), under.end(), one) != under.end();
        });
        if (!always || known.gate != gate || graph.passes[known.pass].queue != graph.queue) {
            continue;
        }
        if (known.dispatch == dispatch) {
            return {known.arguments, known.word};
        }
        if (source_of(known.dispatch, gate) == source &&
            graph.resources[known.arguments.index].bytes < max_dispatches * arguments_bytes) {
            with_capacity = &known;
        }
    }
    if (with_capacity == nullptr) {
        const BufferId arguments = add_arguments_pass(graph, source, gate, under, dispatch);
        const auto pass = static_cast<std::uint32_t>(graph.passes.size()) - 1;
        graph.indirect_arguments.push_back({dispatch, gate, under, pass, arguments, 0});
        return {arguments, 0};
    }
    const auto [arguments, pass] = std::pair(with_capacity->arguments, with_capacity->pass);
    std::uint64_t& bytes = graph.resources[arguments.index].bytes;
    const auto index = static_cast<std::uint32_t>(bytes / arguments_bytes);
    bytes += arguments_bytes;
    Pass changed = *graph.passes[pass].compute_pass(); // other graphs may share the pass
    add_dispatch(changed, index, dispatch);
    graph.passes[pass].work = std::make_shared<const Pass>(std::move(changed));
    graph.indirect_arguments.push_back({dispatch, gate, graph.passes[pass].conditions, pass, arguments, index * 3});
    return {arguments, index * 3};
}

} // namespace

IndirectDispatch indirect_arguments(GraphDescription& graph, const Dispatch& dispatch,
                                    const std::optional<Count>& gate) {
    return find_or_compute(graph, dispatch, gate, without_gpu(open_conditions(graph, graph.open.size())));
}

Count as_flag(GraphDescription& graph, Count count, const std::optional<Count>& gate, std::size_t depth) {
    count.max = std::min(count.max, 1U);
    const auto [arguments, word] =
        find_or_compute(graph, Dispatch::elements(count, 1), gate, without_gpu(open_conditions(graph, depth)));
    Count flag(1);
    flag.kind = Count::Kind::gpu;
    flag.buffer = arguments;
    flag.word = word;
    return flag;
}

void renew_arguments(GraphDescription& graph, const GraphDescription::PassNode& writer) {
    // After the write, dispatches by this count need new arguments. Open scopes keep the value from before the write.
    for (std::size_t i = 0; i < graph.open.size(); ++i) {
        if (graph.open[i].gate && writes_to(writer, *graph.open[i].gate)) {
            graph.open[i].gate = as_flag(graph, *graph.open[i].gate, {}, i);
        }
    }
    std::erase_if(graph.indirect_arguments, [&](const GraphDescription::IndirectArguments& known) {
        return writes_to(writer, known.dispatch.count) || (known.gate && writes_to(writer, *known.gate)) ||
               writes_to(writer, known.dispatch.arguments);
    });
    std::erase_if(graph.spread_arguments,
                  [&](const GraphDescription::SpreadArguments& known) { return writes_to(writer, known.arguments); });
}

} // namespace weir
