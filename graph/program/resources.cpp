#include "graph/program/resources.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/submit/synchronization.hpp"
#include "graph/plan/resources.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

VkImageUsageFlags image_usage(Access access) {
    switch (access) {
    case Access::none: // in a binding that the shader does not use
    case Access::shader_read:
    case Access::shader_write:
    case Access::shader_read_write:
    case Access::fragment_shader_write:
    case Access::fragment_shader_read_write: return VK_IMAGE_USAGE_STORAGE_BIT;
    case Access::sampled_read:
    case Access::vertex_shader_read:
    case Access::fragment_shader_read: return VK_IMAGE_USAGE_SAMPLED_BIT;
    case Access::color_write:
    case Access::color_read_write: return VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    case Access::depth_read:
    case Access::depth_write:
    case Access::depth_read_write: return VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    case Access::transfer_read: return VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    case Access::transfer_write: return VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    case Access::any:
        return VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    default: return 0;
    }
}

/// A Vulkan access, and the usage flags that it needs of a buffer or an image.
struct RawUsage {
    VkAccessFlags2 access;
    VkFlags usage;
};
constexpr RawUsage raw_buffer_usages[] = {
    {VK_ACCESS_2_UNIFORM_READ_BIT, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
    {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT},
    {VK_ACCESS_2_INDEX_READ_BIT, VK_BUFFER_USAGE_INDEX_BUFFER_BIT},
    {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
     VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR},
    {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR},
    {VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT},
    {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT},
    {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
     VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT},
};
constexpr RawUsage raw_image_usages[] = {
    {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_IMAGE_USAGE_STORAGE_BIT},
    {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, VK_IMAGE_USAGE_SAMPLED_BIT},
    {VK_ACCESS_2_TRANSFER_READ_BIT, VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
    {VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_IMAGE_USAGE_TRANSFER_DST_BIT},
    {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
    {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
    {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
    {VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR,
     VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR},
    {VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT},
};

/// Returns the usage flags that a raw use needs. A storage read of an image in the layout of sampled images is a
/// sampled read.
VkFlags raw_usage(const UseScope& raw, bool is_image) {
    constexpr VkAccessFlags2 memory = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    const VkAccessFlags2 access = raw.scope.access;
    VkFlags usage = (access & memory) == 0 ? 0 : is_image ? image_usage(Access::any) : buffer_usage(Access::any);
    for (const RawUsage& one : is_image ? std::span<const RawUsage>(raw_image_usages) : raw_buffer_usages) {
        usage |= (access & one.access) != 0 ? one.usage : 0;
    }
    const bool reads_storage = (access & VK_ACCESS_2_SHADER_STORAGE_READ_BIT) != 0;
    const bool is_sampled = (access & VK_ACCESS_2_SHADER_SAMPLED_READ_BIT) != 0;
    if (is_image && reads_storage && (raw.layout == VK_IMAGE_LAYOUT_GENERAL || !is_sampled)) {
        usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    }
    if (!is_image && (access & VK_ACCESS_2_SHADER_READ_BIT) != 0 &&
        (raw.scope.stages & VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR) != 0) {
        usage |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
    }
    return usage;
}

/// Returns the usages of each image or buffer: those of all passes and exports, and those that were added.
std::vector<VkFlags> find_usages(const GraphDescription& graph) {
    std::vector<VkFlags> usages(graph.resources.size(), 0);
    const auto add = [&](std::uint32_t resource, Access access) {
        usages[root_of(graph, resource)] |=
            graph.resources[resource].image ? image_usage(access) : buffer_usage(access);
    };
    const auto add_raw = [&](std::uint32_t resource, const UseScope& raw) {
        usages[root_of(graph, resource)] |= raw_usage(raw, graph.resources[resource].image.has_value());
    };
    for (const auto& node : graph.passes) {
        for (const auto& use : node.uses) {
            if (use.raw) {
                add_raw(use.resource, *use.raw);
            } else {
                add(use.resource, use.access);
            }
        }
    }
    for (std::uint32_t i = 0; i < usages.size(); ++i) {
        const auto& node = graph.resources[i];
        usages[root_of(graph, i)] |= node.usage;
        for (const Access access : node.leaves) {
            add(i, access);
        }
        for (const UseScope& raw : node.leaves.raw()) {
            add_raw(i, raw);
        }
        if (node.previous != ResourceId::none) { // the two resources swap
            VkFlags usage = usages[i] | usages[node.previous];
            usage |= node.image && usage != 0 ? VK_IMAGE_USAGE_TRANSFER_DST_BIT : 0; // for `clear`
            usages[i] = usages[node.previous] = usage;
        }
    }
    return usages;
}

} // namespace

VkBufferUsageFlags buffer_usage(Access access) {
    switch (access) {
    case Access::uniform_read:
    case Access::vertex_shader_read:
    case Access::fragment_shader_read: return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    case Access::vertex_read: return VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
    case Access::index_read: return VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    case Access::any:
        return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
               VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    default: return 0; // all buffers allow storage, indirect arguments and transfers
    }
}

bool has_cubes(const GraphDescription& graph, std::uint32_t image) {
    return std::any_of(graph.resources.begin(), graph.resources.end(), [&](const auto& other) {
        return other.part_of == image && other.part.view == VK_IMAGE_VIEW_TYPE_CUBE;
    });
}

Result<bool> ProgramResources::create_images(GraphDescription& graph, std::span<const std::uint32_t> families) {
    declared_ = graph.resources.size();
    own_images_.resize(declared_);
    usages_ = find_usages(graph);
    std::uint32_t common = 0;
    VkBufferUsageFlags of_buffers = 0;
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        auto& node = graph.resources[i];
        of_buffers |= node.image ? 0 : usages_[i];
        if (!node.image || node.lifetime == Lifetime::import || usages_[i] == 0) { // parts have no usages
            continue;
        }
        auto image = Image::create(device_.shared_from_this(), *node.image, usages_[i], node.name, families,
                                   has_cubes(graph, static_cast<std::uint32_t>(i)));
        if (!image) {
            Error error = image.error();
            error.message += to_string(node.where);
            return tl::unexpected(error);
        }
        own_images_[i] = std::move(*image);
        set_name(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(own_images_[i]->view().image), node.name);
        const VkMemoryRequirements& needs = own_images_[i]->needs();
        node.bytes = needs.size;
        node.alignment = needs.alignment;
        node.alone = common != 0 && (common & needs.memoryTypeBits) == 0;
        common = common == 0 ? needs.memoryTypeBits : node.alone ? common : common & needs.memoryTypeBits;
    }
    return common != 0 && (common & device_.memory().buffer_types(of_buffers)) == 0;
}

void ProgramResources::set_name(VkObjectType type, std::uint64_t object, const std::string& name) const {
    if (!program_.empty() && device_.has_names() && object != 0) {
        device_.set_name(type, object, named(program_, name));
    }
}

void ProgramResources::set_name(VkBuffer buffer, const std::string& name) const {
    set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(buffer), name);
}

void ProgramResources::set_name(const ImageView& image, const std::string& name) const {
    set_name(VK_OBJECT_TYPE_IMAGE_VIEW, reinterpret_cast<std::uint64_t>(image.view), name);
}

void ProgramResources::bind(std::size_t buffer, BufferView view) {
    views[buffer] = view;
    if (needs_address_[buffer]) {
        addresses[buffer] = device_.memory().address(view.buffer) + view.offset;
    }
    for (const Part& part : parts_of_buffers_[buffer]) {
        bind(part.resource, BufferView{view.buffer, view.offset + part.offset, part.bytes});
    }
}

void ProgramResources::bind(const GraphDescription& graph, std::size_t image, ImageView view) {
    images[image] = view;
    for (std::size_t part = 0; graph.resources[image].part_of == ResourceId::none && part < images.size(); ++part) {
        if (graph.resources[part].part_of == image) {
            images[part] = {view.image, VK_NULL_HANDLE};
        }
    }
}

void ProgramResources::swap(std::size_t one, std::size_t other) {
    std::swap(views[one], views[other]);
    std::swap(addresses[one], addresses[other]);
    std::swap(images[one], images[other]);
}

std::uint64_t ProgramResources::memory() const {
    std::uint64_t bytes = 0;
    for (const auto* buffers : {&owned_, &more_buffers_}) {
        for (const Buffer& buffer : *buffers) {
            bytes += buffer.size();
        }
    }
    for (const auto& memory : image_memory_) {
        bytes += memory->size();
    }
    return bytes;
}

Result<ProgramResources::Block> ProgramResources::make_block(const GraphDescription& graph, const Plan& plan,
                                                             std::uint32_t index, PoolBlocks* pool,
                                                             std::span<const std::uint32_t> families) {
    const GraphDescription::Resource* largest = nullptr;
    const GraphDescription::Resource* with_usage = nullptr; // with flags that memory of a pool does not have
    VkDeviceSize alignment = 1;
    std::uint32_t types = ~0U;
    VkBufferUsageFlags usage = 0;
    bool has_buffers = false;
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const auto& node = graph.resources[i];
        if (plan.memory.places[i].block != index) {
            continue;
        }
        largest = largest == nullptr || node.bytes > largest->bytes ? &node : largest;
        has_buffers = has_buffers || !node.image;
        usage |= node.image ? 0 : usages_[i];
        const bool has_more = !node.image && (usages_[i] & ~buffer_usage(Access::any)) != 0;
        with_usage = has_more ? &node : with_usage;
        if (node.image) {
            alignment = std::max(alignment, own_images_[i]->needs().alignment);
            types &= own_images_[i]->needs().memoryTypeBits;
        }
    }
    // Rounding up must not make a block larger than max_allocation, or than its largest transient if that is larger.
    const std::uint64_t max_bytes = std::max(largest->bytes, graph.capabilities.max_allocation);
    const std::uint64_t bytes = std::min(plan.memory.blocks[index], max_bytes);
    const std::string name = concat(largest->name, " and what shares its memory");
    if (plan.memory.with_images[index]) {
        return ImageMemory::create(device_.memory(), bytes, alignment, types, has_buffers, name, families, usage)
            .map([&](auto&& made) {
                set_name(made->buffer(), name);
                return Block{nullptr, std::forward<decltype(made)>(made)};
            });
    }
    if (pool != nullptr && (usage & ~buffer_usage(Access::any)) != 0) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat("compile: buffer '", with_usage->name, "' needs usage flags 0x",
                         hex(usages_[static_cast<std::size_t>(with_usage - graph.resources.data())], 8),
                         ", which memory of a pool does not have")});
    }
    if (pool != nullptr) {
        return pool->block(index, bytes, name).map([](auto&& made) { return Block{made, nullptr}; });
    }
    return device_.memory().create_buffer(bytes, MemoryKind::device, name, usage, families).map([&](Buffer&& made) {
        set_name(made.handle(), name);
        return Block{std::make_shared<const Buffer>(std::move(made)), nullptr};
    });
}

