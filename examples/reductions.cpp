// Reductions: of all elements, of segments, of runs of equal keys, of computed elements; the smallest element with its
// position; elements that satisfy a predicate; and whether elements are sorted.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto values = graph.import_buffer<std::uint32_t>("values", 6);
    auto offsets = graph.import_buffer<std::uint32_t>("offsets", 3);
    auto keys = graph.import_buffer<std::uint32_t>("keys", 6);

    // [reduce]
    auto sum = weir::reduce(graph, values); // one element, on the GPU
    auto highest = weir::reduce(graph, values, {.op = weir::Operator::max});
    auto per_list = weir::reduce_by_segment(graph, values, weir::Segments::at_offsets(offsets));
    auto per_key = weir::reduce_by_key(graph, keys, values); // of equal neighbours: keys, values and a count
    auto least = weir::min_element(graph, values);           // value and position
    // [/reduce]
    // [fused]
    auto product =
        weir::fused_reduce<std::uint32_t>(graph, {.count = values.count,
                                                  .buffers = {{"uint a[]", read(values)}, {"uint b[]", read(keys)}},
                                                  .load = "return a[i] * b[i];"}); // a sum by default
    // [/fused]
    // [find]
    auto many = weir::count_if(graph, values, "x > 3u");
    auto first = weir::find_if(graph, values, weir::Predicate::compare(weir::Comparison::greater, 4U)); // its index
    auto ascends = weir::is_sorted(graph, offsets);
    // [/find]

    for (const auto& buffer : {sum, highest, per_list, per_key.keys, per_key.values, per_key.count, least.value,
                               least.position, product, many, first, ascends}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto value_memory = buffer_of<std::uint32_t>(gpu, {3, 1, 4, 1, 5, 9});
    const auto offset_memory = buffer_of<std::uint32_t>(gpu, {0, 2, 5});
    const auto key_memory = buffer_of<std::uint32_t>(gpu, {7, 7, 7, 8, 8, 7});
    weir::check(program.bind(values, value_memory));
    weir::check(program.bind(offsets, offset_memory));
    weir::check(program.bind(keys, key_memory));
    weir::check(program.run());
    show(gpu, program, sum, 1);            // 23
    show(gpu, program, highest, 1);        // 9
    show(gpu, program, per_list, 3);       // 4 10 9
    show(gpu, program, per_key.keys, 3);   // 7 8 7
    show(gpu, program, per_key.values, 3); // 8 6 9
    show(gpu, program, per_key.count, 1);  // 3
    show(gpu, program, least.value, 1);    // 1
    show(gpu, program, least.position, 1); // 1
    show(gpu, program, product, 1);        // 167
    show(gpu, program, many, 1);           // 3
    show(gpu, program, first, 1);          // 4
    show(gpu, program, ascends, 1);        // 1
}
