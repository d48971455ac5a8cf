// An application with its own Vulkan Memory Allocator: Weir allocates its memory from it. The program links two copies
// of the allocator, Weir's and the application's, which do not conflict.

#include "application.hpp"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
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

#include <weir/engine/vma.hpp>

#include "expected.hpp"

namespace {

constexpr std::uint32_t count = 50'000;

std::uint32_t allocations(VmaAllocator allocator) {
    VmaTotalStatistics statistics{};
    vmaCalculateStatistics(allocator, &statistics);
    return statistics.total.statistics.allocationCount;
}

} // namespace

int main() {
    {
        const Application application;
        VmaVulkanFunctions functions{};
        functions.vkGetInstanceProcAddr = vkGetInstanceProcAddr;
        functions.vkGetDeviceProcAddr = vkGetDeviceProcAddr;
        VmaAllocatorCreateInfo info{};
        info.instance = application.instance;
        info.physicalDevice = application.physical_device;
        info.device = application.device;
        info.pVulkanFunctions = &functions;
        info.vulkanApiVersion = VK_API_VERSION_1_3;
        info.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
        VmaAllocator allocator = VK_NULL_HANDLE;
        require(vmaCreateAllocator(&info, &allocator), "creating the allocator");

        // A buffer of the application.
        VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        buffer_info.size = count * 4;
        buffer_info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
        VmaAllocationCreateInfo allocation_info{};
        allocation_info.usage = VMA_MEMORY_USAGE_AUTO;
        allocation_info.flags =
            VMA_ALLOCATION_CREATE_MAPPED_BIT | VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT;
        VkBuffer buffer = VK_NULL_HANDLE;
        VmaAllocation allocation = VK_NULL_HANDLE;
        VmaAllocationInfo mapped{};
        require(vmaCreateBuffer(allocator, &buffer_info, &allocation_info, &buffer, &allocation, &mapped),
                "creating a buffer");
        const Values in = random_values(count);
        std::copy(in.begin(), in.end(), static_cast<std::uint32_t*>(mapped.pMappedData));
        require(vmaFlushAllocation(allocator, allocation, 0, VK_WHOLE_SIZE), "flushing");
        {
            weir::AdoptedDevice adopted = application.adopted();
            // [memory]
            adopted.memory = weir::memory_from_vma(allocator); // of <weir/engine/vma.hpp>
            // [/memory]
            const weir::Context context = require(weir::Context::adopt(adopted));
            weir::Graph graph(context);
            const auto keys = graph.import_buffer<std::uint32_t>("keys", count);
            const auto sorted = weir::radix_sort(graph, keys);
            graph.export_buffer(sorted.keys);
            weir::Program program = require(weir::compile(context, graph));
            require(allocations(allocator) > 1, "Weir allocates from the application's allocator");
            require(program.bind(keys, {buffer, 0, count * 4}));
            submit(application, [&](VkCommandBuffer commands) { require(program.record(commands)); });
            const Values found = require(context.download<std::uint32_t>(program.view(sorted.keys), count));
            require(found == taken(in, sorted_order(in)), "the sorted keys are correct");
        }
        require(allocations(allocator) == 1, "Weir frees its memory");
        vmaDestroyBuffer(allocator, buffer, allocation);
        vmaDestroyAllocator(allocator);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
