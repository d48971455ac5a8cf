#include "engine/device.hpp"

#include "engine/memory.hpp"
#include "engine/spirv.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

const char* name_of(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::upload: return "upload";
    case MemoryKind::download: return "download";
    case MemoryKind::device: break;
    }
    return "device";
}

std::string describe(const std::string& name, VkDeviceSize size) {
    return name.empty() ? concat("a buffer of ", size, " bytes")
                        : concat("the buffer '", name, "' of ", size, " bytes");
}

} // namespace

Result<std::shared_ptr<Device>> Device::create(DeviceSetup setup) {
    std::shared_ptr<Device> device(new Device(std::move(setup)));
    if (auto done = device->initialize(); !done) {
        return tl::unexpected(done.error());
    }
    return device;
}

Result<> Device::initialize() {
    weir_volk_load_device_table(&vk_, setup_.device, setup_.functions.vkGetDeviceProcAddr);
    const std::pair<bool, const char*> needed[] = {
        {vk_.vkDestroyDevice != nullptr, "vkDestroyDevice"},
        {vk_.vkCreateBuffer != nullptr, "vkCreateBuffer"},
        {vk_.vkCreateComputePipelines != nullptr, "vkCreateComputePipelines"},
        {vk_.vkCmdPipelineBarrier2 != nullptr, "vkCmdPipelineBarrier2"},
        {vk_.vkCmdWriteTimestamp2 != nullptr, "vkCmdWriteTimestamp2"},
        {vk_.vkQueueSubmit2 != nullptr, "vkQueueSubmit2"},
    };
    for (const auto& [there, name] : needed) {
        if (!there) {
            return tl::unexpected(Error{ErrorCode::unsupported, concat("the device has no function ", name)});
        }
    }
    if (!setup_.memory.create_buffer) {
        auto memory = make_own_memory(setup_.functions, {setup_.instance, setup_.physical_device, setup_.device,
                                                         setup_.capabilities.buffer_address});
        if (!memory) {
            return tl::unexpected(memory.error());
        }
        setup_.memory = std::move(*memory);
    }
    if (setup_.host_pipeline_cache == VK_NULL_HANDLE) {
        auto cache = PipelineCache::create(*this, setup_.pipeline_cache_file);
        if (!cache) {
            return tl::unexpected(cache.error());
        }
        pipeline_cache_ = std::move(*cache);
    }
    make_queues();
    submissions_ = std::make_unique<Submissions>(vk_, setup_.device, locked(QueueKind::main));
    transfers_ = std::make_unique<Transfers>(*this);
    if (setup_.own_device) {
        set_name(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<std::uint64_t>(setup_.device), "weir device");
    }
    return {};
}

void Device::make_queues() {
    constexpr const char* names[queue_kinds] = {"weir queue", "weir compute queue", "weir transfer queue"};
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
        Queue& queue = setup_.queues[kind];
        setup_.capabilities.queue_families[kind] = queue.family;
        for (std::size_t other = 0; other < kind && queue.handle != VK_NULL_HANDLE; ++other) {
            if (queues_[other]->get().handle == queue.handle) {
                queues_[kind] = queues_[other];
            }
        }
        if (queues_[kind] != nullptr) {
            continue;
        }
        if (setup_.own_device && queue.handle != VK_NULL_HANDLE) {
            set_name(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<std::uint64_t>(queue.handle), names[kind]);
        }
        queues_[kind] = std::make_shared<LockedQueue>(vk_, std::move(queue));
    }
}

Device::~Device() {
    if (setup_.own_device && vk_.vkDeviceWaitIdle != nullptr) {
        vk_.vkDeviceWaitIdle(setup_.device);
    }
    pipelines_.clear();
    pipeline_cache_.reset();
    transfers_.reset();
    submissions_.reset();
    setup_.memory = {};
    if (setup_.own_device && vk_.vkDestroyDevice != nullptr) {
        vk_.vkDestroyDevice(setup_.device, nullptr);
    }
}

VkPipelineCache Device::pipeline_cache() const {
    return pipeline_cache_ ? pipeline_cache_->handle() : setup_.host_pipeline_cache;
}

VkBufferCreateInfo Device::buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage,
                                       std::span<const std::uint32_t> families) const {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = size;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | further_usage;
    if (capabilities().buffer_address) {
        info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    }
    share(info, families);
    return info;
}

