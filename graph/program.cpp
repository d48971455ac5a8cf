#include <weir/graph/program.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <weir/engine/timestamps.hpp>

#include "engine/descriptors.hpp"
#include "engine/device.hpp"
#include "engine/pipeline.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

std::string in_pass(const std::string& pass, const std::string& message) {
    return "pass '" + pass + "': " + message;
}

/// Workgroups for `count` elements in two dimensions; even rows leave the fewest workgroups without work.
struct GroupCount {
    std::uint32_t x = 0, y = 1;
};
GroupCount group_count(std::uint32_t count, const Dispatch& dispatch, std::uint32_t max_x) {
    const std::uint32_t needed = count / dispatch.per_group + (count % dispatch.per_group != 0 ? 1 : 0);
    const std::uint32_t groups = std::max(needed, dispatch.at_least);
    const std::uint32_t y = std::max(1U, groups / max_x + (groups % max_x != 0 ? 1 : 0));
    return {groups / y + (groups % y != 0 ? 1 : 0), y};
}

} // namespace

struct Program::Impl {
    explicit Impl(const Context& on) : context(on), device(*on.shared_device()) {}

    Context context;
    Device& device;
    GraphDescription graph;
    Plan plan;

    std::vector<Buffer> blocks;                             ///< of memory that transients share
    std::vector<Buffer> owned;                              ///< per buffer of the graph; empty for others
    std::vector<BufferView> views;                          ///< per buffer: where it is now
    std::vector<bool> written;                              ///< per buffer: by a pass that runs
    std::vector<std::shared_ptr<const Pipeline>> pipelines; ///< per pass; null for fills, copies and dropped passes
    std::unique_ptr<Descriptors> descriptors;
    std::vector<std::uint32_t> parameters;
    std::vector<BufferView> bindings; ///< room for those of one pass
    std::vector<std::uint32_t> push;  ///< room for those of one pass
    std::uint32_t copies = 1, copy = 0;
    bool rebound = true; ///< since descriptors were last written
    std::optional<Timestamps> timestamps;

    Result<> allocate();
    Result<> make_pipelines(std::uint32_t frames);
    Result<> check_imports() const;
    void write_descriptors();
    [[nodiscard]] std::uint32_t value(const Count& count) const {
        return count.kind == Count::Kind::parameter ? parameters[count.parameter] : count.max;
    }
    void record_pass(VkCommandBuffer commands, std::uint32_t index);
    Result<> record(VkCommandBuffer commands, const Timestamps* times);
    /// One before the first pass, and one after each.
    [[nodiscard]] std::uint32_t timestamps_needed() const {
        return 1 + static_cast<std::uint32_t>(graph.passes.size() - plan.dropped.size());
    }
};

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

const Plan& Program::plan() const {
    return impl_->plan;
}

const GraphDescription& Program::description() const {
    return impl_->graph;
}

std::uint64_t Program::memory() const {
    std::uint64_t bytes = impl_->plan.memory.bytes();
    for (const Buffer& buffer : impl_->owned) {
        bytes += buffer.size();
    }
    return bytes;
}

BufferView Program::view(BufferId buffer) const {
    if (buffer.graph != impl_->graph.identity.get() || buffer.index >= impl_->graph.resources.size()) {
        return {};
    }
    const auto& node = impl_->graph.resources[buffer.index];
    return node.exported || node.lifetime == Lifetime::import ? impl_->views[buffer.index] : BufferView{};
}

