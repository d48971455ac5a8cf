#pragma once

#include <weir/engine/context.hpp>

#include "engine/instance.hpp"

namespace weir {

struct MemoryDevice {
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    bool buffer_address = false;
    bool maintenance4 = false;
};

/// Memory from Weir's own allocator: the same hooks that a host can bring. The allocator lives as long as they do.
Result<MemoryHooks> make_own_memory(const InstanceTable& vk, const MemoryDevice& device);

} // namespace weir
