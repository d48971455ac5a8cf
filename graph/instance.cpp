// Graphs as nodes of others.

#include <algorithm>
#include <utility>

#include <weir/graph/description.hpp>
#include <weir/graph/host_pass.hpp>
#include <weir/graph/plan.hpp>

#include "engine/text.hpp"
#include "graph/conditions.hpp"
#include "graph/names.hpp"
#include "graph/stages.hpp"

namespace weir {

namespace {

constexpr ErrorCode invalid = ErrorCode::invalid_graph;
using Lifetime = GraphDescription::Lifetime;

/// Whether passes of the graph read a buffer before they write it, and write it.
bool reads_then_writes(const GraphDescription& graph, std::uint32_t buffer) {
    bool read = false;
    for (const auto& pass : graph.passes) {
        for (const auto& touch : pass.touches) {
            if (touch.resource == buffer && writes(touch.access)) {
                return read;
            }
            read = read || touch.resource == buffer;
        }
    }
    return false;
}

/// What each import of `inner` is in `outer`; for other buffers none.
Result<std::vector<std::uint32_t>> connect(const GraphDescription& outer, const GraphDescription& inner,
                                           const std::vector<Connection>& connections) {
    const auto refuse = [](std::string why) { return tl::unexpected(Error{invalid, std::move(why)}); };
    std::vector<std::uint32_t> to(inner.resources.size(), ResourceId::none);
    for (const Connection& connection : connections) {
        const auto [from, into] = std::pair(connection.inner.index, connection.outer.index);
        if (connection.inner.graph != nullptr && connection.inner.graph != inner.identity.get()) {
            return refuse("what is connected, as its import, is of another graph");
        }
        if (from >= inner.resources.size() || inner.resources[from].lifetime != Lifetime::import) {
            return refuse("what is connected is not an import of it");
        }
        const auto& import = inner.resources[from];
        const std::string that = "import '" + import.name + "'";
        if (connection.outer.graph != outer.identity.get() || into >= outer.resources.size()) {
            return refuse(that + " is connected to a buffer of another graph");
        }
        const auto& buffer = outer.resources[into];
        if (import.image != buffer.image) {
            return refuse(that + " is connected to '" + buffer.name + "', which is not the same kind of " +
                          kind_of(import));
        }
        if (to[from] != ResourceId::none) {
            return refuse(that + " is connected twice");
        }
        if (buffer.bytes < import.bytes) {
            return refuse(concat(that, " has ", import.bytes, " bytes; '", buffer.name,
                                 "', to which it is connected, has ", buffer.bytes));
        }
        // An import holds something at first; what a graph reads before it writes it must be there.
        if (starts_undefined(buffer) && !is_written(outer, into) && reads_then_writes(inner, from)) {
            return refuse(that + " is read, then written; '" + buffer.name +
                          "', to which it is connected, has not been written before");
        }
        to[from] = into;
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (inner.resources[i].lifetime == Lifetime::import && to[i] == ResourceId::none) {
            return refuse("import '" + inner.resources[i].name + "' is not connected");
        }
    }
    return to;
}

/// What a host pass of a graph finds where that is a node of another.
class InnerContext final : public HostPassContext {
public:
    InnerContext(const HostPassContext& outer, const GraphInstance& instance) : outer_(outer), instance_(instance) {}
    [[nodiscard]] BufferView buffer(BufferId inner) const override { return outer_.buffer(instance_.buffer(inner)); }
    [[nodiscard]] HostImage image(ImageId inner) const override { return outer_.image(instance_.image(inner)); }

private:
    const HostPassContext& outer_;
    const GraphInstance& instance_;
};

} // namespace

ResourceId GraphInstance::resource(ResourceId inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get() || inner.index >= resources_.size()) {
        return {};
    }
    return {resources_[inner.index], outer_};
}

BufferId GraphInstance::buffer(BufferId inner) const {
    return {resource(inner)};
}

ImageId GraphInstance::image(ImageId inner) const {
    return {resource(inner)};
}

Count GraphInstance::count(const Count& inner) const {
    Count count = inner;
    switch (inner.kind) {
    case Count::Kind::constant: break;
    case Count::Kind::parameter:
        count.parameter += first_parameter_;
        count.buffer.graph = inner.buffer.graph == inner_.get() ? outer_ : nullptr;
        break;
    case Count::Kind::gpu: count.buffer = buffer(inner.buffer); break;
    }
    return count;
}

Switch GraphInstance::flag(Switch inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get()) {
        return {};
    }
    return {inner.index + first_switch_, outer_};
}

HostData GraphInstance::data(HostData inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get()) {
        return {};
    }
    return {inner.index + first_data_, outer_, inner.bytes};
}

