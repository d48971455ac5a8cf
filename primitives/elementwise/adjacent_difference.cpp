#include <weir/primitives/adjacent_difference.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct DifferenceInterface {
#include "shaders/elementwise/adjacent_difference_interface.h"
};

} // namespace

void detail::add_adjacent_difference(Graph& graph, const AdjacentDifferenceRequest& request) {
    constexpr const char* name = "adjacent difference";
    const std::uint32_t words = request.element.words(), most = request.count.max;
    const BufferId seen[] = {request.input, buffer_of(request.count)};
    const bool doubles = request.element.scalar == Scalar::f64;
    if (!check_room(graph, name, {"the input", request.input, request.input_capacity}, most, words) ||
        !check_room(graph, name, {"the output", request.output, request.output_capacity}, most, words) ||
        !check_apart(graph, name, {&request.output, 1}, seen) || (doubles && !check_doubles(graph, name))) {
        return;
    }
    const Packed& shader = doubles ? shaders::adjacent_difference_doubles : shaders::adjacent_difference;
    Pass pass = elementwise_pass(graph, name, ShaderSource::packed(shader, name), request.count, words, request.input);
    set_bindings(pass, {{DifferenceInterface::INPUT_BINDING, read(request.input)},
                        {DifferenceInterface::OUTPUT_BINDING, write(request.output)}});
    set_constants(pass, DifferenceInterface{.FLOATS = request.element.scalar == Scalar::f32});
    graph.add_pass(std::move(pass));
}

} // namespace weir
