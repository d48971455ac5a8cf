// Sorts rows and chooses the best elements of rows. One program takes matrices of many shapes and any k.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto scores = graph.import_buffer<float>("scores", 1024);
    // [rows]
    auto rows = graph.parameter("rows", 8); // maximum values; rows.max * columns.max elements fit in the input
    auto columns = graph.parameter("columns", 128);
    auto k = graph.parameter("k", 16);
    auto matrix = weir::Segments::of_rows(rows, columns);
    auto order = weir::segmented_argsort(graph, scores, matrix, {.local_indices = true}); // columns, row by row
    auto best = weir::segmented_top_k(graph, scores, matrix, k,
                                      {.descending = true, .want_indices = true, .local_indices = true});
    // [/rows]
    graph.export_buffer(order);
    graph.export_buffer(best.keys);
    graph.export_buffer(best.indices);
    auto program = weir::check(weir::compile(gpu, graph));

    std::vector<float> matrix_of_3_by_4 = {0.5F, 4, -1, 2, 7, 7, 1, 0, 3, 9, 8, 2};
    matrix_of_3_by_4.resize(1024);
    const auto memory = buffer_of<float>(gpu, matrix_of_3_by_4);
    weir::check(program.bind(scores, memory));
    weir::check(program.set(rows, 3));
    weir::check(program.set(columns, 4));
    weir::check(program.set(k, 2));
    weir::check(program.run());
    show(gpu, program, order, 12);       // 2 0 3 1 3 2 0 1 3 0 2 1
    show(gpu, program, best.keys, 6);    // 4 2 7 7 9 8
    show(gpu, program, best.indices, 6); // 1 3 0 1 1 2

    weir::check(program.set(rows, 2)); // the same numbers as two rows of six, without a new compile
    weir::check(program.set(columns, 6));
    weir::check(program.set(k, 1));
    weir::check(program.run());
    show(gpu, program, best.keys, 2);    // 7 9
    show(gpu, program, best.indices, 2); // 4 3
}
