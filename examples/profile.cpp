// Prints the plan of a graph and the GPU time of its passes.

#include <cstdio>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto keys = graph.import_buffer<std::uint32_t>("keys", 4);
    graph.export_buffer(weir::radix_sort(graph, keys).keys);
    auto program = weir::check(weir::compile(gpu, graph));
    const auto memory = buffer_of<std::uint32_t>(gpu, {3, 1, 2, 0});
    weir::check(program.bind(keys, memory));

    // [profile]
    std::puts(program.plan().text().c_str()); // also dot() and json()
    const weir::Profile profile = weir::check(program.profile());
    std::puts(profile.text().c_str()); // also trace(), for Perfetto
    // [/profile]
}