Result<> ProgramResources::place_image(const GraphDescription& graph, const Plan& plan, std::uint32_t image) {
    Image& own = *own_images_[image];
    const auto& place = plan.memory.places[image];
    const std::string& name = graph.resources[image].name;
    const auto keep = [&] {
        images[image] = own.view();
        set_name(own.view(), name);
    };
    if (place.block == PlanMemory::none) {
        return place_alone(own, name).map(keep);
    }
    const ImageMemory& block = *blocks_[place.block].memory;
    return own.bind(block.memory(), block.offset() + place.offset).map(keep);
}

Result<> ProgramResources::place_alone(Image& image, const std::string& name) {
    const VkMemoryRequirements& needs = image.needs();
    auto made = ImageMemory::create(device_.memory(), needs.size, needs.alignment, needs.memoryTypeBits, false, name);
    WEIR_PROPAGATE(made);
    image_memory_.push_back(std::move(*made));
    return image.bind(image_memory_.back()->memory(), image_memory_.back()->offset());
}

Result<> ProgramResources::make_copies(const GraphDescription& graph, std::uint32_t export_, std::uint32_t copies,
                                       std::span<const std::uint32_t> families) {
    const auto& node = graph.resources[export_];
    PerFrame& all = per_frame_.emplace_back();
    all.resource = export_;
    const auto add = [&] {
        all.views.push_back(views[export_]);
        all.addresses.push_back(addresses[export_]);
        all.images.push_back(images[export_]);
    };
    add();
    for (std::uint32_t copy = 1; copy < copies; ++copy) {
        if (node.image) {
            auto image = Image::create(device_.shared_from_this(), *node.image, usages_[export_], node.name, families);
            WEIR_PROPAGATE(image);
            more_images_.push_back(std::move(*image));
            WEIR_PROPAGATE(place_alone(*more_images_.back(), node.name));
            images[export_] = more_images_.back()->view();
            set_name(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(images[export_].image), node.name);
            set_name(images[export_], node.name);
        } else {
            auto buffer =
                device_.memory().create_buffer(node.bytes, MemoryKind::device, node.name, usages_[export_], families);
            WEIR_PROPAGATE(buffer);
            more_buffers_.push_back(std::move(*buffer));
            set_name(more_buffers_.back().handle(), node.name);
            bind(export_, BufferView{more_buffers_.back().handle(), 0, node.bytes});
        }
        add();
    }
    return {};
}

