#include "graph/program/declarations.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/shader/compiled_shader.hpp"
#include "engine/spirv/spirv.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

namespace {

/// Appends the words that are pushed. Words that are not known before recording are empty.
void add_known(std::vector<std::optional<std::uint32_t>>& push, const PushWord& word) {
    if (const auto* value = std::get_if<std::uint32_t>(&word)) {
        push.emplace_back(*value);
    } else if (const auto* data = std::get_if<HostData>(&word)) {
        push.insert(push.end(), data->bytes / 4, std::nullopt);
    } else {
        const Count& count = std::get<Count>(word);
        push.push_back(count.kind == Count::Kind::constant ? std::optional(count.max) : std::nullopt);
    }
}

Reflection::Kind declared_kind(const GraphDescription& graph, const Binding& binding) {
    if (binding.is_sampler) {
        return Reflection::Kind::sampler;
    }
    if (!graph.resources[binding.resource.index].image) {
        return binding.access == Access::uniform_read ? Reflection::Kind::uniform_buffer
                                                      : Reflection::Kind::storage_buffer;
    }
    return binding.access != Access::sampled_read ? Reflection::Kind::storage_image
           : binding.sampler != VK_NULL_HANDLE    ? Reflection::Kind::combined_image_sampler
                                                  : Reflection::Kind::sampled_image;
}

std::string kind_of(const Reflection::Resource& resource) {
    return resource.is_array ? concat("an array of ", to_string(resource.kind), "s")
                             : concat("a ", to_string(resource.kind));
}

/// Describes the mistake in the shader's use of `resource`; empty if the use is correct.
std::string mistake(const GraphDescription& graph, const Pass& pass, const Reflection::Resource& resource,
                    bool followed) {
    const std::string in_shader = resource.name.empty() ? "" : concat(" (", quoted(resource), " in the shader)");
    if (resource.set > pass.sets.size()) {
        return concat("the shader uses binding ", resource.binding, in_shader, " of set ", resource.set,
                      "; the pass has set 0",
                      pass.sets.empty() ? std::string(" only") : concat(" to ", pass.sets.size()));
    }
    if (resource.set != 0) { // a set of the application
        const bool declares_writes = std::any_of(pass.uses.begin(), pass.uses.end(), [](const Use& use) {
            return use.raw ? use.raw->writes : writes(use.access);
        });
        return !followed || !resource.written || declares_writes
                   ? std::string()
                   : concat("the shader writes binding ", resource.binding, in_shader, " of set ", resource.set,
                            "; Pass::uses declares no write");
    }
    if (resource.binding >= pass.bindings.size()) {
        const bool is_globals = resource.name.starts_with(globals_block);
        return concat("the shader uses binding ", resource.binding, in_shader, "; the pass declares ",
                      pass.bindings.size(), " bindings",
                      resource.is_counter ? "; bind the counter, a buffer of one uint, as read_write"
                      : is_globals        ? "; global variables that are not static are a uniform buffer"
                                          : "");
    }
    const Binding& declared = pass.bindings[resource.binding];
    const auto* declared_resource = declared.is_sampler ? nullptr : &graph.resources[declared.resource.index];
    const std::string name = declared_resource == nullptr ? std::string(", a sampler")
                                                          : concat(", ", declared_resource->image ? "image" : "buffer",
                                                                   " '", declared_resource->name, "'");
    const std::string binding = concat("binding ", resource.binding, name, in_shader, ", ");
    const Reflection::Kind kind = declared_kind(graph, declared);
    const bool is_any = declared.access == Access::none && !declared.is_sampler && !resource.used; // may be of any kind
    if ((resource.kind != kind && !is_any) || resource.is_array) {
        return concat(binding, "is ", kind_of(resource), " in the shader; the pass declares a ", to_string(kind));
    }
    if (declared.is_sampler) {
        return {};
    }
    const bool reads_more = resource.read && !reads(declared.access) && !declared.reads_back;
    const bool writes_more = resource.written && !writes(declared.access);
    if (!followed || (!reads_more && !writes_more && (!resource.used || declared.access != Access::none))) {
        return {};
    }
    return concat(binding, "is ",
                  reads_more && writes_more ? "read and written"
                  : reads_more              ? "read"
                  : writes_more             ? "written"
                                            : "used",
                  " by the shader; the pass declares it ",
                  declared.access == Access::none ? "unused" : to_string(declared.access));
}

/// Checks the size of workgroups. Sizes that are specialization constants can have any value, and a driver must not see
/// one that it does not support.
Result<> check_workgroup(const Reflection& reflection, const Pass& pass, bool full_subgroups,
                         const Capabilities& made_for, const Capabilities& device) {
    const std::uint32_t limits[] = {made_for.max_workgroup_invocations, made_for.max_workgroup_size_y,
                                    made_for.max_workgroup_size_z};
    const auto& size = reflection.workgroup_size;
    const auto text = [&](std::size_t i) { return size[i] ? std::to_string(*size[i]) : std::string("?"); };
    const std::string workgroups = concat("the shader has workgroups of ", text(0), " x ", text(1), " x ", text(2));
    std::uint64_t invocations = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        if (size[i] == 0U) {
            return tl::unexpected(
                Error{ErrorCode::invalid_graph, concat(workgroups, "; each dimension must be at least 1")});
        }
        invocations *= size[i].value_or(1);
        if (size[i].value_or(1) > limits[i] || invocations > made_for.max_workgroup_invocations) {
            return tl::unexpected(
                Error{ErrorCode::limit_exceeded,
                      concat(workgroups, "; the device's limits are ", limits[0], " x ", limits[1], " x ", limits[2],
                             " and ", made_for.max_workgroup_invocations,
                             " invocations (maxComputeWorkGroupSize, maxComputeWorkGroupInvocations)")});
        }
    }
    const std::uint32_t subgroup = pass.subgroup_size != 0 ? pass.subgroup_size : device.subgroup_size_max;
    if (full_subgroups && size[0] && *size[0] % subgroup != 0) {
        return tl::unexpected(Error{ErrorCode::invalid_graph,
                                    concat(workgroups, "; full subgroups require that x is a multiple of ", subgroup)});
    }
    return {};
}

