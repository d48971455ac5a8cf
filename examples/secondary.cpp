// A renderer that records on several threads: two programs, each into its own secondary command buffer. The command
// buffer of the frame executes both.

#include <array>
#include <thread>

#include "application.hpp"

namespace {

using Words = std::vector<std::uint32_t>;

VkCommandPool make_pool(const Application& application) {
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.queueFamilyIndex = application.queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    require(vkCreateCommandPool(application.device, &info, nullptr, &pool), "creating a command pool");
    return pool;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const Words input = {5, 3, 9, 1, 7};

        weir::Graph sorting(gpu), summing(gpu);
        auto unsorted = sorting.import_buffer<std::uint32_t>("numbers", 5, {}, weir::Access::none);
        auto sorted = weir::radix_sort(sorting, unsorted).keys;
        sorting.export_buffer(sorted);
        auto terms = summing.import_buffer<std::uint32_t>("numbers", 5, {}, weir::Access::none);
        auto sums = weir::scan(summing, terms);
        summing.export_buffer(sums);
        auto sort = require(weir::compile(gpu, sorting));
        auto sum = require(weir::compile(gpu, summing));
        const weir::Buffer numbers = require(gpu.create_buffer(sizeof(input[0]) * input.size()));
        require(gpu.upload(numbers, input));
        require(sort.bind(unsorted, numbers));
        require(sum.bind(terms, numbers));

        // [secondary]
        std::array<weir::Program*, 2> programs = {&sort, &sum};
        std::array<VkCommandPool, 2> pools{}; // one per thread
        std::array<VkCommandBuffer, 2> secondary{};
        std::array<std::thread, 2> threads;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            pools[i] = make_pool(application);
            threads[i] = std::thread([&, i] {
                VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
                allocate.commandPool = pools[i];
                allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
                allocate.commandBufferCount = 1;
                require(vkAllocateCommandBuffers(application.device, &allocate, &secondary[i]), "allocating");
                VkCommandBufferInheritanceInfo outside{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
                VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
                begin.pInheritanceInfo = &outside; // not inside a render pass
                require(vkBeginCommandBuffer(secondary[i], &begin), "beginning a command buffer");
                require(programs[i]->record(secondary[i]));
                require(vkEndCommandBuffer(secondary[i]), "ending a command buffer");
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        submit(application, [&](VkCommandBuffer commands) { vkCmdExecuteCommands(commands, 2, secondary.data()); });
        // [/secondary]

        require(require(gpu.download<std::uint32_t>(sort.view(sorted), 5)) == Words{1, 3, 5, 7, 9}, "the order");
        require(require(gpu.download<std::uint32_t>(sum.view(sums), 5)) == Words{5, 8, 17, 18, 25}, "the sums");
        for (const VkCommandPool pool : pools) {
            vkDestroyCommandPool(application.device, pool, nullptr);
        }
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
