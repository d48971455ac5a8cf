// Reductions of all elements, of segments, of runs of equal keys and of computed elements; smallest elements with
// their positions; counts and searches by a predicate; a check for sorted elements.

#include <array>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto values = graph.import_buffer<std::uint32_t>("values", 6);
    auto offsets = graph.import_buffer<std::uint32_t>("offsets", 3);
    auto edges = graph.import_buffer<std::uint32_t>("edges", 4);
    auto keys = graph.import_buffer<std::uint32_t>("keys", 6);
    auto begins = graph.import_buffer<std::uint32_t>("begins", 2);
    auto ends = graph.import_buffer<std::uint32_t>("ends", 2);

    // [reduce]
    auto sum = weir::reduce(graph, values); // one element, on the GPU
    auto highest = weir::reduce(graph, values, {.op = weir::Operator::max});
    auto per_list = weir::reduce_by_segment(graph, values, weir::Segments::at_offsets(offsets));
    auto per_key = weir::reduce_by_key(graph, keys, values); // equal neighbours: keys, values and a count
    auto least = weir::min_element(graph, values);           // value and position
    // [/reduce]
    // [fused]
    auto product =
        weir::fused_reduce<std::uint32_t>(graph, {.count = values.count,
                                                  .buffers = {{"uint a[]", read(values)}, {"uint b[]", read(keys)}},
                                                  .load = "return a[i] * b[i];"}); // a sum by default
    // [/fused]
    // [offsets]
    auto by_begins = weir::reduce_by_segment(graph, values, weir::Segments::at_offsets(offsets));      // 0 2 5
    auto by_edges = weir::reduce_by_segment(graph, values, weir::Segments::between_offsets(edges, 3)); // 0 2 5 6
    auto by_ranges = weir::reduce_by_segment(graph, values, weir::Segments::of_ranges(begins, ends));  // 0 3 and 2 5
    // [/offsets]
    // [by_segment]
    auto lists = weir::Segments::at_offsets(offsets);
    auto lowest = weir::min_element_by_segment(graph, values, lists, {.positions_in_segments = true});
    auto range = weir::minmax_element_by_segment(graph, values, lists); // .min and .max: values and positions
    // [/by_segment]
    // [iterators]
    auto places = weir::iota(graph, graph.transient_buffer<std::uint32_t>("places", 6), 5, ~0U); // 5 4 3 2 1 0
    auto reversed = weir::gather(graph, values, places);                                         // reverse_copy
    auto zipped = weir::fused_reduce<std::uint32_t>(
        graph, {.count = values.count,
                .buffers = {{"uint a[]", read(values)}, {"uint b[]", read(keys)}, {"uint place[]", read(places)}},
                .load = "return a[i] * b[place[i]] + i;"}); // zip: a and b; permutation: place; counting: i
    // [/iterators]
    // [extremes]
    auto extremes = weir::fused_reduce<std::array<std::uint32_t, 2>>(
        graph, {.op = weir::Monoid{.name = "minimum and maximum",
                                   .fields = {"uint low", "uint high"},
                                   .identity = "T(~0u, 0u)",
                                   .combine = "return T(min(left.low, right.low), max(left.high, right.high));",
                                   .commutes = true,
                                   .exact = true},
                .count = values.count,
                .buffers = {{"uint a[]", read(values)}},
                .load = "return T(a[i], a[i]);"});
    auto failures = weir::count_if(graph, values, "!(x > 0u)"); // all_of x > 0: no failures
    // [/extremes]
    // [find]
    auto many = weir::count_if(graph, values, "x > 3u");
    auto first = weir::find_if(graph, values, weir::Predicate::compare(weir::Comparison::greater, 4U)); // its index
    auto ascends = weir::is_sorted(graph, offsets);
    // [/find]

    for (const auto& buffer : {sum,
                               highest,
                               per_list,
                               per_key.keys,
                               per_key.values,
                               per_key.count,
                               least.value,
                               least.position,
                               product,
                               many,
                               first,
                               ascends,
                               by_begins,
                               by_edges,
                               reversed,
                               zipped,
                               failures,
                               by_ranges,
                               lowest.value,
                               lowest.position,
                               range.max.value,
                               range.max.position}) {
        graph.export_buffer(buffer);
    }
    graph.export_buffer(extremes);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto value_memory = buffer_of<std::uint32_t>(gpu, {3, 1, 4, 1, 5, 9});
    const auto offset_memory = buffer_of<std::uint32_t>(gpu, {0, 2, 5});
    const auto edge_memory = buffer_of<std::uint32_t>(gpu, {0, 2, 5, 6});
    const auto key_memory = buffer_of<std::uint32_t>(gpu, {7, 7, 7, 8, 8, 7});
    weir::check(program.bind(values, value_memory));
    weir::check(program.bind(offsets, offset_memory));
    weir::check(program.bind(edges, edge_memory));
    const auto begin_memory = buffer_of<std::uint32_t>(gpu, {0, 3}), end_memory = buffer_of<std::uint32_t>(gpu, {2, 5});
    weir::check(program.bind(keys, key_memory));
    weir::check(program.bind(begins, begin_memory));
    weir::check(program.bind(ends, end_memory));
    weir::check(program.run());
    show(gpu, program, sum, 1);                // 23
    show(gpu, program, highest, 1);            // 9
    show(gpu, program, per_list, 3);           // 4 10 9
    show(gpu, program, per_key.keys, 3);       // 7 8 7
    show(gpu, program, per_key.values, 3);     // 8 6 9
    show(gpu, program, per_key.count, 1);      // 3
    show(gpu, program, least.value, 1);        // 1
    show(gpu, program, least.position, 1);     // 1
    show(gpu, program, product, 1);            // 167
    show(gpu, program, many, 1);               // 3
    show(gpu, program, first, 1);              // 4
    show(gpu, program, ascends, 1);            // 1
    show(gpu, program, by_begins, 3);          // 4 10 9
    show(gpu, program, by_edges, 3);           // 4 10 9
    show(gpu, program, reversed, 6);           // 9 5 1 4 1 3
    show(gpu, program, zipped, 1);             // 181
    show(gpu, program, failures, 1);           // 0
    show(gpu, program, by_ranges, 2);          // 4 6
    show(gpu, program, lowest.value, 3);       // 1 1 9
    show(gpu, program, lowest.position, 3);    // 1 1 0
    show(gpu, program, range.max.value, 3);    // 3 5 9
    show(gpu, program, range.max.position, 3); // 0 4 5
    const auto found = weir::check(gpu.download<std::array<std::uint32_t, 2>>(program.view(extremes), 1))[0];
    std::printf("%u %u\n", found[0], found[1]); // 1 9
}