/// Checks the use of <weir/weir_*.hlsl>, whose functions give wrong results without `weir_begin`, with another size of
/// workgroups, and on devices whose lanes diverge in loops of shuffles: HLSL has no barrier of subgroups.
Result<> check_hlsl_layers(const CompiledShader& shader, const Reflection& reflection, const Capabilities& device) {
    const HlslLayers layers = hlsl_layers(shader.words());
    const auto fail = [](ErrorCode code, std::string why) { return tl::unexpected(Error{code, std::move(why)}); };
    if (!layers.used) {
        return {};
    }
    if (device.shuffles_need_barriers()) {
        return fail(ErrorCode::unsupported,
                    "the shader includes <weir/weir_*.hlsl>, which require "
                    "VK_KHR_shader_subgroup_uniform_control_flow on a GPU; use <weir/weir_*.glsl>");
    }
    if (layers.workgroup == 0) {
        return fail(ErrorCode::invalid_graph, "the shader includes <weir/weir_*.hlsl> and does not call weir_begin()");
    }
    std::uint64_t invocations = 1;
    for (const auto& size : reflection.workgroup_size) {
        invocations *= size.value_or(1);
    }
    return invocations == layers.workgroup
               ? Result<>()
               : fail(ErrorCode::invalid_graph, concat("the shader defines WEIR_WORKGROUP as ", layers.workgroup,
                                                       "; its numthreads are ", invocations));
}

/// Describes the first mistake in the shader's use of resources and push constants; empty if it has no mistake.
/// `pushed`: bytes of push constants that the pass declares.
std::string mistake(const GraphDescription& graph, const Pass& pass, const Reflection& reflection, std::size_t pushed) {
    if (!reflection.mistake.empty()) {
        return reflection.mistake;
    }
    for (const Reflection::Resource& resource : reflection.resources) {
        if (std::string why = mistake(graph, pass, resource, reflection.followed); !why.empty()) {
            return why;
        }
    }
    if (reflection.push_bytes > pushed) {
        return concat("the shader has ", reflection.push_bytes, " bytes of push constants; the pass declares ", pushed);
    }
    return {};
}

