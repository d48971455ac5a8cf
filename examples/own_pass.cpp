#include <cstdio>
#include <vector>

#include <weir/weir.hpp>

// Sorts points by their distance from the origin, farthest first: an own shader computes the keys, Weir sorts them.
int main() {
    const std::vector<float> xy = {1, 0, 3, 4, 0, 2, 0, 0};
    const std::uint32_t count = 4;

    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto points = graph.import_buffer<float>("points", count * 2);
    auto keys = graph.transient_buffer<std::uint32_t>("keys", count);
    auto indices = graph.transient_buffer<std::uint32_t>("indices", count);
    weir::Pass pass;
    pass.name = "distances";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        #include <weir/dispatch.glsl>
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Points { vec2 points[]; };
        layout(binding = 1) writeonly buffer Keys { uint keys[]; };
        layout(binding = 2) writeonly buffer Indices { uint indices[]; };
        layout(push_constant) uniform Push { uint count; };
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
            if (i < count) {
                keys[i] = floatBitsToUint(length(points[i])); // the bits of nonnegative floats sort like the floats
                indices[i] = i;
            }
        })");
    pass.bindings = {read(points), write(keys), write(indices)};
    pass.push = {count};
    pass.dispatch = weir::Dispatch::elements(count, 64);
    graph.add_pass(pass);
    auto sorted = weir::radix_sort(graph, keys, {.values = indices, .descending = true});
    graph.export_buffer(sorted.values);
    auto program = weir::check(weir::compile(gpu, graph));

    auto memory = weir::check(gpu.create_buffer(xy.size() * sizeof(float)));
    weir::check(gpu.upload(memory, xy));
    weir::check(program.bind(points, memory));
    weir::check(program.run());
    for (const std::uint32_t i : weir::check(gpu.download<std::uint32_t>(program.view(sorted.values), count))) {
        std::printf("%u\n", i); // 1, 2, 0, 3
    }
}
