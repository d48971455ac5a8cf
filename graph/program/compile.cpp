#include <algorithm>
#include <iterator>
#include <string>

#include "engine/base/host_callback.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/pipeline/pipelines.hpp"
#include "engine/shader/shader_cache.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"
#include "graph/program/capability_check.hpp"
#include "graph/program/declarations.hpp"
#include "graph/program/recorder.hpp"

namespace weir {

namespace {

VkDescriptorType descriptor_type(const GraphDescription& graph, const Binding& binding) {
    if (binding.is_sampler) {
        return VK_DESCRIPTOR_TYPE_SAMPLER;
    }
    if (!graph.resources[binding.resource.index].image) {
        return binding.access == Access::uniform_read ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                      : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
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

/// Moves passes to the queues that CompileOptions::move_to returns.
Result<> move_passes(GraphDescription& graph, const CompileOptions& options) {
    if (!options.move_to) {
        return {};
    }
    const auto move = [&]() -> Result<> {
        for (auto& pass : graph.passes) {
            pass.queue = options.move_to(pass.name, pass.queue);
            if (static_cast<std::size_t>(pass.queue) >= queue_kinds) {
                return tl::unexpected(
                    Error{ErrorCode::invalid_argument, concat("compile: pass '", pass.name, "' is moved to queue kind ",
                                                              static_cast<int>(pass.queue), ", which does not exist")});
            }
        }
        return {};
    };
    return call_host(move, [] { return "compile: CompileOptions::move_to"; });
}

} // namespace

/// Also checks the limits of bound buffers, and finds the resources that need an address or a view.
Result<> Program::Impl::choose_descriptors(DescriptorMode wanted) {
    std::size_t max_bindings = 0;
    std::vector<bool> is_bound(graph.resources.size(), false), is_storage = is_bound;
    is_uniform.resize(graph.resources.size(), false);
    needs_address.resize(graph.resources.size(), false);
    needs_view.resize(graph.resources.size(), false);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t index : group.passes) {
            const auto* pass = graph.passes[index].compute_pass();
            if (pass == nullptr) {
                continue;
            }
            max_bindings = std::max(max_bindings, pass->bindings.size());
            for (const Binding& binding : pass->bindings) {
                if (binding.is_sampler) {
                    continue;
                }
                is_bound[binding.resource.index] = true;
                (binding.access == Access::uniform_read ? is_uniform : is_storage)[binding.resource.index] = true;
            }
            for (const Binding& binding : pass->addressed) {
                needs_address[binding.resource.index] = true;
            }
        }
    }
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        needs_view[i] = is_bound[i] && node.image;
        const bool is_too_large = !node.image && is_storage[i] && node.bytes > graph.capabilities.max_storage_range;
        if (is_too_large || (is_uniform[i] && node.bytes > graph.capabilities.max_uniform_range)) {
            return tl::unexpected(Error{
                ErrorCode::limit_exceeded,
                concat("buffer '", node.name, "' has ", node.bytes, " bytes; the device's limit is ",
                       is_too_large ? graph.capabilities.max_storage_range : graph.capabilities.max_uniform_range,
                       is_too_large ? " (maxStorageBufferRange)" : " (maxUniformBufferRange)", to_string(node.where))});
        }
    }
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        if (const std::uint32_t alignment = graph.capabilities.uniform_offset_alignment;
            is_uniform[i] && node.offset % alignment != 0) {
            return tl::unexpected(
                Error{ErrorCode::invalid_graph,
                      concat("buffer '", node.name, "' is bound as a uniform buffer and begins at byte ", node.offset,
                             ", which is not a multiple of ", alignment, " (minUniformBufferOffsetAlignment)",
                             to_string(node.where))});
        }
    }
    const auto chosen = weir::choose_descriptors(wanted == DescriptorMode::automatic ? device.descriptors() : wanted,
                                                 graph.capabilities, max_bindings);
    WEIR_PROPAGATE(chosen);
    mode = *chosen;
    const auto has_sets = [](const GraphDescription::PassNode& node) {
        const auto* pass = node.compute_pass();
        return pass != nullptr && !pass->sets.empty();
    };
    const auto with_sets = std::find_if(graph.passes.begin(), graph.passes.end(), has_sets);
    if (mode == DescriptorMode::buffer && options.bound_descriptor_buffer && with_sets != graph.passes.end()) {
        return tl::unexpected(
            in_pass(*with_sets, {ErrorCode::unsupported, "descriptor sets of the application are not supported with "
                                                         "CompileOptions::bound_descriptor_buffer, because binding "
                                                         "them unbinds the application's descriptor buffers"}));
    }
    for (std::size_t i = 0; mode == DescriptorMode::buffer && i < is_bound.size(); ++i) {
        needs_address[i] = needs_address[i] || (is_bound[i] && !graph.resources[i].image);
    }
    for (const auto& [current, previous] : histories) {
        needs_address[current] = needs_address[previous] = needs_address[current] || needs_address[previous];
    }
    return {};
}

