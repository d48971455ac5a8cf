// A renderer whose window changes its size while frames are pending. It retires the old program and its buffer with a
// value of its timeline semaphore and does not wait. Weir destroys them when the semaphore reaches the value.

#include <array>

#include "application.hpp"

namespace {

constexpr std::uint32_t frames = 8, in_flight = 2;

/// Returns a graph, which must be built again for another size.
struct Work {
    Work(const weir::Context& gpu, std::uint32_t size) : graph(gpu) {
        input = graph.import_buffer<std::uint32_t>("input", size, {}, weir::Access::none);
        sums = weir::scan(graph, input);
        graph.export_buffer(sums);
    }
    weir::Graph graph;
    weir::BufferRef<std::uint32_t> input, sums;
};

/// Objects that a frame uses while it is pending.
struct Frame {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
};

Frame make_frame(const Application& application) {
    Frame frame;
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = application.queue_family;
    require(vkCreateCommandPool(application.device, &pool, nullptr, &frame.pool), "creating a command pool");
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = frame.pool;
    allocate.commandBufferCount = 1;
    require(vkAllocateCommandBuffers(application.device, &allocate, &frame.commands), "allocating a command buffer");
    return frame;
}

VkSemaphore make_timeline(const Application& application) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    info.pNext = &type;
    VkSemaphore timeline = VK_NULL_HANDLE;
    require(vkCreateSemaphore(application.device, &info, nullptr, &timeline), "creating a timeline semaphore");
    return timeline;
}

void wait_for(const Application& application, VkSemaphore timeline, std::uint64_t value) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline;
    info.pValues = &value;
    require(vkWaitSemaphores(application.device, &info, UINT64_MAX), "waiting for a frame");
}

weir::Buffer ones(const weir::Context& gpu, std::uint32_t size) {
    weir::Buffer buffer = require(gpu.create_buffer(std::uint64_t{size} * 4));
    require(gpu.upload(buffer, std::vector<std::uint32_t>(size, 1)));
    return buffer;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        const VkSemaphore timeline = make_timeline(application); // frame N signals N
        std::array<Frame, in_flight> slots;
        for (Frame& slot : slots) {
            slot = make_frame(application);
        }
        std::uint32_t size = 1000;
        Work work(gpu, size);
        auto program = require(weir::compile(gpu, work.graph, {.frames_in_flight = in_flight}));
        weir::Buffer input = ones(gpu, size);
        require(program.bind(work.input, input));

        for (std::uint64_t number = 1; number <= frames; ++number) {
            wait_for(application, timeline, number > in_flight ? number - in_flight : 0);
            require(gpu.collect()); // destroys retired objects that are no longer in use
            if (number % 3 == 0) {  // another size
                size += 500;
                // [retire]
                Work larger(gpu, size);
                auto next = require(program.resized(larger.graph));
                // Frames up to the last one may still use these.
                require(std::move(program).retire({{timeline, number - 1}}));
                require(gpu.retire(std::move(input), {{timeline, number - 1}}));
                // [/retire]
                work = std::move(larger);
                program = std::move(next);
                input = ones(gpu, size);
                require(program.bind(work.input, input));
            }
            const Frame& frame = slots[number % in_flight];
            require(vkResetCommandPool(application.device, frame.pool, 0), "resetting a command pool");
            VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            require(vkBeginCommandBuffer(frame.commands, &begin), "beginning a command buffer");
            require(program.record(frame.commands));
            require(vkEndCommandBuffer(frame.commands), "ending a command buffer");
            VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
            values.signalSemaphoreValueCount = 1;
            values.pSignalSemaphoreValues = &number;
            VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
            submit.pNext = &values;
            submit.commandBufferCount = 1;
            submit.pCommandBuffers = &frame.commands;
            submit.signalSemaphoreCount = 1;
            submit.pSignalSemaphores = &timeline;
            require(vkQueueSubmit(application.queue, 1, &submit, VK_NULL_HANDLE), "submitting a frame");
        }
        wait_for(application, timeline, frames);
        require(require(gpu.collect()) == 0, "no retired object is left"); // so the semaphore may be destroyed
        require(require(gpu.download<std::uint32_t>(program.view(work.sums), size)).back() == size, "the sums");
        for (const Frame& slot : slots) {
            vkDestroyCommandPool(application.device, slot.pool, nullptr);
        }
        vkDestroySemaphore(application.device, timeline, nullptr);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
