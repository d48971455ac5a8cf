#include <weir/primitives/transform.hpp>

#include <utility>
#include <vector>

#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/expression.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel_text.hpp"

namespace weir {

namespace {

struct TransformInterface {
#include "shaders/elementwise/transform_interface.h"
};

constexpr const char* name = "transform";

ShaderSource kernel(const detail::TransformRequest& request) {
    const std::uint32_t words = request.to.words();
    const Argument x = argument_of(request.from), y = argument_of(request.to);
    const char* bits = request.to.scalar == Scalar::f32 ? "floatBitsToUint" : "uint";
    std::string stores;
    for (std::uint32_t w = 0; w < words; ++w) {
        stores += concat("    made[", w, "] = ", bits, words == 1 ? "(y" : concat("(y[", w, "]"), ");\n");
    }
    return ShaderSource::glsl(concat(glsl_version(), declare_values(request.expression->values), "#define FROM_WORDS ",
                                     request.from.words(), "\n#define TO_WORDS ", words,
                                     "\n#include <weir/transform.glsl>\n",
                                     expression_glsl(*request.expression, request.from, y.type, "expression",
                                                     TransformInterface::FIRST_SEEN_BINDING),
                                     "void make(uint item[FROM_WORDS], uint i, out uint made[TO_WORDS]) {\n    const ",
                                     y.type, " y = expression(", x.type, "(", x.value, "), i);\n", stores, "}\n"),
                              name);
}

} // namespace

void detail::add_transform(Graph& graph, const TransformRequest& request) {
    const bool in_place = request.input.valid() && request.output == request.input;
    const std::uint32_t from = request.from.words(), to = request.to.words(), most = request.count.max;
    if (!check_room(graph, name, {"the input", request.input, request.input_capacity}, most, from) ||
        !check_room(graph, name, {"the output", request.output, request.output_capacity}, most, to) ||
        !check_expression(graph, name, *request.expression)) {
        return;
    }
    std::vector<BufferId> seen{buffer_of(request.count), in_place ? BufferId{} : request.input};
    for (const FusedBuffer& buffer : request.expression->buffers) {
        seen.push_back(BufferId{buffer.binding.resource});
    }
    if (!check_apart(graph, name, {&request.output, 1}, seen)) {
        return;
    }
    if (in_place && from != to) {
        graph.fail({ErrorCode::invalid_argument, concat(name, ": in place from ", from, " to ", to,
                                                        " words is not supported; the sizes must be equal")});
        return;
    }
    Pass pass = elementwise_pass(graph, name, kernel(request), request.count, 1, request.input);
    set_bindings(pass,
                 {{TransformInterface::INPUT_BINDING, in_place ? unused(request.input) : read(request.input)},
                  {TransformInterface::OUTPUT_BINDING, in_place ? read_write(request.output) : write(request.output)}});
    for (const FusedBuffer& buffer : request.expression->buffers) {
        pass.bindings.push_back(buffer.binding);
    }
    set_constants(pass, TransformInterface{.IN_PLACE = in_place});
    push_values(pass, request.expression->values);
    graph.add_pass(std::move(pass));
}

} // namespace weir