/// Finds the queues whose timestamps have as many valid bits as those of the main queue. A transfer queue also needs
/// Capabilities::host_query_reset, because no command resets queries there.
void Program::Impl::find_queues_with_times() {
    std::uint32_t count = 0;
    const auto list = device.instance_functions().vkGetPhysicalDeviceQueueFamilyProperties;
    list(device.physical_device(), &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    list(device.physical_device(), &count, families.data());
    for (const QueueKind kind : {QueueKind::main, QueueKind::compute, QueueKind::transfer}) {
        const std::uint32_t family = device.queue(kind).family;
        const bool is_like_main =
            family < count && families[family].timestampValidBits == device.capabilities().timestamp_bits;
        queue_has_times.at(static_cast<std::size_t>(kind)) =
            kind == QueueKind::main ||
            (is_like_main && (kind == QueueKind::compute || device.capabilities().host_query_reset));
    }
}

void Program::Impl::find_uses() {
    find_queues_with_times();
    written.resize(graph.resources.size(), false);
    ownership_transfer.resize(graph.resources.size(), false);
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].accesses()) {
                for (const std::uint32_t used : {use.resource, root_of(graph, use.resource)}) {
                    written[used] = written[used] || use.writes();
                }
            }
        }
        const std::size_t handovers = std::max(group.acquired.size(), group.released.size());
        max_image_barriers = std::max(max_image_barriers, group.image_barriers.size() + handovers);
        max_buffer_barriers = std::max(max_buffer_barriers, handovers);
        for (const OwnershipTransfer& given : group.released) {
            ownership_transfer[root_of(graph, given.resource)] = true;
        }
    }
    arrivals.resize(graph.resources.size());
    ranges.reserve(graph.resources.size());
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        const std::uint32_t previous = graph.resources[i].previous;
        if (previous != ResourceId::none && plan.used[i]) {
            histories.emplace_back(i, previous);
        }
    }
}

