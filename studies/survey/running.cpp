#include "studies/survey/running.hpp"

#include <algorithm>

#include "common/propagate.hpp"

namespace weir::bench {

Result<std::uint32_t> most_running(const Context& context,
                                   const std::function<void(Graph& graph, BufferRef<std::uint32_t> counts)>& add) {
    Graph graph(context);
    const auto counts = graph.transient_buffer<std::uint32_t>("running workgroups", 2);
    graph.add_fill("none are running", counts, 0);
    add(graph, counts);
    graph.export_buffer(counts);
    auto program = compile(context, graph);
    SAMPLES_PROPAGATE(program);
    std::uint32_t most = 1;
    for (int run = 0; run < 3; ++run) {
        auto found = program->run().and_then(
            [&](const RunReport&) { return context.download<std::uint32_t>(program->view(counts), 2); });
        SAMPLES_PROPAGATE(found);
        most = std::max(most, (*found)[1]);
    }
    return most;
}

} // namespace weir::bench
