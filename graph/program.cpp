#include <weir/graph/program.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <weir/engine/timestamps.hpp>
#include <weir/graph/host_pass.hpp>

#include "engine/descriptors.hpp"
#include "engine/device.hpp"
#include "engine/pipeline.hpp"
#include "engine/text.hpp"
#include "graph/declarations.hpp"
#include "graph/memory_pool.hpp"
#include "graph/program_resources.hpp"

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

VkDescriptorType descriptor_type(const GraphDescription& graph, const Binding& binding) {
    if (!graph.resources[binding.resource.index].image) {
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    }
    return binding.access != Access::sampled_read ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
           : binding.sampler != VK_NULL_HANDLE    ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                                  : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

std::vector<VkDescriptorType> descriptor_types(const GraphDescription& graph, const Pass& pass) {
    std::vector<VkDescriptorType> types;
    for (const Binding& binding : pass.bindings) {
        types.push_back(descriptor_type(graph, binding));
    }
    return types;
}

std::size_t push_words(const Pass& pass) {
    return pass.addressed.size() * 2 + pass.push.size();
}

} // namespace

struct Program::Impl {
    class PassContext;
    explicit Impl(const Context& on) : context(on), device(*on.shared_device()), resources(device) {}

    Context context;
    Device& device;
    GraphDescription graph;
    Plan plan;

    ProgramResources resources;
    std::vector<bool> needs_address;                        ///< per resource: of a buffer
    std::vector<bool> needs_view;                           ///< per resource: of an image
    std::vector<bool> written;                              ///< per resource: by a pass that runs
    std::vector<std::shared_ptr<const Pipeline>> pipelines; ///< per pass; null where there is none
    DescriptorMode mode = DescriptorMode::automatic;
    std::unique_ptr<Descriptors> descriptors;
    std::vector<std::uint32_t> parameters;
    std::vector<bool> switches;
    std::vector<DescriptorView> bindings;                           ///< room for those of one pass
    std::vector<std::uint32_t> push;                                ///< room for those of one pass
    std::vector<std::pair<std::uint32_t, std::uint32_t>> histories; ///< current and previous buffers, where used
    std::vector<VkImageMemoryBarrier2> image_barriers;              ///< room for those of one group
    std::uint32_t copies = 1, copy = 0;
    bool rebound = true; ///< since descriptors were last written
    std::optional<Timestamps> timestamps;

    Result<> choose_descriptors(DescriptorMode wanted);
    void find_uses();
    Result<> make_pipelines(std::uint32_t frames);
    Result<std::shared_ptr<const Pipeline>> make_pipeline(const Pass& pass);
    Result<> check_imports() const;
    void write_descriptors();
    [[nodiscard]] std::uint32_t value(const Count& count) const {
        return count.kind == Count::Kind::parameter ? parameters[count.parameter] : count.max;
    }
    [[nodiscard]] bool is_on(std::uint32_t pass) const;
    void record_barriers(VkCommandBuffer commands, const PlanGroup& group);
    void record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index);
    void record_dispatch(VkCommandBuffer commands, std::uint32_t index);
    void push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
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
    return impl_->plan.memory.bytes() + impl_->resources.memory();
}

DescriptorMode Program::descriptors() const {
    return impl_->mode;
}

BufferView Program::view(BufferId buffer) const {
    if (buffer.graph != impl_->graph.identity.get() || buffer.index >= impl_->graph.resources.size()) {
        return {};
    }
    const auto& node = impl_->graph.resources[buffer.index];
    return node.exported || node.lifetime == Lifetime::import ? impl_->resources.views[buffer.index] : BufferView{};
}

ImageView Program::view(ImageId image) const {
    if (image.graph != impl_->graph.identity.get() || image.index >= impl_->graph.resources.size()) {
        return {};
    }
    const auto& node = impl_->graph.resources[image.index];
    return node.exported || node.lifetime == Lifetime::import ? impl_->resources.images[image.index] : ImageView{};
}

