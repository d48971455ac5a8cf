#include <weir/graph/graph.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/conditions.hpp"
#include "graph/describe/image_size.hpp"
#include "graph/describe/indirect_arguments.hpp"
#include "graph/describe/passes.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

namespace {

constexpr ErrorCode invalid = ErrorCode::invalid_graph;

bool is_queue(QueueKind queue) {
    return static_cast<std::size_t>(queue) < queue_kinds;
}

} // namespace

Graph::Graph(const Capabilities& capabilities) : description_(std::make_unique<GraphDescription>()) {
    description_->capabilities = capabilities;
}
Graph::Graph(const Context& context) : Graph(context.capabilities()) {}
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

void Graph::fail(Error error) {
    if (!description_->error) {
        error.message += to_string(description_->caller);
        description_->error = std::move(error);
    }
}

BufferId Graph::add_import(std::string name, std::uint64_t capacity, std::uint64_t element, const Accesses& arrives,
                           SourceLocation where) {
    const GraphCall call(*this, where);
    const BufferId id = add_transient(std::move(name), capacity, element, where);
    auto& node = description_->resources.back();
    node.lifetime = GraphDescription::Lifetime::import;
    node.arrives = arrives;
    check_accesses(id.index, arrives, "buffer '" + node.name + "' arrives for ");
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
    // Shaders access whole words.
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

ImageId Graph::import_image(std::string name, const ImageInfo& info, const Accesses& arrives, SourceLocation where) {
    const GraphCall call(*this, where);
    const ImageId id = add_image(std::move(name), info);
    auto& node = description_->resources.back();
    node.lifetime = GraphDescription::Lifetime::import;
    node.arrives = arrives;
    check_accesses(id.index, arrives, "image '" + node.name + "' arrives for ");
    return id;
}

ImageId Graph::transient_image(std::string name, const ImageInfo& info, SourceLocation where) {
    const GraphCall call(*this, where);
    return add_image(std::move(name), info);
}

ImageId Graph::add_image(std::string name, const ImageInfo& info) {
    const auto refuse = [&](const std::string& why) { fail({invalid, "image '" + name + "' has " + why}); };
    const auto& [width, height, depth] = info.extent;
    if (info.format == VK_FORMAT_UNDEFINED) {
        refuse("no format");
    } else if (width == 0 || height == 0 || depth == 0) {
        refuse("an extent of 0");
    } else if (info.layers == 0 || info.samples == 0) {
        refuse(info.layers == 0 ? "no layers" : "no samples");
    } else if (depth > 1 && info.layers > 1) {
        refuse("several layers and depth, which is not supported");
    } else if (const auto max_mips = static_cast<std::uint32_t>(std::bit_width(std::max({width, height, depth})));
               info.mips == 0 || info.mips > max_mips) {
        refuse(std::to_string(info.mips) + " mips; its extent allows 1 to " + std::to_string(max_mips));
    } else if (info.samples != VK_SAMPLE_COUNT_1_BIT && (info.mips > 1 || depth > 1)) {
        refuse(std::string("several samples and ") + (depth > 1 ? "depth" : "mips") + ", which is not supported");
    }
    auto& resources = description_->resources;
    const ImageId id{{static_cast<std::uint32_t>(resources.size()), description_->identity.get()}};
    resources.push_back(
        {.name = std::move(name), .bytes = estimated_bytes(info), .image = info, .where = description_->caller});
    return id;
}

ImageId Graph::part(ImageId image, const ImagePart& part, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(image, "part")) {
        return {};
    }
    auto& resources = description_->resources;
    const auto& of = resources[image.index];
    const auto refuse = [&](const std::string& why) {
        fail({invalid, concat("a part of image '", of.name, "' ", why)});
        return ImageId();
    };
    const ImageInfo& info = *of.image;
    if (part.mip >= info.mips || part.layer >= info.layers) {
        return refuse(concat("begins at mip ", part.mip, " and layer ", part.layer, "; the image has ", info.mips,
                             " mips and ", info.layers, " layers"));
    }
    ImagePart range = part;
    range.mips = part.mips == VK_REMAINING_MIP_LEVELS ? info.mips - part.mip : part.mips;
    range.layers = part.layers == VK_REMAINING_ARRAY_LAYERS ? info.layers - part.layer : part.layers;
    if (range.mips == 0 || range.mips > info.mips - part.mip || range.layers == 0 ||
        range.layers > info.layers - part.layer) {
        return refuse(concat("has ", range.mips, " mips and ", range.layers, " layers from mip ", part.mip,
                             " and layer ", part.layer, " on; the image has ", info.mips, " mips and ", info.layers,
                             " layers"));
    }
    const bool is_volume = info.extent.depth > 1;
    const bool is_square = info.extent.width == info.extent.height && info.samples == VK_SAMPLE_COUNT_1_BIT;
    switch (part.view.value_or(VK_IMAGE_VIEW_TYPE_MAX_ENUM)) {
    case VK_IMAGE_VIEW_TYPE_MAX_ENUM: break;
    case VK_IMAGE_VIEW_TYPE_2D:
        if (is_volume || range.layers != 1) {
            return refuse(concat("has a 2D view, which requires 1 layer and no depth; it has ", range.layers,
                                 " layers and a depth of ", info.extent.depth));
        }
        break;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        if (is_volume) {
            return refuse("has a 2D_ARRAY view, which requires an image without depth");
        }
        break;
    case VK_IMAGE_VIEW_TYPE_CUBE:
        if (is_volume || !is_square || range.layers != 6) {
            return refuse(concat("has a CUBE view, which requires 6 square layers with one sample per texel; it has ",
                                 range.layers, " layers of ", info.extent.width, " x ", info.extent.height));
        }
        break;
    case VK_IMAGE_VIEW_TYPE_3D:
        if (!is_volume) {
            return refuse("has a 3D view, which requires an image with depth");
        }
        break;
    default:
        return refuse(concat("has a view of VkImageViewType ", static_cast<int>(*part.view),
                             "; 2D, 2D_ARRAY, CUBE and 3D are supported"));
    }
    const ImagePart outer = range_of(*description_, image.index);
    range.mip += outer.mip;
    range.layer += outer.layer;
    const ImageId id{{static_cast<std::uint32_t>(resources.size()), description_->identity.get()}};
    auto node = part_of(*description_, root_of(*description_, image.index), range);
    node.where = description_->caller;
    resources.push_back(std::move(node));
    return id;
}

