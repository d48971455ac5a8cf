// A transient image: commands of the application clear it, and a compute pass reads it.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    const auto get_device_proc =
        reinterpret_cast<PFN_vkGetDeviceProcAddr>(gpu.get_instance_proc_addr()(gpu.instance(), "vkGetDeviceProcAddr"));
    const auto clear_color_image =
        reinterpret_cast<PFN_vkCmdClearColorImage>(get_device_proc(gpu.device(), "vkCmdClearColorImage"));

    weir::Graph graph(gpu);
    // [images]
    auto color = graph.transient_image("color", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {4, 4, 1}});
    graph.add_command_pass({.name = "clear",
                            .uses = {{color, weir::Access::transfer_write}},
                            .record = [=](VkCommandBuffer commands, const weir::CommandPassContext& pass) {
                                const weir::BoundImage target = pass.image(color); // image, view and layout
                                const VkClearColorValue red = {{1, 0, 0, 1}};
                                const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
                                clear_color_image(commands, target.image, target.layout, &red, 1, &all);
                            }});

    auto result = graph.transient_buffer<std::uint32_t>("result", 1);
    weir::Pass pass;
    pass.name = "read a texel";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        #extension GL_EXT_samplerless_texture_functions : require
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform texture2D color;
        layout(binding = 1) writeonly buffer Result { uint red; };
        void main() {
            red = uint(round(255.0 * texelFetch(color, ivec2(1, 2), 0).r));
        })");
    pass.bindings = {weir::sampled(color), write(result)}; // the plan contains the layout transition
    pass.dispatch = weir::Dispatch::groups(1);
    graph.add_pass(pass);
    // [/images]
    graph.export_buffer(result);
    auto program = weir::check(weir::compile(gpu, graph));
    weir::check(program.run());
    show(gpu, program, result, 1); // 255
}
