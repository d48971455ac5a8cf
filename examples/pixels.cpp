// Clears, scales and reads back an image without commands of the application.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    // [pixels]
    auto picture = graph.transient_image("picture", {.format = VK_FORMAT_R32_SFLOAT, .extent = {4, 2, 1}});
    auto half = graph.transient_image("half", {.format = VK_FORMAT_R32_SFLOAT, .extent = {2, 1, 1}});
    auto pixels = graph.transient_buffer<float>("pixels", 2);
    graph.add_clear("clear", picture, {.color = {{0.5F, 0, 0, 0}}});
    graph.add_blit("scale", picture, half, VK_FILTER_NEAREST);
    graph.add_copy("read", half, pixels); // image_bytes() bytes: rows without gaps
    graph.export_buffer(pixels);
    // [/pixels]
    // [read_texels]
    auto texels = weir::read_texels(graph, half, weir::TexelFormat::r32f, 2, 1); // a word per texel
    // [/read_texels]
    graph.export_buffer(texels);
    auto program = weir::check(weir::compile(gpu, graph));
    weir::check(program.run());
    show(gpu, program, pixels, 2);             // 0.5 0.5
    show(gpu, program, texels.as<float>(), 2); // 0.5 0.5
}
