// Errors are values. `compile` reports a mistake in a graph with the line of this file.

#include <cstdio>

#include <weir/weir.hpp>

int main() {
    // [errors]
    auto gpu = weir::Context::create();
    if (!gpu) {
        std::puts(gpu.error().message.c_str());
        return 1;
    }
    weir::Graph graph(*gpu);
    auto numbers = graph.transient_buffer<std::uint32_t>("numbers", 100);
    graph.export_buffer(weir::scan(graph, numbers)); // nothing writes the numbers
    auto program = weir::compile(*gpu, graph);
    if (!program) {
        std::puts(program.error().message.c_str());
        return program.error().code == weir::ErrorCode::invalid_graph ? 0 : 1;
    }
    // [/errors]
    return 1;
}
