#include <weir/primitives/gather.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct GatherInterface {
#include "shaders/elementwise/gather_interface.h"
};

} // namespace

void detail::add_gather(Graph& graph, const GatherRequest& request) {
    const std::uint32_t words = request.words;
    const Count& count = request.indices.count;
    const Count& bound = request.scatters ? request.output_count : request.item_count;
    const std::uint64_t outputs = request.output_count.max;
    if (!check_room(graph, request.name, {"the items' buffer", request.items, request.item_capacity},
                    request.item_count.max, words) ||
        !check_room(graph, request.name, {"the indices' buffer", request.indices, request.indices.capacity}, count.max,
                    1) ||
        !check_room(graph, request.name, {"the output", request.output, request.output_capacity}, outputs, words)) {
        return;
    }
    const BufferId seen[] = {request.items, request.indices, buffer_of(count), buffer_of(bound)};
    if (!check_apart(graph, request.name, {&request.output, 1}, seen)) {
        return;
    }
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shaders::gather, request.name), count, words,
                                 request.items);
    set_bindings(pass, {{GatherInterface::INPUT_BINDING, read(request.items)},
                        {GatherInterface::INDICES_BINDING, read(request.indices)},
                        {GatherInterface::OUTPUT_BINDING, write(request.output)}});
    set_constants(pass, GatherInterface{.SCATTERS = request.scatters});
    add_count(pass, bound, request.items, GatherInterface::BOUND_BINDING, &GatherInterface::BOUND_ON_GPU);
    graph.add_pass(std::move(pass));
}

} // namespace weir
