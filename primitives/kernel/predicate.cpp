#include "primitives/kernel/predicate.hpp"

#include <algorithm>

#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/precise.hpp"

namespace weir {

bool check_predicate(Graph& graph, const char* primitive, const Predicate& predicate, ElementType element) {
    const auto refuse = [&](const char* why) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", why)});
        return false;
    };
    const bool compares = predicate.comparison.has_value();
    if (compares != predicate.expression.empty()) {
        return refuse(compares ? "a predicate must not have both an expression and a comparison"
                               : "a predicate requires an expression or a comparison");
    }
    const auto writes = [](const FusedBuffer& buffer) { return buffer.binding.access != Access::shader_read; };
    if (std::any_of(predicate.buffers.begin(), predicate.buffers.end(), writes)) {
        return refuse("the buffers of a predicate must be read-only");
    }
    if (!check_values(graph, primitive, predicate.values)) {
        return false;
    }
    if (!compares) {
        return true;
    }
    if (!check_enum(graph, primitive, "Comparison", *predicate.comparison, Comparison::greater_equal)) {
        return false;
    }
    if (element.scalar == Scalar::custom || element.words() > 2 || predicate.type.scalar != element.scalar ||
        predicate.type.components != element.components) {
        return refuse("the number of a comparison must have the type of the elements");
    }
    return (predicate.buffers.empty() && predicate.values.empty() && predicate.functions.empty()) ||
           refuse("a predicate without an expression must not have buffers, values or functions");
}

std::string predicate_glsl(const Predicate& predicate, ElementType element, const std::string& function,
                           const std::string& blocks, std::uint32_t first_binding) {
    return concat(declare_buffers(predicate.buffers, first_binding, blocks),
                  with_lines(with_precise_functions(predicate.functions), predicate.name + ".functions"),
                  "precise bool ", function, "(", argument_of(element).type, " x, uint i) {\n    return",
                  with_lines(predicate.expression, predicate.name), ";\n}\n");
}

std::string predicate_kernel(const Predicate& predicate, ElementType element, const std::string& file,
                             std::uint32_t first_binding) {
    const Argument x = argument_of(element);
    return concat(glsl_version(), declare_values(predicate.values), "#define ITEM_WORDS ", element.words(),
                  "\n#define CUSTOM_PREDICATE\n#include <weir/", file, ">\n",
                  predicate_glsl(predicate, element, "custom_predicate", "Seen", first_binding),
                  "bool predicate(uint item[ITEM_WORDS], uint i) {\n    return custom_predicate(", x.type, "(", x.value,
                  "), i);\n}\n");
}

void push_predicate(Pass& pass, const Predicate* predicate) {
    if (predicate == nullptr || predicate->comparison) {
        const auto number = predicate != nullptr ? predicate->number : std::array<std::uint32_t, 2>{};
        pass.push.insert(pass.push.end(), number.begin(), number.end());
        return;
    }
    for (const FusedBuffer& buffer : predicate->buffers) {
        pass.bindings.push_back(buffer.binding);
    }
    push_values(pass, predicate->values);
}

} // namespace weir
