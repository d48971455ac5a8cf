#include "engine/descriptors/descriptor_buffers.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/device_memory.hpp"

namespace weir {

namespace {

constexpr VkBufferUsageFlags of_all =
    VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;

} // namespace

std::vector<std::uint32_t> queue_families_of(const Capabilities& capabilities) {
    std::vector<std::uint32_t> families;
    for (const std::uint32_t family : capabilities.queue_families) {
        if (family != Capabilities::no_queue && std::find(families.begin(), families.end(), family) == families.end()) {
            families.push_back(family);
        }
    }
    return families;
}

DescriptorBuffers::DescriptorBuffers(DeviceMemory& memory, VkDeviceSize bytes, const DescriptorBuffer& hosts)
    : memory_(memory), device_(memory.device()), hosts_(hosts) {
    constexpr VkDeviceSize usual = 1U << 20U;
    properties_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT;
    VkPhysicalDeviceProperties2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties_};
    device_.instance_functions().vkGetPhysicalDeviceProperties2(device_.physical_device(), &core);
    bytes_ = std::min(bytes == 0 ? usual : bytes, limit());
}

DescriptorBuffers::~DescriptorBuffers() {
    for (Block& block : blocks_) {
        destroy(block);
    }
}

VkDeviceSize DescriptorBuffers::limit() const {
    const bool has_samplers = hosts_.address == 0 || (hosts_.usage & of_all) == of_all;
    return has_samplers
               ? std::min(properties_.maxResourceDescriptorBufferRange, properties_.maxSamplerDescriptorBufferRange)
               : properties_.maxResourceDescriptorBufferRange;
}

Result<> DescriptorBuffers::check_hosts() const {
    const auto refuse = [](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "adopt: descriptor_buffer " + why});
    };
    const VkDeviceSize alignment = properties_.descriptorBufferOffsetAlignment;
    if (hosts_.address == 0) {
        return {};
    }
    if (hosts_.mapped == nullptr || hosts_.size == 0) {
        return refuse(hosts_.mapped == nullptr ? "is not mapped" : "has a size of 0");
    }
    if ((hosts_.usage & VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT) == 0) {
        return refuse("lacks VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT in its usage");
    }
    if (hosts_.address % alignment != 0 || hosts_.offset % alignment != 0) {
        const bool is_address = hosts_.address % alignment != 0;
        return refuse(concat("has ", is_address ? "address " : "offset ", is_address ? hosts_.address : hosts_.offset,
                             ", which is not a multiple of ", alignment, " (descriptorBufferOffsetAlignment)"));
    }
    if (hosts_.offset > limit() || hosts_.size > limit() - hosts_.offset) {
        return refuse(
            concat("ends ", hosts_.offset + hosts_.size, " bytes after its address; the device's limit is ", limit()));
    }
    return {};
}

Result<> DescriptorBuffers::add_block(VkDeviceSize bytes) {
    Block block;
    if (hosts_.address != 0) {
        block.buffer = hosts_;
    } else {
        auto made = memory_.allocate_buffer(bytes, MemoryKind::upload, "descriptors of programs", of_all,
                                            queue_families_of(device_.capabilities()));
        WEIR_PROPAGATE(made);
        block.memory = *made;
        block.buffer = {memory_.address(made->buffer), of_all, static_cast<std::byte*>(made->mapped), 0, bytes};
    }
    block.ranges = make_free_ranges(block.buffer.size, device_.callbacks());
    if (block.ranges == nullptr) {
        destroy(block);
        return tl::unexpected(
            Error{ErrorCode::out_of_memory, "out of host memory for the ranges of a descriptor buffer"});
    }
    blocks_.push_back(std::move(block));
    return {};
}

void DescriptorBuffers::destroy(Block& block) {
    if (block.memory.buffer != VK_NULL_HANDLE) {
        memory_.free_buffer(block.memory);
    }
}

Result<> DescriptorBuffers::make_first() {
    return blocks_.empty() ? add_block(bytes_) : Result<>();
}

Result<DescriptorBuffer> DescriptorBuffers::first() {
    const std::lock_guard lock(mutex_);
    return make_first().map([&] { return blocks_.front().buffer; });
}

DescriptorPart DescriptorBuffers::take(Block& block, VkDeviceSize bytes) const {
    const auto offset = block.ranges->take(bytes, properties_.descriptorBufferOffsetAlignment);
    if (!offset) {
        return {};
    }
    ++block.parts;
    return {block.buffer, block.buffer.offset + *offset, bytes};
}

Result<DescriptorPart> DescriptorBuffers::take(VkDeviceSize bytes, bool from_first) {
    const std::lock_guard lock(mutex_);
    WEIR_PROPAGATE(make_first());
    const bool can_grow = !from_first && hosts_.address == 0;
    for (Block& block : blocks_) {
        const DescriptorPart part = take(block, bytes);
        if (part.size != 0) {
            return part;
        }
        if (!can_grow) {
            return tl::unexpected(
                Error{ErrorCode::limit_exceeded,
                      concat("the descriptor buffer of the ", hosts_.address != 0 ? "application" : "context", ", of ",
                             block.buffer.size, " bytes, has no free range of ", bytes, " bytes")});
        }
    }
    return add_block(std::max(bytes, bytes_)).map([&] { return take(blocks_.back(), bytes); });
}

void DescriptorBuffers::give_back(const DescriptorPart& part) {
    const std::lock_guard lock(mutex_);
    const auto block = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& one) { return one.buffer.address == part.in.address; });
    if (part.size == 0 || block == blocks_.end() || device_.is_abandoned()) { // an abandoned device may still read it
        return;
    }
    block->ranges->give_back(part.offset - block->buffer.offset);
    --block->parts;
    if (block->parts == 0 && block != blocks_.begin()) {
        destroy(*block);
        blocks_.erase(block);
    }
}

} // namespace weir
