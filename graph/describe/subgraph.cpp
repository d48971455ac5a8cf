#include <algorithm>
#include <utility>

#include <weir/graph/command_pass.hpp>
#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/describe/passes.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

/// Returns true if passes of the graph read a buffer before a later pass writes it.
bool reads_then_writes(const GraphDescription& graph, std::uint32_t buffer) {
    bool read = false;
    for (const auto& pass : graph.passes) {
        for (const auto& use : pass.accesses()) {
            if (overlap(graph, use.resource, buffer)) {
                if (use.writes()) {
                    return read;
                }
                read = true;
            }
        }
    }
    return false;
}

/// Returns for each import of `inner` the resource of `outer` to which it is connected, and ResourceId::none for other
/// resources.
Result<std::vector<std::uint32_t>> connect(const GraphDescription& outer, const GraphDescription& inner,
                                           const std::vector<Connection>& connections) {
    const auto refuse = [](std::string why) { return tl::unexpected(Error{ErrorCode::invalid_graph, std::move(why)}); };
    std::vector<std::uint32_t> to(inner.resources.size(), ResourceId::none);
    for (const Connection& connection : connections) {
        const auto [from, into] = std::pair(connection.inner.index, connection.outer.index);
        if (connection.inner.graph != nullptr && connection.inner.graph != inner.identity.get()) {
            return refuse("the inner resource of a connection is of another graph");
        }
        if (from >= inner.resources.size() || inner.resources[from].lifetime != Lifetime::import ||
            inner.resources[from].part_of != ResourceId::none) {
            return refuse("the inner resource of a connection is not an import");
        }
        const auto& import = inner.resources[from];
        const std::string that = "import '" + import.name + "'";
        if (connection.outer.graph != outer.identity.get() || into >= outer.resources.size()) {
            return refuse(that + " is connected to a buffer of another graph");
        }
        const auto& buffer = outer.resources[into];
        if (import.image != buffer.image) {
            const std::string why = import.image.has_value() != buffer.image.has_value()
                                        ? concat("is not ", import.image ? "an image" : "a buffer")
                                        : "has another ImageInfo";
            return refuse(that + " is connected to '" + buffer.name + "', which " + why);
        }
        if (to[from] != ResourceId::none) {
            return refuse(that + " is connected twice");
        }
        if (buffer.bytes < import.bytes) {
            return refuse(concat(that, " has ", import.bytes, " bytes; it is connected to '", buffer.name,
                                 "', which has ", buffer.bytes));
        }
        const bool has_parts = std::any_of(inner.resources.begin(), inner.resources.end(),
                                           [&](const auto& part) { return part.part_of == connection.inner.index; });
        if (has_parts && is_history(buffer)) {
            return refuse(that + " has parts; it is connected to '" + buffer.name +
                          "', whose history does not support them");
        }
        // An import has contents when it arrives. If the inner graph reads them before it writes, they must exist.
        if (starts_undefined(buffer) && !buffer.can_be_undefined && !is_written(outer, into) &&
            reads_then_writes(inner, from)) {
            return refuse(that + " is read before it is written; it is connected to '" + buffer.name +
                          "', which no earlier pass writes");
        }
        to[from] = into;
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (inner.resources[i].lifetime == Lifetime::import && inner.resources[i].part_of == ResourceId::none &&
            to[i] == ResourceId::none) {
            return refuse("import '" + inner.resources[i].name + "' is not connected");
        }
    }
    return to;
}

/// Makes the copy of a part of an inner image a part of the outer image that stands for it. If that is itself a part,
/// the copy becomes a part of its image.
void become_part_of(const GraphDescription& outer, std::uint32_t image, GraphDescription::Resource& part) {
    part.part_of = root_of(outer, image);
    part.offset += outer.resources[image].offset;
    if (part.image) {
        const ImagePart range = range_of(outer, image);
        part.part.mip += range.mip;
        part.part.layer += range.layer;
    }
    part.lifetime = outer.resources[image].lifetime;
    part.arrives = outer.resources[image].arrives;
}

