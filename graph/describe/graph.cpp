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
    description_->resources.reserve(16);
    description_->passes.reserve(16);
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
    add_state("previous " + name, capacity, element, where);
    pair_history();
    return current;
}

void Graph::pair_history() {
    auto& resources = description_->resources;
    const auto previous = static_cast<std::uint32_t>(resources.size()) - 1, current = previous - 1;
    resources[current].previous = previous;
    resources[previous].current = current;
}

HistoryImage Graph::history_image(const std::string& name, const ImageInfo& info, SourceLocation where) {
    const GraphCall call(*this, where);
    if (is_compressed(info.format)) { // it cannot be cleared
        fail({invalid, "history image '" + name + "' has a compressed format, which is not supported"});
    }
    const HistoryImage made{add_image(name, info), add_image("previous " + name, info)};
    for (const ImageId image : {made.current, made.previous}) {
        description_->resources[image.index].lifetime = GraphDescription::Lifetime::state;
    }
    pair_history();
    return made;
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

BufferId Graph::add_part(BufferId buffer, std::uint64_t offset, std::uint64_t bytes, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(buffer, "part")) {
        return {};
    }
    auto& resources = description_->resources;
    const auto& of = resources[buffer.index];
    const auto refuse = [&](const std::string& why) {
        fail({invalid, concat("a part of buffer '", of.name, "' ", why)});
        return BufferId();
    };
    const std::uint64_t words = (bytes + 3) / 4;
    const std::uint32_t alignment = capabilities().storage_offset_alignment;
    if (is_history(of)) {
        return refuse("is not supported, because the buffer has a history");
    }
    if (bytes == 0 || offset >= of.bytes || words * 4 > of.bytes - offset) {
        return refuse(concat("has ", bytes, " bytes from byte ", offset, " on; the buffer has ", of.bytes, " bytes"));
    }
    if (offset % alignment != 0) {
        return refuse(concat("begins at byte ", offset, ", which is not a multiple of ", alignment,
                             " (minStorageBufferOffsetAlignment)"));
    }
    auto node = part_of(*description_, root_of(*description_, buffer.index), of.offset + offset, words * 4);
    node.where = description_->caller;
    resources.push_back(std::move(node));
    return {{static_cast<std::uint32_t>(resources.size()) - 1, description_->identity.get()}};
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

OnlyIf Graph::unless(Switch off, SourceLocation where) {
    const GraphCall call(*this, where);
    const std::size_t depth = description_->open.size();
    if (off.graph != description_->identity.get() || off.index >= description_->switches.size()) {
        fail({invalid, off.graph == nullptr ? "unless: the switch is null" : "unless: the switch is of another graph"});
    } else {
        description_->open.push_back({GraphDescription::Off{off}, {}});
        description_->has_unless = true;
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
        const auto& node = description_->resources[resource.index];
        fail({invalid, concat("set_queues: ", kind_of(node), " '", node.name, "' is a part; set the queues of its ",
                              kind_of(node))});
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
