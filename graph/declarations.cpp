#include "graph/declarations.hpp"

#include <optional>
#include <string>
#include <vector>

#include <weir/graph/plan.hpp>

#include "engine/reflection.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

std::optional<std::uint32_t> known(const PushWord& word) {
    const auto* count = std::get_if<Count>(&word);
    if (count == nullptr) {
        return std::get<std::uint32_t>(word);
    }
    return count->kind == Count::Kind::constant ? std::optional(count->max) : std::nullopt;
}

Reflection::Kind declared_kind(const GraphDescription& graph, const Binding& binding) {
    if (!graph.resources[binding.resource.index].image) {
        return Reflection::Kind::storage_buffer;
    }
    return binding.access != Access::sampled_read ? Reflection::Kind::storage_image
           : binding.sampler != VK_NULL_HANDLE    ? Reflection::Kind::combined_image_sampler
                                                  : Reflection::Kind::sampled_image;
}

std::string kind_of(const Reflection::Resource& resource) {
    return resource.is_array ? concat("an array of ", to_string(resource.kind), "s")
                             : concat("a ", to_string(resource.kind));
}

/// What is wrong with how the shader uses `resource`; empty: nothing.
std::string mistake(const GraphDescription& graph, const Pass& pass, const Reflection::Resource& resource,
                    bool followed) {
    const std::string in_shader = resource.name.empty() ? "" : concat(" ('", resource.name, "' in the shader)");
    if (resource.set != 0) {
        return concat("the shader uses binding ", resource.binding, in_shader, " of set ", resource.set,
                      "; a pass binds set 0 only");
    }
    if (resource.binding >= pass.bindings.size()) {
        return concat("the shader uses binding ", resource.binding, in_shader, "; the pass declares ",
                      pass.bindings.size());
    }
    const Binding& declared = pass.bindings[resource.binding];
    const std::string binding =
        concat("binding ", resource.binding, ", ", graph.resources[declared.resource.index].image ? "image" : "buffer",
               " '", graph.resources[declared.resource.index].name, "'", in_shader, ", ");
    const Reflection::Kind kind = declared_kind(graph, declared);
    const bool is_any = declared.access == Access::none && !resource.used; // of any kind
    if ((resource.kind != kind && !is_any) || resource.is_array) {
        return concat(binding, "is ", kind_of(resource), " in the shader; the pass declares a ", to_string(kind));
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

} // namespace

Result<> check_declarations(const GraphDescription& graph, const Pass& pass, std::span<const std::uint32_t> spirv) {
    std::vector<std::optional<std::uint32_t>> push(pass.addressed.size() * 2);
    for (const PushWord& word : pass.push) {
        push.push_back(known(word));
    }
    const Reflection reflection = reflect(spirv, pass.constants, push);
    const auto fail = [&](const std::string& why) { return tl::unexpected(Error{ErrorCode::invalid_graph, why}); };
    for (const Reflection::Resource& resource : reflection.resources) {
        if (const std::string why = mistake(graph, pass, resource, reflection.followed); !why.empty()) {
            return fail(why);
        }
    }
    if (reflection.push_bytes > push.size() * sizeof(std::uint32_t)) {
        return fail(concat("the shader has ", reflection.push_bytes, " bytes of push constants; the pass declares ",
                           push.size() * sizeof(std::uint32_t)));
    }
    return {};
}

} // namespace weir