/// Adds the resources of `inner` that are not connected to `outer`, and enters them in `to`.
void add_resources(GraphDescription& outer, const GraphDescription& inner, const std::string& prefix,
                   std::vector<std::uint32_t>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] == ResourceId::none) {
            to[i] = static_cast<std::uint32_t>(outer.resources.size());
            auto& copied = outer.resources.emplace_back(inner.resources[i]);
            copied.name = prefix + copied.name;
            if (const std::uint32_t image = inner.resources[i].part_of; image != ResourceId::none) {
                become_part_of(outer, to[image], copied); // it has been added: images come before their parts
            }
            copied.exported = copied.per_frame = false;
            copied.leaves = Access::none;
            copied.queues = {};
        }
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (const std::uint32_t previous = inner.resources[i].previous; previous != ResourceId::none) {
            outer.resources[to[i]].previous = to[previous];
            outer.resources[to[previous]].current = to[i];
        }
    }
}

/// The context of a command pass that was added with its graph to another one.
class InnerContext final : public CommandPassContext {
public:
    InnerContext(const CommandPassContext& outer, const Subgraph& instance) : outer_(outer), instance_(instance) {}
    [[nodiscard]] BufferView buffer(BufferId inner) const override { return outer_.buffer(instance_.buffer(inner)); }
    [[nodiscard]] BoundImage image(ImageId inner) const override { return outer_.image(instance_.image(inner)); }
    [[nodiscard]] Contents contents(ResourceId inner) const override {
        return outer_.contents(instance_.buffer(BufferId{inner})); // also for images
    }

private:
    const CommandPassContext& outer_;
    const Subgraph& instance_;
};

} // namespace

ResourceId Subgraph::resource(ResourceId inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get() || inner.index >= resources_.size()) {
        return {};
    }
    return {resources_[inner.index], outer_};
}

BufferId Subgraph::buffer(BufferId inner) const {
    return {resource(inner)};
}

ImageId Subgraph::image(ImageId inner) const {
    return {resource(inner)};
}

Count Subgraph::count(const Count& inner) const {
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

Switch Subgraph::flag(Switch inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get()) {
        return {};
    }
    return {inner.index + first_switch_, outer_};
}

HostData Subgraph::data(HostData inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get()) {
        return {};
    }
    return {inner.index + first_data_, outer_, inner.bytes};
}

DescriptorSetId Subgraph::set(DescriptorSetId inner) const {
    if (outer_ == nullptr || inner.graph != inner_.get()) {
        return {};
    }
    return {inner.index + first_set_, outer_};
}

Result<Subgraph> Subgraph::add(GraphDescription& outer, const GraphDescription& inner,
                               const std::vector<Connection>& connections, const std::string& prefix) {
    auto to = connect(outer, inner, connections);
    WEIR_PROPAGATE(to);
    Subgraph instance;
    instance.inner_ = inner.identity;
    instance.outer_ = outer.identity.get();
    instance.resources_ = std::move(*to);
    instance.first_parameter_ = static_cast<std::uint32_t>(outer.parameters.size());
    instance.first_switch_ = static_cast<std::uint32_t>(outer.switches.size());
    instance.first_data_ = static_cast<std::uint32_t>(outer.data.size());
    instance.first_set_ = static_cast<std::uint32_t>(outer.sets.size());
    add_resources(outer, inner, prefix, instance.resources_);
    for (std::size_t i = 0; i < inner.resources.size(); ++i) {
        auto& whole = outer.resources[root_of(outer, instance.resources_[i])];
        whole.can_be_undefined = whole.can_be_undefined || inner.resources[i].can_be_undefined;
    }
    for (const auto& parameter : inner.parameters) {
        outer.parameters.push_back({prefix + parameter.name, parameter.max});
    }
    for (const auto& one : inner.switches) {
        outer.switches.push_back({prefix + one.name, one.on});
    }
    for (const auto& one : inner.data) {
        outer.data.push_back({prefix + one.name, one.bytes});
    }
    for (const auto& one : inner.sets) {
        outer.sets.push_back({prefix + one.name, one.layout});
    }
    outer.has_unless = outer.has_unless || inner.has_unless;
    const QueueKind queue = outer.queue;
    for (std::uint32_t index = 0; index < inner.passes.size(); ++index) {
        const auto& node = inner.passes[index];
        outer.queue = node.queue != QueueKind::main ? node.queue : queue;
        const std::size_t depth = outer.open.size();
        for (const auto& condition : node.conditions) { // gates of the inner graph are in its dispatch arguments
            const auto* count = std::get_if<Count>(&condition);
            const auto* off = std::get_if<GraphDescription::Off>(&condition);
            outer.open.push_back({count != nullptr ? GraphDescription::Condition(instance.count(*count))
                                  : off != nullptr
                                      ? GraphDescription::Off{instance.flag(off->which)}
                                      : GraphDescription::Condition(instance.flag(std::get<Switch>(condition))),
                                  {}});
        }
        instance.add_pass(outer, inner, index, prefix + node.name);
        outer.open.resize(depth);
    }
    outer.queue = queue;
    for (auto known : inner.spread_arguments) {
        known.arguments = instance.buffer(known.arguments);
        outer.spread_arguments.push_back(known);
    }
    return instance;
}

