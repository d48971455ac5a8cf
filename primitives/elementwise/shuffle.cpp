#include <weir/primitives/shuffle.hpp>

#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct ShuffleInterface {
#include "shaders/elementwise/shuffle_interface.h"
};

constexpr std::uint32_t max_items = 1U << 31; // the network permutes numbers of at most 31 bits

} // namespace

void detail::add_shuffle(Graph& graph, const ShuffleRequest& request) {
    const std::uint32_t most = request.count.max;
    if (most > max_items) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " elements; at most ", max_items, " are supported")});
        return;
    }
    if (request.seed.kind == Count::Kind::gpu) {
        graph.fail({ErrorCode::invalid_argument, concat(request.name, ": the seed must not be a GPU count")});
        return;
    }
    const BufferId seen[] = {request.items, buffer_of(request.count)};
    if ((request.items.valid() &&
         !check_room(graph, request.name, {"the input", request.items, request.item_capacity}, most, request.words)) ||
        !check_room(graph, request.name, {"the output", request.output, request.output_capacity}, most,
                    request.words) ||
        !check_apart(graph, request.name, {&request.output, 1}, seen)) {
        return;
    }
    using Interface = ShuffleInterface;
    const bool gathers = request.items.valid();
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shaders::shuffle, request.name),
                                 request.count, request.words, request.output);
    set_bindings(pass, {{Interface::ITEMS_BINDING, gathers ? read(request.items) : unused(request.output)},
                        {Interface::OUTPUT_BINDING, write(request.output)}});
    set_constants(pass, Interface{.GATHERS = gathers});
    pass.push.emplace_back(request.seed);
    graph.add_pass(std::move(pass));
}

} // namespace weir