Result<> Program::Impl::allocate() {
    owned.resize(graph.resources.size());
    views.resize(graph.resources.size());
    written.resize(graph.resources.size(), false);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                written[touch.resource] = written[touch.resource] || writes(touch.access);
            }
        }
    }
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        if (plan.used[i] && node.bytes > graph.capabilities.max_storage_range) {
            return tl::unexpected(Error{
                ErrorCode::limit_exceeded,
                "buffer '" + node.name + "' has " + std::to_string(node.bytes) + " bytes; the device binds at most " +
                    std::to_string(graph.capabilities.max_storage_range) + " (maxStorageBufferRange)"});
        }
    }
    std::vector<const GraphDescription::Resource*> largest(plan.memory.blocks.size(), nullptr);
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        const std::uint32_t block = plan.memory.places[i].block;
        if (block != PlanMemory::none && (largest[block] == nullptr || node.bytes > largest[block]->bytes)) {
            largest[block] = &node;
        }
    }
    for (const std::uint64_t bytes : plan.memory.blocks) {
        // A block of one transient that is as large as can be is not rounded up past that.
        const auto& node = *largest[blocks.size()];
        const std::uint64_t most = std::max(node.bytes, graph.capabilities.max_allocation);
        auto block = device.create_buffer(std::min(bytes, most), MemoryKind::device,
                                          concat(node.name, " and what shares its memory"));
        if (!block) {
            return tl::unexpected(block.error());
        }
        blocks.push_back(std::move(*block));
    }
    std::vector<std::size_t> states;
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        if (!plan.used[i] || node.lifetime == Lifetime::import) {
            continue;
        }
        if (const auto& place = plan.memory.places[i]; place.block != PlanMemory::none) {
            views[i] = {blocks[place.block].handle(), place.offset, node.bytes};
            continue;
        }
        auto buffer = device.create_buffer(node.bytes, MemoryKind::device, node.name);
        if (!buffer) {
            return tl::unexpected(buffer.error());
        }
        owned[i] = std::move(*buffer);
        views[i] = {owned[i].handle(), 0, node.bytes};
        if (node.lifetime == Lifetime::state) {
            states.push_back(i);
        }
    }
    if (states.empty()) {
        return {};
    }
    return device.submit([&](VkCommandBuffer commands) -> Result<> {
        for (const std::size_t i : states) {
            device.vk().vkCmdFillBuffer(commands, owned[i].handle(), 0, VK_WHOLE_SIZE, 0);
        }
        // Barriers of the plan are for what executions do.
        VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
        barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.memoryBarrierCount = 1;
        dependency.pMemoryBarriers = &barrier;
        device.vk().vkCmdPipelineBarrier2(commands, &dependency);
        return {};
    });
}

Result<> Program::Impl::make_pipelines(std::uint32_t frames) {
    pipelines.resize(graph.passes.size());
    std::vector<DescriptorPass> tables(graph.passes.size());
    std::size_t most_bindings = 0, most_push = 0;
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            const auto* pass = std::get_if<Pass>(&graph.passes[index].work);
            if (pass == nullptr) {
                continue;
            }
            GroupCount most{pass->dispatch.x, pass->dispatch.y};
            if (pass->dispatch.kind == Dispatch::Kind::elements) {
                most = group_count(pass->dispatch.count.max, pass->dispatch, graph.capabilities.max_workgroup_count_x);
            }
            if (most.x > graph.capabilities.max_workgroup_count_x ||
                most.y > graph.capabilities.max_workgroup_count_y) {
                return tl::unexpected(
                    Error{ErrorCode::limit_exceeded,
                          in_pass(pass->name, "more workgroups than the device runs in one dispatch")});
            }
            auto spirv = compile_shader(pass->shader);
            if (!spirv) {
                return tl::unexpected(Error{spirv.error().code, in_pass(pass->name, spirv.error().message)});
            }
            PipelineInfo info;
            info.spirv = *spirv;
            info.constants = pass->constants;
            info.bindings = static_cast<std::uint32_t>(pass->bindings.size());
            info.push_bytes = static_cast<std::uint32_t>(pass->push.size() * sizeof(std::uint32_t));
            info.subgroup_size = pass->subgroup_size;
            info.full_subgroups = pass->full_subgroups;
            info.name = pass->name;
            auto pipeline = device.pipeline(info);
            if (!pipeline) {
                return tl::unexpected(Error{pipeline.error().code, in_pass(pass->name, pipeline.error().message)});
            }
            pipelines[index] = *pipeline;
            tables[index] = {*pipeline, info.bindings};
            most_bindings = std::max(most_bindings, pass->bindings.size());
            most_push = std::max(most_push, pass->push.size());
        }
    }
    bindings.resize(most_bindings);
    push.resize(most_push);
    copies = std::max(1U, frames);
    copy = copies - 1;
    auto made = make_pooled_sets(context.shared_device(), tables, copies);
    if (!made) {
        return tl::unexpected(made.error());
    }
    descriptors = std::move(*made);
    return {};
}

Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options) {
    auto impl = std::make_unique<Program::Impl>(context);
    impl->graph = graph.description();
    for (const auto& resource : impl->graph.resources) {
        if (resource.image) {
            return tl::unexpected(Error{ErrorCode::unsupported, "image '" + resource.name + "': plans only, so far"});
        }
    }
    for (const auto& pass : impl->graph.passes) {
        if (std::holds_alternative<HostPass>(pass.work)) {
            return tl::unexpected(Error{ErrorCode::unsupported, "host pass '" + pass.name + "': plans only, so far"});
        }
    }
    auto plan = make_plan(impl->graph, {.share_memory = options.share_memory});
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    impl->plan = std::move(*plan);
    for (const auto& parameter : impl->graph.parameters) {
        impl->parameters.push_back(parameter.max);
    }
    if (auto done = impl->allocate(); !done) {
        return tl::unexpected(done.error());
    }
    if (auto done = impl->make_pipelines(options.frames_in_flight); !done) {
        return tl::unexpected(done.error());
    }
    return Program(std::move(impl));
}

