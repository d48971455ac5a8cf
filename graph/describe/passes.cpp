#include "graph/describe/passes.hpp"

#include <optional>
#include <utility>

#include "graph/describe/conditions.hpp"
#include "graph/describe/dispatch.hpp"
#include "graph/describe/indirect_arguments.hpp"
#include "graph/describe/raw_use.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

GraphDescription::PassUse pass_use(const Use& use) {
    GraphDescription::PassUse out{use.resource.index, use.raw ? Access::any : use.access};
    out.raw = use.raw ? std::optional(with_known_masks(*use.raw)) : std::nullopt;
    out.concurrent = use.concurrent;
    return out;
}

/// Returns a copy, or without `source` a fill, as a dispatch: see shaders/graph/move.comp.
Pass move_pass(std::string name, std::optional<BufferId> source, BufferId destination, std::uint64_t bytes,
               std::uint32_t value = 0) {
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

} // namespace

void append(GraphDescription& graph, GraphDescription::PassNode node) {
    renew_arguments(graph, node);
    node.where = graph.caller;
    node.queue = graph.queue;
    node.conditions = open_conditions(graph, graph.open.size());
    if (node.computes_arguments) {
        node.conditions = without_gpu(std::move(node.conditions));
    }
    graph.passes.push_back(std::move(node));
}

void append_pass(GraphDescription& graph, Pass pass, GraphDescription::Spread spread) {
    if (pass.dispatch.kind == Dispatch::Kind::elements) {
        const GroupCount max = max_groups(pass.dispatch, graph.capabilities);
        spread = {max.x, max.y};
    } else if (pass.dispatch.kind == Dispatch::Kind::indirect) {
        for (const auto& written : graph.spread_arguments) {
            if (written.arguments == pass.dispatch.arguments && written.word == pass.dispatch.word) {
                spread = written.spread;
            }
        }
    }
    const auto gate = open_gate(graph);
    const Count& count = pass.dispatch.count;
    const bool is_counted = pass.dispatch.kind == Dispatch::Kind::elements && count.kind == Count::Kind::gpu;
    if (gate || (is_counted && !count.is_direct)) {
        const auto [arguments, word] = indirect_arguments(graph, pass.dispatch, gate);
        Dispatch indirect = Dispatch::indirect(arguments, word);
        const GroupCount max = max_groups(pass.dispatch, graph.capabilities); // `compile` checks it
        indirect.x = max.x;
        indirect.y = max.y;
        indirect.z = max.z;
        pass.dispatch = indirect;
    }
    GraphDescription::PassNode node;
    node.name = pass.name;
    node.uses.reserve(pass.bindings.size() + pass.addressed.size() + pass.uses.size() + 1);
    const auto use = [&](const std::vector<Binding>& bindings, bool accessed) {
        for (const Binding& binding : bindings) {
            if ((binding.access != Access::none) == accessed && !binding.is_sampler) {
                node.uses.push_back({binding.resource.index, binding.access});
                node.uses.back().concurrent = binding.concurrent;
            }
        }
    };
    use(pass.bindings, true);
    use(pass.addressed, true);
    for (const Use& other : pass.uses) {
        node.uses.push_back(pass_use(other));
    }
    if (pass.dispatch.kind == Dispatch::Kind::indirect) {
        node.uses.push_back({pass.dispatch.arguments.index, Access::indirect_read});
    }
    use(pass.bindings, false);
    node.work = std::make_shared<const Pass>(std::move(pass));
    node.spread = spread;
    append(graph, std::move(node));
}

void append_fill(GraphDescription& graph, std::string name, BufferId buffer, const GraphDescription::Fill& fill) {
    if (open_gate(graph)) {
        append_pass(graph, move_pass(std::move(name), {}, buffer, fill.bytes, fill.value));
        return;
    }
    append(graph, {.name = std::move(name), .work = fill, .uses = {{buffer.index, Access::transfer_write}}});
}

void append_copy(GraphDescription& graph, std::string name, BufferId source, BufferId destination,
                 const GraphDescription::Copy& copy) {
    if (open_gate(graph)) {
        append_pass(graph, move_pass(std::move(name), source, destination, copy.bytes));
        return;
    }
    append(graph, {.name = std::move(name),
                   .work = copy,
                   .uses = {{source.index, Access::transfer_read}, {destination.index, Access::transfer_write}}});
}

void append_update(GraphDescription& graph, std::string name, const GraphDescription::Update& update,
                   BufferId destination) {
    BufferId target = destination;
    if (open_gate(graph)) { // an update cannot depend on a count on the GPU; a kernel that copies the data can
        target = {{static_cast<std::uint32_t>(graph.resources.size()), graph.identity.get()}};
        graph.resources.push_back({.name = name + " data", .bytes = update.data.bytes, .where = graph.caller});
    }
    append(graph, {.name = target == destination ? name : name + " data",
                   .work = update,
                   .uses = {{target.index, Access::transfer_write}}});
    if (target != destination) {
        append_copy(graph, std::move(name), target, destination, {update.data.bytes});
    }
}

void append_image_work(GraphDescription& graph, std::string name, const GraphDescription::ImageWork& work,
                       ResourceId source, ResourceId destination) {
    std::vector<GraphDescription::PassUse> uses;
    if (source.valid()) {
        uses.push_back({source.index, Access::transfer_read});
    }
    uses.push_back({destination.index, Access::transfer_write});
    append(graph, {.name = std::move(name), .work = work, .uses = std::move(uses)});
}

void append_command_pass(GraphDescription& graph, CommandPass pass) {
    GraphDescription::PassNode node;
    node.name = pass.name;
    for (const Use& use : pass.uses) {
        node.uses.push_back(pass_use(use));
    }
    node.work = std::make_shared<const CommandPass>(std::move(pass));
    append(graph, std::move(node));
}

} // namespace weir
