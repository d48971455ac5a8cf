#include "engine/memory/memory_use.hpp"

namespace weir {

MemoryUse::MemoryUse(const InstanceTable& vk, VkPhysicalDevice physical_device)
    : vk_(vk), physical_device_(physical_device) {
    vk_.vkGetPhysicalDeviceMemoryProperties(physical_device_, &properties_);
}

MemoryBudget MemoryUse::budget(bool is_measured) const {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT measured{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 asked{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &measured};
    if (is_measured) {
        vk_.vkGetPhysicalDeviceMemoryProperties2(physical_device_, &asked);
    }
    MemoryBudget out;
    out.is_measured = is_measured;
    for (std::uint32_t i = 0; i < properties_.memoryHeapCount; ++i) {
        const VkMemoryHeap& heap = properties_.memoryHeaps[i];
        MemoryHeap& one = out.heaps.emplace_back();
        one.device_local = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        one.size = heap.size;
        one.weir = allocated_.at(i);
        one.budget = is_measured ? measured.heapBudget[i] : heap.size / 5 * 4; // as the Vulkan Memory Allocator does
        one.usage = is_measured ? measured.heapUsage[i] : one.weir;
    }
    return out;
}

} // namespace weir