Result<> Program::Impl::make_pipelines() {
    std::vector<std::uint32_t> passes; // passes with a shader
    for (const PlanGroup& group : plan.groups) {
        std::copy_if(group.passes.begin(), group.passes.end(), std::back_inserter(passes),
                     [&](std::uint32_t index) { return graph.passes[index].compute_pass() != nullptr; });
    }
    const auto node_at = [&](std::size_t i) -> const GraphDescription::PassNode& { return graph.passes[passes[i]]; };
    const auto pass_at = [&](std::size_t i) -> const Pass& { return *node_at(i).compute_pass(); };
    pipelines.resize(graph.passes.size());
    std::vector<std::size_t> missing; // created in parallel; finding the others takes less time than starting a thread
    for (std::size_t i = 0; i < passes.size(); ++i) {
        pipelines[passes[i]] = find_pipeline(node_at(i));
        if (pipelines[passes[i]] == nullptr) {
            missing.push_back(i);
        }
    }
    const auto failed = first_error(missing.size(), device.parallel_for(), [&](std::size_t m) -> Result<> {
        return make_pipeline(node_at(missing[m])).map([&](auto&& made) { pipelines[passes[missing[m]]] = made; });
    });
    if (failed) {
        return tl::unexpected(in_pass(graph.passes[passes[missing[failed->task]]], failed->error));
    }
    WEIR_PROPAGATE(check_culled());
    std::vector<DescriptorPass> tables(graph.passes.size());
    std::size_t max_bindings = 0;
    sets.resize(graph.sets.size(), VK_NULL_HANDLE);
    uses_set.resize(graph.sets.size(), false);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const Pass& pass = pass_at(i);
        tables[passes[i]] = {pipelines[passes[i]], descriptor_types(graph, pass), !pass.sets.empty(),
                             device.has_names() ? pass.name : std::string()};
        for (const DescriptorSetId used : pass.sets) {
            uses_set[used.index] = true;
        }
        max_bound_sets = std::max(max_bound_sets, pass.sets.size());
        max_bindings = std::max(max_bindings, pass.bindings.size());
        max_push_words = std::max(max_push_words, push_bytes(pass) / sizeof(std::uint32_t));
    }
    bindings.resize(max_bindings);
    recorders.push_back(std::make_unique<Recorder>(*this));
    auto made =
        make_descriptors(mode, ContextAccess::device(context), ContextAccess::device(context)->descriptor_buffers(),
                         tables, copies.count(), options.bound_descriptor_buffer, options.name);
    WEIR_PROPAGATE(made);
    descriptors = std::move(*made);
    return {};
}

Result<> Program::Impl::check_culled() const {
    for (const std::uint32_t index : plan.culled) {
        const Pass* pass = graph.passes[index].compute_pass();
        const auto is_written = [](const Binding& binding) { return writes(binding.access); };
        if (pass == nullptr || std::any_of(pass->bindings.begin(), pass->bindings.end(), is_written) ||
            std::any_of(pass->addressed.begin(), pass->addressed.end(), is_written) ||
            std::any_of(pass->uses.begin(), pass->uses.end(),
                        [](const Use& use) { return use.raw ? use.raw->writes : writes(use.access); })) {
            continue;
        }
        const auto checked =
            device.shader(pass->shader).and_then([&](const std::shared_ptr<const CompiledShader>& shader) {
                return check_declarations(graph, *pass, *shader, device.capabilities());
            });
        if (!checked) {
            return tl::unexpected(in_pass(graph.passes[index], checked.error()));
        }
    }
    return {};
}

PipelineInfo Program::Impl::pipeline_info(const Pass& pass, std::shared_ptr<const CompiledShader> shader) const {
    PipelineInfo info;
    info.shader = std::move(shader);
    info.constants = pass.constants;
    info.bindings = descriptor_types(graph, pass);
    // All sets of a pipeline are in descriptor buffers, or none is.
    info.descriptors = mode == DescriptorMode::buffer && !pass.sets.empty() ? DescriptorMode::sets : mode;
    for (const DescriptorSetId set : pass.sets) {
        info.sets.push_back(graph.sets[set.index].layout);
    }
    info.push_bytes = static_cast<std::uint32_t>(push_bytes(pass));
    info.subgroup_size = pass.subgroup_size;
    info.full_subgroups = pass.full_subgroups;
    info.name = pass.name;
    return info;
}

std::shared_ptr<const Pipeline> Program::Impl::find_pipeline(const GraphDescription::PassNode& node) const {
    const Pass& pass = *node.compute_pass();
    const auto shader = device.shaders().find(pass.shader);
    if (shader == nullptr) {
        return nullptr;
    }
    auto pipeline = device.pipelines().find(pipeline_info(pass, shader));
    // The first check of a shader is slow and runs in a thread, in `make_pipeline`.
    return pipeline != nullptr && check_groups(pass.dispatch, graph.capabilities) &&
                   check_declarations(graph, pass, *shader, device.capabilities()) && check_spread(graph, node, *shader)
               ? pipeline
               : nullptr;
}

