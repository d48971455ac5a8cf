#pragma once

#include <cstdint>
#include <string>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>
#include <weir/primitives/predicate.hpp>

namespace weir {

/// Whether the predicate is an expression or a comparison of elements of this type, its buffers are only read, and its
/// values have names; fails the graph if not.
bool check_predicate(Graph& graph, const char* primitive, const Predicate& predicate, ElementType element);

/// GLSL that declares the buffers of an expression, from `first_binding` on, as blocks called `blocks` and a number,
/// and the expression as a function: bool FUNCTION(X x, uint i).
std::string predicate_glsl(const Predicate& predicate, ElementType element, const std::string& function,
                           const std::string& blocks, std::uint32_t first_binding);

/// The text of a kernel that includes shaders/lib/predicate.glsl, <weir/FILE>, with the expression; what it sees is
/// bound from `first_binding` on.
std::string predicate_kernel(const Predicate& predicate, ElementType element, const std::string& file,
                             std::uint32_t first_binding);

/// Appends what such a kernel takes: the buffers and the values that the expression sees, or the number of the
/// comparison; null: any number.
void push_predicate(Pass& pass, const Predicate* predicate);

} // namespace weir
