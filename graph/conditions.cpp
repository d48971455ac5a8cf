#include "graph/conditions.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <weir/graph/plan.hpp>

#include "engine/text.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

using Condition = GraphDescription::Condition;
using OpenCondition = GraphDescription::OpenCondition;

bool writes_to(const GraphDescription::PassNode& node, const Count& count) {
    return std::any_of(node.touches.begin(), node.touches.end(), [&](const GraphDescription::Touch& touch) {
        return touch.resource == count.buffer.index && writes(touch.access);
    });
}

/// The conditions of the first `depth` that are open.
std::vector<Condition> conditions(const GraphDescription& graph, std::size_t depth) {
    std::vector<Condition> all;
    for (std::size_t i = 0; i < depth; ++i) {
        const Condition& condition = graph.open[i].condition;
        const auto* count = std::get_if<Count>(&condition);
        const bool always = count != nullptr && count->kind == Count::Kind::constant && count->max != 0;
        if (!always && std::find(all.begin(), all.end(), condition) == all.end()) {
            all.push_back(condition);
        }
    }
    return all;
}

/// What of them the host decides.
std::vector<Condition> without_gpu(std::vector<Condition> conditions) {
    std::erase_if(conditions, [](const Condition& condition) {
        const auto* count = std::get_if<Count>(&condition);
        return count != nullptr && count->kind == Count::Kind::gpu;
    });
    return conditions;
}

/// Of shaders/graph/dispatch_arguments.comp: how many dispatches a pass computes arguments for, and where its push
/// constants say what they come from. A dispatch has four words there, the first one with the kind in its upper bits.
constexpr std::uint64_t most_dispatches = 7;
constexpr std::size_t first_dispatch = 4, dispatch_words = 4;
enum Source : std::uint32_t { counted, given_count, given_groups, given_arguments };
constexpr std::uint64_t arguments_bytes = 12;

bool is_counted(const Dispatch& dispatch) {
    return dispatch.kind == Dispatch::Kind::elements && dispatch.count.kind == Count::Kind::gpu;
}

/// The buffer that the arguments come from; the gate's if nothing more is needed.
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

/// Adds a pass that computes arguments, of no dispatch yet, from what is in `source` and where the gate is not 0.
/// Returns where they go.
BufferId add_arguments_pass(GraphDescription& graph, BufferId source, const std::optional<Count>& gate,
                            const std::vector<Condition>& under) {
    constexpr const char* of = "dispatch arguments of ";
    const BufferId gate_buffer = gate ? gate->buffer : source; // who is not there stands for the other one
    const BufferId arguments{{static_cast<std::uint32_t>(graph.resources.size()), graph.identity.get()}};
    std::string name = graph.resources[gate_buffer.index].name;
    name = name.find(of) != std::string::npos ? name : of + name;
    graph.resources.push_back({.name = name, .bytes = 0, .where = graph.caller});
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::packed(shaders::dispatch_arguments, "dispatch_arguments");
    pass.bindings = {read(source), write(arguments), read(gate_buffer)};
    pass.push = {0U, graph.capabilities.max_workgroup_count_x, gate ? 1U : 0U, gate ? gate->word : 0U};
    pass.push.resize(first_dispatch + most_dispatches * dispatch_words);
    GraphDescription::PassNode node;
    node.name = name;
    node.touches = {{source.index, Access::shader_read}, {arguments.index, Access::shader_write}};
    if (gate_buffer.index != source.index) {
        node.touches.push_back({gate_buffer.index, Access::shader_read});
    }
    node.work = std::move(pass);
    node.conditions = under;
    node.computes_arguments = true;
    node.queue = graph.queue;
    node.where = graph.caller;
    graph.passes.push_back(std::move(node));
    return arguments;
}

/// Arguments of `dispatch` where the gate is not 0. A pass that computes others from the same buffers computes these
/// too, if it runs whenever it has to. It still reads what was written before now: see `append`.
IndirectDispatch find_or_compute(GraphDescription& graph, const Dispatch& dispatch, const std::optional<Count>& gate,
                                 const std::vector<Condition>& under) {
    const BufferId source = source_of(dispatch, gate);
    const GraphDescription::IndirectArguments* with_room = nullptr;
    for (const auto& known : graph.indirect_arguments) {
        // They are there whenever this pass runs if they have no other conditions than it has.
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
            graph.resources[known.arguments.index].bytes < most_dispatches * arguments_bytes) {
            with_room = &known;
        }
    }
    const BufferId arguments =
        with_room != nullptr ? with_room->arguments : add_arguments_pass(graph, source, gate, under);
    const auto pass = with_room != nullptr ? with_room->pass : static_cast<std::uint32_t>(graph.passes.size()) - 1;
    const std::vector<Condition> conditions = graph.passes[pass].conditions;
    std::uint64_t& bytes = graph.resources[arguments.index].bytes;
    const auto index = static_cast<std::uint32_t>(bytes / arguments_bytes);
    bytes += arguments_bytes;
    auto& push = std::get<Pass>(graph.passes[pass].work).push;
    push[0] = index + 1;
    const auto words = push_of(dispatch);
    std::copy(words.begin(), words.end(), push.begin() + first_dispatch + index * dispatch_words);
    graph.indirect_arguments.push_back({dispatch, gate, conditions, pass, arguments, index * 3});
    return {arguments, index * 3};
}

