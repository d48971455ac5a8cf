#include <weir/primitives/reduce.hpp>

#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/kernel/windows.hpp"
#include "primitives/reduce/reduce_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct ExtremumInterface {
#include "shaders/reduce/extremum_interface.h"
};

bool refuse(Graph& graph, const detail::ReduceRequest& request, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(request.name, ": ", why)});
    return false;
}

bool check(Graph& graph, const detail::ReduceRequest& request, std::uint32_t words) {
    const bool is_large = exceeds_binding(graph, {request.input});
    if (!check_layout(graph, request.name, {"the input", request.input_words, words, request.input_layout, is_large},
                      request.large_count != 0 ? request.large_count : request.count.max)) {
        return false;
    }
    if (request.output_words < words) {
        return refuse(
            graph, request, ErrorCode::invalid_argument,
            concat("the output has a capacity of ", request.output_words, " words; ", words, " are required"));
    }
    if (request.position.valid()) {
        const BufferId written[] = {request.output, request.position};
        const BufferId seen[] = {request.input, buffer_of(request.count)};
        return check_room(graph, request.name, {"the position's buffer", request.position, request.position.capacity},
                          1, 1) &&
               check_apart(graph, request.name, written, seen);
    }
    return request.output != request.input ||
           refuse(graph, request, ErrorCode::invalid_argument, "the output is also the input");
}

/// An operator and its kernel.
struct Kernel {
    ReduceOperator op;
    ShaderSource shader;
};

/// Returns the kernel. Returns nothing and fails the graph if the operator is not available for these elements.
std::optional<Kernel> choose_kernel(Graph& graph, const detail::ReduceRequest& request) {
    if (request.position.valid()) {
        const Packed& shader = request.element.words() == 1 ? shaders::extremum_1 : shaders::extremum_2;
        return Kernel{{}, ShaderSource::packed(shader, request.name)};
    }
    const auto op = reduce_operator(graph, request.name, request.element, *request.op, request.initial);
    if (!op) {
        return std::nullopt;
    }
    if (op->monoid == nullptr) {
        return Kernel{*op, ShaderSource::packed(*op->kernels->reduce, "reduce")};
    }
    return Kernel{*op,
                  ShaderSource::glsl(glsl_version() + monoid_glsl(*op->monoid, {}) + "#include <weir/reduce.glsl>\n",
                                     op->monoid->name)};
}

/// Adds the pass of a request that was checked.
void add_pass(Graph& graph, const detail::ReduceRequest& request, const Kernel& kernel) {
    const std::uint32_t words = request.element.words();
    const std::uint32_t stride = request.input_layout.stride != 0 ? request.input_layout.stride : words;
    auto pass = reduce_pass(graph, {.name = request.name,
                                    .shader = kernel.shader,
                                    .count = request.count,
                                    .words = words + (request.position.valid() ? 1 : 0), // a number and its index
                                    .input = request.input,
                                    .layout = {.offset = request.input_layout.offset, .stride = stride},
                                    .whole_vectors = stride == words && request.input_layout.offset % 4 == 0,
                                    .output = request.output,
                                    .op = kernel.op,
                                    .tuning = request.tuning});
    if (!pass) {
        return;
    }
    if (request.position.valid()) {
        set_bindings(*pass, {{ExtremumInterface::POSITION_BINDING, write(request.position)}});
        set_constants(*pass,
                      ExtremumInterface{.NUMBERS = key_numbers(request.element.scalar), .GREATEST = request.greatest});
    }
    graph.add_pass(*std::move(pass));
}

/// Reduces each window of the input, then the results in their order.
void add_windows(Graph& graph, const detail::ReduceRequest& request, const Kernel& kernel) {
    const std::uint32_t words = request.element.words();
    const Windows windows = divide_into_windows(graph, request.name, request.count, request.large_count,
                                                stride_of(request.input_layout, words));
    if (windows.each.empty()) {
        return;
    }
    constexpr std::uint32_t slot = 64; // words: a binding can begin at each result
    const auto count = static_cast<std::uint32_t>(windows.each.size());
    const auto results = graph.transient_buffer<std::uint32_t>("reduced windows", count * slot);
    Kernel of_window = kernel;
    of_window.op.initial.reset(); // used once, with the results
    for (std::uint32_t i = 0; i < count; ++i) {
        detail::ReduceRequest part = request;
        const WindowPart input = part_of(graph, request.input, windows.each[i], words, request.input_layout);
        part.input = input.buffer;
        part.input_layout = input.layout;
        part.count = windows.each[i].count;
        part.output = graph.part(results, i * slot, slot);
        add_pass(graph, part, of_window);
    }
    detail::ReduceRequest last = request;
    last.input = results;
    last.input_layout = {.offset = 0, .stride = slot};
    last.count = windows.used;
    add_pass(graph, last, kernel);
}

} // namespace

void detail::add_reduce(Graph& graph, const ReduceRequest& request) {
    if (!check_input(graph, request.name, request.input) || !check(graph, request, request.element.words())) {
        return;
    }
    const auto kernel = choose_kernel(graph, request);
    if (!kernel) {
        return;
    }
    if (exceeds_binding(graph, {request.input}) && !request.position.valid()) {
        add_windows(graph, request, *kernel);
    } else {
        add_pass(graph, request, *kernel);
    }
}

} // namespace weir
