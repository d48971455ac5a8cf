// Expansion: each item gets a number of slots, and each slot learns whose it is.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto counts = graph.import_buffer<std::uint32_t>("counts", 3);
    // [expand]
    auto slots = weir::expand(graph, counts, {.capacity = 8, .wants_ranks = true}); // sources, ranks, offsets, a count
    auto same = weir::expand_offsets(graph, slots.offsets, 5);                      // where the offsets are known
    // [/expand]
    for (const auto& buffer : {slots.sources, slots.ranks, slots.offsets, slots.count, same.sources}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto memory = buffer_of<std::uint32_t>(gpu, {2, 0, 3});
    weir::check(program.bind(counts, memory));
    weir::check(program.run());
    show(gpu, program, slots.sources, 5); // 0 0 2 2 2
    show(gpu, program, slots.ranks, 5);   // 0 1 0 1 2
    show(gpu, program, slots.offsets, 3); // 0 2 2
    show(gpu, program, slots.count, 1);   // 5
    show(gpu, program, same.sources, 5);  // 0 0 2 2 2
}
