// Data that may change between frames without a new program: a count, a struct of the application, the bound buffers.
// Then a program for another size that shares the pipelines of the first one.

#include "show.hpp"

struct Settings {
    float scale, bias;
};

/// A graph that scales numbers, and its handles.
struct Work {
    Work(const weir::Context& gpu, std::uint32_t capacity) : graph(gpu) {
        // [declare]
        count = graph.parameter("count", capacity);
        settings = graph.host_data("settings", sizeof(Settings));
        input = graph.import_buffer<float>("input", capacity, count);
        output = graph.transient_buffer<float>("output", capacity, count);
        weir::Pass pass;
        pass.name = "scale";
        pass.shader = weir::ShaderSource::glsl(R"(#version 460
            #include <weir/dispatch.glsl>
            layout(local_size_x = 64) in;
            layout(binding = 0) readonly buffer In { float x[]; };
            layout(binding = 1) writeonly buffer Out { float y[]; };
            layout(push_constant) uniform Push { float scale, bias; uint count; };
            void main() {
                const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
                if (i < count) {
                    y[i] = scale * x[i] + bias;
                }
            })");
        pass.bindings = {read(input), write(output)};
        pass.push = {settings, count};
        pass.dispatch = weir::Dispatch::elements(count, 64);
        graph.add_pass(pass);
        // [/declare]
        graph.export_buffer(output);
    }
    weir::Graph graph;
    weir::Count count;
    weir::HostData settings;
    weir::BufferRef<float> input, output;
};

int main() {
    auto gpu = weir::check(weir::Context::create());
    const auto memory = buffer_of<float>(gpu, {1, 2, 3, 4});

    const Work work(gpu, 4);
    auto program = weir::check(weir::compile(gpu, work.graph));
    weir::check(program.bind(work.input, memory));
    // [set]
    weir::check(program.set(work.count, 3));                  // at most the capacity
    weir::check(program.set(work.settings, Settings{10, 1})); // any struct of this size
    // [/set]
    weir::check(program.run());
    show(gpu, program, work.output, 3); // 11 21 31

    // [resized]
    const Work smaller(gpu, 2);
    auto other = weir::check(program.resized(smaller.graph)); // `program` does not change
    // [/resized]
    weir::check(other.bind(smaller.input, memory));
    weir::check(other.set(smaller.settings, Settings{2, 0}));
    weir::check(other.run());
    show(gpu, other, smaller.output, 2); // 2 4
}
