#include "engine/memory/device_memory.hpp"

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/memory.hpp"
#include "engine/submit/queue.hpp"
#include "engine/submit/synchronization.hpp"

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

Result<std::unique_ptr<DeviceMemory>> DeviceMemory::create(DeviceHandle& device, MemoryHooks hooks,
                                                           std::uint64_t limit) {
    std::unique_ptr<DeviceMemory> made(new DeviceMemory(device, std::move(hooks), limit));
    if (!made->hooks_.create_buffer) {
        auto own = make_own_memory(device.instance_functions(),
                                   {device.instance(), device.physical_device(), device.handle(),
                                    device.capabilities().buffer_address, device.capabilities().maintenance4,
                                    device.callbacks(), made.get()});
        WEIR_PROPAGATE(own);
        const MemoryHooks of_host = std::exchange(made->hooks_, std::move(*own));
        if (of_host.allocate) {
            made->hooks_.allocate = of_host.allocate;
            made->hooks_.free = of_host.free;
        }
    }
    return made;
}

DeviceMemory::~DeviceMemory() {
    if (device_.is_abandoned()) { // leaked: the allocator would free its memory
        static_cast<void>(std::make_unique<MemoryHooks>(std::move(hooks_)).release());
    }
}

VkBufferCreateInfo DeviceMemory::buffer_info(VkDeviceSize size, VkBufferUsageFlags further_usage,
                                             std::span<const std::uint32_t> families) const {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = size;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | further_usage;
    if (device_.capabilities().buffer_address) {
        info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    }
    share(info, families);
    return info;
}

std::uint32_t DeviceMemory::buffer_types(VkBufferUsageFlags further_usage) const {
    const VkBufferCreateInfo info = buffer_info(4, further_usage);
    const VolkDeviceTable& vk = device_.vk();
    if (vk.vkGetDeviceBufferMemoryRequirements == nullptr) {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkMemoryRequirements needs{};
        if (vk.vkCreateBuffer(device_.handle(), &info, device_.callbacks(), &buffer) == VK_SUCCESS) {
            device_.set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(buffer), "memory types of buffers");
            vk.vkGetBufferMemoryRequirements(device_.handle(), buffer, &needs);
            vk.vkDestroyBuffer(device_.handle(), buffer, device_.callbacks());
        }
        return needs.memoryTypeBits;
    }
    VkDeviceBufferMemoryRequirements asked{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS};
    asked.pCreateInfo = &info;
    VkMemoryRequirements2 needs{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vk.vkGetDeviceBufferMemoryRequirements(device_.handle(), &asked, &needs);
    return needs.memoryRequirements.memoryTypeBits;
}

