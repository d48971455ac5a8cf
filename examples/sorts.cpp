// Sorts keys, keys with values, and segments; finds the best k elements and the k-th element.

#include "show.hpp"

struct Splat {
    float depth;
    std::uint32_t id;
};

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto depths = graph.import_buffer<float>("depths", 4);
    auto codes = graph.import_buffer<std::uint32_t>("codes", 4);
    auto ids = graph.import_buffer<std::uint32_t>("ids", 4);
    auto scores = graph.import_buffer<std::uint32_t>("scores", 6);
    auto offsets = graph.import_buffer<std::uint32_t>("offsets", 2);
    auto splats = graph.import_buffer<Splat>("splats", 3);

    // [sort]
    auto nearest = weir::argsort(graph, depths);       // indices of the keys in sorted order
    auto sorted = weir::radix_sort(graph, codes, ids); // keys with values of 1 to 4 words each
    auto by_low_bits = weir::radix_sort(graph, codes, {.descending = true, .first_bit = 0, .end_bit = 4}).keys;
    // [/sort]
    // [segments]
    auto rows = weir::segmented_sort(graph, scores, weir::Segments::of_length(3)).keys;
    auto lists = weir::segmented_sort(graph, scores, weir::Segments::at_offsets(offsets), {.longest = 4}).keys;
    // [/segments]
    // [comparator]
    auto by_remainder = weir::merge_sort(graph, scores, "a % 4u < b % 4u").keys;
    auto nearest_splats =
        weir::merge_sort(graph, splats, {"a.depth < b.depth", {"float depth", "uint id"}}, {.want_indices = true})
            .values;
    // [/comparator]
    // [top_k]
    auto best = weir::top_k(graph, scores, 2, {.descending = true, .want_indices = true}); // keys, indices and a count
    auto upper_median = weir::kth_element(graph, scores, 3);                               // one key, on the GPU
    // [/top_k]
    // [segmented_top_k]
    auto of_rows = weir::segmented_top_k(graph, scores, weir::Segments::of_length(3), 2,
                                         {.descending = true, .want_indices = true});
    // [/segmented_top_k]

    for (const auto& buffer : {nearest, sorted.keys, sorted.values, by_low_bits, rows, lists, by_remainder,
                               nearest_splats, best.keys, best.indices, upper_median, of_rows.keys, of_rows.indices}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto depth_memory = buffer_of<float>(gpu, {0.5F, -2, 3, 0});
    const auto code_memory = buffer_of<std::uint32_t>(gpu, {0x30, 0x11, 0x20, 0x12});
    const auto id_memory = buffer_of<std::uint32_t>(gpu, {0, 1, 2, 3});
    const auto score_memory = buffer_of<std::uint32_t>(gpu, {9, 4, 7, 1, 8, 2});
    const auto offset_memory = buffer_of<std::uint32_t>(gpu, {0, 2});
    const auto splat_memory = buffer_of<Splat>(gpu, {{2.5F, 0}, {0.5F, 1}, {1.5F, 2}});
    weir::check(program.bind(splats, splat_memory));
    weir::check(program.bind(depths, depth_memory));
    weir::check(program.bind(codes, code_memory));
    weir::check(program.bind(ids, id_memory));
    weir::check(program.bind(scores, score_memory));
    weir::check(program.bind(offsets, offset_memory));
    weir::check(program.run());
    show(gpu, program, nearest, 4);         // 1 3 0 2
    show(gpu, program, sorted.keys, 4);     // 17 18 32 48
    show(gpu, program, sorted.values, 4);   // 1 3 2 0
    show(gpu, program, by_low_bits, 4);     // 18 17 48 32
    show(gpu, program, rows, 6);            // 4 7 9 1 2 8
    show(gpu, program, lists, 6);           // 4 9 1 2 7 8
    show(gpu, program, by_remainder, 6);    // 4 8 9 1 2 7
    show(gpu, program, nearest_splats, 3);  // 1 2 0
    show(gpu, program, best.keys, 2);       // 9 8
    show(gpu, program, best.indices, 2);    // 0 4
    show(gpu, program, upper_median, 1);    // 7
    show(gpu, program, of_rows.keys, 4);    // 9 7 8 2
    show(gpu, program, of_rows.indices, 4); // 0 2 4 5
}
