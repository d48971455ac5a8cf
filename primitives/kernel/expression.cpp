#include "primitives/kernel/expression.hpp"

#include <algorithm>

#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/kernel_text.hpp"

namespace weir {

bool check_expression(Graph& graph, const char* primitive, const Expression& expression) {
    const auto writes = [](const FusedBuffer& buffer) { return buffer.binding.access != Access::shader_read; };
    const char* why = expression.text.empty() ? "the expression is empty"
                      : std::any_of(expression.buffers.begin(), expression.buffers.end(), writes)
                          ? "the buffers of an expression must be read-only"
                          : nullptr;
    if (why != nullptr) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", why)});
    }
    return why == nullptr && check_values(graph, primitive, expression.values);
}

std::string expression_glsl(const Expression& expression, ElementType element, const std::string& result,
                            const std::string& function, std::uint32_t first_binding) {
    return concat(declare_buffers(expression.buffers, first_binding, "Seen"),
                  with_lines(expression.functions, expression.name + ".functions"), "precise ", result, " ", function,
                  "(", argument_of(element).type, " x, uint i) {\n    return",
                  with_lines(expression.text, expression.name), ";\n}\n");
}

} // namespace weir
