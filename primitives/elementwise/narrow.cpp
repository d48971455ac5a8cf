#include <weir/primitives/narrow.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct NarrowInterface {
#include "shaders/elementwise/narrow_interface.h"
};

std::uint32_t number_of(detail::NarrowRequest::Kind kind) {
    switch (kind) {
    case detail::NarrowRequest::Kind::signed_integers: return NarrowInterface::NARROW_SIGNED;
    case detail::NarrowRequest::Kind::floats: return NarrowInterface::NARROW_FLOATS;
    case detail::NarrowRequest::Kind::bfloats: return NarrowInterface::NARROW_BFLOATS;
    default: return NarrowInterface::NARROW_UNSIGNED;
    }
}

} // namespace

void detail::add_narrow(Graph& graph, const NarrowRequest& request) {
    const BufferId seen[] = {request.input, buffer_of(request.count)};
    if (!check_input(graph, request.name, request.input) ||
        !check_room(graph, request.name, {"the input", request.input, request.input_capacity}, request.count.max, 1) ||
        !check_room(graph, request.name, {"the output", request.output, request.output_capacity}, request.count.max,
                    1) ||
        !check_apart(graph, request.name, {&request.output, 1}, seen)) {
        return;
    }
    using Interface = NarrowInterface;
    const bool merges = request.narrows && is_written(graph, request.output);
    const Packed& shader = request.narrows ? shaders::narrow_numbers : shaders::widen_numbers;
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shader, request.name), request.count, 1,
                                 request.input);
    set_bindings(pass, {{Interface::INPUT_BINDING, read(request.input)},
                        {Interface::OUTPUT_BINDING, merges ? read_write(request.output) : write(request.output)}});
    set_constants(pass, Interface{.BITS = request.bits, .NARROW = number_of(request.kind), .MERGES = merges});
    graph.add_pass(std::move(pass));
}

} // namespace weir
