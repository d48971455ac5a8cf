#pragma once

#include <cstdint>
#include <string>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// Checks that the expression is not empty, that its buffers are only read, and that its values have valid names. Fails
/// the graph if not.
bool check_expression(Graph& graph, const char* primitive, const Expression& expression);

/// Returns GLSL that declares the buffers of the expression, bound from `first_binding` on, and the expression as a
/// function: RESULT FUNCTION(X x, uint i).
std::string expression_glsl(const Expression& expression, ElementType element, const std::string& result,
                            const std::string& function, std::uint32_t first_binding);

} // namespace weir
