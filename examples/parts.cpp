// One recording of a program on several threads, each into a secondary command buffer of its own pool.

#include <thread>
#include <vector>

#include "application.hpp"

namespace {

using Words = std::vector<std::uint32_t>;

/// A secondary command buffer with its pool, for one thread.
struct Job {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;

    explicit Job(const Application& application) {
        VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool_info.queueFamilyIndex = application.queue_family;
        require(vkCreateCommandPool(application.device, &pool_info, nullptr, &pool), "creating a command pool");
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandPool = pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
        allocate.commandBufferCount = 1;
        require(vkAllocateCommandBuffers(application.device, &allocate, &commands), "allocating");
    }
    void begin() const {
        VkCommandBufferInheritanceInfo outside{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.pInheritanceInfo = &outside; // not inside a render pass
        require(vkBeginCommandBuffer(commands, &begin), "beginning a command buffer");
    }
    void end() const { require(vkEndCommandBuffer(commands), "ending a command buffer"); }
};

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        weir::Graph graph(gpu);
        auto numbers = graph.import_buffer<std::uint32_t>("numbers", 5, {}, weir::Access::none);
        auto sorted = weir::radix_sort(graph, numbers).keys;
        auto sums = weir::scan(graph, sorted);
        graph.export_buffer(sums);
        weir::Program program = require(weir::compile(gpu, graph));
        const Words input = {5, 3, 9, 1, 7};
        const weir::Buffer buffer = require(gpu.create_buffer(sizeof(input[0]) * input.size()));
        require(gpu.upload(buffer, input));
        require(program.bind(numbers, buffer));
        std::vector<Job> jobs;

        // [parts]
        auto recording = require(program.begin_recording(4));
        while (jobs.size() < recording.parts().size()) {
            jobs.emplace_back(application);
        }
        std::vector<std::thread> threads; // or the jobs of an engine
        for (std::size_t part = 0; part < recording.parts().size(); ++part) {
            threads.emplace_back([&, part] {
                jobs[part].begin();
                require(recording.record(part, jobs[part].commands));
                jobs[part].end();
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        require(recording.end()); // the first error of a part, if there is one
        submit(application, [&](VkCommandBuffer commands) {
            for (const Job& job : jobs) {
                vkCmdExecuteCommands(commands, 1, &job.commands);
            }
        });
        // [/parts]

        require(require(gpu.download<std::uint32_t>(program.view(sums), 5)) == Words{1, 4, 9, 16, 25}, "the sums");
        for (const Job& job : jobs) {
            vkDestroyCommandPool(application.device, job.pool, nullptr);
        }
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