Result<std::shared_ptr<const Pipeline>> Program::Impl::make_pipeline(const GraphDescription::PassNode& node) const {
    const Pass& pass = *node.compute_pass();
    WEIR_PROPAGATE(check_groups(pass.dispatch, graph.capabilities));
    auto shader = device.shader(pass.shader);
    WEIR_PROPAGATE(shader);
    WEIR_PROPAGATE(check_declarations(graph, pass, **shader, device.capabilities()));
    WEIR_PROPAGATE(check_spread(graph, node, **shader));
    return device.pipeline(pipeline_info(pass, std::move(*shader)));
}

Result<Program> compile(const Context& context, const Graph& graph, const CompileOptions& options) {
    return Program::Impl::make(context, graph, options);
}

// The new program finds equal pipelines in the device's cache, because this program keeps its own alive.
Result<Program> Program::resized(const Graph& graph) const {
    return Impl::make(impl_->context, graph, impl_->options);
}

Result<Program> Program::Impl::make(const Context& context, const Graph& graph, const CompileOptions& options) {
    WEIR_PROPAGATE(check_made_for(graph.capabilities(), context.capabilities()));
    constexpr std::uint32_t max_recordings = 1024; // each has descriptors of its own
    const std::uint32_t frames = std::max(1U, options.frames_in_flight),
                        recordings = std::max(1U, options.recordings_per_frame);
    if (frames > max_recordings || recordings > max_recordings / frames) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded,
                                    concat("compile: ", frames, " frames in flight",
                                           recordings > 1 ? concat(" of ", recordings, " recordings each") : "",
                                           "; at most ", max_recordings, " recordings are supported")});
    }
    auto impl = std::make_unique<Impl>(context);
    impl->options = options;
    impl->resources.set_program(options.name);
    impl->label = options.name.empty() ? std::string() : concat("weir: ", options.name);
    impl->copies = {.frames = frames, .recordings = recordings};
    impl->graph = graph.description();
    WEIR_PROPAGATE(move_passes(impl->graph, options));
    if (options.pool &&
        ContextAccess::device(MemoryPoolAccess::blocks(*options.pool).context) != ContextAccess::device(context)) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "compile: the memory pool is of another context"});
    }
    PlanOptions planning{.order = options.order,
                         .share_memory = options.share_memory,
                         .pooled = options.pool.has_value(),
                         .one_queue = options.one_queue,
                         .general_layouts = options.general_layouts};
    const std::vector<std::uint32_t> families = families_of(impl->graph, {impl->graph.capabilities, options.one_queue});
    if (!impl->graph.error) { // sizes of images are known only with a device
        const auto apart = impl->resources.create_images(impl->graph, families);
        WEIR_PROPAGATE(apart);
        planning.images_apart = *apart;
    }
    auto plan = make_plan(impl->graph, planning);
    WEIR_PROPAGATE(plan);
    impl->plan = std::move(*plan);
    impl->graph.resources = impl->plan.graph->resources; // includes the pieces of images
    for (std::size_t pass = 0; pass < impl->graph.passes.size(); ++pass) {
        impl->graph.passes[pass].uses = impl->plan.graph->passes[pass].uses;
    }
    impl->find_uses();
    for (const auto& parameter : impl->graph.parameters) {
        impl->parameters.push_back(parameter.max);
    }
    for (const auto& one : impl->graph.switches) {
        impl->switches.push_back(one.on);
    }
    for (const auto& one : impl->graph.data) {
        impl->data.emplace_back(one.bytes / 4);
    }
    WEIR_PROPAGATE(impl->choose_descriptors(options.descriptors));
    WEIR_PROPAGATE(impl->resources.allocate(impl->graph, impl->plan,
                                            options.pool ? &MemoryPoolAccess::blocks(*options.pool) : nullptr,
                                            impl->needs_address, families, impl->copies.count()));
    WEIR_PROPAGATE(impl->make_pipelines());
    return Program(std::move(impl));
}

} // namespace weir
