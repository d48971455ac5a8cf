#include <weir/primitives/fill.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct FillInterface {
#include "shaders/elementwise/fill_interface.h"
};

std::uint32_t sequence_of(Scalar scalar) {
    switch (scalar) {
    case Scalar::f32: return FillInterface::WRITES_FLOATS;
    case Scalar::u64:
    case Scalar::i64:
    case Scalar::f64: return FillInterface::WRITES_PAIRS;
    default: return FillInterface::WRITES_WORDS;
    }
}

} // namespace

void detail::add_fill(Graph& graph, const FillRequest& request) {
    const std::uint32_t words = request.element.words();
    const BufferId counted[] = {buffer_of(request.count)};
    if (!check_room(graph, request.name, {"the output", request.output, request.capacity}, request.count.max, words) ||
        !check_apart(graph, request.name, {&request.output, 1}, counted)) {
        return;
    }
    const bool doubles = request.sequence && request.element.scalar == Scalar::f64;
    if (doubles && !check_doubles(graph, request.name)) {
        return;
    }
    // The output cannot stand in for the count buffer: the pass only writes the output, while the kernel declares that
    // it reads the count.
    const BufferId stand_in =
        request.count.kind == Count::Kind::gpu ? BufferId{} : graph.state_buffer<std::uint32_t>("no count", 1);
    const Packed& shader = doubles ? shaders::fill_doubles : shaders::fill;
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shader, request.name), request.count, words,
                                 stand_in);
    set_bindings(pass, {{FillInterface::OUTPUT_BINDING, write(request.output)}});
    pass.push.insert(pass.push.end(), request.words.begin(), request.words.end());
    set_constants(pass, FillInterface{.WRITES = request.sequence ? sequence_of(request.element.scalar)
                                                                 : FillInterface::WRITES_ELEMENT});
    graph.add_pass(std::move(pass));
}

} // namespace weir
