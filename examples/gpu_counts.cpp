// A count that only the GPU knows sizes a pass of the application and a reduction. The CPU reads nothing in between.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto numbers = graph.import_buffer<std::uint32_t>("numbers", 5);
    // [counts]
    auto small = weir::select_if(graph, numbers, weir::Predicate::compare(weir::Comparison::less, 100U));
    auto squares = graph.transient_buffer<std::uint32_t>("squares", small.items.capacity, small.items.count);

    weir::Pass pass;
    pass.name = "square";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        #include <weir/dispatch.glsl>
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Items { uint items[]; };
        layout(binding = 1) readonly buffer Number { uint count; };
        layout(binding = 2) writeonly buffer Squares { uint squares[]; };
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
            if (i < count) {
                squares[i] = items[i] * items[i];
            }
        })");
    pass.bindings = {read(small.items), read(small.count), write(squares)};
    pass.dispatch = weir::Dispatch::elements(small.items.count, 64); // becomes an indirect dispatch
    graph.add_pass(pass);

    auto sum = weir::reduce(graph, squares); // of the selected elements
    // [/counts]
    // [direct]
    auto known = small.items.with_count(small.items.count.direct());
    auto sorted = weir::radix_sort(graph, known).keys; // direct dispatches: no pass writes arguments
    // [/direct]
    // [arguments]
    const weir::DrawIndexedArguments cubes{.indices = 36, .instances = small.items.count};
    const weir::DrawArguments quads{.vertices = weir::Argument(small.items.count, 6)};
    const weir::DrawMeshTasksArguments clusters{.x = weir::Argument(small.items.count, 1, 32)}; // 32 per workgroup
    auto commands = weir::write_arguments(graph, {cubes, quads, clusters});                     // at words 0, 5 and 9
    graph.export_buffer(commands, weir::Access::indirect_read);
    // [/arguments]
    graph.export_buffer(sorted);
    graph.export_buffer(sum);
    graph.export_buffer(small.count);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto memory = buffer_of<std::uint32_t>(gpu, {5, 200, 7, 300, 1});
    weir::check(program.bind(numbers, memory));
    weir::check(program.run());
    show(gpu, program, small.count, 1); // 3
    show(gpu, program, sum, 1);         // 75
    show(gpu, program, sorted, 3);      // 1 5 7
    show(gpu, program, commands, 12);   // 36 3 0 0 0, 18 1 0 0, 1 1 1
}
