#include <weir/primitives/fill.hpp>

#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/windows.hpp"
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

/// Adds the pass of a request that was checked.
void add_pass(Graph& graph, const detail::FillRequest& request) {
    const std::uint32_t words = request.element.words();
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

/// Moves the start of a sequence of integers by `elements` steps.
void advance(detail::FillRequest& sequence, std::uint64_t elements) {
    const auto number = [&](std::size_t word) {
        return sequence.words[word] | std::uint64_t{sequence.words[word + 1]} << 32;
    };
    const std::uint64_t start = number(0) + elements * number(2); // the low words do not depend on the high ones
    sequence.words[0] = static_cast<std::uint32_t>(start);
    sequence.words[1] = static_cast<std::uint32_t>(start >> 32);
}

void add_windows(Graph& graph, const detail::FillRequest& request) {
    const std::uint32_t words = request.element.words();
    const Scalar scalar = request.element.scalar;
    if (request.sequence && (scalar == Scalar::f32 || scalar == Scalar::f64)) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": the output exceeds ", graph.capabilities().max_storage_range,
                           " bytes (maxStorageBufferRange), which is supported for integers only")});
        return;
    }
    for (const Window& window :
         divide_into_windows(graph, request.name, request.count, request.large_count, words).each) {
        detail::FillRequest part = request;
        part.count = window.count;
        part.output = part_of(graph, request.output, window, words).buffer;
        if (request.sequence) {
            advance(part, window.first);
        }
        add_pass(graph, part);
    }
}

} // namespace

void detail::add_fill(Graph& graph, const FillRequest& request) {
    const BufferId counted[] = {buffer_of(request.count)};
    const bool is_large = exceeds_binding(graph, {request.output});
    if (!check_room(graph, request.name, {"the output", request.output, request.capacity, is_large},
                    request.large_count != 0 ? request.large_count : request.count.max, request.element.words()) ||
        !check_apart(graph, request.name, {&request.output, 1}, counted)) {
        return;
    }
    if (is_large) {
        add_windows(graph, request);
    } else {
        add_pass(graph, request);
    }
}

} // namespace weir