void Subgraph::add_pass(GraphDescription& outer, const GraphDescription& inner, std::uint32_t pass_index,
                        std::string name) const {
    const auto& node = inner.passes[pass_index];
    const auto used = [&](std::size_t use) { return BufferId{{resources_[node.uses[use].resource], outer_}}; };
    const auto to_outer = [&](ResourceId& id) { id = {resources_[id.index], outer_}; };
    if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
        append_fill(outer, std::move(name), used(0), *fill);
    } else if (const auto* copy = std::get_if<GraphDescription::Copy>(&node.work)) {
        append_copy(outer, std::move(name), used(0), used(1), *copy);
    } else if (const auto* update = std::get_if<GraphDescription::Update>(&node.work)) {
        append_update(outer, std::move(name), {data(update->data)}, used(0));
    } else if (const auto* image_work = std::get_if<GraphDescription::ImageWork>(&node.work)) {
        const bool is_clear = node.uses.size() == 1;
        append_image_work(outer, std::move(name), *image_work, is_clear ? ResourceId() : ResourceId(used(0)),
                          used(is_clear ? 0 : 1));
    } else if (const auto* recorded = node.command_pass()) {
        CommandPass pass = *recorded;
        pass.name = std::move(name);
        for (Use& use : pass.uses) {
            to_outer(use.resource);
        }
        pass.record = [instance = *this, record = recorded->record](VkCommandBuffer commands,
                                                                    const CommandPassContext& context) {
            record(commands, InnerContext(context, instance));
        };
        append_command_pass(outer, std::move(pass));
    } else {
        Pass pass = *node.compute_pass();
        pass.name = std::move(name);
        for (auto* bindings : {&pass.bindings, &pass.addressed}) {
            for (Binding& binding : *bindings) {
                if (!binding.is_sampler) {
                    to_outer(binding.resource);
                }
            }
        }
        for (Use& use : pass.uses) {
            to_outer(use.resource);
        }
        for (DescriptorSetId& one : pass.sets) {
            one = set(one);
        }
        for (PushWord& word : pass.push) {
            if (const auto* count = std::get_if<Count>(&word)) {
                word = this->count(*count);
            } else if (const auto* host = std::get_if<HostData>(&word)) {
                word = data(*host);
            }
        }
        pass.dispatch.count = count(pass.dispatch.count);
        if (pass.dispatch.kind == Dispatch::Kind::indirect) {
            to_outer(pass.dispatch.arguments);
        }
        if (!node.computes_arguments) {
            append_pass(outer, std::move(pass), node.spread);
            return;
        }
        GraphDescription::PassNode computing = node; // dispatches that use it are under the open gates
        computing.name = pass.name;
        for (auto& use : computing.uses) {
            use.resource = resources_[use.resource];
        }
        computing.work = std::make_shared<const Pass>(std::move(pass));
        append(outer, std::move(computing));
    }
}

} // namespace weir
