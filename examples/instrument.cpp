// Fault injection: one tile in three never posts its state, and the sums are still right.

#include <weir/testing/instrument.hpp>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    const std::uint32_t n = 100000;
    weir::Graph graph(gpu);
    auto input = graph.import_buffer<std::uint32_t>("input", n);
    auto total = graph.transient_buffer<std::uint32_t>("total", 1);
    auto counters = graph.transient_buffer<std::uint32_t>("counters", 5);
    // [scope]
    {
        const auto scope = weir::testing::instrument(graph, {.one_in = 3, .counters = counters});
        weir::scan(graph, input, {.output_total = total}); // instrumented
    }
    auto sums = weir::scan(graph, input); // not instrumented
    // [/scope]
    for (const auto& buffer : {total, counters, sums}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));
    const auto memory = buffer_of(gpu, std::vector<std::uint32_t>(n, 2));
    weir::check(program.bind(input, memory));
    weir::check(program.run());
    show(gpu, program, total, 1); // 200000
    show(gpu, program, sums, 3);  // 2 4 6
}
