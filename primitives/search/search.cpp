#include <weir/primitives/search.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

void detail::add_search(Graph& graph, const SearchRequest& request) {
    const std::uint32_t words = request.element.words(), keys = request.key_count.max;
    const BufferId seen[] = {request.sorted, request.keys, buffer_of(request.sorted_count),
                             buffer_of(request.key_count)};
    if (!check_room(graph, request.name, {"the sorted array", request.sorted, request.sorted_capacity},
                    request.sorted_count.max, words) ||
        !check_room(graph, request.name, {"the keys' buffer", request.keys, request.key_capacity}, keys, words) ||
        !check_room(graph, request.name, {"the output", request.output, request.output.capacity}, keys, 1) ||
        !check_apart(graph, request.name, {&request.output.id, 1}, seen)) {
        return;
    }
    const CountInputs sorted = count_inputs(request.sorted_count, request.sorted);
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shaders::search, request.name),
                                 request.key_count, words, request.keys);
    pass.bindings.insert(pass.bindings.end(),
                         {sorted.binding, read(request.sorted), read(request.keys), write(request.output)});
    pass.push.insert(pass.push.end(), {sorted.max_count, sorted.word});
    pass.constants.insert(pass.constants.end(),
                          {key_numbers(request.element.scalar), sorted.on_gpu, request.upper ? 1U : 0U});
    graph.add_pass(std::move(pass));
}

} // namespace weir
