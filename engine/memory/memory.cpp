#include "engine/memory/memory.hpp"

// All headers that the allocator includes. They must come before it, because it is included in a namespace.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <type_traits>
#include <utility>
#if defined(_MSC_VER)
#include <intrin.h>
#endif
#if defined(__APPLE__)
#include <AvailabilityMacros.h>
#endif
#if defined(_WIN32)
#include <malloc.h>
#endif

#include "engine/base/vulkan_error.hpp"
#include "engine/memory/device_memory.hpp"
#include "engine/memory/free_ranges.hpp"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#define VMA_IMPLEMENTATION
#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#define VMA_VULKAN_VERSION 1003000
#define VMA_CALL_PRE static

// The application may link another version of the allocator, so nothing of this copy is visible outside this file. The
// header's extern "C" does not change that, because static functions have no linkage to share.
namespace weir {
namespace {
#include <vk_mem_alloc.h>
} // namespace
} // namespace weir

// Applications create hooks of their allocator with this header. Weir uses it for its own allocator too.
#include <weir/engine/vma.hpp>

#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace weir {

namespace {

class VirtualBlock final : public FreeRanges {
public:
    explicit VirtualBlock(VmaVirtualBlock block) : block_(block) {}
    ~VirtualBlock() override {
        vmaClearVirtualBlock(block_); // ranges of an abandoned device are not released
        vmaDestroyVirtualBlock(block_);
    }
    VirtualBlock(const VirtualBlock&) = delete;
    VirtualBlock& operator=(const VirtualBlock&) = delete;

    std::optional<VkDeviceSize> take(VkDeviceSize bytes, VkDeviceSize alignment) override {
        VmaVirtualAllocationCreateInfo info{};
        info.size = bytes;
        info.alignment = alignment;
        VmaVirtualAllocation made = VK_NULL_HANDLE;
        VkDeviceSize offset = 0;
        if (vmaVirtualAllocate(block_, &info, &made, &offset) != VK_SUCCESS) {
            return std::nullopt;
        }
        taken_.emplace(offset, made);
        return offset;
    }
    void give_back(VkDeviceSize offset) override {
        if (const auto taken = taken_.find(offset); taken != taken_.end()) {
            vmaVirtualFree(block_, taken->second);
            taken_.erase(taken);
        }
    }

private:
    VmaVirtualBlock block_;
    std::map<VkDeviceSize, VmaVirtualAllocation> taken_; ///< by offset
};

void VKAPI_PTR tell_allocated(VmaAllocator /*allocator*/, std::uint32_t type, VkDeviceMemory memory, VkDeviceSize bytes,
                              void* observer) {
    static_cast<DeviceMemory*>(observer)->on_allocated(memory, type, bytes);
}

void VKAPI_PTR tell_freed(VmaAllocator /*allocator*/, std::uint32_t type, VkDeviceMemory /*memory*/, VkDeviceSize bytes,
                          void* observer) {
    static_cast<DeviceMemory*>(observer)->on_freed(type, bytes);
}

} // namespace

std::unique_ptr<FreeRanges> make_free_ranges(VkDeviceSize bytes, const VkAllocationCallbacks* callbacks) {
    VmaVirtualBlockCreateInfo info{};
    info.size = bytes;
    info.pAllocationCallbacks = callbacks;
    VmaVirtualBlock block = VK_NULL_HANDLE;
    return vmaCreateVirtualBlock(&info, &block) == VK_SUCCESS ? std::make_unique<VirtualBlock>(block) : nullptr;
}

Result<MemoryHooks> make_own_memory(const InstanceTable& vk, const MemoryDevice& device) {
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = vk.vkGetInstanceProcAddr;
    functions.vkGetDeviceProcAddr = vk.vkGetDeviceProcAddr;
    VmaAllocatorCreateInfo info{};
    info.flags = device.buffer_address ? VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT : 0;
    info.instance = device.instance;
    info.physicalDevice = device.physical_device;
    info.device = device.device;
    info.pVulkanFunctions = &functions;
    info.pAllocationCallbacks = device.callbacks;
    VmaDeviceMemoryCallbacks tell{}; // copied
    tell.pfnAllocate = tell_allocated;
    tell.pfnFree = tell_freed;
    tell.pUserData = device.observer;
    info.pDeviceMemoryCallbacks = device.observer != nullptr ? &tell : nullptr;
    info.vulkanApiVersion = device.maintenance4 ? VK_API_VERSION_1_3 : VK_API_VERSION_1_2; // 1.3 only for maintenance4
    VmaAllocator allocator = VK_NULL_HANDLE;
    if (const VkResult status = vmaCreateAllocator(&info, &allocator); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating the memory allocator"));
    }
    MemoryHooks hooks = memory_from_vma(allocator);
    // Each hook keeps the allocator alive.
    const std::shared_ptr<void> keep(allocator, [](void* it) { vmaDestroyAllocator(static_cast<VmaAllocator>(it)); });
    const auto keeping = [&keep](auto function) {
        return [keep, function = std::move(function)](auto&&... arguments) {
            return function(std::forward<decltype(arguments)>(arguments)...);
        };
    };
    hooks.create_buffer = keeping(std::move(hooks.create_buffer));
    hooks.destroy_buffer = keeping(std::move(hooks.destroy_buffer));
    hooks.allocate = keeping(std::move(hooks.allocate));
    hooks.free = keeping(std::move(hooks.free));
    return hooks;
}

} // namespace weir
