#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/strings.hpp"
#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/kernel/precise.hpp"
#include "primitives/reduce/reduce_pass.hpp"

namespace weir {

namespace {

using detail::FusedReduceRequest;

/// Returns GLSL of WEIR_T_VALUE load(uint i), which converts the result of `loaded` to an element.
std::string load_glsl(const ReduceOperator& op, ElementType element) {
    if (op.monoid != nullptr) {
        return "T load(uint i) {\n    return loaded(i);\n}\n";
    }
    const std::uint32_t words = element.words();
    const char* bits = element.scalar == Scalar::f32 ? "floatBitsToUint" : "uint";
    std::string text = concat("WEIR_T_VALUE load(uint i) {\n    const ", argument_of(element).type,
                              " item = loaded(i);\n    uint words[WEIR_T_WORDS];\n");
    for (std::uint32_t w = 0; w < words; ++w) {
        text += concat("    words[", w, "] = ", bits, words == 1 ? "(item" : concat("(item[", w, "]"), ");\n");
    }
    return text + "    return element_of(words);\n}\n";
}

ShaderSource kernel(const FusedReduceRequest& request, const ReduceOperator& op) {
    const std::string type = op.monoid != nullptr ? "T" : argument_of(request.element).type;
    return ShaderSource::glsl(
        concat(glsl_version(), declare_values(*request.values),
               op.monoid != nullptr ? monoid_glsl(*op.monoid, {}) : define_element(*op.kernels),
               "#define CUSTOM_LOAD\n#define LOAD_FOLLOWS\n#include <weir/reduce.glsl>\n",
               declare_buffers(*request.buffers, ReduceInterface::MORE_BINDING, "FusedBuffer"),
               with_lines(with_precise_functions(*request.functions), *request.name + ".functions"), "precise ", type,
               " loaded(uint i) {", with_lines(*request.load, *request.name + ".load"), "}\n",
               load_glsl(op, request.element)),
        *request.name);
}

bool check(Graph& graph, const FusedReduceRequest& request) {
    const char* name = request.name->c_str();
    const auto writes = [](const FusedBuffer& buffer) { return buffer.binding.access != Access::shader_read; };
    const char* why = request.load->empty() ? "the load is empty"
                      : std::any_of(request.buffers->begin(), request.buffers->end(), writes)
                          ? "the buffers of a load must be read-only"
                          : nullptr;
    if (why != nullptr) {
        graph.fail({ErrorCode::invalid_argument, concat(name, ": ", why)});
        return false;
    }
    std::vector<BufferId> seen{buffer_of(request.count)};
    for (const FusedBuffer& buffer : *request.buffers) {
        seen.push_back(BufferId{buffer.binding.resource});
    }
    return check_room(graph, name, {"the output", request.output, request.output_capacity}, 1,
                      request.element.words()) &&
           check_apart(graph, name, {&request.output, 1}, seen) && check_values(graph, name, *request.values);
}

} // namespace

void detail::add_fused_reduce(Graph& graph, const FusedReduceRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const char* name = request.name->c_str();
    const auto op = reduce_operator(graph, name, request.element, *request.op, request.initial);
    if (!op) {
        return;
    }
    auto pass = reduce_pass(graph, {.name = name,
                                    .shader = kernel(request, *op),
                                    .count = request.count,
                                    .words = request.element.words(),
                                    .output = request.output,
                                    .op = *op,
                                    .tuning = request.tuning});
    if (!pass) {
        return;
    }
    for (const FusedBuffer& buffer : *request.buffers) {
        pass->bindings.push_back(buffer.binding);
    }
    push_values(*pass, *request.values);
    graph.add_pass(*std::move(pass));
}

} // namespace weir
