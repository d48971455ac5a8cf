// Scans: sums, other operators, segments, and an operator of the application that is fused with its loads and stores;
// scans along columns, and with an initial value per group.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto values = graph.import_buffer<std::uint32_t>("values", 6);
    auto offsets = graph.import_buffer<std::uint32_t>("offsets", 3);
    auto keys = graph.import_buffer<std::uint32_t>("keys", 6);
    auto x = graph.import_buffer<float>("x", 6);
    auto y = graph.transient_buffer<float>("y", 6);
    auto initials = graph.import_buffer<std::uint32_t>("initials", 2);
    auto groups = graph.transient_buffer<std::uint32_t>("groups", 6);

    // [scan]
    auto sums = weir::scan(graph, values); // inclusive
    auto total = graph.transient_buffer<std::uint32_t>("total", 1);
    auto starts = weir::scan(graph, values, {.kind = weir::ScanKind::exclusive, .output_total = total});
    auto highest = weir::scan(graph, values, {.op = weir::Operator::max});
    // [/scan]

    // [segments]
    auto rows = weir::scan(graph, values, {.segments = weir::Segments::of_length(3)});
    auto lists = weir::scan(graph, values, {.segments = weir::Segments::at_offsets(offsets)}); // offsets.count segments
    auto by_key = weir::scan(graph, values, {.segments = weir::Segments::of_keys(keys)});      // equal neighbours
    // [/segments]

    // [fused]
    weir::fused_scan(graph, {.monoid = {.name = "average",
                                        .fields = {"float a", "float b"}, // the map y -> a y + b
                                        .identity = "T(1.0, 0.0)",
                                        .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
                             .count = x.count,
                             .buffers = {{"float x[]", read(x)}, {"float y[]", write(y)}},
                             .values = {{"k", 0.5F}},
                             .load = "return T(1.0 - k, k * x[i]);",
                             .store = "y[i] = inclusive.b;"});
    // [/fused]

    const weir::Monoid sum{.name = "sum",
                           .fields = {"uint v"},
                           .identity = "T(0)",
                           .combine = "return T(left.v + right.v);",
                           .exact = true};
    // [columns]
    // `rows` has the prefix sums along rows of 3. Their scan along columns gives the sum of all elements above and to
    // the left.
    auto areas = weir::scan_columns(graph, rows, {.rows = 2, .columns = 3});
    // [/columns]
    // [groups]
    weir::fused_scan(
        graph, {.monoid = sum,
                .count = 6,
                .buffers = {{"uint x[]", read(values)}, {"uint from[]", read(initials)}, {"uint y[]", write(groups)}},
                .values = {{"size", 3U}},
                .load = "return T(i % size == 0 ? from[i / size] + x[i] : x[i]);",
                .store = "y[i] = inclusive.v;",
                .segments = weir::Segments::of_length(3)});
    // [/groups]

    for (const auto& buffer : {sums, starts, total, highest, rows, lists, by_key, areas, groups}) {
        graph.export_buffer(buffer);
    }
    graph.export_buffer(y);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto value_memory = buffer_of<std::uint32_t>(gpu, {3, 1, 4, 1, 5, 9});
    const auto offset_memory = buffer_of<std::uint32_t>(gpu, {0, 2, 5});
    const auto key_memory = buffer_of<std::uint32_t>(gpu, {7, 7, 7, 8, 8, 7});
    const auto x_memory = buffer_of<float>(gpu, {3, 1, 4, 1, 5, 9});
    weir::check(program.bind(values, value_memory));
    weir::check(program.bind(offsets, offset_memory));
    weir::check(program.bind(keys, key_memory));
    const auto initial_memory = buffer_of<std::uint32_t>(gpu, {100, 200});
    weir::check(program.bind(x, x_memory));
    weir::check(program.bind(initials, initial_memory));
    weir::check(program.run());
    show(gpu, program, sums, 6);    // 3 4 8 9 14 23
    show(gpu, program, starts, 6);  // 0 3 4 8 9 14
    show(gpu, program, total, 1);   // 23
    show(gpu, program, highest, 6); // 3 3 4 4 5 9
    show(gpu, program, rows, 6);    // 3 4 8 1 6 15
    show(gpu, program, lists, 6);   // 3 4 4 5 10 9
    show(gpu, program, by_key, 6);  // 3 4 8 1 6 9
    show(gpu, program, y, 6);       // 1.5 1.25 2.625 1.8125 3.40625 6.20312
    show(gpu, program, areas, 6);   // 3 4 8 4 10 23
    show(gpu, program, groups, 6);  // 103 104 108 201 206 215
}
