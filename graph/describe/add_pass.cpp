#include <weir/graph/graph.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/conditions.hpp"
#include "graph/describe/indirect_arguments.hpp"
#include "graph/describe/passes.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

void Graph::add_pass(Pass pass, SourceLocation where) {
    const GraphCall call(*this, where);
    if (pass.dispatch.kind == Dispatch::Kind::none) {
        fail({ErrorCode::invalid_graph, "pass '" + pass.name +
                                            "' has no dispatch; set it, for example to "
                                            "Dispatch::groups(1)"});
        return;
    }
    if (pass.dispatch.kind == Dispatch::Kind::elements) {
        if (!accepts(pass.dispatch.count, pass.name)) {
            return;
        }
        if (pass.dispatch.per_group == 0) {
            fail({ErrorCode::invalid_graph,
                  "pass '" + pass.name + "' has a dispatch whose per_group is 0; it must be at least 1"});
            return;
        }
    } else if (pass.dispatch.kind > Dispatch::Kind::indirect) {
        fail({ErrorCode::invalid_graph, concat("pass '", pass.name, "' has a dispatch of kind ",
                                               static_cast<int>(pass.dispatch.kind), ", which does not exist")});
        return;
    }
    for (const PushWord& word : pass.push) {
        if (const HostData* data = std::get_if<HostData>(&word); data != nullptr && !accepts(*data, pass.name)) {
            return;
        }
        const Count* count = std::get_if<Count>(&word);
        if (count == nullptr) {
            continue;
        }
        if (count->kind == Count::Kind::gpu) {
            if (accepts(count->buffer, pass.name)) {
                fail({ErrorCode::invalid_graph, "pass '" + pass.name + "' pushes a GPU count; bind its buffer '" +
                                                    description_->resources[count->buffer.index].name + "' instead"});
            }
            return;
        }
        if (!accepts(*count, pass.name)) {
            return;
        }
    }
    if (!pass.addressed.empty() && !capabilities().buffer_address) {
        fail({ErrorCode::unsupported,
              "pass '" + pass.name + "' takes addresses of buffers, which require the feature bufferDeviceAddress"});
        return;
    }
    for (const auto* bindings : {&pass.bindings, &pass.addressed}) {
        const bool is_bound = bindings == &pass.bindings;
        for (const Binding& binding : *bindings) {
            if (binding.is_sampler && is_bound && binding.sampler != VK_NULL_HANDLE) {
                continue;
            }
            if (binding.is_sampler) {
                fail({ErrorCode::invalid_graph,
                      "pass '" + pass.name + "' " +
                          (is_bound ? "binds a null sampler" : "takes the address of a sampler")});
                return;
            }
            if (!accepts(binding.resource, pass.name) ||
                (!is_bound && !accepts(BufferId{binding.resource}, pass.name))) {
                return;
            }
            const auto& used = description_->resources[binding.resource.index];
            if (binding.concurrent && !writes(binding.access)) {
                fail({ErrorCode::invalid_graph,
                      concat("pass '", pass.name, "' binds ", kind_of(used), " '", used.name, "' for ",
                             to_string(binding.access), ", concurrent; a concurrent use must write")});
                return;
            }
            if (binding.access == Access::none && is_bound) {
                continue;
            }
            if (binding.access > Access::any &&
                !check_access(binding.resource.index, binding.access,
                              concat("pass '", pass.name, "' binds ", kind_of(used), " '", used.name, "' for "))) {
                return;
            }
            const bool is_sampled = binding.access == Access::sampled_read && used.image;
            const bool is_uniform = binding.access == Access::uniform_read && !used.image && is_bound;
            if (!is_sampled && !is_uniform && binding.access != Access::shader_read &&
                binding.access != Access::shader_write && binding.access != Access::shader_read_write) {
                fail({ErrorCode::invalid_graph,
                      "pass '" + pass.name + "' binds " + kind_of(used) + " '" + used.name + "' for " +
                          to_string(binding.access) +
                          "; a binding must be a shader read or write, a sampled read of an image or a "
                          "uniform read of a buffer"});
                return;
            }
        }
    }
    if (!check_sets(pass)) {
        return;
    }
    if (pass.dispatch.kind == Dispatch::Kind::indirect) {
        if (!accepts(pass.dispatch.arguments, pass.name)) {
            return;
        }
        const auto& arguments = description_->resources[pass.dispatch.arguments.index];
        if ((pass.dispatch.word + 3ULL) * 4 > arguments.bytes) {
            fail({ErrorCode::invalid_graph, "pass '" + pass.name + "' reads its 3 dispatch arguments from word " +
                                                std::to_string(pass.dispatch.word) + " of '" + arguments.name +
                                                "', which has " + std::to_string(arguments.bytes / 4) + " words"});
            return;
        }
        pass.dispatch.x = pass.dispatch.y = pass.dispatch.z = 0; // the maximum is unknown
    }
    append_pass(*description_, std::move(pass));
}