/// With what follows from it: the limits of what is bound, and who needs an address.
Result<> Program::Impl::choose_descriptors(DescriptorMode wanted) {
    std::size_t most_bindings = 0;
    std::vector<bool> is_bound(graph.resources.size(), false);
    needs_address.resize(graph.resources.size(), false);
    needs_view.resize(graph.resources.size(), false);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            const auto* pass = std::get_if<Pass>(&graph.passes[index].work);
            if (pass == nullptr) {
                continue;
            }
            most_bindings = std::max(most_bindings, pass->bindings.size());
            for (const Binding& binding : pass->bindings) {
                is_bound[binding.resource.index] = true;
            }
            for (const Binding& binding : pass->addressed) {
                needs_address[binding.resource.index] = true;
            }
        }
    }
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        needs_view[i] = is_bound[i] && node.image;
        if (is_bound[i] && !node.image && node.bytes > graph.capabilities.max_storage_range) {
            return tl::unexpected(
                Error{ErrorCode::limit_exceeded,
                      concat("buffer '", node.name, "' has ", node.bytes, " bytes; the device binds at most ",
                             graph.capabilities.max_storage_range, " (maxStorageBufferRange)", to_string(node.where))});
        }
    }
    const auto chosen = weir::choose_descriptors(wanted == DescriptorMode::automatic ? device.descriptors() : wanted,
                                                 graph.capabilities, most_bindings);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    mode = *chosen;
    for (std::size_t i = 0; mode == DescriptorMode::buffer && i < is_bound.size(); ++i) {
        needs_address[i] = needs_address[i] || (is_bound[i] && !graph.resources[i].image);
    }
    for (const auto& [current, previous] : histories) {
        needs_address[current] = needs_address[previous] = needs_address[current] || needs_address[previous];
    }
    return {};
}

void Program::Impl::find_uses() {
    written.resize(graph.resources.size(), false);
    std::size_t most_image_barriers = 0;
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& touch : graph.passes[pass].touches) {
                written[touch.resource] = written[touch.resource] || writes(touch.access);
            }
        }
        most_image_barriers = std::max(most_image_barriers, group.image_barriers.size());
    }
    image_barriers.reserve(most_image_barriers);
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        const std::uint32_t previous = graph.resources[i].previous;
        if (previous != ResourceId::none && plan.used[i]) {
            histories.emplace_back(i, previous);
        }
    }
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
            auto pipeline = make_pipeline(*pass);
            if (!pipeline) {
                const auto& [code, message] = pipeline.error();
                // The compiler has told a line already, of the shader.
                const SourceLocation where =
                    code == ErrorCode::shader_compilation ? SourceLocation{} : graph.passes[index].where;
                return tl::unexpected(Error{code, in_pass(pass->name, message) + to_string(where)});
            }
            pipelines[index] = *pipeline;
            tables[index] = {*pipeline, descriptor_types(graph, *pass)};
            most_bindings = std::max(most_bindings, pass->bindings.size());
            most_push = std::max(most_push, push_words(*pass));
        }
    }
    bindings.resize(most_bindings);
    push.resize(most_push);
    copies = std::max(1U, frames);
    copy = copies - 1;
    auto made = make_descriptors(mode, context.shared_device(), tables, copies);
    if (!made) {
        return tl::unexpected(made.error());
    }
    descriptors = std::move(*made);
    return {};
}