Count Graph::count_of(BufferId buffer, std::uint32_t capacity, const std::optional<Count>& count,
                      SourceLocation where) {
    const GraphCall call(*this, where);
    if (!count) {
        return capacity;
    }
    if (count->max > capacity) {
        fail({invalid, concat("buffer '", description_->resources[buffer.index].name, "' has a capacity of ", capacity,
                              " elements; its count can be up to ", count->max)});
    }
    return *count;
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
    if (accepts(buffer, "count_in") && word >= buffer.capacity) {
        fail({invalid, "count_in: the count is word " + std::to_string(word) + " of buffer '" +
                           description_->resources[buffer.id.index].name + "', which has " +
                           std::to_string(buffer.capacity) + " words"});
    }
    Count count(max);
    count.kind = Count::Kind::gpu;
    count.buffer = buffer;
    count.word = word;
    return count;
}

DescriptorSetId Graph::import_set(std::string name, VkDescriptorSetLayout layout, SourceLocation where) {
    const GraphCall call(*this, where);
    if (layout == VK_NULL_HANDLE) {
        fail({invalid, "descriptor set '" + name + "' has a null layout"});
    }
    description_->sets.push_back({std::move(name), layout});
    return {static_cast<std::uint32_t>(description_->sets.size()) - 1, description_->identity.get()};
}

HostData Graph::host_data(std::string name, std::uint32_t bytes, SourceLocation where) {
    const GraphCall call(*this, where);
    if (bytes == 0 || bytes % 4 != 0) {
        fail({invalid, concat("data '", name, "' has ", bytes, " bytes; the number must be a positive multiple of 4")});
    }
    description_->data.push_back({std::move(name), bytes});
    return {static_cast<std::uint32_t>(description_->data.size()) - 1, description_->identity.get(), bytes};
}