Result<> Program::bind(BufferId import, BufferView view) {
    const auto& graph = impl_->graph;
    if (import.graph != impl_->graph.identity.get() || import.index >= graph.resources.size() ||
        graph.resources[import.index].lifetime != Lifetime::import) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "bind: the buffer is not an import of this program's graph"});
    }
    const auto& node = graph.resources[import.index];
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        return tl::unexpected(Error{code, "bind '" + node.name + "': " + why});
    };
    if (view.buffer == VK_NULL_HANDLE) {
        return refuse(ErrorCode::invalid_argument, "no buffer");
    }
    if (view.size < node.bytes) {
        return refuse(ErrorCode::invalid_argument,
                      std::to_string(view.size) + " bytes; the graph needs " + std::to_string(node.bytes));
    }
    if (view.offset % graph.capabilities.storage_offset_alignment != 0) {
        return refuse(ErrorCode::invalid_argument, "offset " + std::to_string(view.offset) + " is not a multiple of " +
                                                       std::to_string(graph.capabilities.storage_offset_alignment));
    }
    // Even if it looks the same: the handle of a destroyed buffer may come back for a new one.
    impl_->views[import.index] = {view.buffer, view.offset, node.bytes};
    impl_->rebound = true;
    return {};
}

Result<> Program::set(const Count& parameter, std::uint32_t value) {
    if (parameter.kind != Count::Kind::parameter || parameter.buffer.graph != impl_->graph.identity.get() ||
        parameter.parameter >= impl_->parameters.size()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "set: the count is not a parameter of this program's graph"});
    }
    const auto& node = impl_->graph.parameters[parameter.parameter];
    if (value > node.max) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "set '" + node.name + "': " + std::to_string(value) +
                                                                     " is past its maximum of " +
                                                                     std::to_string(node.max)});
    }
    impl_->parameters[parameter.parameter] = value;
    return {};
}

Result<> Program::Impl::check_imports() const {
    const auto is_import = [&](std::size_t i) { return graph.resources[i].lifetime == Lifetime::import; };
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (plan.used[i] && views[i].buffer == VK_NULL_HANDLE) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, "record: import '" + graph.resources[i].name + "' is not bound"});
        }
    }
    // What is the program's own overlaps nothing else of it that counts.
    for (std::size_t i = 0; i < views.size(); ++i) {
        for (std::size_t j = 0; plan.used[i] && is_import(i) && j < views.size(); ++j) {
            const bool is_other = plan.used[j] && (j < i || !is_import(j)); // each pair once
            const bool overlap = is_other && views[i].buffer == views[j].buffer &&
                                 views[i].offset < views[j].offset + views[j].size &&
                                 views[j].offset < views[i].offset + views[i].size;
            if (overlap && (written[i] || written[j])) {
                return tl::unexpected(
                    Error{ErrorCode::invalid_argument, "record: imports '" + graph.resources[std::min(i, j)].name +
                                                           "' and '" + graph.resources[std::max(i, j)].name +
                                                           "' are bound to overlapping memory, and one is written"});
            }
        }
    }
    return {};
}

void Program::Impl::write_descriptors() {
    for (std::uint32_t index = 0; index < pipelines.size(); ++index) {
        if (pipelines[index] == nullptr) {
            continue;
        }
        const auto& pass = std::get<Pass>(graph.passes[index].work);
        for (std::size_t i = 0; i < pass.bindings.size(); ++i) {
            bindings[i] = views[pass.bindings[i].resource.index];
        }
        descriptors->write(copy, index, {bindings.data(), pass.bindings.size()});
    }
}

