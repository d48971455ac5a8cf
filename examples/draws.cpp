// The frame loop of a renderer with its own device and two frames in flight. Each frame selects the objects within
// reach, sorts them front to back, and writes the instance count of a draw. The CPU never reads that count.

#include <array>

#include "application.hpp"
#include "expected.hpp"

namespace {

constexpr std::uint32_t objects = 10'000, frames = 8, in_flight = 2;

/// Objects that a frame uses while it is pending.
struct Frame {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence done = VK_NULL_HANDLE;
    weir::Buffer distances; ///< mapped
};

Frame make_frame(const Application& application, const weir::Context& gpu) {
    Frame frame;
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = application.queue_family;
    require(vkCreateCommandPool(application.device, &pool, nullptr, &frame.pool), "creating a command pool");
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = frame.pool;
    allocate.commandBufferCount = 1;
    require(vkAllocateCommandBuffers(application.device, &allocate, &frame.commands), "allocating a command buffer");
    VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    require(vkCreateFence(application.device, &fence, nullptr, &frame.done), "creating a fence");
    frame.distances = require(gpu.create_buffer(objects * 4, weir::MemoryKind::upload));
    return frame;
}

void destroy(const Application& application, const Frame& frame) {
    vkDestroyFence(application.device, frame.done, nullptr);
    vkDestroyCommandPool(application.device, frame.pool, nullptr);
}

std::uint32_t distance(std::uint32_t object, std::uint32_t frame) {
    return object * 7919 % 1000 + frame;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));

        weir::Graph graph(gpu);
        auto reach = graph.parameter("reach", 1000);
        auto distances = graph.import_buffer<std::uint32_t>("distances", objects, {}, weir::Access::host_write);
        weir::Predicate near{.expression = "x < reach", .values = {{"reach", reach}}};
        auto visible = weir::select_if(graph, distances, near, {.want_indices = true});
        // [draw]
        auto order = weir::radix_sort(graph, visible.items, visible.indices).values; // nearest first

        // A VkDrawIndirectCommand
        auto draw = weir::write_arguments(
            graph, {weir::DrawArguments{.vertices = 36, .instances = visible.items.count}}, {.name = "draw"});
        graph.export_buffer(draw, weir::Access::indirect_read, {.per_frame = true});
        graph.export_buffer(order, weir::Access::vertex_shader_read, {.per_frame = true});
        // [/draw]
        auto program = require(weir::compile(gpu, graph, {.frames_in_flight = in_flight}));
        std::array<Frame, in_flight> slots;
        for (Frame& slot : slots) {
            slot = make_frame(application, gpu);
        }

        for (std::uint32_t number = 0; number < frames; ++number) {
            const std::uint32_t within = 100 * (number + 1);
            // [frame]
            Frame& frame = slots[number % in_flight];
            require(vkWaitForFences(application.device, 1, &frame.done, VK_TRUE, UINT64_MAX), "waiting for a frame");
            require(vkResetFences(application.device, 1, &frame.done), "resetting a fence");
            require(vkResetCommandPool(application.device, frame.pool, 0), "resetting a command pool");
            auto* mapped = reinterpret_cast<std::uint32_t*>(frame.distances.mapped());
            for (std::uint32_t i = 0; i < objects; ++i) {
                mapped[i] = distance(i, number);
            }
            require(program.bind(distances, frame.distances)); // a buffer that no pending frame uses
            require(program.set(reach, within));

            VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            require(vkBeginCommandBuffer(frame.commands, &begin), "beginning a command buffer");
            require(program.record(frame.commands));
            // ... begin rendering, and vkCmdDrawIndirect(frame.commands, program.view(draw).buffer, ...)
            require(vkEndCommandBuffer(frame.commands), "ending a command buffer");
            VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
            submit.commandBufferCount = 1;
            submit.pCommandBuffers = &frame.commands;
            require(vkQueueSubmit(application.queue, 1, &submit, frame.done), "submitting a frame");
            // [/frame]
            if (number + in_flight >= frames) { // compares the last frames
                require(vkQueueWaitIdle(application.queue), "waiting");
                Values all(objects);
                for (std::uint32_t i = 0; i < objects; ++i) {
                    all[i] = distance(i, number);
                }
                Values expected = sorted_order(all);
                std::erase_if(expected, [&](std::uint32_t i) { return all[i] >= within; });
                const auto count = static_cast<std::uint32_t>(expected.size());
                require(require(gpu.download<std::uint32_t>(program.view(draw), 4)) == Values{36, count, 0, 0},
                        "the draw is correct");
                require(require(gpu.download<std::uint32_t>(program.view(order), count)) == expected,
                        "the order is correct");
                std::printf("frame %u: %u of %u objects\n", number, count, objects);
            }
        }
        require(vkDeviceWaitIdle(application.device), "waiting for all frames"); // before anything is destroyed
        for (const Frame& slot : slots) {
            destroy(application, slot);
        }
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