VkResult DeviceMemory::allocate(const VkMemoryRequirements& needs, const std::string& name, MemoryHooks::Memory& out) {
    if (hooks_.allocate) {
        return hooks_.allocate(needs, out);
    }
    const VkPhysicalDeviceMemoryProperties& properties = use_.properties();
    std::uint32_t type = 0;
    bool is_local = false;
    for (std::uint32_t i = properties.memoryTypeCount; i-- > 0;) { // the first device-local type is the best
        const bool local = (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        if ((needs.memoryTypeBits >> i & 1U) != 0 && (local || !is_local)) {
            type = i;
            is_local = local;
        }
    }
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = device_.capabilities().buffer_address ? &flags : nullptr;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    const VkResult status = device_.vk().vkAllocateMemory(device_.handle(), &info, device_.callbacks(), &out.memory);
    if (status == VK_SUCCESS) {
        on_allocated(out.memory, type, needs.size);
        device_.set_name(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(out.memory), name);
        const std::lock_guard lock(own_memory_mutex_);
        own_memory_.emplace(out.memory, std::pair(type, needs.size));
    }
    return status;
}

void DeviceMemory::free(const MemoryHooks::Memory& memory) {
    if (hooks_.free && !device_.is_abandoned()) {
        hooks_.free(memory);
    } else {
        {
            const std::lock_guard lock(own_memory_mutex_);
            if (const auto found = own_memory_.find(memory.memory); found != own_memory_.end()) {
                on_freed(found->second.first, found->second.second);
                own_memory_.erase(found);
            }
        }
        device_.vk().vkFreeMemory(device_.handle(), memory.memory, device_.callbacks());
    }
}

void DeviceMemory::on_allocated(VkDeviceMemory memory, std::uint32_t type, VkDeviceSize bytes) {
    use_.add(type, bytes);
    if (device_.has_names()) {
        device_.set_name(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(memory),
                         concat("memory of type ", type));
    }
}

Result<MemoryHooks::Allocation> DeviceMemory::allocate_buffer(VkDeviceSize size, MemoryKind kind,
                                                              const std::string& name, VkBufferUsageFlags further_usage,
                                                              std::span<const std::uint32_t> families) {
    if (size == 0) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    describe(name, size) + " cannot be created; the size must be at least 1"});
    }
    const Capabilities& device = device_.capabilities();
    if (size > device.max_buffer_size) {
        return tl::unexpected(
            Error{ErrorCode::limit_exceeded,
                  concat(describe(name, size), " exceeds the device's limit of ", device.max_buffer_size,
                         " bytes per buffer (maxBufferSize, device memory)")});
    }
    const VkBufferCreateInfo info = buffer_info(size, further_usage, families);
    MemoryHooks::Allocation out;
    if (const VkResult status = hooks_.create_buffer(info, kind, out); status != VK_SUCCESS) {
        Error error =
            vulkan_error(status, concat("allocating ", describe(name, size), " in ", name_of(kind), " memory"));
        // The Vulkan Memory Allocator returns this for a usage that it was not created for.
        if (status == VK_ERROR_INITIALIZATION_FAILED && (info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {
            error = {ErrorCode::invalid_argument,
                     error.message + "; its usage has VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, because "
                                     "bufferDeviceAddress is enabled; the application's VmaAllocator must be created "
                                     "with VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT"};
        }
        if (status == VK_ERROR_OUT_OF_DEVICE_MEMORY && size > device.max_allocation) { // a driver may accept more
            error = {ErrorCode::limit_exceeded,
                     concat(describe(name, size), " exceeds the device's limit of ", device.max_allocation,
                            " bytes per allocation (maxMemoryAllocationSize)")};
        }
        return tl::unexpected(std::move(error));
    }
    if (kind != MemoryKind::device && out.mapped == nullptr) {
        free_buffer(out);
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    concat("the application's memory functions did not map ", describe(name, size))});
    }
    if (device_.has_names()) {
        device_.set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(out.buffer),
                         name.empty() ? concat("a buffer in ", name_of(kind), " memory") : name);
    }
    return out;
}

void DeviceMemory::free_buffer(const MemoryHooks::Allocation& allocation) {
    if (!device_.is_abandoned()) {
        hooks_.destroy_buffer(allocation);
    }
}

Result<> DeviceMemory::reserve(VkDeviceSize size, const std::string& name) {
    const std::uint64_t before = in_use_.fetch_add(size);
    if (limit_ == 0 || before + size <= limit_) {
        return {};
    }
    release(size);
    return tl::unexpected(
        Error{ErrorCode::out_of_memory, concat(describe(name, size), " exceeds the context's memory_limit: ", before,
                                               " of ", limit_, " bytes are in use")});
}

Result<Buffer> DeviceMemory::create_buffer(VkDeviceSize size, MemoryKind kind, const std::string& name,
                                           VkBufferUsageFlags further_usage, std::span<const std::uint32_t> families) {
    const bool counts = kind == MemoryKind::device;
    WEIR_PROPAGATE(counts ? reserve(size, name) : Result<>());
    auto memory = allocate_buffer(size, kind, name, further_usage, families);
    if (!memory) {
        if (counts) {
            release(size);
        }
        return tl::unexpected(memory.error());
    }
    Buffer buffer;
    buffer.memory_ = shared();
    buffer.buffer_ = memory->buffer;
    buffer.allocation_ = memory->allocation;
    buffer.mapped_ = kind == MemoryKind::device ? nullptr : static_cast<std::byte*>(memory->mapped);
    buffer.size_ = size;
    return buffer;
}

void DeviceMemory::destroy_buffer(const MemoryHooks::Allocation& allocation, VkDeviceSize size) {
    free_buffer(allocation);
    if (allocation.mapped == nullptr) {
        release(size);
    }
}

VkDeviceAddress DeviceMemory::address(VkBuffer buffer) const {
    VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    info.buffer = buffer;
    return device_.vk().vkGetBufferDeviceAddress(device_.handle(), &info);
}

} // namespace weir
