// Passes that run only if a switch is on or off, or a count is not 0, a buffer with a history, and a graph added to
// another.

#include <cstdio>
#include <vector>

#include <weir/weir.hpp>

namespace {

/// Prints the light of three objects with fog and without.
void show_light(const weir::Context& gpu) {
    weir::Graph graph(gpu);
    auto distances = weir::iota(graph, graph.transient_buffer<std::uint32_t>("distances", 3));

    // [exclusive]
    auto fog = graph.add_switch("fog");
    auto light = graph.transient_buffer<float>("light", 3);
    {
        auto if_foggy = graph.only_if(fog);
        weir::transform<float>(graph, distances, "1.0 / (1.0 + float(x))", {.output = light});
    }
    {
        auto if_clear = graph.unless(fog);
        weir::fill(graph, light, 1.0F); // writes `light`, too
    }
    auto shown = weir::transform<float>(graph, light, "x * 255.0"); // reads `light`, after both
    // [/exclusive]

    graph.export_buffer(shown);
    auto program = weir::check(weir::compile(gpu, graph));
    for (const bool is_foggy : {true, false}) {
        weir::check(program.set(fog, is_foggy));
        weir::check(program.run());
        for (const float value : weir::check(gpu.download<float>(program.view(shown), 3))) {
            std::printf("%.1f\n", value); // 255.0 127.5 85.0, then 255.0 255.0 255.0
        }
    }
}

} // namespace

int main() {
    auto gpu = weir::check(weir::Context::create());

    // [switches]
    weir::Graph sorting(gpu);
    auto unsorted = sorting.import_buffer<std::uint32_t>("unsorted", 4);
    auto sorted = weir::radix_sort(sorting, unsorted).keys;

    weir::Graph graph(gpu);
    auto numbers = graph.import_buffer<std::uint32_t>("numbers", 4);
    auto large = weir::select_if(graph, numbers, weir::Predicate::compare(weir::Comparison::greater, 9U));
    auto order = graph.history_buffer<std::uint32_t>("order", 4);
    auto last_order = graph.transient_buffer<std::uint32_t>("last order", 4);
    auto sorts = graph.add_switch("sorts");
    {
        auto if_wanted = graph.only_if(sorts);                          // program.set(sorts, false): not recorded
        auto if_any = graph.only_if(graph.count_in(large.count, 0, 4)); // no number is large: no workgroups
        auto node = graph.add_graph(sorting, {{unsorted, numbers}}, "sorting");
        graph.add_copy("keep", node.buffer(sorted), order.current, 16);
    }
    graph.add_copy("show", order.previous, last_order, 16); // kept by the previous execution; zeros in the first
    graph.export_buffer(last_order);
    // [/switches]

    auto program = weir::check(weir::compile(gpu, graph));
    const std::vector<std::uint32_t> values = {3, 12, 1, 7};
    auto memory = weir::check(gpu.create_buffer(16));
    const auto shown = gpu.upload(memory, values)
                           .and_then([&] { return program.bind(numbers, memory); })
                           .and_then([&] { return program.set(sorts, true); })
                           .and_then([&] { return program.run(); })
                           .and_then([&](auto) { return program.run(); })
                           .and_then([&](auto) { return gpu.download<std::uint32_t>(program.view(last_order), 4); });
    for (const std::uint32_t number : shown.value()) {
        std::printf("%u\n", number); // 1, 3, 7, 12
    }
    show_light(gpu);
}
