// A transient image: commands of the application clear it, and a compute pass reads it. A graph that builds and traces
// an acceleration structure, which is planned but not compiled: not all devices can run it.

#include "show.hpp"

namespace {

weir::Plan plan_of_trace(const weir::Context& gpu) {
    weir::Graph graph(gpu);
    constexpr std::uint32_t bytes = 1 << 16;
    const auto image =
        graph.import_image("image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {64, 64, 1}}, weir::Access::none);
    // An application calls vkCmdBuildAccelerationStructuresKHR and vkCmdTraceRaysKHR in these.
    const auto record_build = [](VkCommandBuffer, const weir::CommandPassContext&) {};
    const auto record_trace = record_build;

    // [raw]
    using weir::UseScope;
    constexpr VkPipelineStageFlags2 builds = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    constexpr VkPipelineStageFlags2 traces = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
    constexpr VkAccessFlags2 reads = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
    constexpr VkAccessFlags2 writes = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;
    const UseScope build{.scope = {builds, reads | writes}, .writes = true};
    const UseScope trace{.scope = {traces, reads}, .reads = true};
    const UseScope store{
        .scope = {traces, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT}, .layout = VK_IMAGE_LAYOUT_GENERAL, .writes = true};

    auto scene = graph.transient_buffer<std::byte>("scene", bytes); // storage of an acceleration structure
    graph.add_command_pass({.name = "build", .uses = {{.resource = scene, .raw = build}}, .record = record_build});
    graph.add_command_pass({.name = "trace",
                            .uses = {{.resource = scene, .raw = trace}, {.resource = image, .raw = store}},
                            .record = record_trace});
    // [/raw]
    return weir::check(weir::make_plan(graph.description()));
}

} // namespace

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
    show(gpu, program, result, 1);                        // 255
    return plan_of_trace(gpu).groups.size() == 3 ? 0 : 1; // build, trace, and the last one
}
