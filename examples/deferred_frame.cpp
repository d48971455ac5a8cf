// Runs the graph of deferred_frame.hpp with three frames in flight, while parts of the frame are switched on and off
// and the window changes its size. Draws only clear: the drawing is the application's.
//
//     deferred_frame [FRAMES [--graph FILE]]: writes the plan of a frame of 1920 x 1080 pixels for Graphviz

#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "application.hpp"

#include "deferred_frame.hpp"

namespace {

/// Begins and ends rendering to the targets. The graph knows which of them must be cleared or loaded, and stored.
void draw(VkCommandBuffer commands, const weir::CommandPassContext& pass, const std::vector<weir::ImageId>& targets) {
    // [attachments]
    std::vector<VkRenderingAttachmentInfo> colors;
    VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    for (const weir::ImageId target : targets) {
        const weir::BoundImage image = pass.image(target);
        VkRenderingAttachmentInfo attachment{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        attachment.imageView = image.view;
        attachment.imageLayout = image.layout;
        attachment.loadOp = image.load_op(VK_ATTACHMENT_LOAD_OP_CLEAR);
        attachment.storeOp = image.store_op();
        rendering.renderArea.extent = {image.extent.width, image.extent.height};
        const bool is_depth = image.layout == weir::layout_of(weir::Access::depth_write) ||
                              image.layout == weir::layout_of(weir::Access::depth_read);
        if (is_depth) {
            depth = attachment;
        } else {
            colors.push_back(attachment);
        }
    }
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
    rendering.pColorAttachments = colors.data();
    rendering.pDepthAttachment = depth.imageView != VK_NULL_HANDLE ? &depth : nullptr;
    // [/attachments]
    vkCmdBeginRendering(commands, &rendering);
    vkCmdEndRendering(commands);
}

/// A program for one size of the window.
struct Renderer {
    weir::Graph graph;
    deferred::Frame frame;
    weir::Program program;

    Renderer(const weir::Context& gpu, std::uint32_t width, std::uint32_t height, const weir::Program* before)
        : graph(gpu), frame(graph, width, height, draw),
          program(require(before != nullptr ? before->resized(graph) : weir::compile(gpu, graph))) {}
};

} // namespace

int main(int argc, char** argv) {
    const int frames = argc > 1 ? std::atoi(argv[1]) : 24;
    {
        const Application application(VK_QUEUE_GRAPHICS_BIT);
        weir::AdoptedDevice adopted = application.adopted();
        adopted.compute_queue = {application.queue, application.queue_family, {}, {}}; // with only one queue, the same
        const weir::Context gpu = require(weir::Context::adopt(adopted));
        if (argc > 3 && argv[2] == std::string("--graph")) {
            weir::Graph graph(gpu);
            const deferred::Frame frame(graph, 1920, 1080, draw);
            const weir::Plan plan = require(weir::make_plan(graph.description()));
            std::ofstream(argv[3]) << plan.dot({.stages = deferred::stages_of(*plan.graph), .overview = true});
        }
        // [frames]
        auto renderer = std::make_unique<Renderer>(gpu, 96, 54, nullptr);
        for (int number = 0; number < frames; ++number) {
            if (number % 8 == 7) { // the window has another size
                const auto width = static_cast<std::uint32_t>(64 + 16 * (number / 8 % 3));
                auto resized = std::make_unique<Renderer>(gpu, width, width * 9 / 16, &renderer->program);
                require(std::move(renderer->program).retire());
                renderer = std::move(resized);
                require(gpu.collect());
            }
            weir::Program& program = renderer->program;
            const deferred::Frame& frame = renderer->frame;
            require(program.set(frame.shadows, number % 2 == 0));
            require(program.set(frame.fog, number % 3 == 0));
            require(program.set(frame.effects, number % 5 == 0));
            require(program.set(frame.antialiasing, number % 7 != 0));
            std::array<float, 16> camera{};
            camera[0] = static_cast<float>(number);
            require(program.set(frame.camera, camera));
            require(program.submit()); // waits for the frame before the last two
        }
        require(renderer->program.wait());
        // [/frames]
        const weir::Plan& plan = renderer->program.plan();
        std::printf("%zu passes in %zu groups and %zu batches, %llu bytes of transients, at least %llu\n",
                    plan.graph->passes.size(), plan.groups.size(), plan.batches.size(),
                    static_cast<unsigned long long>(plan.memory.bytes()),
                    static_cast<unsigned long long>(plan.memory.lower_bound));
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
