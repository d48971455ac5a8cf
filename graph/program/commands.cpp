#include <weir/graph/commands.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/image.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/declarations.hpp"
#include "graph/program/program_impl.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using BufferRange = CommandList::BufferRange;

} // namespace

/// Lists the commands of a program. It calls the functions that a recording calls, so that both have the same values.
class Program::Impl::Lister {
public:
    explicit Lister(const Impl& program) : program_(program) {}

    Result<CommandList> list() {
        if (program_.plan.batches.size() > 1) {
            return tl::unexpected(
                Error{ErrorCode::unsupported,
                      concat("commands: the program has ", program_.plan.batches.size(),
                             " batches on several queues; compile it with CompileOptions::one_queue")});
        }
        add_values();
        add_resources();
        const PlanBatch& batch = program_.plan.batches.front();
        out_.queue = batch.queue;
        for (const std::uint32_t index : batch.groups) {
            WEIR_PROPAGATE(add_group(index));
        }
        return std::move(out_);
    }

private:
    using Node = GraphDescription::PassNode;

    void add_values() {
        const GraphDescription& graph = program_.graph;
        for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
            out_.parameters.push_back({graph.parameters[i].name, graph.parameters[i].max, program_.parameters[i]});
        }
        for (std::size_t i = 0; i < graph.switches.size(); ++i) {
            out_.switches.push_back({graph.switches[i].name, program_.switches[i]});
        }
        for (std::size_t i = 0; i < graph.data.size(); ++i) {
            out_.data.push_back({graph.data[i].name, program_.data[i]});
        }
        for (std::size_t i = 0; i < graph.sets.size(); ++i) {
            out_.sets.push_back({graph.sets[i].name, graph.sets[i].layout, program_.sets[i]});
        }
        for (const auto& [current, previous] : program_.histories) {
            out_.histories.push_back({current, previous});
        }
    }

    void add_resources() {
        const auto& [graph, plan] = std::tie(program_.graph, program_.plan);
        for (const std::uint64_t bytes : plan.memory.blocks) {
            out_.allocations.push_back({.bytes = bytes});
        }
        for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
            const auto& node = graph.resources[i];
            const bool is_import = node.lifetime == Lifetime::import;
            CommandList::Resource& made = out_.resources.emplace_back();
            made.name = node.name;
            made.lifetime = node.lifetime;
            made.is_used = plan.used[i];
            made.bytes = range_of(i).bytes;
            made.image = node.image;
            made.usage = usage_of(i);
            made.flags = node.image && has_cubes(graph, i) ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
            made.is_exported = leaves(graph, i);
            made.per_frame = node.per_frame;
            made.arrives = node.arrives;
            made.leaves = node.leaves;
            made.final_layout = plan.final_layouts[i];
            if (is_import) {
                made.bound = program_.resources.views[i];
                made.bound_image = program_.resources.images[i];
                made.initial_layout = node.image ? layout_of(node.arrives) : VK_IMAGE_LAYOUT_UNDEFINED;
            }
            if (node.part_of != ResourceId::none) {
                made.part_of = node.part_of;
                made.part = node.part;
                made.offset = node.offset;
                continue;
            }
            if (is_import || !plan.used[i]) {
                continue;
            }
            const bool is_state = node.lifetime == Lifetime::state;
            made.starts_zero = is_state && (!node.image || node.current != ResourceId::none);
            if (is_state && node.image && node.current != ResourceId::none) { // the previous image of a history
                made.initial_layout = history_layout(plan.final_layouts[node.current]);
            }
            place(i, made);
        }
    }

    /// Gives a resource its place in the memory of the plan, or memory of its own.
    void place(std::uint32_t resource, CommandList::Resource& made) {
        const auto& node = program_.graph.resources[resource];
        const PlanMemory::Place& place = program_.plan.memory.places[resource];
        made.allocation = place.block;
        made.offset = place.offset;
        if (place.block == PlanMemory::none) {
            made.allocation = static_cast<std::uint32_t>(out_.allocations.size());
            made.offset = 0;
            out_.allocations.push_back({.bytes = node.bytes});
        }
        CommandList::Allocation& memory = out_.allocations[made.allocation];
        memory.name = memory.name.empty() ? node.name : memory.name + ", " + node.name;
        memory.alignment = std::max(memory.alignment, node.alignment);
        memory.usage |= node.image ? 0 : made.usage;
        memory.has_images = memory.has_images || node.image;
    }

    /// Returns the usage flags of an image, or those of a buffer including the flags of all buffers of the device.
    [[nodiscard]] VkFlags usage_of(std::uint32_t resource) const {
        const VkFlags usage = program_.resources.usage(resource);
        return program_.graph.resources[resource].image ? usage : program_.device.memory().buffer_info(1, usage).usage;
    }

    /// Returns the bytes of a buffer, or of a part of one. An import may be bound to fewer bytes than declared.
    [[nodiscard]] BufferRange range_of(std::uint32_t resource) const {
        const auto& node = program_.graph.resources[resource];
        const BufferView& view = program_.resources.views[resource];
        return {root_of(program_.graph, resource), node.part_of != ResourceId::none ? node.offset : 0,
                view.buffer != VK_NULL_HANDLE ? view.size : node.bytes};
    }

    /// Returns the first bytes of a buffer, at most `bytes`.
    [[nodiscard]] BufferRange first_bytes(std::uint32_t resource, std::uint64_t bytes) const {
        BufferRange range = range_of(resource);
        range.bytes = std::min(range.bytes, bytes);
        return range;
    }

    Result<> add_group(std::uint32_t index) {
        const PlanGroup& group = program_.plan.groups[index];
        if (!group.barriers.empty() || !group.image_barriers.empty()) {
            CommandList::Barrier barrier{group.barriers, {}};
            for (const ImageBarrier& planned : group.image_barriers) {
                barrier.transitions.push_back(program_.transition_of(planned));
            }
            out_.commands.push_back({.group = index, .work = std::move(barrier)});
        }
        for (const std::uint32_t pass : group.passes) {
            const Node& node = program_.graph.passes[pass];
            auto work = work_of(group, pass);
            WEIR_PROPAGATE(work);
            out_.commands.push_back({.name = node.name,
                                     .pass = pass,
                                     .group = index,
                                     .is_on = program_.is_on(pass),
                                     .conditions = conditions_of(node),
                                     .work = std::move(*work)});
        }
        return {};
    }

    static std::vector<CommandList::Condition> conditions_of(const Node& node) {
        using Kind = CommandList::Condition::Kind;
        std::vector<CommandList::Condition> conditions;
        for (const GraphDescription::Condition& condition : node.conditions) {
            if (const auto* on = std::get_if<Switch>(&condition)) {
                conditions.push_back({Kind::switch_on, on->index});
            } else if (const auto* off = std::get_if<GraphDescription::Off>(&condition)) {
                conditions.push_back({Kind::switch_off, off->which.index});
            } else if (const Count& count = std::get<Count>(condition); count.kind == Count::Kind::parameter) {
                conditions.push_back({Kind::parameter, count.parameter});
            }
        }
        return conditions;
    }

    Result<CommandList::Command::Work> work_of(const PlanGroup& group, std::uint32_t pass) {
        using Work = CommandList::Command::Work;
        const Node& node = program_.graph.passes[pass];
        if (node.compute_pass() != nullptr) {
            return dispatch_of(group, pass).map([](auto&& made) { return Work(std::forward<decltype(made)>(made)); });
        }
        if (node.command_pass() != nullptr) {
            return Work(command_pass_of(group, node));
        }
        const std::uint32_t first = node.uses.front().named(), last = node.uses.back().named();
        if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
            return Work(CommandList::Fill{first_bytes(first, fill->bytes), fill->value});
        }
        if (const auto* update = std::get_if<GraphDescription::Update>(&node.work)) {
            return Work(CommandList::Update{first_bytes(first, update->data.bytes), update->data.index});
        }
        if (const auto* copy = std::get_if<GraphDescription::Copy>(&node.work)) {
            const std::uint64_t bytes = std::min({copy->bytes, range_of(first).bytes, range_of(last).bytes});
            return Work(CommandList::CopyBuffer{first_bytes(first, bytes), first_bytes(last, bytes)});
        }
        return image_work_of(group, node, std::get<GraphDescription::ImageWork>(node.work));
    }

    [[nodiscard]] CommandList::Command::Work image_work_of(const PlanGroup& group, const Node& node,
                                                           const GraphDescription::ImageWork& work) const {
        using Kind = GraphDescription::ImageWork::Kind;
        const auto& first = node.uses.front();
        const auto& last = node.uses.back();
        const auto source = [&] { return program_.target_of(group, first, work.source); };
        const auto destination = [&] { return program_.target_of(group, last, work.destination); };
        switch (work.kind) {
        case Kind::to_buffer: return CommandList::CopyImageToBuffer{source(), range_of(last.named())};
        case Kind::from_buffer: return CommandList::CopyBufferToImage{range_of(first.named()), destination()};
        case Kind::copy: return CommandList::CopyImage{source(), destination()};
        case Kind::blit: return CommandList::BlitImage{source(), destination(), work.filter};
        default: return CommandList::ClearImage{destination(), work.value};
        }
    }

    [[nodiscard]] CommandList::CommandPassWork command_pass_of(const PlanGroup& group, const Node& node) const {
        CommandList::CommandPassWork work;
        for (const GraphDescription::PassUse& use : node.accesses()) {
            work.uses.push_back(
                {use.named(), use.meaning().scope, use.reads(), use.writes(), group.layout(use.resource)});
        }
        return work;
    }

    Result<CommandList::Dispatch> dispatch_of(const PlanGroup& group, std::uint32_t index) {
        const Pass& pass = *program_.graph.passes[index].compute_pass();
        CommandList::Dispatch made;
        auto pipeline = add_pipeline(index, pass);
        WEIR_PROPAGATE(pipeline);
        made.pipeline = *pipeline;
        const std::vector<VkDescriptorType>& types = out_.pipelines[made.pipeline].bindings;
        for (std::size_t i = 0; i < pass.bindings.size(); ++i) {
            made.descriptors.push_back(descriptor_of(group, pass.bindings[i], types[i]));
        }
        made.push.resize(push_bytes(pass) / sizeof(std::uint32_t));
        program_.write_push_constants(pass, made.push.data());
        add_fields(pass, made);
        const Dispatch& dispatch = pass.dispatch;
        if (dispatch.kind == Dispatch::Kind::indirect) {
            made.indirect = range_of(dispatch.arguments.index);
            made.indirect->offset += dispatch.word * sizeof(std::uint32_t);
            made.indirect->bytes = sizeof(VkDispatchIndirectCommand);
            return made;
        }
        const GroupCount groups = program_.groups_of(dispatch);
        made.groups = {groups.x, groups.y, groups.z};
        if (dispatch.kind == Dispatch::Kind::elements && dispatch.count.kind == Count::Kind::parameter) {
            made.elements = {dispatch.count.parameter, dispatch.per_group, dispatch.at_least,
                             program_.graph.capabilities.max_workgroup_count_x};
        }
        return made;
    }

    [[nodiscard]] CommandList::Descriptor descriptor_of(const PlanGroup& group, const Binding& binding,
                                                        VkDescriptorType type) const {
        CommandList::Descriptor made{.type = type, .sampler = binding.sampler};
        const GraphDescription& graph = program_.graph;
        const std::uint32_t resource = binding.resource.index;
        if (binding.is_sampler) {
            return made;
        }
        if (!graph.resources[resource].image) {
            made.buffer = range_of(resource);
            return made;
        }
        const std::uint32_t image = root_of(graph, resource);
        const VkImageViewCreateInfo view =
            view_info(*graph.resources[image].image, program_.resources.usage(image), weir::range_of(graph, resource));
        made.image = image;
        made.view_type = view.viewType;
        made.range = view.subresourceRange;
        made.layout = program_.layout_of_binding(group, binding);
        return made;
    }

    void add_fields(const Pass& pass, CommandList::Dispatch& made) const {
        using Source = CommandList::PushField::Source;
        std::uint32_t word = 0;
        for (const Binding& binding : pass.addressed) {
            made.fields.push_back({Source::address, word, 2, 0, range_of(binding.resource.index)});
            made.push[word] = made.push[word + 1] = 0;
            word += 2;
        }
        for (const PushWord& pushed : pass.push) {
            if (const auto* data = std::get_if<HostData>(&pushed)) {
                made.fields.push_back({Source::host_data, word, data->bytes / 4, data->index, {}});
                word += data->bytes / 4;
                continue;
            }
            if (const auto* count = std::get_if<Count>(&pushed); count && count->kind == Count::Kind::parameter) {
                made.fields.push_back({Source::parameter, word, 1, count->parameter, {}});
            }
            ++word;
        }
    }

    /// Returns the index of the pipeline of a pass. Passes that share a pipeline of the program share its entry.
    Result<std::uint32_t> add_pipeline(std::uint32_t index, const Pass& pass) {
        const auto [at, is_new] =
            pipelines_.try_emplace(program_.pipelines[index].get(), static_cast<std::uint32_t>(out_.pipelines.size()));
        if (!is_new) {
            return at->second;
        }
        auto shader = program_.device.shader(pass.shader);
        WEIR_PROPAGATE(shader);
        const PipelineInfo info = program_.pipeline_info(pass, std::move(*shader));
        auto stage = ShaderStage::create(program_.device, info);
        WEIR_PROPAGATE(stage);
        CommandList::Pipeline& made = out_.pipelines.emplace_back();
        made.name = pass.name;
        made.shader = add_shader(stage->words());
        for (const ShaderStage::Constant& constant : stage->constants) {
            made.constants.push_back({constant.id, constant.value});
        }
        made.subgroup_size = stage->subgroup_size;
        made.full_subgroups = stage->full_subgroups;
        made.bindings = info.bindings;
        for (const DescriptorSetId set : pass.sets) {
            made.sets.push_back(set.index);
        }
        made.push_bytes = info.push_bytes;
        return at->second;
    }

    std::uint32_t add_shader(std::span<const std::uint32_t> words) {
        const auto [at, is_new] =
            shaders_.try_emplace({words.begin(), words.end()}, static_cast<std::uint32_t>(out_.shaders.size()));
        if (is_new) {
            out_.shaders.push_back(at->first);
        }
        return at->second;
    }

    const Impl& program_;
    CommandList out_;
    std::map<const Pipeline*, std::uint32_t> pipelines_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> shaders_;
};

Result<CommandList> Program::commands() const {
    WEIR_PROPAGATE(impl_->check_closed("commands"));
    return Impl::Lister(*impl_).list();
}

} // namespace weir