/// As a count: 1 where `count` is not 0, and the gate is not either.
Count as_flag(GraphDescription& graph, Count count, const std::optional<Count>& gate, std::size_t depth) {
    count.max = std::min(count.max, 1U);
    const auto [arguments, word] =
        find_or_compute(graph, Dispatch::elements(count, 1), gate, without_gpu(conditions(graph, depth)));
    Count flag(1);
    flag.kind = Count::Kind::gpu;
    flag.buffer = arguments;
    flag.word = word;
    return flag;
}

} // namespace

void append(GraphDescription& graph, GraphDescription::PassNode node) {
    // A count that is written anew needs dispatch arguments of its own from here on. To what is open it counts as it
    // was.
    for (std::size_t i = 0; i < graph.open.size(); ++i) {
        if (graph.open[i].gate && writes_to(node, *graph.open[i].gate)) {
            graph.open[i].gate = as_flag(graph, *graph.open[i].gate, {}, i);
        }
    }
    std::erase_if(graph.indirect_arguments, [&](const GraphDescription::IndirectArguments& known) {
        return writes_to(node, known.dispatch.count) || (known.gate && writes_to(node, *known.gate)) ||
               std::any_of(node.touches.begin(), node.touches.end(), [&](const GraphDescription::Touch& touch) {
                   return touch.resource == known.dispatch.arguments.index && writes(touch.access);
               });
    });
    node.where = graph.caller;
    node.queue = graph.queue;
    node.conditions = conditions(graph, graph.open.size());
    if (node.computes_arguments) {
        node.conditions = without_gpu(std::move(node.conditions));
    }
    graph.passes.push_back(std::move(node));
}

std::optional<Count> open_gate(const GraphDescription& graph) {
    for (std::size_t i = graph.open.size(); i-- > 0;) {
        if (graph.open[i].gate) {
            return graph.open[i].gate;
        }
    }
    return {};
}

IndirectDispatch indirect_arguments(GraphDescription& graph, const Dispatch& dispatch,
                                    const std::optional<Count>& gate) {
    return find_or_compute(graph, dispatch, gate, without_gpu(conditions(graph, graph.open.size())));
}

Pass move_pass(std::string name, std::optional<BufferId> source, BufferId destination, std::uint64_t bytes,
               std::uint32_t value) {
    const auto words = static_cast<std::uint32_t>(bytes / 4);
    Pass pass;
    pass.name = std::move(name);
    pass.shader = ShaderSource::packed(source ? shaders::copy_words : shaders::fill_words, "move");
    pass.bindings = {write(destination)};
    if (source) {
        pass.bindings.push_back(read(*source));
    }
    pass.push = {words, value};
    pass.dispatch = Dispatch::elements(words, 256);
    return pass;
}

Switch Graph::add_switch(std::string name, bool on) {
    auto& switches = description_->switches;
    switches.push_back({std::move(name), on});
    return {static_cast<std::uint32_t>(switches.size()) - 1, description_->identity.get()};
}

OnlyIf Graph::only_if(Switch on, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    if (on.graph != description_->identity.get() || on.index >= description_->switches.size()) {
        fail({ErrorCode::invalid_graph, on.graph == nullptr ? "only_if: the switch is not one of this graph"
                                                            : "only_if: the switch is of another graph"});
    } else {
        description_->open.push_back({on, {}});
    }
    return {*description_, depth};
}

OnlyIf Graph::only_if(const Count& count, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    const bool on_gpu = count.kind == Count::Kind::gpu;
    if (check(count, "only_if")) {
        OpenCondition open{count, {}};
        if (on_gpu) {
            const auto outer = open_gate(*description_);
            const bool is_plain = count.max != 0 && !outer;
            open.gate = is_plain ? count : as_flag(*description_, count, outer, depth);
        }
        description_->open.push_back(open);
    }
    return {*description_, depth};
}

OnlyIf::~OnlyIf() {
    graph_.open.resize(std::min(graph_.open.size(), depth_));
}

} // namespace weir
