// Checks of arguments that all functions which add to a graph share.
#include <weir/graph/graph.hpp>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/raw_use.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

bool Graph::accepts(ResourceId resource, const std::string& pass, const char* kind) {
    if (!resource.valid()) {
        fail({ErrorCode::invalid_graph,
              "pass '" + pass + "' uses a null " + kind + "; results that are not requested are null"});
        return false;
    }
    if (resource.graph != description_->identity.get() || resource.index >= description_->resources.size()) {
        fail({ErrorCode::invalid_graph,
              "pass '" + pass + "' uses a" + (*kind == 'i' ? "n " : " ") + kind + " of another graph"});
        return false;
    }
    return true;
}

bool Graph::accepts(BufferId buffer, const std::string& pass) {
    if (!accepts(buffer, pass, "buffer")) {
        return false;
    }
    const auto& node = description_->resources[buffer.index];
    if (node.image) {
        fail({ErrorCode::invalid_graph, "pass '" + pass + "' uses image '" + node.name + "' where a buffer is needed"});
    }
    return !node.image;
}

bool Graph::accepts(ImageId image, const std::string& pass) {
    if (!accepts(image, pass, "image")) {
        return false;
    }
    const auto& node = description_->resources[image.index];
    if (!node.image) {
        fail(
            {ErrorCode::invalid_graph, "pass '" + pass + "' uses buffer '" + node.name + "' where an image is needed"});
    }
    return node.image.has_value();
}

bool Graph::check_access(std::uint32_t resource, Access access, const std::string& what) {
    const bool is_image = description_->resources[resource].image.has_value();
    if (is_image ? is_for_images(access) : is_for_buffers(access)) {
        return true;
    }
    fail({ErrorCode::invalid_graph,
          access > Access::any
              ? concat(what, "access ", static_cast<int>(access), ", which does not exist")
              : concat(what, to_string(access), ", which requires ", is_image ? "a buffer" : "an image")});
    return false;
}

bool Graph::check_raw(std::uint32_t resource, const UseScope& raw, const std::string& what) {
    const std::string mistake = mistake_of(raw, description_->resources[resource].image.has_value());
    if (!mistake.empty()) {
        fail({ErrorCode::invalid_graph, concat(what, "a raw use that ", mistake)});
    }
    return mistake.empty();
}

bool Graph::check_use(const Use& use, const std::string& what) {
    if (use.concurrent && !(use.raw ? use.raw->writes : writes(use.access))) {
        fail({ErrorCode::invalid_graph, concat(what, use.raw ? to_string(*use.raw) : to_string(use.access),
                                               ", concurrent; a concurrent use must write")});
        return false;
    }
    return use.raw ? check_raw(use.resource.index, *use.raw, what) : check_access(use.resource.index, use.access, what);
}

bool Graph::check_accesses(std::uint32_t resource, const Accesses& accesses, const std::string& what) {
    const bool is_image = description_->resources[resource].image.has_value();
    for (const Access access : accesses) {
        if (!check_access(resource, access, what)) {
            return false;
        }
        for (auto other = accesses.begin(); is_image && *other != access; ++other) {
            if (layout_of({*other, access}) == VK_IMAGE_LAYOUT_UNDEFINED) {
                fail({ErrorCode::invalid_graph, concat(what, to_string(*other), " and for ", to_string(access),
                                                       ", which require different layouts")});
                return false;
            }
        }
    }
    for (const UseScope& raw : accesses.raw()) {
        if (!check_raw(resource, raw, what)) {
            return false;
        }
        const VkImageLayout first = accesses.scopes().front().layout;
        if (is_image && raw.layout != first) { // an image is in exactly this layout
            fail({ErrorCode::invalid_graph, concat(what, to_string(accesses), ", which require different layouts")});
            return false;
        }
    }
    return true;
}

void Graph::add_usage_flags(ResourceId resource, VkFlags usage) {
    auto& node = description_->resources[root_of(*description_, resource.index)];
    if (node.lifetime == GraphDescription::Lifetime::import) {
        fail({ErrorCode::invalid_graph, concat("add_usage: ", kind_of(node), " '", node.name,
                                               "' is an import; the application creates it with all usage flags")});
        return;
    }
    node.usage |= usage;
}

