#pragma once

#include <cstdint>
#include <string>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/predicate.hpp>

namespace weir {

/// Checks that the predicate is either an expression or a comparison with a number of this type, that its buffers are
/// only read, and that its values have valid names. Fails the graph if not.
bool check_predicate(Graph& graph, const char* primitive, const Predicate& predicate, ElementType element);

/// Returns GLSL that declares the buffers of an expression, bound from `first_binding` on, as blocks named `blocks`
/// followed by a number, and the expression as a function: bool FUNCTION(X x, uint i).
std::string predicate_glsl(const Predicate& predicate, ElementType element, const std::string& function,
                           const std::string& blocks, std::uint32_t first_binding);

/// Returns the text of a kernel that includes shaders/lib/predicate.glsl, <weir/FILE>, with the expression. The buffers
/// of the expression are bound from `first_binding` on.
std::string predicate_kernel(const Predicate& predicate, ElementType element, const std::string& file,
                             std::uint32_t first_binding);

/// Appends the inputs of such a kernel to the pass: the buffers and values of the expression, or the number of the
/// comparison. With null, appends zeros for the number.
void push_predicate(Pass& pass, const Predicate* predicate);

} // namespace weir
