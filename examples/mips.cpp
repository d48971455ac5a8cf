// Computes each mip of an image from the previous one, as for a depth pyramid. Each mip is a separate resource.

#include <string>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    // [mips]
    auto pyramid = graph.transient_image("pyramid", {.format = VK_FORMAT_R32_SFLOAT, .extent = {8, 8, 1}, .mips = 4});
    graph.add_clear("clear", pyramid, {.color = {{1.0F, 0, 0, 0}}}); // the first mip
    auto from = graph.part(pyramid, {.mip = 0, .mips = 1});
    for (std::uint32_t mip = 1; mip < 4; ++mip) {
        auto to = graph.part(pyramid, {.mip = mip, .mips = 1});
        weir::Pass sum;
        sum.name = "mip " + std::to_string(mip);
        sum.shader = weir::ShaderSource::glsl(R"(#version 460
            #extension GL_EXT_samplerless_texture_functions : require
            layout(local_size_x = 4, local_size_y = 4) in;
            layout(binding = 0) uniform texture2D large;
            layout(binding = 1, r32f) writeonly uniform image2D small;
            void main() {
                const ivec2 at = ivec2(gl_GlobalInvocationID.xy), corner = 2 * at;
                if (all(lessThan(at, imageSize(small)))) {
                    imageStore(small, at, texelFetch(large, corner, 0) + texelFetch(large, corner + ivec2(1, 0), 0) +
                                              texelFetch(large, corner + ivec2(0, 1), 0) +
                                              texelFetch(large, corner + ivec2(1, 1), 0));
                }
            })");
        sum.bindings = {weir::sampled(from), write(to)};
        sum.dispatch = weir::Dispatch::groups(1);
        graph.add_pass(sum);
        from = to;
    }
    auto total = graph.transient_buffer<float>("total", 1);
    graph.add_copy("read", from, total); // of the last mip
    // [/mips]
    graph.export_buffer(total);
    auto program = weir::check(weir::compile(gpu, graph));
    weir::check(program.run());
    show(gpu, program, total, 1); // 64
}