void ProgramResources::take_copy(std::uint32_t copy) {
    for (const PerFrame& all : per_frame_) {
        views[all.resource] = all.views[copy];
        addresses[all.resource] = all.addresses[copy];
        images[all.resource] = all.images[copy];
    }
}

Result<> ProgramResources::view_part(const GraphDescription& graph, std::uint32_t part) {
    const auto& node = graph.resources[part];
    Image& image = *own_images_[node.part_of]; // placed before its parts
    if (part >= declared_) {                   // a piece that no pass names
        images[part] = {image.view().image, VK_NULL_HANDLE};
        return {};
    }
    return image.view(node.part, node.name).map([&](const ImageView& view) {
        images[part] = view;
        set_name(view, node.name);
    });
}

Result<> ProgramResources::allocate(const GraphDescription& graph, const Plan& plan, PoolBlocks* pool,
                                    std::vector<bool> needs_address, std::span<const std::uint32_t> families,
                                    std::uint32_t copies) {
    const auto count = static_cast<std::uint32_t>(graph.resources.size());
    own_images_.resize(count);
    usages_.resize(count, 0);
    owned_.resize(count);
    views.resize(count);
    images.resize(count);
    addresses.resize(count, 0);
    needs_address_ = std::move(needs_address);
    parts_of_buffers_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (const auto& node = graph.resources[i]; node.part_of != ResourceId::none && !node.image) {
            parts_of_buffers_[node.part_of].push_back({i, node.offset, node.bytes});
        }
    }
    for (std::uint32_t index = 0; index < plan.memory.blocks.size(); ++index) {
        auto block = make_block(graph, plan, index, pool, families);
        WEIR_PROPAGATE(block);
        blocks_.push_back(std::move(*block));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto& node = graph.resources[i];
        if (!plan.used[i]) {
            own_images_[i].reset();
        }
        if (!plan.used[i] || node.lifetime == Lifetime::import) {
            continue;
        }
        if (node.image) {
            auto placed = node.part_of == ResourceId::none ? place_image(graph, plan, i) : view_part(graph, i);
            WEIR_PROPAGATE(placed);
            if (node.previous !=
                ResourceId::none) { // the first recording swaps, so this one is then the previous image
                WEIR_PROPAGATE(add_history(graph, plan, i));
            }
            continue;
        }
        if (node.part_of != ResourceId::none) { // bound with its buffer
            continue;
        }
        if (const auto& place = plan.memory.places[i]; place.block != PlanMemory::none) {
            bind(i, BufferView{blocks_[place.block].handle(), place.offset, node.bytes});
            continue;
        }
        auto buffer = device_.memory().create_buffer(node.bytes, MemoryKind::device, node.name, usages_[i], families);
        WEIR_PROPAGATE(buffer);
        owned_[i] = std::move(*buffer);
        set_name(owned_[i].handle(), node.name);
        bind(i, BufferView{owned_[i].handle(), 0, node.bytes});
        if (node.lifetime == Lifetime::state) {
            states_.push_back(i);
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (plan.used[i] && graph.resources[i].per_frame) {
            WEIR_PROPAGATE(make_copies(graph, i, copies, families));
        }
    }
    if ((states_.empty() && histories_.empty()) || must_be_cleared()) {
        return {};
    }
    return device_.submissions().run([&](VkCommandBuffer commands) -> Result<> {
        clear(commands);
        return {};
    });
}