void Graph::add_pass(Pass pass, SourceLocation where) {
    const GraphCall call(*this, where);
    if (pass.dispatch.kind == Dispatch::Kind::none) {
        fail({invalid, "pass '" + pass.name +
                           "' has no dispatch; set it, for example to "
                           "Dispatch::groups(1)"});
        return;
    }
    if (pass.dispatch.kind == Dispatch::Kind::elements) {
        if (!accepts(pass.dispatch.count, pass.name)) {
            return;
        }
        if (pass.dispatch.per_group == 0) {
            fail({invalid, "pass '" + pass.name + "' has a dispatch whose per_group is 0; it must be at least 1"});
            return;
        }
    } else if (pass.dispatch.kind > Dispatch::Kind::indirect) {
        fail({invalid, concat("pass '", pass.name, "' has a dispatch of kind ", static_cast<int>(pass.dispatch.kind),
                              ", which does not exist")});
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
                fail({invalid, "pass '" + pass.name + "' pushes a GPU count; bind its buffer '" +
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
                fail({invalid, "pass '" + pass.name + "' " +
                                   (is_bound ? "binds a null sampler" : "takes the address of a sampler")});
                return;
            }
            if (!accepts(binding.resource, pass.name) ||
                (!is_bound && !accepts(BufferId{binding.resource}, pass.name))) {
                return;
            }
            if (binding.access == Access::none && is_bound) {
                continue;
            }
            const auto& used = description_->resources[binding.resource.index];
            if (binding.access > Access::any &&
                !check_access(binding.resource.index, binding.access,
                              concat("pass '", pass.name, "' binds ", kind_of(used), " '", used.name, "' for "))) {
                return;
            }
            const bool is_sampled = binding.access == Access::sampled_read && used.image;
            const bool is_uniform = binding.access == Access::uniform_read && !used.image && is_bound;
            if (!is_sampled && !is_uniform && binding.access != Access::shader_read &&
                binding.access != Access::shader_write && binding.access != Access::shader_read_write) {
                fail({invalid, "pass '" + pass.name + "' binds " + kind_of(used) + " '" + used.name + "' for " +
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
            fail({invalid, "pass '" + pass.name + "' reads its 3 dispatch arguments from word " +
                               std::to_string(pass.dispatch.word) + " of '" + arguments.name + "', which has " +
                               std::to_string(arguments.bytes / 4) + " words"});
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
            fail({invalid, "pass '" + name + "' copies " + std::to_string(bytes) + " bytes of '" + buffer.name +
                               "'; the number must be a positive multiple of 4"});
            return;
        }
        if (bytes > buffer.bytes) {
            fail({invalid, "pass '" + name + "' copies " + std::to_string(bytes) + " bytes; '" + buffer.name +
                               "' has " + std::to_string(buffer.bytes)});
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
        fail({invalid,
              concat("pass '", name, "' writes ", source.bytes, " bytes; at most ", max_bytes, " are supported")});
        return;
    }
    if (source.bytes > buffer.bytes) {
        fail({invalid,
              concat("pass '", name, "' writes ", source.bytes, " bytes; '", buffer.name, "' has ", buffer.bytes)});
        return;
    }
    append_update(*description_, std::move(name), {source}, destination);
}

void Graph::add_command_pass(CommandPass pass, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!pass.record) {
        fail({invalid, "command pass '" + pass.name + "' has no record function"});
        return;
    }
    if (open_gate(*description_)) {
        fail({invalid, "command pass '" + pass.name + "' is not supported inside only_if of a GPU count"});
        return;
    }
    for (const Use& use : pass.uses) {
        if (!accepts(use.resource, pass.name)) {
            return;
        }
        const auto& used = description_->resources[use.resource.index];
        const std::string what = "command pass '" + pass.name + "' uses " + kind_of(used) + " '" + used.name + "' for ";
        if (use.access == Access::none || use.access == Access::present || use.access == Access::host_read ||
            use.access == Access::host_write) {
            fail({invalid, what + to_string(use.access) + ", which is not an access of commands"});
            return;
        }
        if (!check_access(use.resource.index, use.access, what)) {
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
        return refuse({invalid, "a graph cannot contain itself"});
    }
    if (inner.error()) {
        return refuse(*inner.error());
    }
    const auto& passes = inner.description().passes;
    const auto recorded = std::find_if(passes.begin(), passes.end(), [](const auto& pass) {
        return std::holds_alternative<CommandPass>(pass.work) ||
               std::holds_alternative<GraphDescription::ImageWork>(pass.work);
    });
    if (recorded != passes.end() && open_gate(*description_)) {
        return refuse({invalid, "pass '" + recorded->name + "' is not supported inside only_if of a GPU count"});
    }
    auto added = Subgraph::add(*description_, inner.description(), connections, name + "/");
    return added ? std::move(*added) : refuse(added.error());
}

Switch Graph::add_switch(std::string name, bool on) {
    auto& switches = description_->switches;
    switches.push_back({std::move(name), on});
    return {static_cast<std::uint32_t>(switches.size()) - 1, description_->identity.get()};
}

OnlyIf Graph::only_if(Switch on, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    if (on.graph != description_->identity.get() || on.index >= description_->switches.size()) {
        fail(
            {invalid, on.graph == nullptr ? "only_if: the switch is null" : "only_if: the switch is of another graph"});
    } else {
        description_->open.push_back({on, {}});
    }
    return {*description_, depth};
}

OnlyIf Graph::only_if(const Count& count, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    const bool on_gpu = count.kind == Count::Kind::gpu;
    if (accepts(count, "only_if")) {
        GraphDescription::OpenCondition open{count, {}};
        if (on_gpu) {
            const auto outer = open_gate(*description_);
            const bool is_plain = count.max != 0 && !outer;
            open.gate = is_plain ? count : as_flag(*description_, count, outer, depth);
        }
        description_->open.push_back(open);
    }
    return {*description_, depth};
}

OnQueue Graph::on_queue(QueueKind queue, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!is_queue(queue)) {
        fail({invalid, concat("on_queue: queue kind ", static_cast<int>(queue), " does not exist")});
        queue = description_->queue;
    }
    return {*description_, std::exchange(description_->queue, queue)};
}

void Graph::set_queues(ResourceId resource, ImportQueues queues, SourceLocation where) {
    const GraphCall call(*this, where);
    for (const QueueKind queue : {queues.arrives, queues.leaves}) {
        if (!is_queue(queue)) {
            fail({invalid, concat("set_queues: queue kind ", static_cast<int>(queue), " does not exist")});
            return;
        }
    }
    if (accepts(resource, "set_queues") && description_->resources[resource.index].part_of != ResourceId::none) {
        fail({invalid, concat("set_queues: image '", description_->resources[resource.index].name,
                              "' is a part; set the queues of its image")});
        return;
    }
    if (accepts(resource, "set_queues")) {
        description_->resources[resource.index].queues = queues;
    }
}

void Graph::export_buffer(BufferId buffer, const Accesses& leaves, const ExportOptions& options, SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(buffer, "export_buffer")) {
        add_export(buffer, leaves, options);
    }
}

void Graph::export_image(ImageId image, const Accesses& leaves, const ExportOptions& options, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(image, "export_image")) {
        return;
    }
    const auto& node = description_->resources[image.index];
    if (leaves.contains(Access::present) && node.lifetime == GraphDescription::Lifetime::transient) {
        fail({invalid, "image '" + node.name + "' leaves for present, which is supported for imports only"});
        return;
    }
    add_export(image, leaves, options);
}

void Graph::add_export(ResourceId resource, const Accesses& leaves, const ExportOptions& options) {
    auto& node = description_->resources[resource.index];
    const std::string what = std::string(kind_of(node)) + " '" + node.name + "'";
    if (node.lifetime == GraphDescription::Lifetime::state) {
        fail({invalid, std::string(is_history(node) ? "history " : "state ") + what +
                           " is exported; only imports and transients can be exported"});
        return;
    }
    if (!check_accesses(resource.index, leaves, what + " leaves for ")) {
        return;
    }
    if (node.exported && node.leaves != leaves) {
        fail({invalid, what + " is exported twice, for " + to_string(node.leaves) + " and for " + to_string(leaves) +
                           "; export it once with all accesses"});
        return;
    }
    if (options.per_frame && node.lifetime == GraphDescription::Lifetime::import) {
        fail({invalid, what + " is an import and exported per frame, which is supported for transients only"});
        return;
    }
    if (node.exported && node.per_frame != options.per_frame) {
        fail({invalid, what + " is exported twice, with and without per_frame"});
        return;
    }
    node.exported = true;
    node.per_frame = options.per_frame;
    node.leaves = leaves;
}

} // namespace weir
