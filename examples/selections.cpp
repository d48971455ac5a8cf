// Selection, partition, unique elements, and run-length encoding and decoding.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto ids = graph.import_buffer<std::uint32_t>("ids", 7);

    // [select]
    auto large = weir::select_if(graph, ids, "x > 6u", {.want_indices = true}); // items, indices and a count
    auto small = weir::select_if(graph, ids, weir::Predicate::compare(weir::Comparison::less, 10U)); // no compiler
    // [/select]
    // [remove]
    auto kept = weir::select_if(graph, ids, "!(x > 6u)"); // remove_copy_if: the kept items and a count
    // [/remove]
    // [partition]
    auto parts = weir::partition(graph, ids, {"x < 8u", "x < 20u"}); // three parts, each in the order of the input
    // [/partition]
    // [unique]
    auto firsts = weir::unique(graph, ids); // the first of each run of equal neighbours
    // [/unique]
    // [runs]
    auto runs = weir::run_length_encode(graph, ids, {.want_offsets = true}); // values, lengths, offsets and a count
    auto again = weir::run_length_decode(graph, runs.values, runs.lengths, {.capacity = 7});
    // [/runs]

    for (const auto& buffer :
         {large.items, large.indices, large.count, small.items, parts[0].items, parts[1].items, parts[2].items,
          parts[0].count, firsts.items, runs.values, runs.lengths, runs.offsets, runs.count, again.items, kept.items}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto memory = buffer_of<std::uint32_t>(gpu, {5, 12, 7, 12, 12, 3, 40});
    weir::check(program.bind(ids, memory));
    weir::check(program.run());
    show(gpu, program, large.items, 5);    // 12 7 12 12 40
    show(gpu, program, large.indices, 5);  // 1 2 3 4 6
    show(gpu, program, large.count, 1);    // 5
    show(gpu, program, small.items, 3);    // 5 7 3
    show(gpu, program, parts[0].items, 3); // 5 7 3
    show(gpu, program, parts[1].items, 3); // 12 12 12
    show(gpu, program, parts[2].items, 1); // 40
    show(gpu, program, parts[0].count, 3); // 3 3 1
    show(gpu, program, firsts.items, 6);   // 5 12 7 12 3 40
    show(gpu, program, runs.values, 6);    // 5 12 7 12 3 40
    show(gpu, program, runs.lengths, 6);   // 1 1 1 2 1 1
    show(gpu, program, runs.offsets, 6);   // 0 1 2 3 5 6
    show(gpu, program, runs.count, 1);     // 6
    show(gpu, program, again.items, 7);    // 5 12 7 12 12 3 40
    show(gpu, program, kept.items, 2);     // 5 3
}