Result<std::shared_ptr<const Pipeline>> Program::Impl::make_pipeline(const Pass& pass) {
    GroupCount most{pass.dispatch.x, pass.dispatch.y};
    if (pass.dispatch.kind == Dispatch::Kind::elements) {
        most = group_count(pass.dispatch.count.max, pass.dispatch, graph.capabilities.max_workgroup_count_x);
    }
    if (most.x > graph.capabilities.max_workgroup_count_x || most.y > graph.capabilities.max_workgroup_count_y) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded, "more workgroups than the device runs in one dispatch"});
    }
    const auto spirv = compile_shader(pass.shader);
    if (!spirv) {
        return tl::unexpected(spirv.error());
    }
    if (auto checked = check_declarations(graph, pass, *spirv); !checked) {
        return tl::unexpected(checked.error());
    }
    PipelineInfo info;
    info.spirv = *spirv;
    info.constants = pass.constants;
    info.bindings = descriptor_types(graph, pass);
    info.descriptors = mode;
    info.push_bytes = static_cast<std::uint32_t>(push_words(pass) * sizeof(std::uint32_t));
    info.subgroup_size = pass.subgroup_size;
    info.full_subgroups = pass.full_subgroups;
    info.name = pass.name;
    return device.pipeline(info);
}

Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options) {
    auto impl = std::make_unique<Program::Impl>(context);
    impl->graph = graph.description();
    if (options.pool && options.pool->impl().context.shared_device() != context.shared_device()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "compile: the memory pool is of another context"});
    }
    PlanOptions planning{.share_memory = options.share_memory, .pooled = options.pool.has_value()};
    if (!impl->graph.error) { // what is known only with a device
        const auto apart = impl->resources.create_images(impl->graph);
        if (!apart) {
            return tl::unexpected(apart.error());
        }
        planning.images_apart = *apart;
    }
    auto plan = make_plan(impl->graph, planning);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    impl->plan = std::move(*plan);
    impl->find_uses();
    for (const auto& parameter : impl->graph.parameters) {
        impl->parameters.push_back(parameter.max);
    }
    for (const auto& one : impl->graph.switches) {
        impl->switches.push_back(one.on);
    }
    if (auto done = impl->choose_descriptors(options.descriptors); !done) {
        return tl::unexpected(done.error());
    }
    if (auto done = impl->resources.allocate(impl->graph, impl->plan, options.pool ? &options.pool->impl() : nullptr,
                                             impl->needs_address);
        !done) {
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
        graph.resources[import.index].lifetime != Lifetime::import || graph.resources[import.index].image) {
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
    impl_->resources.bind(import.index, BufferView{view.buffer, view.offset, node.bytes});
    impl_->rebound = true;
    return {};
}

Result<> Program::bind(ImageId import, ImageView view) {
    const auto& graph = impl_->graph;
    const auto refuse = [](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "bind" + why});
    };
    if (import.graph != graph.identity.get() || import.index >= graph.resources.size() ||
        graph.resources[import.index].lifetime != Lifetime::import || !graph.resources[import.index].image) {
        return refuse(": the image is not an import of this program's graph");
    }
    const std::string& name = graph.resources[import.index].name;
    if (view.image == VK_NULL_HANDLE) {
        return refuse(" '" + name + "': no image");
    }
    if (view.view == VK_NULL_HANDLE && impl_->needs_view[import.index]) {
        return refuse(" '" + name + "': no view, and a pass binds it");
    }
    impl_->resources.bind(import.index, view);
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

Result<> Program::set(Switch which, bool on) {
    if (which.graph != impl_->graph.identity.get() || which.index >= impl_->switches.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "set: the switch is not one of this program's graph"});
    }
    impl_->switches[which.index] = on;
    return {};
}

