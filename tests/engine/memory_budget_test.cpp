// Sizes and budgets of memory heaps, and the bytes that Weir allocates from them.

#include <numeric>

#include <gtest/gtest.h>

#include <weir/weir.hpp>

#include "engine/device/device.hpp"
#include "engine/memory/memory.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::memory_budget_test {
namespace {

const OnOneDriver on_one_driver{"MemoryBudget.*"};

/// Returns the bytes of Weir in all heaps.
std::uint64_t of_weir(const Context& context) {
    const MemoryBudget budget = context.memory_budget();
    return std::accumulate(budget.heaps.begin(), budget.heaps.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const MemoryHeap& heap) { return sum + heap.weir; });
}

bool has_extension(const HostDevice& host) {
    return std::ranges::any_of(host.adopted().enabled_extensions, [](const char* name) {
        return std::string_view(name) == VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    });
}

/// Returns a graph whose program has an image. If a host has hooks for buffers only, Weir allocates the memory of
/// images itself.
Graph with_image(const Context& context) {
    Graph graph(context);
    const WordRef words = graph.transient_buffer<std::uint32_t>("words", 512 * 512);
    const ImageId image = graph.transient_image("image", {.format = VK_FORMAT_R32_UINT, .extent = {512, 512, 1}});
    graph.add_fill("fill", words, 1);
    graph.add_copy("store", words, image);
    graph.export_image(image, Access::transfer_read);
    return graph;
}

TEST(MemoryBudget, HasHeapsOfDevice) {
    const Context& context = test_context();
    VkPhysicalDeviceMemoryProperties properties{};
    ContextAccess::device(context)->instance_functions().vkGetPhysicalDeviceMemoryProperties(context.physical_device(),
                                                                                             &properties);
    const MemoryBudget budget = context.memory_budget();
    EXPECT_EQ(budget.is_measured, context.capabilities().memory_budget);
    ASSERT_EQ(budget.heaps.size(), properties.memoryHeapCount);
    for (std::uint32_t i = 0; i < properties.memoryHeapCount; ++i) {
        const MemoryHeap& heap = budget.heaps[i];
        EXPECT_EQ(heap.size, properties.memoryHeaps[i].size);
        EXPECT_EQ(heap.device_local, (properties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0);
        EXPECT_GT(heap.budget, 0U);
        EXPECT_LE(heap.budget, heap.size);
    }
}

TEST(MemoryBudget, CountsAllocationsOfWeir) {
    const Context context = ok(Context::create(validated()));
    const std::uint64_t before = of_weir(context);
    constexpr VkDeviceSize bytes = VkDeviceSize{192} << 20U; // too large for a block that buffers share
    {
        const Buffer buffer = ok(context.create_buffer(bytes));
        EXPECT_GE(of_weir(context), before + bytes);
        const MemoryBudget budget = context.memory_budget();
        EXPECT_TRUE(std::ranges::any_of(
            budget.heaps, [&](const MemoryHeap& heap) { return heap.device_local && heap.weir >= bytes; }));
        if (!budget.is_measured) {
            for (const MemoryHeap& heap : budget.heaps) {
                EXPECT_EQ(heap.usage, heap.weir);
            }
        }
    }
    EXPECT_EQ(of_weir(context), before);
}

TEST(MemoryBudget, IsMeasuredIfExtensionIsEnabled) {
    const HostDevice host;
    EXPECT_EQ(ok(Context::adopt(host.adopted())).memory_budget().is_measured, has_extension(host));
    AdoptedDevice without = host.adopted();
    std::vector<const char*> extensions(without.enabled_extensions.begin(), without.enabled_extensions.end());
    std::erase_if(extensions,
                  [](const char* name) { return std::string_view(name) == VK_EXT_MEMORY_BUDGET_EXTENSION_NAME; });
    without.enabled_extensions = extensions;
    const Context context = ok(Context::adopt(without));
    const Buffer buffer = ok(context.create_buffer(1000));
    const MemoryBudget budget = context.memory_budget();
    EXPECT_FALSE(budget.is_measured);
    EXPECT_GE(of_weir(context), 1000U);
    for (const MemoryHeap& heap : budget.heaps) {
        EXPECT_EQ(heap.usage, heap.weir);
        EXPECT_EQ(heap.budget, heap.size / 5 * 4);
    }
}

TEST(MemoryBudget, ExcludesAllocationsOfHost) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.memory =
        ok(make_own_memory(host.instance_functions(),
                           {host.instance(), host.physical_device(), host.device(),
                            test_context().capabilities().buffer_address, test_context().capabilities().maintenance4}));
    {
        const Context context = ok(Context::adopt(adopted));
        const Buffer buffer = ok(context.create_buffer(1000));
        const Program program = ok(compile(context, with_image(context)));
        EXPECT_EQ(of_weir(context), 0U);
    }
    adopted.memory.allocate = {}; // now Weir allocates the memory of images
    adopted.memory.free = {};
    const Context context = ok(Context::adopt(adopted));
    const Buffer buffer = ok(context.create_buffer(1000));
    EXPECT_EQ(of_weir(context), 0U);
    {
        const Program program = ok(compile(context, with_image(context)));
        EXPECT_GE(of_weir(context), 512U * 512 * 4);
    }
    EXPECT_EQ(of_weir(context), 0U);
}

} // namespace
} // namespace weir::tests::memory_budget_test
