// Kernels of one's own that use the layers Weir's kernels are made of.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto numbers = graph.import_buffer<float>("numbers", 256);
    auto sums = graph.transient_buffer<float>("sums", 256);
    auto ranges = graph.transient_buffer<float>("ranges", 4);
    // [rows]
    weir::Pass pass;
    pass.name = "rows";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 128) in;
        #include <weir/weir_workgroup_scan.glsl>

        float add(float a, float b) { return a + b; }
        WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)

        struct Range { float least, most; };
        Range unite(Range a, Range b) { return Range(min(a.least, b.least), max(a.most, b.most)); }
        WEIR_SHUFFLE_2(Range, least, most)
        WEIR_WORKGROUP_REDUCE(range, Range, unite, Range(1e38, -1e38))

        layout(binding = 0) readonly buffer Numbers { float numbers[]; };
        layout(binding = 1) writeonly buffer Sums { float sums[]; };
        layout(binding = 2) writeonly buffer Ranges { Range ranges[]; };
        void main() { // a workgroup for each row
            const uint i = gl_WorkGroupID.x * 128 + weir_invocation();
            float total;
            sums[i] = sum_inclusive_scan(numbers[i], total);
            const Range row = range_reduce(Range(numbers[i], numbers[i]));
            if (weir_invocation() == 0) {
                ranges[gl_WorkGroupID.x] = row;
            }
        })");
    pass.bindings = {read(numbers), write(sums), write(ranges)};
    pass.dispatch = weir::Dispatch::groups(2);
    graph.add_pass(pass);
    // [/rows]
    graph.export_buffer(sums);
    graph.export_buffer(ranges);
    auto program = weir::check(weir::compile(gpu, graph));

    std::vector<float> input(256, 1);
    input[255] = 7;
    const auto memory = buffer_of<float>(gpu, input);
    weir::check(program.bind(numbers, memory));
    weir::check(program.run());
    show(gpu, program, sums, 3);   // 1 2 3
    show(gpu, program, ranges, 4); // 1 1 1 7
}
