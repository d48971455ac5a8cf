#include <weir/weir.hpp>

int main() { // indices of the depths below 100, nearest first
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto depths = graph.import_buffer<std::uint32_t>("depths", 6);
    auto is_near = weir::Predicate::compare(weir::Comparison::less, 100U);
    auto visible = weir::select_if(graph, depths, is_near, {.want_indices = true});
    auto order = weir::radix_sort(graph, visible.items, {.values = visible.indices}).values; // visible.count elements
    graph.export_buffer(order);
    auto program = weir::check(weir::compile(gpu, graph)); // once

    auto memory = weir::check(gpu.create_buffer(24));
    weir::check(gpu.upload(memory, std::vector<std::uint32_t>{7, 400, 3, 9, 100, 1}));
    weir::check(program.bind(depths, memory)); // each frame
    weir::check(program.run());                // or program.record(your_command_buffer)
    return weir::check(gpu.download<std::uint32_t>(program.view(order), 4)) == std::vector{5U, 2U, 0U, 3U} ? 0 : 1;
}
