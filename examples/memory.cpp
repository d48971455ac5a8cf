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

/// Plans primitives on a buffer that is larger than the device can bind.
bool plans_large(const weir::Context& gpu) {
    const std::uint64_t n = gpu.capabilities().max_storage_range / 4 + 5;
    weir::Graph graph(gpu);
    // [large]
    auto words = graph.import_large_buffer<std::uint32_t>("words", n); // n is a std::uint64_t
    auto sums = weir::scan(graph, words);
    auto bytes = weir::histogram(graph, words, weir::Bins::bytes()); // counts of 64 bits
    weir::radix_sort(graph, words, {.output_keys = words});          // requires Capabilities::buffer_address
    // [/large]
    graph.export_buffer(sums);
    graph.export_buffer(bytes);
    return !graph.error() || !gpu.capabilities().buffer_address;
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
    const bool is_shared = pool.bytes() >= memory.bytes() && memory.bytes() <= memory.apart && plans_large(gpu);
    std::printf("%s\n", is_shared ? "shared" : "not shared");
    return is_shared ? 0 : 1;
}