Result<> Program::Impl::check_imports() const {
    const auto is_import = [&](std::size_t i) { return graph.resources[i].lifetime == Lifetime::import; };
    const auto& [views, images] = std::tie(resources.views, resources.images);
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (plan.used[i] && views[i].buffer == VK_NULL_HANDLE && images[i].image == VK_NULL_HANDLE) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, "record: import '" + graph.resources[i].name + "' is not bound"});
        }
    }
    // What is the program's own overlaps nothing else of it that counts.
    for (std::size_t i = 0; i < views.size(); ++i) {
        for (std::size_t j = 0; plan.used[i] && is_import(i) && j < views.size(); ++j) {
            const bool is_other = plan.used[j] && (j < i || !is_import(j)); // each pair once
            const bool is_image = graph.resources[i].image.has_value();
            const bool is_same = is_image ? images[i].image == images[j].image : views[i].buffer == views[j].buffer;
            const bool meets = is_image || (views[i].offset < views[j].offset + views[j].size &&
                                            views[j].offset < views[i].offset + views[i].size);
            const bool overlap = is_other && is_same && meets && is_image == graph.resources[j].image.has_value();
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
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            if (pipelines[index] == nullptr) {
                continue;
            }
            const auto& pass = std::get<Pass>(graph.passes[index].work);
            for (std::size_t i = 0; i < pass.bindings.size(); ++i) {
                const Binding& binding = pass.bindings[i];
                const std::uint32_t resource = binding.resource.index;
                bindings[i] = {resources.views[resource], resources.addresses[resource], {}};
                if (graph.resources[resource].image) {
                    const bool is_used = binding.access != Access::none;
                    bindings[i].image = {binding.sampler, resources.images[resource].view,
                                         is_used ? group.layout(resource) : VK_IMAGE_LAYOUT_GENERAL};
                }
            }
            descriptors->write(copy, index, {bindings.data(), pass.bindings.size()});
        }
    }
}

void Program::Impl::push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    std::uint32_t* next = push.data();
    for (const Binding& binding : pass.addressed) {
        const VkDeviceAddress address = resources.addresses[binding.resource.index];
        std::memcpy(next, &address, sizeof address);
        next += 2;
    }
    for (const PushWord& word : pass.push) {
        const auto* count = std::get_if<Count>(&word);
        *next++ = count != nullptr ? value(*count) : std::get<std::uint32_t>(word);
    }
    if (const auto words = static_cast<std::uint32_t>(next - push.data()); words != 0) {
        device.vk().vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, words * 4,
                                       push.data());
    }
}

bool Program::Impl::is_on(std::uint32_t pass) const {
    const auto& conditions = graph.passes[pass].conditions;
    return std::all_of(conditions.begin(), conditions.end(), [&](const GraphDescription::Condition& condition) {
        const auto* count = std::get_if<Count>(&condition);
        return count != nullptr ? value(*count) != 0 || count->kind == Count::Kind::gpu
                                : switches[std::get<Switch>(condition).index];
    });
}

