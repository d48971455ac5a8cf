#pragma once

// For applications that use the Vulkan Memory Allocator. Include this header after the application's vk_mem_alloc.h:
// the calls are compiled against the application's version of the allocator.

#include <weir/engine/context.hpp>

namespace weir {

/// Returns hooks that allocate Weir's buffers and images from `allocator`, which must outlive the context.
inline MemoryHooks memory_from_vma(VmaAllocator allocator) {
    MemoryHooks hooks;
    hooks.create_buffer = [allocator](const VkBufferCreateInfo& info, MemoryKind kind, MemoryHooks::Allocation& out) {
        VmaAllocationCreateInfo allocation_info{};
        allocation_info.usage = VMA_MEMORY_USAGE_AUTO;
        if (kind != MemoryKind::device) {
            allocation_info.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT |
                                    (kind == MemoryKind::upload ? VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT
                                                                : VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT);
            allocation_info.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        }
        VmaAllocation allocation = VK_NULL_HANDLE;
        VmaAllocationInfo result{};
        const VkResult status = vmaCreateBuffer(allocator, &info, &allocation_info, &out.buffer, &allocation, &result);
        out.allocation = allocation;
        out.mapped = result.pMappedData;
        return status;
    };
    hooks.destroy_buffer = [allocator](const MemoryHooks::Allocation& allocation) {
        vmaDestroyBuffer(allocator, allocation.buffer, static_cast<VmaAllocation>(allocation.allocation));
    };
    hooks.allocate = [allocator](const VkMemoryRequirements& needs, MemoryHooks::Memory& out) {
        VmaAllocationCreateInfo allocation_info{};
        allocation_info.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        VmaAllocation allocation = VK_NULL_HANDLE;
        VmaAllocationInfo result{};
        const VkResult status = vmaAllocateMemory(allocator, &needs, &allocation_info, &allocation, &result);
        out = {result.deviceMemory, result.offset, allocation};
        return status;
    };
    hooks.free = [allocator](const MemoryHooks::Memory& memory) {
        vmaFreeMemory(allocator, static_cast<VmaAllocation>(memory.allocation));
    };
    return hooks;
}

} // namespace weir