void Graph::add_fill(std::string name, BufferId buffer, std::uint32_t value, SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(buffer, name)) {
        const std::uint64_t bytes = description_->resources[buffer.index].bytes;
        append_fill(*description_, std::move(name), buffer, {value, bytes});
    }
}

void Graph::add_copy(std::string name, BufferId source, BufferId destination, std::uint64_t bytes,
                     SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(source, name) || !accepts(destination, name)) {
        return;
    }
    for (const BufferId side : {source, destination}) {
        const auto& buffer = description_->resources[side.index];
        if (bytes % 4 != 0 || bytes == 0) {
            fail({ErrorCode::invalid_graph, "pass '" + name + "' copies " + std::to_string(bytes) + " bytes of '" +
                                                buffer.name + "'; the number must be a positive multiple of 4"});
            return;
        }
        if (bytes > buffer.bytes) {
            fail({ErrorCode::invalid_graph, "pass '" + name + "' copies " + std::to_string(bytes) + " bytes; '" +
                                                buffer.name + "' has " + std::to_string(buffer.bytes)});
            return;
        }
    }
    append_copy(*description_, std::move(name), source, destination, {bytes});
}

void Graph::add_update(std::string name, HostData source, BufferId destination, SourceLocation where) {
    constexpr std::uint32_t max_bytes = 65536; // limit of vkCmdUpdateBuffer
    const GraphCall call(*this, where);
    if (!accepts(source, name) || !accepts(destination, name)) {
        return;
    }
    const auto& buffer = description_->resources[destination.index];
    if (source.bytes > max_bytes) {
        fail({ErrorCode::invalid_graph,
              concat("pass '", name, "' writes ", source.bytes, " bytes; at most ", max_bytes, " are supported")});
        return;
    }
    if (source.bytes > buffer.bytes) {
        fail({ErrorCode::invalid_graph,
              concat("pass '", name, "' writes ", source.bytes, " bytes; '", buffer.name, "' has ", buffer.bytes)});
        return;
    }
    append_update(*description_, std::move(name), {source}, destination);
}

void Graph::add_command_pass(CommandPass pass, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!pass.record) {
        fail({ErrorCode::invalid_graph, "command pass '" + pass.name + "' has no record function"});
        return;
    }
    if (open_gate(*description_)) {
        fail({ErrorCode::invalid_graph,
              "command pass '" + pass.name + "' is not supported inside only_if of a GPU count"});
        return;
    }
    for (const Use& use : pass.uses) {
        if (!accepts(use.resource, pass.name)) {
            return;
        }
        const auto& used = description_->resources[use.resource.index];
        const std::string what = "command pass '" + pass.name + "' uses " + kind_of(used) + " '" + used.name + "' for ";
        if (!use.raw && (use.access == Access::none || use.access == Access::present ||
                         use.access == Access::host_read || use.access == Access::host_write)) {
            fail({ErrorCode::invalid_graph,
                  what + to_string(use.access) +
                      ", which is not an access of commands; imports arrive and exports leave with it"});
            return;
        }
        if (!check_use(use, what)) {
            return;
        }
    }
    append_command_pass(*description_, std::move(pass));
}

Subgraph Graph::add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                          SourceLocation where) {
    const GraphCall call(*this, where);
    const auto refuse = [&](const Error& error) {
        fail({error.code, "graph '" + name + "': " + error.message});
        return Subgraph();
    };
    if (&inner == this) {
        return refuse({ErrorCode::invalid_graph, "a graph cannot contain itself"});
    }
    if (inner.error()) {
        return refuse(*inner.error());
    }
    const auto& passes = inner.description().passes;
    const auto recorded = std::find_if(passes.begin(), passes.end(), [](const auto& pass) {
        return pass.command_pass() != nullptr || std::holds_alternative<GraphDescription::ImageWork>(pass.work);
    });
    if (recorded != passes.end() && open_gate(*description_)) {
        return refuse(
            {ErrorCode::invalid_graph, "pass '" + recorded->name + "' is not supported inside only_if of a GPU count"});
    }
    auto added = Subgraph::add(*description_, inner.description(), connections, name + "/");
    return added ? std::move(*added) : refuse(added.error());
}

} // namespace weir