void Program::Impl::record_barriers(VkCommandBuffer commands, const PlanGroup& group) {
    if (group.barriers.empty() && group.image_barriers.empty()) {
        return;
    }
    image_barriers.clear();
    for (const ImageBarrier& change : group.image_barriers) {
        VkImageMemoryBarrier2& barrier = image_barriers.emplace_back();
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
        barrier.srcStageMask = change.source.stages;
        barrier.srcAccessMask = change.source.access;
        barrier.dstStageMask = change.destination.stages;
        barrier.dstAccessMask = change.destination.access;
        barrier.oldLayout = change.old_layout;
        barrier.newLayout = change.new_layout;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = resources.images[change.resource].image;
        barrier.subresourceRange = {aspects_of(graph.resources[change.resource].image->format), 0,
                                    VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    }
    VkDependencyInfo dependency{};
    dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    dependency.memoryBarrierCount = static_cast<std::uint32_t>(group.barriers.size());
    dependency.pMemoryBarriers = group.barriers.data();
    dependency.imageMemoryBarrierCount = static_cast<std::uint32_t>(image_barriers.size());
    dependency.pImageMemoryBarriers = image_barriers.data();
    device.vk().vkCmdPipelineBarrier2(commands, &dependency);
}

/// What a host pass of a group finds.
class Program::Impl::PassContext final : public HostPassContext {
public:
    PassContext(const Impl& program, const PlanGroup& group, const GraphDescription::PassNode& pass)
        : program_(program), group_(group), pass_(pass) {}

    [[nodiscard]] BufferView buffer(BufferId buffer) const override {
        return uses(buffer) ? program_.resources.views[buffer.index] : BufferView{};
    }
    [[nodiscard]] HostImage image(ImageId image) const override {
        if (!uses(image)) {
            return {};
        }
        const ImageView& view = program_.resources.images[image.index];
        return {view.image, view.view, group_.layout(image.index)};
    }

private:
    [[nodiscard]] bool uses(ResourceId resource) const {
        return resource.graph == program_.graph.identity.get() &&
               std::any_of(pass_.touches.begin(), pass_.touches.end(),
                           [&](const auto& touch) { return touch.resource == resource.index; });
    }

    const Impl& program_;
    const PlanGroup& group_;
    const GraphDescription::PassNode& pass_;
};

void Program::Impl::record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index) {
    const auto& vk = device.vk();
    const auto& node = graph.passes[index];
    device.begin_label(commands, node.name.c_str());
    if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
        const BufferView& view = resources.views[node.touches[0].resource];
        vk.vkCmdFillBuffer(commands, view.buffer, view.offset, fill->bytes, fill->value);
    } else if (const auto* copied = std::get_if<GraphDescription::Copy>(&node.work)) {
        const BufferView& from = resources.views[node.touches[0].resource];
        const BufferView& to = resources.views[node.touches[1].resource];
        const VkBufferCopy region{from.offset, to.offset, copied->bytes};
        vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
    } else if (const auto* host = std::get_if<HostPass>(&node.work)) {
        host->record(commands, PassContext(*this, group, node));
        descriptors->begin(commands); // it may have bound its own
    } else {
        record_dispatch(commands, index);
    }
    device.end_label(commands);
}

void Program::Impl::record_dispatch(VkCommandBuffer commands, std::uint32_t index) {
    const auto& vk = device.vk();
    const auto& pass = std::get<Pass>(graph.passes[index].work);
    const Dispatch& dispatch = pass.dispatch;
    GroupCount groups{dispatch.x, dispatch.y};
    std::uint32_t depth = dispatch.z;
    if (dispatch.kind == Dispatch::Kind::elements) {
        groups = group_count(value(dispatch.count), dispatch, graph.capabilities.max_workgroup_count_x);
        depth = 1;
    }
    if (dispatch.kind != Dispatch::Kind::indirect && (groups.x == 0 || groups.y == 0 || depth == 0)) {
        return;
    }
    const Pipeline& pipeline = *pipelines[index];
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    descriptors->bind(commands, copy, index);
    push_constants(commands, pass, pipeline);
    if (dispatch.kind == Dispatch::Kind::indirect) {
        const BufferView& arguments = resources.views[dispatch.arguments.index];
        vk.vkCmdDispatchIndirect(commands, arguments.buffer, arguments.offset + dispatch.word * 4ULL);
    } else {
        vk.vkCmdDispatch(commands, groups.x, groups.y, depth);
    }
}

Result<> Program::Impl::record(VkCommandBuffer commands, const Timestamps* times) {
    bool stale = false; // descriptors
    if (rebound) {
        if (auto checked = check_imports(); !checked) {
            return checked;
        }
        rebound = false;
        stale = true;
    }
    for (const auto& [current, previous] : histories) {
        resources.swap(current, previous);
        stale = true;
    }
    if (stale) {
        copy = (copy + 1) % copies;
        write_descriptors();
    }
    descriptors->begin(commands);
    std::uint32_t slot = 0;
    if (times != nullptr) {
        times->reset(commands);
        times->write(commands, slot++);
    }
    // Barriers come as planned, whatever is on. Each orders all that came before it, and what waits for a pass waits
    // for what that pass waited for through barriers alone: without the pass, they still follow each other.
    for (const PlanGroup& group : plan.groups) {
        record_barriers(commands, group);
        for (const std::uint32_t pass : group.passes) {
            if (is_on(pass)) {
                record_pass(commands, group, pass);
            }
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