void Graph::allow_undefined(ResourceId resource, SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(resource, "allow_undefined")) {
        description_->resources[root_of(*description_, resource.index)].can_be_undefined = true;
    }
}

void Graph::allow_smaller(BufferId import, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(import, "allow_smaller")) {
        return;
    }
    auto& node = description_->resources[import.index];
    if (node.lifetime != GraphDescription::Lifetime::import || node.part_of != ResourceId::none) {
        fail({ErrorCode::invalid_graph, concat("allow_smaller: buffer '", node.name, "' is not an import")});
        return;
    }
    node.can_be_smaller = true;
}

void Graph::add_usage(BufferId buffer, VkBufferUsageFlags usage, SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(buffer, "add_usage")) {
        add_usage_flags(buffer, usage);
    }
}

void Graph::add_usage(ImageId image, VkImageUsageFlags usage, SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(image, "add_usage")) {
        add_usage_flags(image, usage);
    }
}

bool Graph::accepts(const Count& count, const std::string& pass) {
    const auto refuse = [&](const std::string& what) {
        fail({ErrorCode::invalid_graph, concat("pass '", pass, "' uses ", what)});
        return false;
    };
    switch (count.kind) {
    case Count::Kind::constant: return true;
    case Count::Kind::parameter:
        return (count.buffer.graph == description_->identity.get() &&
                count.parameter < description_->parameters.size()) ||
               refuse("a parameter of another graph");
    case Count::Kind::gpu: {
        if (!accepts(count.buffer, pass)) {
            return false;
        }
        const auto& buffer = description_->resources[count.buffer.index];
        return (count.word + 1ULL) * 4 <= buffer.bytes ||
               refuse(concat("a count that is word ", count.word, " of buffer '", buffer.name, "', which has ",
                             buffer.bytes / 4, " words"));
    }
    }
    return refuse(concat("a count of kind ", static_cast<int>(count.kind), ", which does not exist"));
}

bool Graph::check_sets(const Pass& pass) {
    const auto refuse = [&](const std::string& what) {
        fail({ErrorCode::invalid_graph, concat("pass '", pass.name, "' ", what)});
        return false;
    };
    for (std::size_t i = 0; i < pass.sets.size(); ++i) {
        if (pass.sets[i].graph != description_->identity.get() || pass.sets[i].index >= description_->sets.size()) {
            return refuse(concat(
                "binds ", pass.sets[i].graph == nullptr ? "a null descriptor set" : "a descriptor set of another graph",
                " as set ", i + 1));
        }
    }
    if (const std::uint32_t max = capabilities().max_bound_sets; 1 + pass.sets.size() > max) {
        return refuse(concat("has ", pass.sets.size(),
                             " descriptor sets in addition to set 0; the device binds at most ", max,
                             " in total (maxBoundDescriptorSets)"));
    }
    for (const Use& use : pass.uses) {
        if (!accepts(use.resource, pass.name)) {
            return false;
        }
        const auto& used = description_->resources[use.resource.index];
        const std::string what = concat("uses ", kind_of(used), " '", used.name, "' for ");
        if (!check_use(use, concat("pass '", pass.name, "' ", what))) {
            return false;
        }
        if (use.raw) {
            continue;
        }
        switch (use.access) {
        case Access::shader_read:
        case Access::shader_write:
        case Access::shader_read_write:
        case Access::sampled_read:
        case Access::uniform_read: break;
        default: return refuse(concat(what, to_string(use.access), ", which is not an access of compute shaders"));
        }
    }
    return true;
}

bool Graph::accepts(const HostData& data, const std::string& pass) {
    if (data.graph == description_->identity.get() && data.index < description_->data.size()) {
        return true;
    }
    fail({ErrorCode::invalid_graph,
          "pass '" + pass + "' uses " + (data.graph == nullptr ? "null host data" : "host data of another graph")});
    return false;
}

} // namespace weir