GraphInstance Graph::add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                               SourceLocation where) {
    const GraphCall call(*this, where);
    GraphDescription& outer = *description_;
    const GraphDescription& from = inner.description();
    const auto refuse = [&](const Error& error) {
        fail({error.code, "graph '" + name + "': " + error.message});
        return GraphInstance();
    };
    if (&inner == this) {
        return refuse({invalid, "a graph is no part of itself"});
    }
    if (from.error) {
        return refuse(*from.error);
    }
    auto to = connect(outer, from, connections);
    if (!to) {
        return refuse(to.error());
    }

    const std::string prefix = name + "/";
    for (std::size_t i = 0; i < to->size(); ++i) {
        if ((*to)[i] == ResourceId::none) {
            (*to)[i] = static_cast<std::uint32_t>(outer.resources.size());
            outer.resources.push_back(from.resources[i]);
            auto& copied = outer.resources.back();
            copied.name = prefix + copied.name;
            copied.exported = false;
            copied.leaves = Access::none;
            copied.queues = {};
        }
    }
    for (std::size_t i = 0; i < to->size(); ++i) {
        if (const std::uint32_t previous = from.resources[i].previous; previous != ResourceId::none) {
            outer.resources[(*to)[i]].previous = (*to)[previous];
            outer.resources[(*to)[previous]].current = (*to)[i];
        }
    }
    GraphInstance instance;
    instance.inner_ = from.identity;
    instance.outer_ = outer.identity.get();
    instance.resources_ = std::move(*to);
    instance.first_parameter_ = static_cast<std::uint32_t>(outer.parameters.size());
    instance.first_switch_ = static_cast<std::uint32_t>(outer.switches.size());
    instance.first_data_ = static_cast<std::uint32_t>(outer.data.size());
    for (const auto& parameter : from.parameters) {
        outer.parameters.push_back({prefix + parameter.name, parameter.max});
    }
    for (const auto& one : from.switches) {
        outer.switches.push_back({prefix + one.name, one.on});
    }
    for (const auto& one : from.data) {
        outer.data.push_back({prefix + one.name, one.bytes});
    }

    const auto buffer = [&](std::uint32_t index) { return BufferId{{instance.resources_[index], instance.outer_}}; };
    const auto for_inner = [&](const HostPass& pass) {
        return [instance, record = pass.record](VkCommandBuffer commands, const HostPassContext& context) {
            record(commands, InnerContext(context, instance));
        };
    };
    for (const auto& node : from.passes) {
        const std::size_t depth = outer.open.size();
        const OnQueue scope = on_queue(node.queue != QueueKind::main ? node.queue : outer.queue);
        for (const auto& condition : node.conditions) { // a gate of its own is in its arguments already
            const auto* count = std::get_if<Count>(&condition);
            outer.open.push_back({count != nullptr ? GraphDescription::Condition(instance.count(*count))
                                                   : instance.flag(std::get<Switch>(condition)),
                                  {}});
        }
        if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
            add_fill(prefix + node.name, buffer(node.touches[0].resource), fill->value, fill->bytes);
        } else if (const auto* copy = std::get_if<GraphDescription::Copy>(&node.work)) {
            add_copy(prefix + node.name, buffer(node.touches[0].resource), buffer(node.touches[1].resource),
                     copy->bytes);
        } else if (const auto* update = std::get_if<GraphDescription::Update>(&node.work)) {
            add_update(prefix + node.name, instance.data(update->data), buffer(node.touches[0].resource));
        } else if (const auto* recorded = std::get_if<HostPass>(&node.work)) {
            HostPass pass{prefix + node.name, recorded->uses, for_inner(*recorded), recorded->keep};
            for (Use& use : pass.uses) {
                use.resource = buffer(use.resource.index);
            }
            add_host_pass(std::move(pass));
        } else {
            Pass pass = std::get<Pass>(node.work);
            pass.name = prefix + pass.name;
            for (auto* bindings : {&pass.bindings, &pass.addressed}) {
                for (Binding& binding : *bindings) {
                    binding.resource = buffer(binding.resource.index);
                }
            }
            for (PushWord& word : pass.push) {
                if (const auto* count = std::get_if<Count>(&word)) {
                    word = instance.count(*count);
                } else if (const auto* data = std::get_if<HostData>(&word)) {
                    word = instance.data(*data);
                }
            }
            pass.dispatch.count = instance.count(pass.dispatch.count);
            if (pass.dispatch.kind == Dispatch::Kind::indirect) {
                pass.dispatch.arguments = buffer(pass.dispatch.arguments.index);
            }
            if (node.computes_arguments) { // for dispatches that have a gate, if there is one
                GraphDescription::PassNode computing = node;
                computing.name = pass.name;
                for (auto& touch : computing.touches) {
                    touch.resource = instance.resources_[touch.resource];
                }
                computing.work = std::move(pass);
                append(outer, std::move(computing));
            } else {
                add_pass(std::move(pass));
            }
        }
        outer.open.resize(depth);
    }
    return instance;
}

} // namespace weir
