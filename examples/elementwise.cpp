// Transform, histogram, gather, scatter, sequences, differences; binary search, merge and sets of sorted arrays.

#include <array>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto points = graph.import_buffer<std::array<float, 2>>("points", 3);
    auto places = graph.import_buffer<std::uint32_t>("places", 3);
    auto values = graph.import_buffer<std::uint32_t>("values", 4);
    auto ascending = graph.import_buffer<std::uint32_t>("ascending", 4);
    auto others = graph.import_buffer<std::uint32_t>("others", 2);
    auto sizes = graph.import_buffer<std::uint32_t>("sizes", 2);
    auto from = graph.import_buffer<std::uint32_t>("from", 2);
    auto to = graph.import_buffer<std::uint32_t>("to", 2);
    auto packed = graph.transient_buffer<std::uint32_t>("packed", 3);
    auto pixels = graph.import_buffer<std::uint32_t>("pixels", 3); // red is the lowest byte
    auto bytes = graph.import_buffer<std::uint8_t>("bytes", 5);

    // [transform]
    auto lengths = weir::transform<float>(graph, points, "length(x)"); // GLSL of the element x and its index i
    // [/transform]
    // [histogram]
    auto counts = weir::histogram(graph, values, weir::Bins::even(4, 0U, 8U)); // bins [0, 2), [2, 4), [4, 6), [6, 8)
    // [/histogram]
    // [edges]
    auto by_edges = weir::histogram(graph, values, weir::Bins::between(ascending)); // bins [1, 3), [3, 10), [10, 13)
    auto shades = weir::multi_histogram(graph, pixels, {weir::Bins::bytes(), weir::Bins::bytes(), weir::Bins::bytes()});
    // [/edges]
    // [gather]
    auto picked = weir::gather(graph, lengths, places); // picked[i] = lengths[places[i]]
    auto moved = weir::scatter(graph, lengths, places, graph.transient_buffer<float>("moved", 3));
    // [/gather]
    // [sequences]
    auto ids = weir::iota(graph, graph.transient_buffer<std::uint32_t>("ids", 4), 10, 2);
    auto ones = weir::fill(graph, graph.transient_buffer<float>("ones", 4), 1);
    auto differences = weir::adjacent_difference(graph, ascending);
    // [/sequences]
    // [search]
    auto found = weir::lower_bound(graph, ascending, values); // position of each value in `ascending`
    auto low = weir::partition_point(graph, ascending, weir::Predicate::compare(weir::Comparison::less, 4U));
    auto merged = weir::merge(graph, ascending, others); // keys and a count
    // [/search]
    // [shuffle]
    auto order = weir::random_permutation(graph, 4, 7); // the numbers below 4
    auto mixed = weir::shuffle(graph, values, 7);       // mixed[i] = values[order[i]]
    // [/shuffle]
    // [copy]
    weir::copy_ranges(graph, values, packed, {.sizes = sizes, .source_offsets = from, .destination_offsets = to});
    // [/copy]
    // [narrow]
    auto sums = weir::scan(graph, bytes);                    // `bytes` has std::uint8_t; its sums have 32 bits
    auto low_sums = weir::narrow<std::uint8_t>(graph, sums); // modulo 2^8
    auto large = weir::select_if(graph, bytes, "x > 100u");  // bytes and a count
    // [/narrow]
    // [sets]
    auto either = weir::set_union(graph, ascending, others); // keys and a count
    auto both = weir::set_intersection(graph, ascending, others);
    auto not_others = weir::set_difference(graph, ascending, others);
    // [/sets]
    // [sets_by_key]
    // No array has equal keys. `values` belong to the keys `ascending`, `to` to the keys `others`.
    auto pairs = weir::merge_by_key(graph, ascending, values, others, to);
    auto joined = weir::unique_by_key(graph, pairs.keys, pairs.values); // union; equal keys: value of the first array
    auto common = weir::gather(graph, values, weir::lower_bound(graph, ascending, both.keys)); // values of `both`
    // [/sets_by_key]

    for (const auto& buffer : {lengths, picked, moved, ones}) {
        graph.export_buffer(buffer);
    }
    graph.export_buffer(low_sums);
    graph.export_buffer(large.items);
    for (const auto& buffer : {joined.keys, joined.values, common}) {
        graph.export_buffer(buffer);
    }
    for (const auto& buffer : {by_edges, shades, order, mixed, packed, sums, counts, ids, differences, found,
                               merged.keys, merged.count, low, either.keys, both.keys, both.count, not_others.keys}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto point_memory = buffer_of<std::array<float, 2>>(gpu, {{3, 4}, {0, 2}, {1, 0}});
    const auto place_memory = buffer_of<std::uint32_t>(gpu, {2, 0, 1});
    const auto value_memory = buffer_of<std::uint32_t>(gpu, {1, 2, 7, 3});
    const auto ascending_memory = buffer_of<std::uint32_t>(gpu, {1, 3, 10, 13});
    const auto other_memory = buffer_of<std::uint32_t>(gpu, {3, 11});
    weir::check(program.bind(points, point_memory));
    weir::check(program.bind(places, place_memory));
    weir::check(program.bind(values, value_memory));
    weir::check(program.bind(ascending, ascending_memory));
    const auto byte_memory = buffer_of<std::uint8_t>(gpu, {200, 50, 101, 7, 255, 0, 0, 0}); // whole words
    const auto pixel_memory = buffer_of<std::uint32_t>(gpu, {0xFF000001, 0xFF010000, 0xFF020001});
    const auto size_memory = buffer_of<std::uint32_t>(gpu, {2, 1});
    const auto from_memory = buffer_of<std::uint32_t>(gpu, {2, 0});
    const auto to_memory = buffer_of<std::uint32_t>(gpu, {0, 2});
    weir::check(program.bind(others, other_memory));
    weir::check(program.bind(sizes, size_memory));
    weir::check(program.bind(from, from_memory));
    weir::check(program.bind(to, to_memory));
    weir::check(program.bind(pixels, pixel_memory));
    weir::check(program.bind(bytes, byte_memory));
    weir::check(program.run());
    show(gpu, program, lengths, 3);         // 5 2 1
    show(gpu, program, counts, 4);          // 1 2 0 1
    show(gpu, program, picked, 3);          // 1 5 2
    show(gpu, program, moved, 3);           // 2 1 5
    show(gpu, program, ids, 4);             // 10 12 14 16
    show(gpu, program, ones, 4);            // 1 1 1 1
    show(gpu, program, differences, 4);     // 1 2 7 3
    show(gpu, program, found, 4);           // 0 1 2 1
    show(gpu, program, merged.keys, 6);     // 1 3 3 10 11 13
    show(gpu, program, merged.count, 1);    // 6
    show(gpu, program, low, 1);             // 2
    show(gpu, program, by_edges, 3);        // 2 2 0
    show(gpu, program, shades, 2);          // 1 2
    show(gpu, program, order, 4);           // 3 0 2 1
    show(gpu, program, mixed, 4);           // 3 1 7 2
    show(gpu, program, packed, 3);          // 7 3 1
    show(gpu, program, sums, 5);            // 200 250 351 358 613
    show(gpu, program, low_sums, 5);        // 200 250 95 102 101
    show(gpu, program, large.items, 3);     // 200 101 255
    show(gpu, program, either.keys, 5);     // 1 3 10 11 13
    show(gpu, program, both.keys, 1);       // 3
    show(gpu, program, both.count, 1);      // 1
    show(gpu, program, not_others.keys, 3); // 1 10 13
    show(gpu, program, joined.keys, 5);     // 1 3 10 11 13
    show(gpu, program, joined.values, 5);   // 1 2 7 2 3
    show(gpu, program, common, 1);          // 2
}
