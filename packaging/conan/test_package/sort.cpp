// Sorts numbers on the first Vulkan device and verifies the result. Succeeds without a device: the test then is that it
// links.
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    const auto gpu = weir::Context::create();
    if (!gpu) {
        std::printf("no Vulkan device: %s\n", gpu.error().message.c_str());
        return 0;
    }
    std::vector<std::uint32_t> numbers(10000);
    std::uint32_t number = 1;
    for (auto& n : numbers) {
        n = number = number * 1664525 + 1013904223;
    }
    weir::Graph graph(*gpu);
    const auto keys = graph.import_buffer<std::uint32_t>("keys", numbers.size());
    const auto sorted = weir::radix_sort(graph, keys).keys;
    graph.export_buffer(sorted);
    auto program = weir::check(weir::compile(*gpu, graph));
    auto memory = weir::check(gpu->create_buffer(numbers.size() * 4));
    weir::check(gpu->upload(memory, numbers));
    weir::check(program.bind(keys, memory));
    weir::check(program.run());
    const auto result = weir::check(gpu->download<std::uint32_t>(program.view(sorted), numbers.size()));
    std::sort(numbers.begin(), numbers.end());
    std::printf("%s\n", result == numbers ? "sorted" : "wrong");
    return result == numbers ? 0 : 1;
}
