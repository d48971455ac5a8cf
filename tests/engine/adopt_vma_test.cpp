// A host with its own copy of Vulkan Memory Allocator. Its implementation is in this file and is linked next to Weir's.

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#endif
#define VMA_IMPLEMENTATION
#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#include <vk_mem_alloc.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <gtest/gtest.h>

#include <weir/engine/vma.hpp>

#include "tests/support/buffers.hpp"
#include "tests/support/host_device.hpp"

namespace weir::tests::adopt_vma_test {
namespace {

std::uint32_t allocations(VmaAllocator allocator) {
    VmaTotalStatistics statistics{};
    vmaCalculateStatistics(allocator, &statistics);
    return statistics.total.statistics.allocationCount;
}

TEST(Adopt, BuffersComeFromAllocatorOfHost) {
    const HostDevice host;
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = host.instance_functions().vkGetInstanceProcAddr;
    functions.vkGetDeviceProcAddr = host.instance_functions().vkGetDeviceProcAddr;
    AdoptedDevice adopted = host.adopted();
    VmaAllocatorCreateInfo info{};
    info.flags = test_context().capabilities().buffer_address ? VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT : 0;
    info.instance = host.instance();
    info.physicalDevice = host.physical_device();
    info.device = host.device();
    info.pVulkanFunctions = &functions;
    info.vulkanApiVersion = VK_API_VERSION_1_3;
    VmaAllocator allocator = VK_NULL_HANDLE;
    ASSERT_EQ(vmaCreateAllocator(&info, &allocator), VK_SUCCESS);
    adopted.memory = memory_from_vma(allocator);
    {
        const Context context = ok(Context::adopt(adopted));
        const std::vector<std::uint32_t> items = Random().vector(1000);
        const Buffer device = ok(context.create_buffer(4000));
        const Buffer up = ok(context.create_buffer(4000, MemoryKind::upload));
        const Buffer down = ok(context.create_buffer(4000, MemoryKind::download));
        EXPECT_EQ(allocations(allocator), 3U);
        EXPECT_NE(up.mapped(), nullptr);
        EXPECT_NE(down.mapped(), nullptr);
        ok(context.upload(device, items));
        EXPECT_EQ(ok(context.download<std::uint32_t>(device, 1000)), items);
        EXPECT_GT(allocations(allocator), 3U); // staging too
    }
    EXPECT_EQ(allocations(allocator), 0U);
    vmaDestroyAllocator(allocator);
}

} // namespace
} // namespace weir::tests::adopt_vma_test
