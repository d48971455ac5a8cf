#include <weir/weir.hpp>

int main() { // selects the depths below 100 and sorts them
    auto gpu = weir::check(weir::Context::create());
    auto memory = weir::check(gpu.create_buffer(20));
    weir::Graph graph(gpu);
    auto depths = graph.import_buffer<std::uint32_t>("depths", 5);
    auto visible = weir::select_if(graph, depths, weir::Predicate::compare(weir::Comparison::less, 100U)).items;
    weir::radix_sort(graph, visible, {.output_keys = depths}); // the number of visible depths stays on the GPU
    auto program = weir::check(weir::compile(gpu, graph));     // once; each frame: bind, then run or record
    bool ok = gpu.upload(memory, std::array{7U, 400U, 3U, 100U, 1U}) && program.bind(depths, memory) && program.run();
    return ok && gpu.download<std::uint32_t>(memory, 3) == std::vector{1U, 3U, 7U} ? 0 : 1;
}