VkResult Device::allocate(const VkMemoryRequirements& needs, MemoryHooks::Memory& out) {
    if (setup_.memory.allocate) {
        return setup_.memory.allocate(needs, out);
    }
    VkPhysicalDeviceMemoryProperties properties{};
    setup_.functions.vkGetPhysicalDeviceMemoryProperties(setup_.physical_device, &properties);
    std::uint32_t type = 0;
    bool is_local = false;
    for (std::uint32_t i = properties.memoryTypeCount; i-- > 0;) { // the first of those that are local is the best
        const bool local = (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        if ((needs.memoryTypeBits >> i & 1U) != 0 && (local || !is_local)) {
            type = i;
            is_local = local;
        }
    }
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = capabilities().buffer_address ? &flags : nullptr;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    return vk_.vkAllocateMemory(setup_.device, &info, nullptr, &out.memory);
}

void Device::free(const MemoryHooks::Memory& memory) {
    if (setup_.memory.free) {
        setup_.memory.free(memory);
    } else {
        vk_.vkFreeMemory(setup_.device, memory.memory, nullptr);
    }
}

Result<MemoryHooks::Allocation> Device::allocate_memory(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                                        VkBufferUsageFlags further_usage,
                                                        std::span<const std::uint32_t> families) {
    if (size == 0) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, describe(name, size) + " cannot be made: the size must be at least 1"});
    }
    if (size > capabilities().max_allocation) {
        return tl::unexpected(
            Error{ErrorCode::limit_exceeded, concat(describe(name, size), " is past the device's limit of ",
                                                    capabilities().max_allocation, " bytes for one allocation")});
    }
    const VkBufferCreateInfo info = buffer_info(size, further_usage, families);
    MemoryHooks::Allocation out;
    if (const VkResult status = setup_.memory.create_buffer(info, kind, out); status != VK_SUCCESS) {
        return tl::unexpected(
            vulkan_error(status, concat("allocating ", describe(name, size), " in ", name_of(kind), " memory")));
    }
    if (kind != MemoryKind::device && out.mapped == nullptr) {
        free_memory(out);
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    concat("the host's memory functions did not map ", describe(name, size))});
    }
    if (!name.empty()) {
        set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(out.buffer), name.c_str());
    }
    return out;
}

void Device::free_memory(const MemoryHooks::Allocation& allocation) {
    setup_.memory.destroy_buffer(allocation);
}

Result<> Device::reserve_memory(VkDeviceSize size, const std::string& name) {
    const std::uint64_t before = memory_in_use_.fetch_add(size);
    if (setup_.memory_limit == 0 || before + size <= setup_.memory_limit) {
        return {};
    }
    release_memory(size);
    return tl::unexpected(
        Error{ErrorCode::out_of_memory, concat(describe(name, size), " is past the context's limit: ", before, " of ",
                                               setup_.memory_limit, " bytes are in use (memory_limit)")});
}

Result<Buffer> Device::create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                     VkBufferUsageFlags further_usage, std::span<const std::uint32_t> families) {
    const bool counts = kind == MemoryKind::device;
    if (auto reserved = counts ? reserve_memory(size, name) : Result<>(); !reserved) {
        return tl::unexpected(reserved.error());
    }
    auto memory = allocate_memory(size, kind, name, further_usage, families);
    if (!memory) {
        if (counts) {
            release_memory(size);
        }
        return tl::unexpected(memory.error());
    }
    Buffer buffer;
    buffer.device_ = shared_from_this();
    buffer.buffer_ = memory->buffer;
    buffer.allocation_ = memory->allocation;
    buffer.mapped_ = kind == MemoryKind::device ? nullptr : static_cast<std::byte*>(memory->mapped);
    buffer.size_ = size;
    return buffer;
}

VkDeviceAddress Device::address(VkBuffer buffer) const {
    VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    info.buffer = buffer;
    return vk_.vkGetBufferDeviceAddress(setup_.device, &info);
}

Result<std::shared_ptr<const Pipeline>> Device::pipeline(const PipelineInfo& info) {
    std::shared_ptr<PipelineSlot> slot;
    {
        const std::lock_guard lock(pipelines_mutex_);
        auto& entry = pipelines_[PipelineKey(info, capabilities())];
        if (!entry) {
            entry = std::make_shared<PipelineSlot>();
        }
        slot = entry;
    }
    const std::lock_guard lock(slot->mutex);
    if (!slot->pipeline) {
        auto made = Pipeline::create(*this, info);
        if (!made) {
            return tl::unexpected(made.error());
        }
        slot->pipeline = std::move(*made);
    }
    return std::shared_ptr<const Pipeline>(shared_from_this(), slot->pipeline.get());
}

Result<> Device::submit(const std::function<Result<>(VkCommandBuffer)>& record) {
    return submissions_->run(record);
}

Result<> Device::upload(BufferView destination, std::span<const std::byte> bytes) {
    return transfers_->upload(destination, bytes);
}

Result<> Device::download(std::span<std::byte> bytes, BufferView source) {
    return transfers_->download(bytes, source);
}

void Device::set_name(VkObjectType type, std::uint64_t object, const char* name) const {
    if (setup_.functions.vkSetDebugUtilsObjectNameEXT == nullptr) {
        return;
    }
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = name;
    setup_.functions.vkSetDebugUtilsObjectNameEXT(setup_.device, &info);
}

void Device::begin_label(VkCommandBuffer commands, const char* name) const {
    if (setup_.functions.vkCmdBeginDebugUtilsLabelEXT != nullptr) {
        VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
        label.pLabelName = name;
        setup_.functions.vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    }
}

void Device::end_label(VkCommandBuffer commands) const {
    if (setup_.functions.vkCmdEndDebugUtilsLabelEXT != nullptr) {
        setup_.functions.vkCmdEndDebugUtilsLabelEXT(commands);
    }
}

} // namespace weir
