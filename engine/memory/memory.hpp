#pragma once

#include <weir/engine/context.hpp>

#include "engine/base/instance_table.hpp"

namespace weir {

class DeviceMemory;

struct MemoryDevice {
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    bool buffer_address = false;
    bool maintenance4 = false;
    const VkAllocationCallbacks* callbacks = nullptr; ///< for Vulkan and the allocator itself; may be null
    DeviceMemory* observer = nullptr; ///< notified of each VkDeviceMemory allocation and free; may be null
};

/// Creates hooks of Weir's own allocator, with the interface that an application's hooks have. The allocator lives as
/// long as they do.
Result<MemoryHooks> make_own_memory(const InstanceTable& vk, const MemoryDevice& device);

} // namespace weir