void Program::Impl::record_pass(VkCommandBuffer commands, std::uint32_t index) {
    const auto& vk = device.vk();
    const auto& node = graph.passes[index];
    device.begin_label(commands, node.name.c_str());
    if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
        const BufferView& view = views[node.touches[0].resource];
        vk.vkCmdFillBuffer(commands, view.buffer, view.offset, view.size, fill->value);
    } else if (const auto* copied = std::get_if<GraphDescription::Copy>(&node.work)) {
        const BufferView &from = views[node.touches[0].resource], &to = views[node.touches[1].resource];
        const VkBufferCopy region{from.offset, to.offset, copied->bytes};
        vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
    } else if (const auto* pass = std::get_if<Pass>(&node.work)) {
        const Dispatch& dispatch = pass->dispatch;
        GroupCount groups{dispatch.x, dispatch.y};
        std::uint32_t depth = dispatch.z;
        if (dispatch.kind == Dispatch::Kind::elements) {
            groups = group_count(value(dispatch.count), dispatch, graph.capabilities.max_workgroup_count_x);
            depth = 1;
        }
        if (dispatch.kind == Dispatch::Kind::indirect || (groups.x > 0 && groups.y > 0 && depth > 0)) {
            const Pipeline& pipeline = *pipelines[index];
            vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
            descriptors->bind(commands, copy, index);
            for (std::size_t i = 0; i < pass->push.size(); ++i) {
                const auto* count = std::get_if<Count>(&pass->push[i]);
                push[i] = count != nullptr ? value(*count) : std::get<std::uint32_t>(pass->push[i]);
            }
            if (!pass->push.empty()) {
                vk.vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      static_cast<std::uint32_t>(pass->push.size() * sizeof(std::uint32_t)),
                                      push.data());
            }
            if (dispatch.kind == Dispatch::Kind::indirect) {
                const BufferView& arguments = views[dispatch.arguments.index];
                vk.vkCmdDispatchIndirect(commands, arguments.buffer, arguments.offset + dispatch.word * 4ULL);
            } else {
                vk.vkCmdDispatch(commands, groups.x, groups.y, depth);
            }
        }
    }
    device.end_label(commands);
}

Result<> Program::Impl::record(VkCommandBuffer commands, const Timestamps* times) {
    if (rebound) {
        if (auto checked = check_imports(); !checked) {
            return checked;
        }
        copy = (copy + 1) % copies;
        write_descriptors();
        rebound = false;
    }
    std::uint32_t slot = 0;
    if (times != nullptr) {
        times->reset(commands);
        times->write(commands, slot++);
    }
    for (const PlanGroup& group : plan.groups) {
        if (!group.barriers.empty()) {
            VkDependencyInfo dependency{};
            dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
            dependency.memoryBarrierCount = static_cast<std::uint32_t>(group.barriers.size());
            dependency.pMemoryBarriers = group.barriers.data();
            device.vk().vkCmdPipelineBarrier2(commands, &dependency);
        }
        for (const std::uint32_t pass : group.passes) {
            record_pass(commands, pass);
            if (times != nullptr) {
                times->write(commands, slot++);
            }
        }
    }
    return {};
}

Result<> Program::record(VkCommandBuffer commands) {
    return impl_->record(commands, nullptr);
}

Result<> Program::record(VkCommandBuffer commands, const Timestamps& timestamps) {
    if (timestamps.count() < impl_->timestamps_needed()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument,
                  concat("record: ", timestamps.count(), " timestamps; the passes take ", impl_->timestamps_needed())});
    }
    return impl_->record(commands, &timestamps);
}

Result<Profile> Program::profile(const Timestamps& timestamps) const {
    const auto times = timestamps.read(impl_->timestamps_needed());
    if (!times) {
        return tl::unexpected(times.error());
    }
    Profile profile;
    std::uint32_t slot = 0, group = 0;
    for (const PlanGroup& planned : impl_->plan.groups) {
        for (const std::uint32_t pass : planned.passes) {
            profile.passes.push_back({pass, group, (*times)[slot] * 1e-3, (*times)[slot + 1] * 1e-3});
            ++slot;
        }
        ++group;
    }
    return profile;
}

Result<Profile> Program::profile() {
    const auto timestamps = Timestamps::create(impl_->context, impl_->timestamps_needed());
    if (!timestamps) {
        return tl::unexpected(timestamps.error());
    }
    return impl_->device.submit([&](VkCommandBuffer commands) { return impl_->record(commands, &*timestamps); })
        .and_then([&] { return profile(*timestamps); });
}

Result<RunReport> Program::run() {
    Impl& impl = *impl_;
    const bool timed = impl.graph.capabilities.timestamp_bits > 0;
    if (timed && !impl.timestamps) {
        auto made = Timestamps::create(impl.context, 2);
        if (!made) {
            return tl::unexpected(made.error());
        }
        impl.timestamps = std::move(*made);
    }
    auto done = impl.device.submit([&](VkCommandBuffer commands) -> Result<> {
        if (timed) {
            impl.timestamps->reset(commands);
            impl.timestamps->write(commands, 0);
        }
        auto recorded = record(commands);
        if (timed) {
            impl.timestamps->write(commands, 1);
        }
        return recorded;
    });
    if (!done) {
        return tl::unexpected(done.error());
    }
    RunReport report;
    if (timed) {
        auto times = impl.timestamps->read(2);
        if (!times) {
            return tl::unexpected(times.error());
        }
        report.gpu_ms = ((*times)[1] - (*times)[0]) * 1e-6;
    }
    return report;
}

} // namespace weir