/// Checks that repeating the work of a pass's shader writes the same again: the pass reads nothing that it writes.
bool can_repeat(const GraphDescription& graph, const GraphDescription::PassNode& node, const Pass& pass) {
    const auto accesses = node.accesses();
    const auto is_read = [&](std::uint32_t resource) {
        return std::any_of(accesses.begin(), accesses.end(), [&](const GraphDescription::PassUse& use) {
            return use.reads() && root_of(graph, use.resource) == root_of(graph, resource);
        });
    };
    const auto reads_back = [](const Binding& binding) { return binding.reads_back; };
    return std::none_of(accesses.begin(), accesses.end(),
                        [&](const auto& use) { return use.writes() && is_read(use.resource); }) &&
           std::none_of(pass.bindings.begin(), pass.bindings.end(), reads_back) &&
           std::none_of(pass.addressed.begin(), pass.addressed.end(), reads_back);
}

} // namespace

Result<> check_spread(const GraphDescription& graph, const GraphDescription::PassNode& node,
                      const CompiledShader& shader) {
    constexpr std::uint32_t x = 1, x_and_y = 3;
    const GraphDescription::Spread& spread = node.spread;
    if (spread.y <= 1) {
        return {};
    }
    const Pass& pass = *node.compute_pass();
    const auto reflection = shader.reflection(pass.constants, {});
    const bool strides = reflection->loops && (reflection->group_counts & x_and_y) == x;
    if (!reflection->followed || (reflection->place & x_and_y) != x || (strides && can_repeat(graph, node, pass))) {
        return {};
    }
    return tl::unexpected(
        Error{ErrorCode::invalid_graph,
              concat("shader '", pass.shader.name(),
                     "' reads x of gl_WorkGroupID or gl_GlobalInvocationID and ignores y; up to ",
                     std::uint64_t{spread.x} * spread.y, " workgroups are spread over ", spread.y,
                     " rows in y, because the device runs at most ", graph.capabilities.max_workgroup_count_x,
                     " in x (maxComputeWorkGroupCount); use weir_workgroup_index() of <weir/dispatch.glsl>")});
}

Error in_pass(const GraphDescription::PassNode& pass, const Error& error) {
    const std::string where = to_string(pass.where);
    const bool has_lines = error.code == ErrorCode::shader_compilation; // the shader's lines, which follow `where`
    return {error.code,
            concat("pass '", pass.name, "'", has_lines ? where : "", ": ", error.message, has_lines ? "" : where),
            error.result};
}

std::size_t push_bytes(const Pass& pass) {
    std::size_t bytes = pass.addressed.size() * sizeof(VkDeviceAddress);
    for (const PushWord& word : pass.push) {
        const auto* data = std::get_if<HostData>(&word);
        bytes += data != nullptr ? data->bytes : sizeof(std::uint32_t);
    }
    return bytes;
}

Result<> check_declarations(const GraphDescription& graph, const Pass& pass, const CompiledShader& shader,
                            const Capabilities& device) {
    std::vector<std::optional<std::uint32_t>> pushed(pass.addressed.size() * 2);
    for (const PushWord& word : pass.push) {
        add_known(pushed, word);
    }
    // The first check knows no push constants. Its reflection is the same for graphs of all sizes. A shader that passes
    // it is also correct with the known push constants.
    const auto reflection = shader.reflection(pass.constants, {});
    const bool full_subgroups = pass.full_subgroups || shader.uses_layers();
    WEIR_PROPAGATE(check_hlsl_layers(shader, *reflection, device));
    WEIR_PROPAGATE(check_workgroup(*reflection, pass, full_subgroups, graph.capabilities, device));
    std::string why = mistake(graph, pass, *reflection, push_bytes(pass));
    if (!why.empty()) {
        why = mistake(graph, pass, *shader.reflection(pass.constants, pushed), push_bytes(pass));
    }
    return why.empty() ? Result<>() : tl::unexpected(Error{ErrorCode::invalid_graph, why});
}

} // namespace weir
