// Two programs that run one after the other on one queue share the memory of their transients.

#include <algorithm>
#include <cstdio>

#include <weir/weir.hpp>

namespace {

weir::Graph sort_of(const weir::Context& gpu, std::uint32_t count) {
    weir::Graph graph(gpu);
    auto keys = graph.import_buffer<std::uint32_t>("keys", count);
    graph.export_buffer(weir::reduce(graph, weir::radix_sort(graph, keys).keys));
    return graph;
}

} // namespace

int main() {
    auto gpu = weir::check(weir::Context::create());
    // [pool]
    weir::MemoryPool pool(gpu);
    auto large = weir::check(weir::compile(gpu, sort_of(gpu, 100'000), {.pool = pool})); // the largest first
    auto small = weir::check(weir::compile(gpu, sort_of(gpu, 20'000), {.pool = pool}));
    // [/pool]
    // [budget]
    const weir::MemoryBudget budget = gpu.memory_budget();
    const bool is_tight = std::ranges::any_of(budget.heaps, [](const weir::MemoryHeap& heap) {
        return heap.device_local && heap.usage > heap.budget / 10 * 9; // usage and budget are bytes of the process
    });
    // [/budget]
    std::fputs(is_tight ? "more than 90 % of the memory budget is in use\n" : "", stderr);
    const weir::PlanMemory& memory = large.plan().memory;
    const bool is_shared = pool.bytes() >= memory.bytes() && memory.bytes() <= memory.apart;
    std::printf("%s\n", is_shared ? "shared" : "not shared");
    return is_shared ? 0 : 1;
}
