#pragma once

#include <cstdint>
#include <string>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/expression.hpp>

namespace weir {

/// Whether there is something to compile, the buffers that it sees are only read, and values have names; fails the
/// graph if not.
bool check_expression(Graph& graph, const char* primitive, const Expression& expression);

/// GLSL that declares what the expression sees, from `first_binding` on, and then itself as a function: RESULT
/// FUNCTION(X x, uint i).
std::string expression_glsl(const Expression& expression, ElementType element, const std::string& result,
                            const std::string& function, std::uint32_t first_binding);

} // namespace weir
