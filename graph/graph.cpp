#include <weir/graph/graph.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

#include "engine/text.hpp"
#include "graph/conditions.hpp"
#include "graph/stages.hpp"

namespace weir {

namespace {

constexpr ErrorCode invalid = ErrorCode::invalid_graph;

} // namespace

Dispatch Dispatch::groups(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return {.kind = Kind::groups, .x = x, .y = y, .z = z};
}

Dispatch Dispatch::elements(Count count, std::uint32_t per_group, std::uint32_t at_least) {
    return {.kind = Kind::elements, .count = count, .per_group = per_group, .at_least = at_least};
}

Dispatch Dispatch::indirect(BufferId arguments, std::uint32_t word) {
    return {.kind = Kind::indirect, .arguments = arguments, .word = word};
}

Graph::Graph(const Capabilities& capabilities) : description_(std::make_unique<GraphDescription>()) {
    description_->capabilities = capabilities;
}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const Capabilities& Graph::capabilities() const {
    return description_->capabilities;
}

const GraphDescription& Graph::description() const {
    return *description_;
}

const std::optional<Error>& Graph::error() const {
    return description_->error;
}

std::string to_string(const SourceLocation& where) {
    const std::string_view file = where.file;
    return where.line == 0 ? "" : concat(" (", file.substr(file.find_last_of("/\\") + 1), ":", where.line, ")");
}

GraphCall::GraphCall(Graph& graph, SourceLocation where)
    : graph_(graph), is_outermost_(graph.description_->caller.line == 0) {
    if (is_outermost_) {
        graph_.description_->caller = where;
    }
}

GraphCall::~GraphCall() {
    if (is_outermost_) {
        graph_.description_->caller = {};
    }
}

void Graph::fail(Error error) {
    if (!description_->error) {
        error.message += to_string(description_->caller);
        description_->error = std::move(error);
    }
}

BufferId Graph::add_import(std::string name, std::uint64_t capacity, std::uint64_t element, Access arrives,
                           SourceLocation where) {
    const BufferId id = add_transient(std::move(name), capacity, element, where);
    description_->resources.back().lifetime = GraphDescription::Lifetime::import;
    description_->resources.back().arrives = arrives;
    return id;
}

BufferId Graph::add_transient(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where) {
    const GraphCall call(*this, where);
    auto& resources = description_->resources;
    if (capacity == 0) {
        fail({invalid, "buffer '" + name + "' has a capacity of 0"});
    }
    const BufferId id{{static_cast<std::uint32_t>(resources.size()), description_->identity.get()}};
    const std::uint64_t bytes = std::max<std::uint64_t>(capacity, 1) * element;
    // Whole words.
    resources.push_back(
        {.name = std::move(name), .bytes = (bytes + 3) & ~std::uint64_t{3}, .where = description_->caller});
    return id;
}

BufferId Graph::add_state(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where) {
    const BufferId id = add_transient(std::move(name), capacity, element, where);
    description_->resources.back().lifetime = GraphDescription::Lifetime::state;
    return id;
}

BufferId Graph::add_history(const std::string& name, std::uint64_t capacity, std::uint64_t element,
                            SourceLocation where) {
    const BufferId current = add_state(name, capacity, element, where);
    const BufferId previous = add_state("previous " + name, capacity, element, where);
    description_->resources[current.index].previous = previous.index;
    description_->resources[previous.index].current = current.index;
    return current;
}

Count Graph::parameter(std::string name, std::uint32_t max) {
    Count count(max);
    count.kind = Count::Kind::parameter;
    count.parameter = static_cast<std::uint32_t>(description_->parameters.size());
    count.buffer.graph = description_->identity.get();
    description_->parameters.push_back({std::move(name), max});
    return count;
}

Count Graph::count_in(BufferRef<std::uint32_t> buffer, std::uint32_t word, std::uint32_t max, SourceLocation where) {
    const GraphCall call(*this, where);
    if (check(buffer, "count_in") && word >= buffer.capacity) {
        fail({invalid, "a count is word " + std::to_string(word) + " of buffer '" +
                           description_->resources[buffer.id.index].name + "', which has " +
                           std::to_string(buffer.capacity)});
    }
    Count count(max);
    count.kind = Count::Kind::gpu;
    count.buffer = buffer;
    count.word = word;
    return count;
}

bool Graph::check(ResourceId resource, const std::string& pass) {
    if (!resource.valid()) {
        fail({invalid, "pass '" + pass + "' uses a buffer that no graph has made"});
        return false;
    }
    if (resource.graph != description_->identity.get() || resource.index >= description_->resources.size()) {
        fail({invalid, "pass '" + pass + "' uses a buffer of another graph"});
        return false;
    }
    return true;
}

bool Graph::check(const Count& count, const std::string& pass) {
    if (count.kind != Count::Kind::parameter || count.buffer.graph == description_->identity.get()) {
        return true;
    }
    fail({invalid, "pass '" + pass + "' uses a parameter of another graph"});
    return false;
}

void Graph::add_pass(Pass pass, SourceLocation where) {
    const GraphCall call(*this, where);
    if (pass.dispatch.kind == Dispatch::Kind::elements) {
        if (!check(pass.dispatch.count, pass.name)) {
            return;
        }
        if (pass.dispatch.per_group == 0) {
            fail({invalid, "pass '" + pass.name + "' dispatches a workgroup per 0 elements"});
            return;
        }
        if (pass.dispatch.count.kind == Count::Kind::gpu && !check(pass.dispatch.count.buffer, pass.name)) {
            return;
        }
    }
    for (const PushWord& word : pass.push) {
        const Count* count = std::get_if<Count>(&word);
        if (count == nullptr) {
            continue;
        }
        if (count->kind == Count::Kind::gpu) {
            if (check(count->buffer, pass.name)) {
                fail({invalid, "pass '" + pass.name + "' pushes a count that only the GPU knows; bind its buffer '" +
                                   description_->resources[count->buffer.index].name + "' instead"});
            }
            return;
        }
        if (!check(*count, pass.name)) {
            return;
        }
    }
    GraphDescription::PassNode node;
    node.name = pass.name;
    if (!pass.addressed.empty() && !capabilities().buffer_address) {
        fail({ErrorCode::unsupported,
              "pass '" + pass.name + "' takes addresses of buffers, for which the device has no bufferDeviceAddress"});
        return;
    }
    for (const auto* bindings : {&pass.bindings, &pass.addressed}) {
        for (const Binding& binding : *bindings) {
            if (!check(binding.resource, pass.name)) {
                return;
            }
            if (binding.access == Access::none && bindings == &pass.bindings) {
                continue;
            }
            if (binding.access != Access::shader_read && binding.access != Access::shader_write &&
                binding.access != Access::shader_read_write) {
                fail({invalid, "pass '" + pass.name + "' binds '" +
                                   description_->resources[binding.resource.index].name + "' for " +
                                   to_string(binding.access) + "; a storage buffer is read, written, or both"});
                return;
            }
            node.touches.push_back({binding.resource.index, binding.access});
        }
    }
    if (pass.dispatch.kind == Dispatch::Kind::indirect) {
        if (!check(pass.dispatch.arguments, pass.name)) {
            return;
        }
        const auto& arguments = description_->resources[pass.dispatch.arguments.index];
        if ((pass.dispatch.word + 3ULL) * 4 > arguments.bytes) {
            fail({invalid, "pass '" + pass.name + "' takes its dispatch from word " +
                               std::to_string(pass.dispatch.word) + " of '" + arguments.name + "', which has only " +
                               std::to_string(arguments.bytes / 4)});
            return;
        }
    }
    const auto gate = open_gate(*description_);
    if (gate || (pass.dispatch.kind == Dispatch::Kind::elements && pass.dispatch.count.kind == Count::Kind::gpu)) {
        Dispatch indirect = Dispatch::indirect(indirect_arguments(*description_, pass.dispatch, gate, pass.name));
        indirect.x = pass.dispatch.x; // as many as there may be
        indirect.y = pass.dispatch.y;
        pass.dispatch = indirect;
    }
    if (pass.dispatch.kind == Dispatch::Kind::indirect) {
        node.touches.push_back({pass.dispatch.arguments.index, Access::indirect_read});
    }
    node.work = std::move(pass);
    append(*description_, std::move(node));
}

void Graph::add_fill(std::string name, BufferId buffer, std::uint32_t value, SourceLocation where) {
    const GraphCall call(*this, where);
    if (check(buffer, name)) {
        add_fill(std::move(name), buffer, value, description_->resources[buffer.index].bytes);
    }
}

void Graph::add_fill(std::string name, BufferId buffer, std::uint32_t value, std::uint64_t bytes) {
    if (open_gate(*description_)) {
        add_pass(move_pass(std::move(name), unused(buffer), buffer, bytes, value));
        return;
    }
    append(*description_, {.name = std::move(name),
                           .work = GraphDescription::Fill{value, bytes},
                           .touches = {{buffer.index, Access::transfer_write}}});
}

void Graph::add_copy(std::string name, BufferId source, BufferId destination, std::uint64_t bytes,
                     SourceLocation where) {
    const GraphCall call(*this, where);
    if (!check(source, name) || !check(destination, name)) {
        return;
    }
    for (const BufferId side : {source, destination}) {
        const auto& buffer = description_->resources[side.index];
        if (bytes > buffer.bytes || bytes % 4 != 0 || bytes == 0) {
            fail({invalid, "pass '" + name + "' copies " + std::to_string(bytes) + " bytes; '" + buffer.name +
                               "' has " + std::to_string(buffer.bytes) + ", and whole words are copied"});
            return;
        }
    }
    if (open_gate(*description_)) {
        add_pass(move_pass(std::move(name), read(source), destination, bytes));
        return;
    }
    append(*description_,
           {.name = std::move(name),
            .work = GraphDescription::Copy{bytes},
            .touches = {{source.index, Access::transfer_read}, {destination.index, Access::transfer_write}}});
}

void Graph::export_buffer(BufferId buffer, Access leaves, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!check(buffer, "export_buffer")) {
        return;
    }
    auto& node = description_->resources[buffer.index];
    if (node.lifetime == GraphDescription::Lifetime::state) {
        fail({invalid, std::string(is_history(node) ? "history" : "state") + " buffer '" + node.name +
                           "' is exported; only imports and transients can be"});
        return;
    }
    if (node.exported && node.leaves != leaves) {
        fail({invalid, "buffer '" + node.name + "' is exported twice, for " + to_string(node.leaves) + " and for " +
                           to_string(leaves)});
        return;
    }
    node.exported = true;
    node.leaves = leaves;
}

} // namespace weir