Result<> ProgramResources::add_history(const GraphDescription& graph, const Plan& plan, std::uint32_t image) {
    const auto& node = graph.resources[image];
    const VkImageAspectFlags aspects = aspects_of(node.image->format);
    const bool is_color = aspects == VK_IMAGE_ASPECT_COLOR_BIT;
    const bool draws = (graph.capabilities.queue_flags[0] & VK_QUEUE_GRAPHICS_BIT) != 0;
    const bool has_queue = device_.queue().handle != VK_NULL_HANDLE;
    const QueueKind queue = has_queue ? QueueKind::main : plan.batches.front().queue;
    if (is_color ? queue == QueueKind::transfer : queue != QueueKind::main || !draws) {
        return tl::unexpected(Error{
            ErrorCode::unsupported,
            concat("history image '", node.name, "' must be cleared in the first batch, on the ", to_string(queue),
                   " queue, which cannot clear ", is_color ? "images" : "depth images", to_string(node.where))});
    }
    histories_.push_back({images[image].image,
                          {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
                          history_layout(plan.final_layouts[image])});
    return {};
}

bool ProgramResources::must_be_cleared() const {
    return (!states_.empty() || !histories_.empty()) && device_.queue().handle == VK_NULL_HANDLE;
}

void ProgramResources::clear(VkCommandBuffer commands) const {
    constexpr VkImageLayout cleared = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const auto& vk = device_.vk();
    for (const HistoryImage& history : histories_) {
        const Scope transfer{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
        change_layout(commands, history, VK_IMAGE_LAYOUT_UNDEFINED, cleared, {transfer.stages, 0}, transfer);
        const VkClearColorValue black{};
        const VkClearDepthStencilValue zero{};
        if (history.range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT) {
            vk.vkCmdClearColorImage(commands, history.image, cleared, &black, 1, &history.range);
        } else {
            vk.vkCmdClearDepthStencilImage(commands, history.image, cleared, &zero, 1, &history.range);
        }
        change_layout(commands, history, cleared, history.layout, transfer, scope_of(Access::any));
    }
    for (const std::size_t i : states_) {
        vk.vkCmdFillBuffer(commands, owned_[i].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    // The plan's barriers only cover uses in executions.
    VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &barrier;
    pipeline_barrier(vk, commands, dependency);
}

void ProgramResources::change_layout(VkCommandBuffer commands, const HistoryImage& history, VkImageLayout from,
                                     VkImageLayout to, const Scope& source, const Scope& destination) const {
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.srcStageMask = source.stages;
    barrier.srcAccessMask = source.access;
    barrier.dstStageMask = destination.stages;
    barrier.dstAccessMask = destination.access;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = history.image;
    barrier.subresourceRange = history.range;
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &barrier;
    pipeline_barrier(device_.vk(), commands, dependency);
}

} // namespace weir
