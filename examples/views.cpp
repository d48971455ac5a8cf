// A renderer with three views per frame, such as a camera, a mirror and a shadow. It records one program once per view
// into the command buffer of the frame. Each view selects the objects within its reach.

#include <array>

#include "application.hpp"

namespace {

constexpr std::uint32_t objects = 10'000, frames = 6, in_flight = 2, views = 3;

/// Objects that a frame uses while it is pending.
struct Frame {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence done = VK_NULL_HANDLE;
    std::array<weir::Buffer, views> visible, number;
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
    for (std::uint32_t view = 0; view < views; ++view) {
        frame.visible[view] = require(gpu.create_buffer(objects * 4));
        frame.number[view] = require(gpu.create_buffer(4));
    }
    return frame;
}

/// Reach of each view.
std::uint32_t reach_of(std::uint32_t view, std::uint32_t frame) {
    return 100 * (view + 1) + frame;
}

std::uint32_t distance(std::uint32_t object) {
    return object * 7919 % 1000;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        std::vector<std::uint32_t> all(objects);
        for (std::uint32_t i = 0; i < objects; ++i) {
            all[i] = distance(i);
        }
        const weir::Buffer scene = require(gpu.create_buffer(objects * 4));
        require(gpu.upload(scene, all));

        weir::Graph graph(gpu);
        auto reach = graph.parameter("reach", 1000);
        auto distances = graph.import_buffer<std::uint32_t>("distances", objects, {}, weir::Access::none);
        auto visible = graph.import_buffer<std::uint32_t>("visible", objects);
        auto number = graph.import_buffer<std::uint32_t>("number", 1);
        weir::Predicate near{.expression = "x < reach", .values = {{"reach", reach}}};
        weir::select_if(graph, distances, near, {.output = visible, .output_count = number});
        graph.export_buffer(visible, weir::Access::vertex_shader_read);
        graph.export_buffer(number, weir::Access::indirect_read);
        // [compile]
        auto program =
            require(weir::compile(gpu, graph, {.frames_in_flight = in_flight, .recordings_per_frame = views}));
        // [/compile]
        require(program.bind(distances, scene));
        std::array<Frame, in_flight> slots;
        for (Frame& slot : slots) {
            slot = make_frame(application, gpu);
        }

        for (std::uint32_t current = 0; current < frames; ++current) {
            const Frame& frame = slots[current % in_flight];
            require(vkWaitForFences(application.device, 1, &frame.done, VK_TRUE, UINT64_MAX), "waiting for a frame");
            require(vkResetFences(application.device, 1, &frame.done), "resetting a fence");
            require(vkResetCommandPool(application.device, frame.pool, 0), "resetting a command pool");
            VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            require(vkBeginCommandBuffer(frame.commands, &begin), "beginning a command buffer");
            // [views]
            program.next_frame(); // call after waiting for the fence of the frame `in_flight` frames ago
            for (std::uint32_t view = 0; view < views; ++view) {
                require(program.set(reach, reach_of(view, current)));
                require(program.bind(visible, frame.visible[view]));
                require(program.bind(number, frame.number[view]));
                require(program.record(frame.commands));
                // ... begin rendering, and draw what the view sees
            }
            // [/views]
            require(vkEndCommandBuffer(frame.commands), "ending a command buffer");
            VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
            submit.commandBufferCount = 1;
            submit.pCommandBuffers = &frame.commands;
            require(vkQueueSubmit(application.queue, 1, &submit, frame.done), "submitting a frame");
        }
        require(vkDeviceWaitIdle(application.device), "waiting for all frames"); // before anything is destroyed
        for (std::uint32_t current = frames - in_flight; current < frames; ++current) {
            for (std::uint32_t view = 0; view < views; ++view) {
                std::vector<std::uint32_t> expected = all;
                std::erase_if(expected, [&](std::uint32_t x) { return x >= reach_of(view, current); });
                const Frame& frame = slots[current % in_flight];
                const auto count = require(gpu.download<std::uint32_t>(frame.number[view], 1)).front();
                require(count == expected.size(), "the count of the view is correct");
                require(require(gpu.download<std::uint32_t>(frame.visible[view], count)) == expected, "and these");
                std::printf("frame %u, view %u: %u of %u objects\n", current, view, count, objects);
            }
        }
        for (const Frame& slot : slots) {
            vkDestroyFence(application.device, slot.done, nullptr);
            vkDestroyCommandPool(application.device, slot.pool, nullptr);
        }
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
