#include "graph/conditions.hpp"

#include <algorithm>
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

/// Adds a pass that computes the arguments; see shaders/graph/dispatch_arguments.comp.
BufferId compute_arguments(GraphDescription& graph, const Dispatch& dispatch, const std::optional<Count>& gate,
                           const std::string& of, const std::vector<Condition>& under) {
    enum : std::uint32_t { counted, given_count, given_groups, given_arguments } from = counted;
    const std::string name = "dispatch arguments of " + of;
    const BufferId arguments{{static_cast<std::uint32_t>(graph.resources.size()), graph.identity.get()}};
    graph.resources.push_back({.name = name, .bytes = 12, .where = graph.caller});
    Pass pass;
    pass.name = name;
    // What stands in for another is read, too: who looks at bindings alone sees no use that is not there.
    const bool is_counted = dispatch.kind == Dispatch::Kind::elements && dispatch.count.kind == Count::Kind::gpu;
    const BufferId stand_in = is_counted ? dispatch.count.buffer : gate->buffer;
    pass.bindings = {unused(stand_in), write(arguments), gate ? read(gate->buffer) : unused(stand_in)};
    pass.push = {0U, 0U, 0U, 0U, graph.capabilities.max_workgroup_count_x, gate ? gate->word : 0};
    switch (dispatch.kind) {
    case Dispatch::Kind::groups:
        from = given_groups;
        pass.push[1] = dispatch.x;
        pass.push[2] = dispatch.y;
        pass.push[3] = dispatch.z;
        break;
    case Dispatch::Kind::elements:
        if (is_counted) {
            pass.bindings[0] = read(dispatch.count.buffer);
            pass.push[0] = dispatch.count.word;
            pass.push[1] = dispatch.count.max;
        } else {
            from = given_count;
            pass.push[1] = dispatch.count;
        }
        pass.push[2] = dispatch.per_group;
        pass.push[3] = dispatch.at_least;
        break;
    case Dispatch::Kind::indirect:
        from = given_arguments;
        pass.bindings[0] = read(dispatch.arguments);
        pass.push[0] = dispatch.word;
        break;
    }
    const auto spirv = shaders::dispatch_arguments;
    pass.shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, "dispatch_arguments");
    pass.constants = {from, gate ? 1U : 0U};
    GraphDescription::PassNode node;
    node.name = name;
    for (const Binding& binding : pass.bindings) {
        if (binding.access != Access::none) {
            node.touches.push_back({binding.resource.index, binding.access});
        }
    }
    node.work = std::move(pass);
    node.conditions = under;
    node.computes_arguments = true;
    node.queue = graph.queue;
    node.where = graph.caller;
    graph.passes.push_back(std::move(node));
    return arguments;
}

/// As a count: 1 where `count` is not 0, and the gate is not either.
Count as_flag(GraphDescription& graph, Count count, const std::optional<Count>& gate, std::size_t depth) {
    count.max = std::min(count.max, 1U);
    const std::string& of = graph.resources[count.buffer.index].name;
    Count flag(1);
    flag.kind = Count::Kind::gpu;
    flag.buffer =
        compute_arguments(graph, Dispatch::elements(count, 1), gate, of, without_gpu(conditions(graph, depth)));
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

BufferId indirect_arguments(GraphDescription& graph, const Dispatch& dispatch, const std::optional<Count>& gate,
                            const std::string& pass) {
    const auto under = without_gpu(conditions(graph, graph.open.size()));
    for (const auto& known : graph.indirect_arguments) {
        // They are there whenever this pass runs if they have no other conditions than it has.
        const bool always = std::all_of(known.conditions.begin(), known.conditions.end(), [&](const Condition& one) {
            return std::find(under.begin(), under.end(), one) != under.end();
        });
        if (always && known.dispatch == dispatch && known.gate == gate) {
            return known.arguments;
        }
    }
    const bool is_counted = dispatch.kind == Dispatch::Kind::elements && dispatch.count.kind == Count::Kind::gpu;
    const std::string& of = is_counted ? graph.resources[dispatch.count.buffer.index].name : pass;
    const BufferId arguments = compute_arguments(graph, dispatch, gate, of, under);
    graph.indirect_arguments.push_back({dispatch, gate, under, arguments});
    return arguments;
}

Pass move_pass(std::string name, std::optional<BufferId> source, BufferId destination, std::uint64_t bytes,
               std::uint32_t value) {
    const std::span<const std::uint32_t> spirv = source ? shaders::copy_words : shaders::fill_words;
    const auto words = static_cast<std::uint32_t>(bytes / 4);
    Pass pass;
    pass.name = std::move(name);
    pass.shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, "move");
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
        fail({ErrorCode::invalid_graph, "only_if: the switch is not one of this graph"});
    } else {
        description_->open.push_back({on, {}});
    }
    return {*description_, depth};
}

OnlyIf Graph::only_if(const Count& count, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    const bool on_gpu = count.kind == Count::Kind::gpu;
    if (check(count, "only_if") && (!on_gpu || check(count.buffer, "only_if"))) {
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
