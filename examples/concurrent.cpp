// Passes in one group that write one buffer: each writes a part of its own, or all count with atomics.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    weir::Pass make;
    make.name = "make samples";
    make.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 64) in;
        layout(binding = 0) writeonly buffer Part { uint samples[64]; };
        layout(push_constant) uniform Push { uint stride; };
        void main() {
            samples[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * stride % 4;
        })");
    make.dispatch = weir::Dispatch::groups(1);

    // [parts]
    auto samples = graph.transient_buffer<std::uint32_t>("samples", 3 * 64);
    std::vector<weir::BufferRef<std::uint32_t>> channels;
    for (std::uint32_t i = 0; i < 3; ++i) { // all three passes in one group
        channels.push_back(graph.part(samples, i * 64, 64));
        make.bindings = {write(channels.back())};
        make.push = {i + 1};
        graph.add_pass(make);
    }
    // [/parts]

    weir::Pass count;
    count.name = "count samples";
    count.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Part { uint samples[64]; };
        layout(binding = 1) buffer Bins { uint bins[4]; };
        void main() {
            atomicAdd(bins[samples[gl_LocalInvocationIndex]], 1);
        })");
    count.dispatch = weir::Dispatch::groups(1);

    // [concurrent]
    auto bins = graph.transient_buffer<std::uint32_t>("bins", 4);
    graph.add_fill("clear", bins, 0);
    for (const auto& channel : channels) { // all three passes in one group
        count.bindings = {read(channel), weir::concurrent(read_write(bins))};
        graph.add_pass(count);
    }
    // [/concurrent]

    graph.export_buffer(bins);
    auto program = weir::check(weir::compile(gpu, graph));
    weir::check(program.run());
    show(gpu, program, bins, 4);                      // 64 32 64 32
    return program.plan().groups.size() == 3 ? 0 : 1; // two with passes, and the last one
}
