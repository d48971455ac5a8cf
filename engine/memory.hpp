#pragma once

#include <weir/engine/context.hpp>

#include "engine/instance.hpp"

namespace weir {

class Device;

struct MemoryDevice {
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    bool buffer_address = false;
    bool maintenance4 = false;
    const VkAllocationCallbacks* callbacks = nullptr; ///< of Vulkan and of the allocator itself; null: none
    Device* told = nullptr;                           ///< of each VkDeviceMemory; null: nobody
};

/// Memory from Weir's own allocator: the same hooks that a host can bring. The allocator lives as long as they do.
Result<MemoryHooks> make_own_memory(const InstanceTable& vk, const MemoryDevice& device);

} // namespace weir
